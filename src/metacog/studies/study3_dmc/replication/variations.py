"""RQ1: how much each measure varies over the sets, with the sampling variance subtracted."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pandas as pd

from metacog.measures.cell import FloatArray
from metacog.sdt import InputError, variation
from metacog.sdt.variation import variation_difference
from metacog.studies.study3_dmc.measures.cells import WayCell
from metacog.studies.study3_dmc.replication.cells import COMPARED, Cells

_SHOWN = ("cv", "lower", "upper", "corrected", "corrected_lower", "corrected_upper", "explained", "mean")
#: What the interval of a measure's CV minus MC's shows.
MORE, LESS, SAME = "varies more", "varies less", "same"


def variation_table(cells: Cells) -> pd.DataFrame:
    """Coefficients of variation over sets.

    Returns
    -------
    DataFrame
        One row per model, way and measure: ``model, name, measure, measure_name, sets`` (in use),
        ``left_out`` (sets, with reasons), ``questions`` (base questions of the sets in use); ``cv, lower,
        upper`` unadjusted; ``corrected`` with limits; ``noise`` (the CV that sampling alone would give);
        ``explained`` (its share of the squared deviation); ``mean``; ``why`` there is none. For M-ratio and
        the other measures ``gap, gap_lower, gap_upper`` is their corrected CV minus MC's over the sets that
        both have, ``outcome`` what that shows.
    """
    rows = []
    for model, way in cells.asked:
        present = set(cells.of(model, way)["dataset"])
        sets = {name: cells.cell(model, way, name) for name in cells.sets if name in present}
        rows += [
            {"model": model, "name": way.name, "measure": measure, "measure_name": title}
            | _row(sets, measure)
            for measure, title in COMPARED.items()
        ]
    return pd.DataFrame(rows)


def _row(sets: dict[str, WayCell], measure: str) -> dict[str, object]:
    used = [name for name, one in sets.items() if one.made.defined(measure)]
    left_out = [f"{name}: {one.made.why[measure]}" for name, one in sets.items() if name not in used]
    row: dict[str, object] = {
        "sets": len(used),
        "left_out": "; ".join(left_out),
        "questions": sum(sets[name].questions for name in used),
        "why": "" if len(used) > 1 else f"defined on {len(used)} of {len(sets)} sets",
        **dict.fromkeys((*_SHOWN, "noise", "gap", "gap_lower", "gap_upper"), float("nan")),
        "outcome": "",
    }
    if row["why"]:
        return row
    try:
        made = variation(*_columns(sets, used, measure))
    except InputError as error:
        return {**row, "why": str(error)}
    row["mean"] = made.mean
    if not made.defined:
        why = f"the mean over sets may be 0 ({made.mean_lower:.3f} to {made.mean_upper:.3f})"
        return {**row, "why": why}
    row |= {name: asdict(made)[name] for name in _SHOWN}
    row["noise"] = made.sampling_sd / abs(made.mean)
    return row | (_against_mc(sets, measure) if measure != "mc" else {})


def _against_mc(sets: dict[str, WayCell], measure: str) -> dict[str, object]:
    both = [name for name, one in sets.items() if one.made.defined(measure) and one.made.defined("mc")]
    if len(both) < 2:
        return {}
    sides = _columns(sets, both, measure), _columns(sets, both, "mc")
    try:
        if not all(variation(*one).defined for one in sides):
            return {}
        gap = variation_difference(*sides)
    except InputError:
        return {}
    outcome = SAME if not gap.excludes() else MORE if gap.lower > 0 else LESS
    return {"gap": gap.estimate, "gap_lower": gap.lower, "gap_upper": gap.upper, "outcome": outcome}


def _columns(sets: dict[str, WayCell], names: list[str], measure: str) -> tuple[FloatArray, FloatArray]:
    values = np.array([sets[name].made.values[measure] for name in names])
    return values, np.stack([sets[name].made.paired(measure) for name in names], axis=1)
