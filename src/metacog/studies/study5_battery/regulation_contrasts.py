"""Pairs of models that differ in one thing, and families of models that differ in size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from metacog.core.frames import rows_of
from metacog.sdt.intervals import Interval
from metacog.studies.study5_battery.measures import deltas, mean_deltas, mean_difference
from metacog.studies.study5_battery.paper import RETROSPECTIVE
from metacog.verdicts.verdict import Kind, Verdict

#: Pairs of which the first reasons at length before it answers.
PAIRS = (("Qwen 80B Think", "Qwen 80B Inst"), ("DeepSeek R1", "DeepSeek V3.2"))


@dataclass(frozen=True)
class Family:
    """Models of one family from the smallest to the largest, and what the abstract claims about them."""

    name: str
    models: tuple[str, ...]
    claim: str


FAMILIES = (
    Family("Qwen", ("Qwen 80B Inst", "Qwen 235B", "Qwen Coder 480B"), "falls"),
    Family("GPT-5.4", ("GPT-5.4 nano", "GPT-5.4 mini", "GPT-5.4"), "rises"),
    Family("Gemma", ("Gemma 3 1B", "Gemma 3 12B", "Gemma 3 27B"), "flat"),
)
#: Deltas that lie within this many points of each other are called flat.
FLAT = 5.0
#: The track of which the abstract claims its courses.
CLAIMED_ON = "T2"


def pair_table(responses: pd.DataFrame) -> pd.DataFrame:
    """Each pair on each track, and over the tracks on which both have a delta.

    Returns
    -------
    DataFrame
        ``first, second, track`` (``mean`` in the last row of a pair), ``over`` (tracks of the deltas, joined
        by ``; ``), ``accuracy_a, accuracy_b, only_a, only_b`` (items that one alone gets right), ``p``
        (McNemar's exact test), ``stood_a, stood_b, delta_a, delta_b, difference, lower, upper``.
    """
    per_track = deltas(responses[responses["track"].isin(RETROSPECTIVE)])
    rows: list[dict[str, object]] = []
    for first, second in PAIRS:
        one, other = (per_track[per_track["model"] == m].set_index("track") for m in (first, second))
        both = [t for t in RETROSPECTIVE if t in one.index and t in other.index]
        rows += [_pair_on(responses, one, other, [track], track) for track in both]
        rows.append(_pair_on(responses, one, other, both, "mean"))
    return pd.DataFrame(rows)


def _pair_on(
    responses: pd.DataFrame, one: pd.DataFrame, other: pd.DataFrame, tracks: list[str], name: str
) -> dict[str, object]:
    """One row of :func:`pair_table`; rates over all the tracks, deltas over those that both have defined."""
    models = [str(side["model"].iloc[0]) for side in (one, other)]
    defined = (one["delta"] - other["delta"]).notna()
    shared = [t for t in tracks if defined[t]]
    of = tracks if name != "mean" else shared
    gap = mean_difference(one.loc[tracks].reset_index(), other.loc[tracks].reset_index())
    return {
        "first": models[0],
        "second": models[1],
        "track": name,
        "over": "; ".join(of),
        **_accuracies(responses, models[0], models[1], tracks),
        "stood_a": one.loc[tracks, "stood"].mean(),
        "stood_b": other.loc[tracks, "stood"].mean(),
        "delta_a": one.loc[of, "delta"].mean(),
        "delta_b": other.loc[of, "delta"].mean(),
        "difference": gap.estimate,
        "lower": gap.lower,
        "upper": gap.upper,
    }


def _accuracies(responses: pd.DataFrame, first: str, second: str, tracks: list[str]) -> dict[str, object]:
    subset = responses[responses["track"].isin(tracks) & responses["model"].isin([first, second])]
    table = subset.pivot(index=["track", "item"], columns="model", values="correct").astype(bool)
    a, b = table[first], table[second]
    only_a, only_b = int((a & ~b).sum()), int((~a & b).sum())
    p = binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0
    return {"accuracy_a": a.mean(), "accuracy_b": b.mean(), "only_a": only_a, "only_b": only_b, "p": float(p)}


def scaling(responses: pd.DataFrame) -> pd.DataFrame:
    """Withdraw delta over size within a family: the mean over T1 to T5, and each track.

    Returns
    -------
    DataFrame
        One row per family, measure and model: ``family, claim, measure, model, step, delta, lower, upper``,
        and the same in all rows of a family and measure: ``change, change_lower, change_upper`` (largest
        minus smallest model), ``course`` (:func:`course_of` of the estimates).
    """
    per_track = deltas(responses)
    means = mean_deltas(per_track).assign(track="mean")
    means = means[means["complete"]]
    rows = []
    for family in FAMILIES:
        for measure in ("mean", *RETROSPECTIVE):
            table = means if measure == "mean" else per_track[per_track["track"] == measure]
            subset = table.set_index("model").reindex(list(family.models))
            tracks = RETROSPECTIVE if measure == "mean" else (measure,)
            change = _change(per_track[per_track["track"].isin(tracks)], family, subset["delta"])
            for step, model in enumerate(family.models):
                rows.append(
                    {
                        "family": family.name,
                        "claim": family.claim,
                        "measure": measure,
                        "model": model,
                        "step": step,
                        "delta": subset.at[model, "delta"],
                        "lower": subset.at[model, "lower"],
                        "upper": subset.at[model, "upper"],
                        "change": change.estimate,
                        "change_lower": change.lower,
                        "change_upper": change.upper,
                        "course": course_of(list(subset["delta"])),
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
    """Largest minus smallest model, where both ends are defined."""
    smallest, largest = (per_track[per_track["model"] == family.models[k]] for k in (0, -1))
    if not np.isfinite(values.iloc[[0, -1]]).all():
        return Interval(np.nan, np.nan, np.nan)
    return mean_difference(largest, smallest)


#: What prevents judging a family on a track.
TWINS = "{first} and {second} have the same file on {track}"


def twins_of(family: Family, copied: pd.DataFrame, track: str = CLAIMED_ON) -> str:
    """What prevents judging a family on a track: two sizes with the same file; else empty."""
    twins = copied[copied["first"].isin(family.models) & copied["second"].isin(family.models)]
    there = rows_of(twins[twins["track"] == track])
    return "; ".join(TWINS.format(first=row.first, second=row.second, track=track) for row in there)


def scaling_verdicts(responses: pd.DataFrame, copied: pd.DataFrame) -> tuple[Verdict, ...]:
    """Whether each family's course on T2 is the printed one, and whether its interval shows it.

    Undecided where two sizes share a file.
    """
    table = scaling(responses)
    return tuple(v for family in FAMILIES for v in _scaling_verdicts(family, table, copied))


def _scaling_verdicts(family: Family, table: pd.DataFrame, copied: pd.DataFrame) -> tuple[Verdict, ...]:
    rows = table[table["family"] == family.name]
    mean, rows = rows[rows["measure"] == "mean"].iloc[0], rows[rows["measure"] == CLAIMED_ON]
    claimed = rows.iloc[0]
    twins, name = twins_of(family, copied), f"scaling, {family.name}"
    known = bool(claimed["course"]) and not twins
    verb = "is flat" if family.claim == "flat" else family.claim
    as_printed = bool(claimed["course"] == family.claim)
    ends = {
        where: {c: float(row[c]) for c in ("change", "change_lower", "change_upper")}
        for where, row in (("claimed", claimed), ("mean", mean))
    }
    shown = settled(family.claim, str(claimed["course"]), claimed["change_lower"], claimed["change_upper"])
    return (
        Verdict(
            name,
            Kind.PUBLISHED,
            f"On {CLAIMED_ON} the withdraw delta {verb} with size in {family.name}.",
            as_printed if known else None,
            name="order",
            values={
                "family": family.name,
                "deltas": rows[["model", "delta"]],
                "as_printed": as_printed,
                "twins": twins,
            },
        ),
        Verdict(
            name,
            Kind.SOUND,
            f"And the interval of the largest minus the smallest model says so: {verb}.",
            shown if known else None,
            name="change",
            values={"largest": family.models[-1], "smallest": family.models[0], **ends},
        ),
    )


def settled(claim: str, course: str, lower: float, upper: float) -> bool | None:
    """Whether an interval of largest minus smallest shows a course; None where it leaves it open.

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
