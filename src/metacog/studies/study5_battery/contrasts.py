"""Pairs of models that differ in one thing, and families of models that differ in size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.intervals import Interval
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, mean_difference
from metacog.studies.study5_battery.published import RETROSPECTIVE

#: Pairs of which the first reasons at length before it answers.
PAIRS = (("Qwen 80B Think", "Qwen 80B Inst"), ("DeepSeek R1", "DeepSeek V3.2"))


@dataclass(frozen=True)
class Family:
    """Models of one family from the smallest to the largest, and what the abstract says of them."""

    name: str
    models: tuple[str, ...]
    claim: str


FAMILIES = (
    Family("Qwen", ("Qwen 80B Inst", "Qwen 235B", "Qwen Coder 480B"), "falls"),
    Family("GPT-5.4", ("GPT-5.4 nano", "GPT-5.4 mini", "GPT-5.4"), "rises"),
    Family("Gemma", ("Gemma 3 1B", "Gemma 3 12B", "Gemma 3 27B"), "flat"),
)
#: Deltas that lie within so many points of each other are called flat.
FLAT = 5.0
#: The track of which the abstract claims its courses.
CLAIMED_ON = "T2"


def pair_table(responses: pd.DataFrame) -> pd.DataFrame:
    """Each pair on each track, and over the tracks on which both have a delta.

    Returns
    -------
    DataFrame
        ``pair, track, accuracy_a, accuracy_b, only_a, only_b`` (items that one alone gets right), ``p``
        (McNemar's exact test), ``stood_a, stood_b, delta_a, delta_b, difference, lower, upper``.
    """
    per_track = deltas(responses[responses["track"].isin(RETROSPECTIVE)])
    rows = []
    for first, second in PAIRS:
        one, other = (per_track[per_track["model"] == m].set_index("track") for m in (first, second))
        name = f"{first} less {second}"
        for track in (t for t in RETROSPECTIVE if t in one.index and t in other.index):
            a, b = one.loc[track], other.loc[track]
            gap = mean_difference(one.loc[[track]].reset_index(), other.loc[[track]].reset_index())
            rows.append(
                {
                    "pair": name,
                    "track": track,
                    **_accuracies(responses, first, second, [track]),
                    "stood_a": a["stood"],
                    "stood_b": b["stood"],
                    "delta_a": a["delta"],
                    "delta_b": b["delta"],
                    **_ends(gap),
                }
            )
        rows.append({"pair": name, **_over_tracks(responses, first, second, one, other)})
    return pd.DataFrame(rows)


def _over_tracks(
    responses: pd.DataFrame, first: str, second: str, one: pd.DataFrame, other: pd.DataFrame
) -> dict[str, object]:
    both = [t for t in one.index if t in other.index]
    defined = (one["delta"] - other["delta"]).notna()
    shared = [t for t in both if defined[t]]
    gap = mean_difference(one.loc[both].reset_index(), other.loc[both].reset_index())
    return {
        "track": f"mean of {len(shared)}" if len(shared) > 1 else f"{listed(shared)} alone",
        **_accuracies(responses, first, second, both),
        "stood_a": one.loc[both, "stood"].mean(),
        "stood_b": other.loc[both, "stood"].mean(),
        "delta_a": one.loc[shared, "delta"].mean(),
        "delta_b": other.loc[shared, "delta"].mean(),
        **_ends(gap),
    }


def _ends(one: Interval) -> dict[str, float]:
    return {"difference": one.estimate, "lower": one.lower, "upper": one.upper}


def _accuracies(responses: pd.DataFrame, first: str, second: str, tracks: list[str]) -> dict[str, object]:
    own = responses[responses["track"].isin(tracks) & responses["model"].isin([first, second])]
    table = own.pivot(index=["track", "item"], columns="model", values="correct").astype(bool)
    a, b = table[first], table[second]
    only_a, only_b = int((a & ~b).sum()), int((~a & b).sum())
    p = binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0
    return {"accuracy_a": a.mean(), "accuracy_b": b.mean(), "only_a": only_a, "only_b": only_b, "p": float(p)}


def pairs_said(table: pd.DataFrame) -> str:
    """What each pair comes to over all tracks, in words."""
    said = []
    for row in table.groupby("pair", sort=False).tail(1).to_dict("records"):
        first, second = str(row["pair"]).split(" less ")
        sure = "is told" if row["lower"] > 0 or row["upper"] < 0 else "is not told"
        said.append(
            f"{first} is right {row['accuracy_a']:.1%} of the time and {second} {row['accuracy_b']:.1%} (p = "
            f"{row['p']:.2g}); they keep {row['stood_a']:.0f} % and {row['stood_b']:.0f} % of their "
            f"answers. The "
            f"difference of their deltas ({row['track']}) is {row['difference']:+.1f} and {sure} from zero."
        )
    return " ".join(said)


def scaling(responses: pd.DataFrame) -> pd.DataFrame:
    """Withdraw delta over size within a family: the mean over T1 to T5, and each track.

    Returns
    -------
    DataFrame
        A row a family, measure and model: ``family, claim, measure, model, step, delta, lower, upper``, and
        the same in all rows of a family and measure: ``change, change_lower, change_upper`` (largest less
        smallest model), ``course`` (:func:`course_of` of the estimates).
    """
    per_track = deltas(responses)
    means = mean_deltas(per_track).assign(track="mean")
    means = means[means["complete"]]
    rows = []
    for family in FAMILIES:
        for measure in ("mean", *RETROSPECTIVE):
            table = means if measure == "mean" else per_track[per_track["track"] == measure]
            own = table.set_index("model").reindex(list(family.models))
            tracks = RETROSPECTIVE if measure == "mean" else (measure,)
            change = _change(per_track[per_track["track"].isin(tracks)], family, own["delta"])
            for step, model in enumerate(family.models):
                rows.append(
                    {
                        "family": family.name,
                        "claim": family.claim,
                        "measure": measure,
                        "model": model,
                        "step": step,
                        "delta": own.at[model, "delta"],
                        "lower": own.at[model, "lower"],
                        "upper": own.at[model, "upper"],
                        "change": change.estimate,
                        "change_lower": change.lower,
                        "change_upper": change.upper,
                        "course": course_of(list(own["delta"])),
                    }
                )
    return pd.DataFrame(rows)


def course_of(values: list[float]) -> str:
    """``flat`` (all within :data:`FLAT`), ``rises``, ``falls``, else ``mixed``; empty with a gap."""
    steps = np.diff(values)
    if not np.isfinite(values).all():
        return ""
    if np.ptp(values) <= FLAT:
        return "flat"
    if (steps > 0).all():
        return "rises"
    return "falls" if (steps < 0).all() else "mixed"


def _change(per_track: pd.DataFrame, family: Family, values: pd.Series) -> Interval:
    """Largest less smallest model, where both ends are defined."""
    smallest, largest = (per_track[per_track["model"] == family.models[k]] for k in (0, -1))
    if not np.isfinite(values.iloc[[0, -1]]).all():
        return Interval(np.nan, np.nan, np.nan)
    return mean_difference(largest, smallest)


def twins_of(family: Family, copied: pd.DataFrame, track: str = CLAIMED_ON) -> str:
    """What is in the way of judging a family on a track: two sizes with one and the same file; else empty."""
    twins = copied[copied["first"].isin(family.models) & copied["second"].isin(family.models)]
    return "; ".join(
        f"{row['first']} and {row['second']} have one and the same file on {track}"
        for row in twins[twins["track"] == track].to_dict("records")
    )


def scaling_verdicts(responses: pd.DataFrame, copied: pd.DataFrame) -> tuple[Verdict, ...]:
    """Whether each family's course on T2 is the printed one, and whether its interval tells it.

    Undecided where two sizes share a file.
    """
    table = scaling(responses)
    return tuple(v for family in FAMILIES for v in _scaling_verdicts(family, table, copied))


def _scaling_verdicts(family: Family, table: pd.DataFrame, copied: pd.DataFrame) -> tuple[Verdict, ...]:
    own = table[table["family"] == family.name]
    rows = own[own["measure"] == CLAIMED_ON]
    two, mean = rows.iloc[0], own[own["measure"] == "mean"].iloc[0]
    twins, name = twins_of(family, copied), f"scaling, {family.name}"
    known = bool(two["course"]) and not twins
    values = ", ".join(f"{row.model} {row.delta:.1f}" for row in rows_of(rows))
    verb = "is flat" if family.claim == "flat" else family.claim
    order = "; the printed order" if two["course"] == family.claim else "; not the printed order"
    apart = f" {twins}: two sizes are left." if twins else ""
    return (
        Verdict(
            name,
            Kind.BESIDE,
            f"On {CLAIMED_ON} the withdraw delta {verb} with size in {family.name}.",
            bool(two["course"] == family.claim) if known else None,
            f"On {CLAIMED_ON}: {values}{order}.{apart}",
        ),
        Verdict(
            name,
            Kind.SOUND,
            f"And the interval of the largest less the smallest model says so: {verb}.",
            told(family.claim, str(two["course"]), two["change_lower"], two["change_upper"])
            if known
            else None,
            f"{family.models[-1]} less {family.models[0]}: on {CLAIMED_ON} {_points(two)}; over the mean of "
            f"T1 to T5, of which the paper claims nothing, {_points(mean)}.",
        ),
    )


def told(claim: str, course: str, lower: float, upper: float) -> bool | None:
    """Whether an interval of largest less smallest tells a course; None where it leaves it open.

    ``flat``: within -/+ :data:`FLAT`; ``rises`` and ``falls``: beyond 0, the steps in that order.
    """
    if claim == "flat":
        if -FLAT <= lower and upper <= FLAT:
            return course == "flat" or None
        return False if lower > FLAT or upper < -FLAT else None
    down, up = (lower, upper) if claim == "rises" else (-upper, -lower)
    if up < 0:
        return False
    return (course == claim or None) if down > 0 else None


def _points(row: pd.Series) -> str:
    return f"{row['change']:+.1f} points (95 % {row['change_lower']:.1f} to {row['change_upper']:.1f})"
