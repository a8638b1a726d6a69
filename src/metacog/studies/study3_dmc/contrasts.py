"""Which ways of asking a model, and which models, differ? RQ2 and RQ3.

Both sides of a comparison, of ways of asking within a model or of models within a way, are measured by AUROC2 on the
base questions that both were asked, all sets together, and resampled together. All pairs of ways are judged as one
family, and so are all pairs of models.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.measures.pairs import family_table, together
from metacog.sdt.compare import Together
from metacog.studies.study import Inputs, analysis
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.cells import Cells, Way, all_trials, shared
from metacog.studies.study3_dmc.measures import Draws

#: What the adjusted p of a difference shows.
FIRST, SECOND, SAME, UNDEFINED = "first higher", "second higher", "same", "undefined"

_CONTRASTS = dict.fromkeys(("first", "second", "outcome", "why"), "str") | dict.fromkeys(
    ("questions", "difference", "lower", "upper", "p_holm"), "float64"
)

#: A way of asking a model.
Asked = tuple[str, Way]


def way_contrasts(cells: Cells) -> pd.DataFrame:
    """Every pair of ways of asking within a model: difference of AUROC2 (first minus second) on what both were asked.

    Limits hold for all pairs of the table together, and ``p_holm`` is adjusted over them.
    """
    pairs = [(a, b) for a, b in combinations(cells.asked, 2) if a[0] == b[0]]
    return _contrasts(
        cells, pairs, [(a[1].name, b[1].name) for a, b in pairs], "model", [a[0] for a, _ in pairs]
    )


def model_contrasts(cells: Cells) -> pd.DataFrame:
    """Every pair of models within a way of asking; ``name`` in place of ``model``."""
    pairs = [
        ((first, way), (second, way))
        for way in cells.ways
        for first, second in combinations([model for model, one in cells.asked if one == way], 2)
    ]
    return _contrasts(cells, pairs, [(a[0], b[0]) for a, b in pairs], "name", [a[1].name for a, _ in pairs])


def _contrasts(
    cells: Cells,
    pairs: list[tuple[Asked, Asked]],
    names: list[tuple[str, str]],
    within: str,
    groups: Iterable[str],
) -> pd.DataFrame:
    both = [shared(cells.questions(*a), cells.questions(*b)) for a, b in pairs]
    made = [
        [cells.cell(*side, ALL, asked).made for side in pair] for pair, asked in zip(pairs, both, strict=True)
    ]
    gaps, whys = [], []
    for sides, named in zip(made, names, strict=True):
        gap = together(sides[0], sides[1], "auroc2")
        lacking = [f"{n}: {m.why['auroc2']}" for n, m in zip(named, sides, strict=True) if "auroc2" in m.why]
        why = "; ".join(lacking) or ("" if gap.draws.size else "undefined on one side or both")
        if not why and gap.difference and np.ptp(gap.draws) == 0:  # no spread is not no doubt
            why = "every resample gives the same difference"
        gaps.append(Together(gap.value_a, gap.value_b, gap.draws[:0]) if why else gap)
        whys.append(why)
    questions = [sum(len(ids) for ids in one.values()) for one in both]
    table = family_table("auroc2", names, gaps, n_units=questions).assign(questions=questions, why=whys)
    higher = np.where(table["difference"] > 0, FIRST, SECOND)
    told = np.where(table["differs"], higher, SAME)
    table["outcome"] = np.where(table["why"] != "", UNDEFINED, told)
    table.insert(0, within, list(groups))
    return table[[within, *_CONTRASTS]].astype(_CONTRASTS)


def apart(contrasts: pd.DataFrame) -> pd.DataFrame:
    """Pairs that differ."""
    return contrasts[contrasts["outcome"].isin([FIRST, SECOND])].reset_index(drop=True)


@analysis(needs=("single", "repeated", "written"))
def contrasts(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> dict[str, Any]:
    """Which ways of asking a model, and which models, differ?"""
    measured = Cells(all_trials(inputs), Draws(n_resamples, 2, seed), ratios=())
    return {"ways": way_contrasts(measured), "models": model_contrasts(measured)}
