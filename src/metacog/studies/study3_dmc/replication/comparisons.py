"""RQ2 and RQ3: ways of asking compared within a model, models compared within a way of asking.

Both sides of a comparison are measured on the base questions that both were asked, all sets together, and
resampled together.
"""

from __future__ import annotations

from itertools import combinations

import pandas as pd

from metacog.measures.pairs import paired_difference
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.replication.cells import COMPARED, Cells, Way, shared

#: Share of pairs without a difference that 95 % intervals distinguish.
CHANCE = 0.05
#: What the interval of a difference shows.
FIRST, SECOND, SAME, UNDEFINED = "first higher", "second higher", "same", "undefined"
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
    "outcome",
    "why",
)


def way_contrasts(cells: Cells) -> pd.DataFrame:
    """Every pair of ways of asking within a model.

    Returns
    -------
    DataFrame
        ``model, first, second, measure, measure_name, questions, value_first, value_second, difference``
        (first minus second), ``lower, upper``, ``outcome`` and ``why`` the difference is undefined.
    """
    rows = []
    for model in cells.models:
        for first, second in combinations([way for name, way in cells.asked if name == model], 2):
            names = {"model": model, "first": first.name, "second": second.name}
            rows += _pair(cells, (model, first), (model, second), names)
    return pd.DataFrame(rows, columns=["model", *_COLUMNS])


def model_contrasts(cells: Cells) -> pd.DataFrame:
    """Every pair of models within a way of asking; ``name`` in place of ``model``."""
    rows = []
    for way in cells.ways:
        for first, second in combinations([model for model, one in cells.asked if one == way], 2):
            names = {"name": way.name, "first": first, "second": second}
            rows += _pair(cells, (first, way), (second, way), names)
    return pd.DataFrame(rows, columns=["name", *_COLUMNS])


def _pair(
    cells: Cells, first: tuple[str, Way], second: tuple[str, Way], names: dict[str, str]
) -> list[dict[str, object]]:
    both = shared(cells.questions(*first), cells.questions(*second))
    a, b = cells.cell(*first, ALL, both).made, cells.cell(*second, ALL, both).made
    sides = ((names["first"], a.why), (names["second"], b.why))
    questions = sum(len(ids) for ids in both.values())
    rows = []
    for measure, title in COMPARED.items():
        gap = paired_difference(a, b, measure)
        lacking = [f"{name}: {why[measure]}" for name, why in sides if measure in why]
        outcome = UNDEFINED
        if not gap.why:
            outcome = FIRST if gap.lower > 0 else SECOND if gap.upper < 0 else SAME
        rows.append(
            {
                **names,
                "measure": measure,
                "measure_name": title,
                "questions": questions,
                "value_first": gap.first,
                "value_second": gap.second,
                "difference": gap.difference,
                "lower": gap.lower,
                "upper": gap.upper,
                "outcome": outcome,
                "why": "; ".join(lacking) or gap.why,
            }
        )
    return rows


def apart(contrasts: pd.DataFrame) -> pd.DataFrame:
    """Rows whose interval excludes 0."""
    return contrasts[contrasts["outcome"].isin([FIRST, SECOND])].reset_index(drop=True)


def summary(contrasts: pd.DataFrame) -> pd.DataFrame:
    """How many pairs of ways of asking can be compared and distinguished, by model and measure."""
    rows = []
    for (model, name), part in contrasts.groupby(["model", "measure_name"], sort=False):
        counts = part["outcome"].value_counts()
        known = len(part) - int(counts.get(UNDEFINED, 0))
        same = int(counts.get(SAME, 0))
        rows.append((model, name, len(part), len(part) - known, same, known - same, CHANCE * known))
    names = ("model", "measure_name", "pairs", "undefined", "same", "apart", "by_chance")
    return pd.DataFrame(rows, columns=list(names))
