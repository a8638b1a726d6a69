"""Pairs of models that differ in one thing, and families of models that differ in size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from metacog.report.verdicts import Kind, Verdict, listed
from metacog.sdt.proportions import Estimated, combined
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
            gap = combined(
                [a["delta"], b["delta"]], [a["lower"], b["lower"]], [a["upper"], b["upper"]], [1, -1]
            )
            rows.append(
                {
                    "pair": name, "track": track, **_accuracies(responses, first, second, [track]),
                    "stood_a": a["stood"], "stood_b": b["stood"], "delta_a": a["delta"],
                    "delta_b": b["delta"], **_ends(gap),
                }
            )  # fmt: skip
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
        "stood_a": one.loc[both, "stood"].mean(), "stood_b": other.loc[both, "stood"].mean(),
        "delta_a": one.loc[shared, "delta"].mean(), "delta_b": other.loc[shared, "delta"].mean(),
        **_ends(gap),
    }  # fmt: skip


def _ends(one: Estimated) -> dict[str, float]:
    return {"difference": one.estimate, "lower": one.lower, "upper": one.upper}


def _accuracies(responses: pd.DataFrame, first: str, second: str, tracks: list[str]) -> dict[str, object]:
    own = responses[responses["track"].isin(tracks) & responses["model"].isin([first, second])]
    table = own.pivot(index=["track", "item"], columns="model", values="correct").astype(bool)
    a, b = table[first], table[second]
    only_a, only_b = int((a & ~b).sum()), int((~a & b).sum())
    p = binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0
    return {
        "accuracy_a": a.mean(), "accuracy_b": b.mean(), "only_a": only_a, "only_b": only_b, "p": float(p)
    }  # fmt: skip


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
            ends = own.iloc[[0, -1]]
            change = combined(ends["delta"], ends["lower"], ends["upper"], [-1, 1])
            for step, model in enumerate(family.models):
                rows.append(
                    {
                        "family": family.name, "claim": family.claim, "measure": measure, "model": model,
                        "step": step, "delta": own.at[model, "delta"], "lower": own.at[model, "lower"],
                        "upper": own.at[model, "upper"], "change": change.estimate,
                        "change_lower": change.lower, "change_upper": change.upper,
                        "course": course_of(list(own["delta"])),
                    }
                )  # fmt: skip
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


def scaling_verdicts(responses: pd.DataFrame, copied: pd.DataFrame) -> tuple[Verdict, ...]:
    """Whether each family's course is told by the data: on the mean and on T2, undecided where they part."""
    table = scaling(responses)
    return tuple(_scaling_verdict(family, table, copied) for family in FAMILIES)


def _scaling_verdict(family: Family, table: pd.DataFrame, copied: pd.DataFrame) -> Verdict:
    said, told = [], {}
    for measure in ("mean", "T2"):
        own = table[(table["family"] == family.name) & (table["measure"] == measure)].iloc[0]
        told[measure] = bool(own["course"] == family.claim) and bool(
            (max(abs(own["change_lower"]), abs(own["change_upper"])) <= FLAT)
            if family.claim == "flat"
            else not own["change_lower"] <= 0 <= own["change_upper"]
        )
        name = "the mean over T1 to T5" if measure == "mean" else "T2"
        word = own["course"] if own["course"] != "mixed" else "goes up and down"
        word = f"is {word}" if word == "flat" else word
        said.append(
            f"{name} {word}, from smallest to largest by {own['change']:+.1f} points (95 % "
            f"{own['change_lower']:.1f} to {own['change_upper']:.1f})"
        )
    twins = copied[copied["first"].isin(family.models) & copied["second"].isin(family.models)]
    twins = twins[twins["track"].isin(RETROSPECTIVE)]
    note = "".join(
        f" {row['first']} and {row['second']} have one and the same file on {row['track']}."
        for row in twins.to_dict("records")
    )
    return Verdict(
        f"scaling, {family.name}", Kind.EXPLORATORY,
        f"The withdraw delta {'is ' if family.claim == 'flat' else ''}{family.claim} with size, and its "
        "interval says so.",
        next(iter(told.values())) if len(set(told.values())) == 1 else None,
        f"In {family.name}, {'; '.join(said)}.{note}",
    )  # fmt: skip
