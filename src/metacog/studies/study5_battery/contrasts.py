"""What does size change? Families of models that differ in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.intervals import Interval
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, mean_difference
from metacog.studies.study5_battery.integrity import copied
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE
from metacog.verdicts.outcomes import of_rule, outcomes, together
from metacog.verdicts.rules import Unit

#: Models of each family from the smallest to the largest.
FAMILIES = {
    "Qwen": ("Qwen 80B Inst", "Qwen 235B", "Qwen Coder 480B"),
    "GPT-5.4": ("GPT-5.4 nano", "GPT-5.4 mini", "GPT-5.4"),
    "Gemma": ("Gemma 3 1B", "Gemma 3 12B", "Gemma 3 27B"),
}
#: What the abstract claims about each.
CLAIMS = {"Qwen": "falls", "GPT-5.4": "rises", "Gemma": "flat"}
#: Deltas that lie within this many points of each other are called flat.
FLAT = 5.0
#: The track of which the abstract claims its courses.
CLAIMED_ON = "T2"


@analysis(files=FILES)
def contrasts(inputs: Inputs) -> dict[str, Any]:
    """What does size change?"""
    rows = load()
    twins, table = copied(rows), scaling(rows)
    return {
        "scaling": table,
        "outcomes": pd.concat([on_size(family, table, twins) for family in FAMILIES]),
    }


def scaling(responses: pd.DataFrame) -> pd.DataFrame:
    """Withdraw delta over size within a family, the mean over T1 to T5 and each track: a row per model (``step``).

    The same in all rows of a family and measure: ``change`` (largest minus smallest model) with limits, ``course``.
    """
    per_track = deltas(responses)
    means = mean_deltas(per_track)
    means = means[means["complete"]]
    parts = []
    for family, models in FAMILIES.items():
        for measure in ("mean", *RETROSPECTIVE):
            tracks = RETROSPECTIVE if measure == "mean" else (measure,)
            on_tracks = per_track[per_track["track"].isin(tracks)]
            own = (
                (means if measure == "mean" else on_tracks).set_index("model")["delta"].reindex(list(models))
            )
            largest, smallest = (on_tracks[on_tracks["model"] == models[k]] for k in (-1, 0))
            whole = np.isfinite(own.iloc[[0, -1]]).all()
            change = mean_difference(largest, smallest) if whole else Interval(np.nan, np.nan, np.nan)
            part = pd.DataFrame(
                {"family": family, "measure": measure, "model": models, "delta": own.to_numpy()}
            )
            part = part.assign(step=part.index, change=change.estimate, change_lower=change.lower)
            parts.append(part.assign(change_upper=change.upper, course=course_of(list(own))))
    return pd.concat(parts, ignore_index=True)


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


def twins_of(family: str, twins: pd.DataFrame) -> str:
    """What prevents judging a family: two sizes with the same file on the track of its claim; else empty."""
    models = FAMILIES[family]
    there = twins["first"].isin(models) & twins["second"].isin(models) & (twins["track"] == CLAIMED_ON)
    same = (
        f"{row.first} and {row.second} have the same file on {row.track}" for row in rows_of(twins[there])
    )
    return "; ".join(same)


def on_size(family: str, table: pd.DataFrame, twins: pd.DataFrame) -> pd.DataFrame:
    """Whether a family's course on T2 is the printed one, and whether its interval shows it.

    Open where two sizes share a file.
    """
    one = table[(table["family"] == family) & (table["measure"] == CLAIMED_ON)].iloc[0]
    claim, course = CLAIMS[family], str(one["course"])
    why = twins_of(family, twins) or ("" if course else "a delta is missing")
    order = None if why else course == claim
    shown = None if why else settled(claim, course, one["change_lower"], one["change_upper"])
    change = Unit(family, shown, why or "the interval is too wide")
    told = {"order": Unit(family, order, why), "change": change}
    return pd.concat([outcomes(f"{kind}, {family}", [unit]) for kind, unit in told.items()])


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


def figures(result: Any) -> dict[str, Any]:
    """In how many families deltas run over size as printed, and an interval shows it; where that is open, and why."""
    told = result.outcomes
    runs, shown = (
        sum(together(told, f"{kind}, {family}") is True for family in FAMILIES)
        for kind in ("order", "change")
    )
    orders = [of_rule(told, f"order, {family}").iloc[0] for family in FAMILIES]
    untold = [one for one in orders if pd.isna(one["holds"])]
    return {
        "n_families": len(FAMILIES),
        "n_as_printed": runs,
        "n_shown": shown,
        "untold": listed(one["unit"] for one in untold),
        "why": listed(dict.fromkeys(one["why"] for one in untold)),
    }


ANALYSES = (contrasts,)
VIEWS = (Views("contrasts", numbers=figures),)
