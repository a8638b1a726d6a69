"""How much does each measure vary over the sets, with the sampling variance subtracted? RQ1."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pandas as pd

from metacog.measures.cell import FloatArray
from metacog.sdt import InputError
from metacog.sdt.over_groups import variation, variation_difference
from metacog.studies.study3_dmc.cells import MEASURES, Cells
from metacog.studies.study3_dmc.measures import WayCell

#: The measure whose CV is shown, as in the paper, but not compared with that of MC: even debiased ECE lies above 0 for
#: a calibrated signal. By how much depends on the spread of confidence and on the number of trials.
NOT_COMPARED = "ece_debiased"

_SHOWN = ("cv", "lower", "upper", "corrected", "corrected_lower", "corrected_upper", "explained", "mean")

#: What the interval of a measure's CV minus MC's shows.
MORE, LESS, SAME_VARIATION = "varies more", "varies less", "same"


def variation_table(cells: Cells) -> pd.DataFrame:
    """Coefficients of variation over sets, one row a model, way and measure.

    ``noise`` is the CV that sampling alone would give, ``explained`` its share of the squared deviation, ``gap`` the
    corrected CV minus MC's over the sets that both have.
    """
    rows = []
    for model, way in cells.asked:
        present = set(cells.of(model, way)["dataset"])
        sets = {name: cells.cell(model, way, name) for name in cells.sets if name in present}
        rows += [
            {"model": model, "name": way.name, "measure": measure, "measure_name": title}
            | _variations_row(sets, measure)
            for measure, title in MEASURES.items()
        ]
    return pd.DataFrame(rows)


def _variations_row(sets: dict[str, WayCell], measure: str) -> dict[str, object]:
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
    row["noise"] = made.sampling_sd / abs(made.mean)
    if not made.told:
        return {**row, "why": f"resamples vary more than the sets do ({row['noise']:.2f} and {made.cv:.2f})"}
    row |= {name: asdict(made)[name] for name in _SHOWN}
    return row | (_against_mc(sets, measure) if measure not in ("mc", NOT_COMPARED) else {})


def _against_mc(sets: dict[str, WayCell], measure: str) -> dict[str, object]:
    both = [name for name, one in sets.items() if one.made.defined(measure) and one.made.defined("mc")]
    if len(both) < 2:
        return {}
    sides = _columns(sets, both, measure), _columns(sets, both, "mc")
    try:
        if not all(variation(*one).told for one in sides):
            return {}
        gap = variation_difference(*sides)
    except InputError:
        return {}
    outcome = SAME_VARIATION if not gap.excludes() else MORE if gap.lower > 0 else LESS
    return {"gap": gap.estimate, "gap_lower": gap.lower, "gap_upper": gap.upper, "outcome": outcome}


def _columns(sets: dict[str, WayCell], names: list[str], measure: str) -> tuple[FloatArray, FloatArray]:
    values = np.array([sets[name].made.values[measure] for name in names])
    return values, np.stack([sets[name].made.paired(measure) for name in names], axis=1)
