"""RQ1 on own trials: how much each measure varies over the sets, with the sampling variance taken off."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pandas as pd

from metacog.core.words import listed, plural
from metacog.sdt import InputError, variation
from metacog.sdt.variation import variation_difference
from metacog.studies.study3_dmc.own import COMPARED, FloatArray, Measured
from metacog.studies.study3_dmc.own_cells import Own, Way

_SHOWN = ("cv", "lower", "upper", "corrected", "corrected_lower", "corrected_upper", "explained", "mean")


def variation_table(own: Own) -> pd.DataFrame:
    """Coefficients of variation over sets.

    Returns
    -------
    DataFrame
        A row a model, way and measure: ``model, name, measure, measure_name, sets`` (in use), ``left_out``
        (sets, with reasons), ``questions`` (base questions of the sets in use), ``cv, lower, upper`` as it
        stands, ``corrected`` with limits, ``noise`` (the CV that sampling alone would give), ``explained``
        (its share of the squared deviation), ``mean``; ``why`` there is none. For M-ratio and the others
        ``gap, gap_lower, gap_upper`` is their corrected CV less MC's over the sets that both have, ``said``
        what it says.
    """
    rows = []
    for model in own.models:
        for way in own.ways:
            if own.has(model, way):
                rows += _of_way(own, model, way)
    return pd.DataFrame(rows)


def _of_way(own: Own, model: str, way: Way) -> list[dict[str, object]]:
    present = set(own.of(model, way)["dataset"])
    cells = {name: own.cell(model, way, name) for name in own.sets if name in present}
    return [
        {"model": model, "name": way.name, "measure": measure, "measure_name": title, **_row(cells, measure)}
        for measure, title in COMPARED.items()
    ]


def _row(cells: dict[str, Measured], measure: str) -> dict[str, object]:
    used = [name for name, one in cells.items() if measure in one.values]
    row: dict[str, object] = {
        "sets": len(used),
        "left_out": "; ".join(f"{n}: {one.why[measure]}" for n, one in cells.items() if n not in used),
        "questions": sum(cells[name].questions for name in used),
        "why": "" if len(used) > 1 else f"defined on {plural(len(used), 'set')} of {len(cells)}",
        **dict.fromkeys((*_SHOWN, "noise", "gap", "gap_lower", "gap_upper"), float("nan")),
        "said": "",
    }
    if row["why"]:
        return row
    try:
        found = variation(*_columns(cells, used, measure))
    except InputError as error:
        return {**row, "why": str(error)}
    row["mean"] = found.mean
    if not found.defined:
        return {
            **row,
            "why": f"the mean over sets may be 0 ({found.mean_lower:.3f} to {found.mean_upper:.3f})",
        }
    row |= {name: asdict(found)[name] for name in _SHOWN}
    row["noise"] = found.sampling_sd / abs(found.mean)
    return row | (_beside_mc(cells, measure) if measure != "mc" else {})


def _beside_mc(cells: dict[str, Measured], measure: str) -> dict[str, object]:
    both = [name for name, one in cells.items() if measure in one.values and "mc" in one.values]
    if len(both) < 2:
        return {}
    sides = _columns(cells, both, measure), _columns(cells, both, "mc")
    try:
        if not all(variation(*one).defined for one in sides):
            return {}
        gap = variation_difference(*sides)
    except InputError:
        return {}
    said = (
        "cannot be told apart" if not gap.excludes() else ("varies more" if gap.lower > 0 else "varies less")
    )
    return {"gap": gap.estimate, "gap_lower": gap.lower, "gap_upper": gap.upper, "said": said}


def _columns(cells: dict[str, Measured], names: list[str], measure: str) -> tuple[FloatArray, FloatArray]:
    values = np.array([cells[name].values[measure] for name in names])
    return values, np.stack([cells[name].draws[measure] for name in names], axis=1)


def variation_said(table: pd.DataFrame) -> str:
    """For each model: where CVs exist, whether MC is the flattest, and how much of them is noise."""
    said = []
    for model, rows in table.groupby("model", sort=False):
        mc = rows[rows["measure"] == "mc"]
        n, good = len(mc), int(mc["cv"].notna().sum())
        said.append(f"{model}: MC has a CV for {good} of {plural(n, 'way')}.")
        gaps = rows[(rows["measure"] != "mc") & rows["gap"].notna()]
        if len(gaps):
            more, less = (gaps[gaps["said"] == word] for word in ("varies more", "varies less"))
            apart = [
                f"{verb} in {len(own)} ({listed(dict.fromkeys(own['measure_name']))})"
                for verb, own in (("varies more than MC", more), ("varies less", less))
                if len(own)
            ]
            rest = len(gaps) - len(more) - len(less)
            said.append(
                f"Of {plural(len(gaps), 'comparison')} of another measure's CV with MC's over the same sets, "
                f"the two cannot be told apart in {rest}"
                + (f"; the other measure {listed(apart)}." if apart else ".")
            )
        else:
            said.append("So no measure's CV can be set against MC's.")
        known = rows[rows["explained"].notna()]
        if len(known):
            whole = int((known["explained"] >= 1).sum())
            said.append(
                f"Sampling alone explains all of the variation in {whole} of {plural(len(known), 'CV')}."
            )
    return " ".join(said)


def questions_said(table: pd.DataFrame) -> str:
    """How many base questions the CVs rest on."""
    known = table[table["cv"].notna()]
    if not len(known):
        return "No CV could be had."
    low, high = int(known["questions"].min()), int(known["questions"].max())
    number = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    fewest, most = int(known["sets"].min()), int(known["sets"].max())
    sets = plural(fewest, "set") if fewest == most else f"{fewest} to {most} sets"
    return f"A CV rests on {number} base questions of {sets}."
