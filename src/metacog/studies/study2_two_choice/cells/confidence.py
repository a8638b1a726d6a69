"""Accuracy at each level of confidence."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from metacog.core.frames import typed_rows
from metacog.sdt import type2_table
from metacog.sdt.intervals import wilson
from metacog.studies.study2_two_choice.ledger.published import CONFIDENCE, Ratings

#: Columns of :func:`by_confidence`.
TYPES = {
    "task": "str",
    "model": "str",
    "confidence": "int64",
    "n": "int64",
    "right": "float64",
    "lower": "float64",
    "upper": "float64",
    "shown": "bool",
}


def by_confidence(cells: Iterable[Ratings], fewest: int) -> pd.DataFrame:
    """Accuracy at each level of confidence: ``task, model, confidence, n, right, lower, upper, shown``.

    Parameters
    ----------
    cells : iterable of Ratings
    fewest : int
        Levels with fewer trials are not ``shown``.
    """
    rows = []
    for cell in cells:
        wrong, right = type2_table(cell.nR_S1, cell.nR_S2)
        n = wrong + right
        share = np.divide(right, n, out=np.full(n.shape, np.nan), where=n > 0)
        low, high = wilson(np.nan_to_num(share), np.maximum(n, 1))
        for i, level in enumerate(CONFIDENCE):
            some = n[i] > 0
            rows.append(
                {
                    "task": cell.task,
                    "model": cell.model,
                    "confidence": level,
                    "n": int(n[i]),
                    "right": share[i],
                    "lower": low[i] if some else np.nan,
                    "upper": high[i] if some else np.nan,
                    "shown": bool(n[i] >= fewest),
                }
            )
    return typed_rows(rows, TYPES)
