"""RQ2 and RQ3 on own trials: ways compared within a model, models compared within a way.

Both sides of a comparison are measured on the base questions that both were asked, all sets together, and
resampled together. An interval of the difference that holds 0 says that they cannot be told apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pandas as pd

from metacog.core.words import plural
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study3_dmc.own import COMPARED, Measured
from metacog.studies.study3_dmc.own_cells import Own, Way, shared
from metacog.studies.study3_dmc.signals import ALL

SAME = "cannot be told apart"
#: Level of the intervals, and the share of true nulls that they call a difference.
CHANCE = 0.05
_COLUMNS = (
    "first",
    "second",
    "measure",
    "measure_name",
    "questions",
    "value_first",
    "value_second",
    "difference",
    "lower",
    "upper",
    "said",
    "why",
)


def way_contrasts(own: Own) -> pd.DataFrame:
    """Every pair of ways within a model.

    Returns
    -------
    DataFrame
        ``model, first, second, measure, measure_name, questions, value_first, value_second, difference``
        (first less second), ``lower, upper``, ``said`` and ``why`` the difference is undefined.
    """
    rows = []
    for model in own.models:
        ways = [way for way in own.ways if own.has(model, way)]
        for first, second in combinations(ways, 2):
            names = {"model": model, "first": first.name, "second": second.name}
            rows += _pair(own, (model, first), (model, second), names)
    return pd.DataFrame(rows, columns=["model", *_COLUMNS])


def model_contrasts(own: Own) -> pd.DataFrame:
    """Every pair of models within a way; ``name`` stands in place of ``model``."""
    rows = []
    for way in own.ways:
        models = [model for model in own.models if own.has(model, way)]
        for first, second in combinations(models, 2):
            names = {"name": way.name, "first": first, "second": second}
            rows += _pair(own, (first, way), (second, way), names)
    return pd.DataFrame(rows, columns=["name", *_COLUMNS])


def _pair(
    own: Own, first: tuple[str, Way], second: tuple[str, Way], names: dict[str, str]
) -> list[dict[str, object]]:
    both = shared(own.questions(*first), own.questions(*second))
    a, b = own.cell(*first, ALL, both), own.cell(*second, ALL, both)
    questions = sum(len(ids) for ids in both.values())
    return [
        {
            **names,
            "measure": measure,
            "measure_name": title,
            "questions": questions,
            **difference(a, b, measure, names["first"], names["second"]),
        }
        for measure, title in COMPARED.items()
    ]


def difference(a: Measured, b: Measured, measure: str, first: str, second: str) -> dict[str, object]:
    """One difference with its interval, and what it says."""
    nothing = float("nan")
    row: dict[str, object] = {
        "value_first": a.values.get(measure, nothing),
        "value_second": b.values.get(measure, nothing),
        "difference": nothing,
        "lower": nothing,
        "upper": nothing,
        "said": "undefined",
        "why": "",
    }
    lacking = [f"{name}: {one.why[measure]}" for name, one in ((first, a), (second, b)) if measure in one.why]
    if lacking:
        return {**row, "why": "; ".join(lacking)}
    low, high = percentile_limits(a.draws[measure] - b.draws[measure])
    if low == high != 0:  # no spread is not no doubt
        return {**row, "why": "every resample gives the same difference"}
    said = SAME if not (low > 0 or high < 0) else (f"{first} higher" if low > 0 else f"{second} higher")
    return {
        **row,
        "difference": a.values[measure] - b.values[measure],
        "lower": low,
        "upper": high,
        "said": said,
    }


def apart(contrasts: pd.DataFrame) -> pd.DataFrame:
    """Rows whose interval excludes 0."""
    return contrasts[~contrasts["said"].isin([SAME, "undefined"])].reset_index(drop=True)


def summary(contrasts: pd.DataFrame) -> pd.DataFrame:
    """How many pairs of ways can be compared and told apart, by model and measure."""
    rows = []
    for (model, name), own in contrasts.groupby(["model", "measure_name"], sort=False):
        known = own[own["said"] != "undefined"]
        rows.append(
            {
                "model": model,
                "measure_name": name,
                "pairs": len(own),
                "undefined": len(own) - len(known),
                "same": int((known["said"] == SAME).sum()),
                "apart": int((known["said"] != SAME).sum()),
                "by_chance": CHANCE * len(known),
            }
        )
    names = ("model", "measure_name", "pairs", "undefined", "same", "apart", "by_chance")
    return pd.DataFrame(rows, columns=names)


def ways_said(contrasts: pd.DataFrame, measures: tuple[str, ...] = ("mc", "auroc2")) -> str:
    """Which ways differ within each model."""
    said = []
    for model, rows in contrasts.groupby("model", sort=False):
        for measure in measures:
            own = rows[rows["measure"] == measure]
            said.append(_counted(f"{model}, {COMPARED[measure]}", own, "pair of ways", "pairs of ways"))
    return " ".join(said)


def models_said(contrasts: pd.DataFrame, measures: tuple[str, ...] = ("mc", "auroc2")) -> str:
    """In which ways models differ."""
    if not len(contrasts):
        return "There is one model: nothing to compare."
    return " ".join(
        _counted(COMPARED[m], contrasts[contrasts["measure"] == m], "comparison", "comparisons")
        for m in measures
    )


def _counted(what: str, own: pd.DataFrame, one: str, many: str) -> str:
    known, found = own[own["said"] != "undefined"], apart(own)
    if not len(known):
        return f"{what}: undefined on one side or both in all {plural(len(own), one, many)}."
    start = f"{what}: of {plural(len(known), one, many)}"
    if len(known) < len(own):
        start += f" ({len(own) - len(known)} more are undefined)"
    if not len(found):
        return f"{start}, none can be told apart."
    best = [_said(row) for row in found.head(3).to_dict("records")]
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return (
        f"{start}, {len(found)} can be told apart ({'; '.join(best)}{more}); with no difference anywhere, "
        f"about {CHANCE * len(known):.1f} would be."
    )


def _said(row: Mapping[Any, Any]) -> str:
    first, second = row["first"], row["second"]
    higher, lower = (first, second) if row["lower"] > 0 else (second, first)
    where = f"{row['name']}: " if "name" in row else ""
    return f"{where}{higher} above {lower}"
