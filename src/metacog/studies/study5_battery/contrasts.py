"""What do thinking and size change? Pairs of models that differ in one thing, and families that differ in size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.views import Views
from metacog.sdt.intervals import Interval
from metacog.studies.study import analysis
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, mean_difference
from metacog.studies.study5_battery.integrity import identical
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE
from metacog.verdicts.outcomes import of_rule, outcomes, together
from metacog.verdicts.rules import Unit

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

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


@analysis(files=FILES)
def contrasts(inputs: Inputs) -> dict[str, Any]:
    """What do thinking and size change?"""
    rows = load()
    twins, table = identical(rows), scaling(rows)
    return {
        "pairs": pair_table(rows),
        "scaling": table,
        "outcomes": pd.concat([on_size(one, table, twins[twins["copied"]]) for one in FAMILIES]),
    }


def pair_table(responses: pd.DataFrame, tracks: Sequence[str] = RETROSPECTIVE) -> pd.DataFrame:
    """Accuracy of each pair on the same items, with p by McNemar's exact test, and the difference of mean deltas."""
    rows = responses[responses["track"].isin(tracks)]
    per_track = deltas(rows)
    found = []
    for first, second in PAIRS:
        right = rows.pivot(index=["track", "item"], columns="model", values="correct")
        right = right[[first, second]].dropna().astype(bool)
        a, b = right[first], right[second]
        only = int((a & ~b).sum()), int((~a & b).sum())
        one, other = (per_track[per_track["model"] == model] for model in (first, second))
        gap = mean_difference(one, other)
        found.append(
            {
                "first": first,
                "second": second,
                "accuracy_a": a.mean(),
                "accuracy_b": b.mean(),
                "p": float(binomtest(only[0], sum(only)).pvalue) if sum(only) else 1.0,
                "difference": gap.estimate,
                "lower": gap.lower,
                "upper": gap.upper,
            }
        )
    return pd.DataFrame(found)


def scaling(responses: pd.DataFrame) -> pd.DataFrame:
    """Withdraw delta over size within a family, the mean over T1 to T5 and each track: a row per model (``step``).

    The same in all rows of a family and measure: ``change`` (largest minus smallest model) with limits, ``course``.
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
            part = own[["delta", "lower", "upper"]].reset_index().rename_axis("step").reset_index()
            rows.append(
                part.assign(
                    family=family.name,
                    claim=family.claim,
                    measure=measure,
                    change=change.estimate,
                    change_lower=change.lower,
                    change_upper=change.upper,
                    course=course_of(list(own["delta"])),
                )
            )
    columns = "family claim measure model step delta lower upper change change_lower change_upper course"
    return pd.concat(rows, ignore_index=True)[columns.split()]


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


def twins_of(family: Family, copied: pd.DataFrame, track: str = CLAIMED_ON) -> str:
    """What prevents judging a family on a track: two sizes with the same file; else empty."""
    twins = copied[copied["first"].isin(family.models) & copied["second"].isin(family.models)]
    there = rows_of(twins[twins["track"] == track])
    return "; ".join(f"{row.first} and {row.second} have the same file on {track}" for row in there)


def on_size(family: Family, table: pd.DataFrame, copied: pd.DataFrame) -> pd.DataFrame:
    """Whether a family's course on T2 is the printed one, and whether its interval shows it.

    Open where two sizes share a file.
    """
    rows = table[(table["family"] == family.name) & (table["measure"] == CLAIMED_ON)]
    one, why = rows.iloc[0], twins_of(family, copied)
    shown = settled(family.claim, str(one["course"]), one["change_lower"], one["change_upper"])
    order: bool | None = bool(one["course"] == family.claim)
    if why or not one["course"]:
        order, shown, why = None, None, why or "a delta is missing"
    return pd.concat(
        [
            outcomes(f"order, {family.name}", [Unit(family.name, order, why)]),
            outcomes(f"change, {family.name}", [Unit(family.name, shown, why or "the interval is too wide")]),
        ]
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


def size(result: Any) -> str:
    """In how many families deltas run in the printed order, and in how many the interval of the change shows it."""
    runs, shown = (
        sum(together(result.outcomes, f"{kind}, {family.name}") is True for family in FAMILIES)
        for kind in ("order", "change")
    )
    orders = [of_rule(result.outcomes, f"order, {family.name}").iloc[0] for family in FAMILIES]
    untold = "".join(
        f"; in {one['unit']} it cannot be told, since {one['why']}" for one in orders if pd.isna(one["holds"])
    )
    return (
        f"Over size, the deltas of {CLAIMED_ON} run as printed in {runs} of "
        f"{plural(len(FAMILIES), 'family', 'families')}{untold}; the interval of the change "
        f"shows it in {shown or 'none'}."
    )


ANALYSES = (contrasts,)
VIEWS = (Views("contrasts", sentences={"size": size}),)
