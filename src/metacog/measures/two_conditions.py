"""What changes from a first condition of models to a second, on one scale for sets that measured it differently.

The scale is pairs: of a hundred pairs of a right and a wrong answer, in how many more the right one has the higher
confidence, ties one half. That is a hundred times a change in AUROC2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from metacog.core.frames import ended, with_ends
from metacog.measures.model_items import ModelItems
from metacog.sdt.area_contrasts import areas_and_moves
from metacog.sdt.intervals import Z95

#: Changes in a hundred, by what they are called elsewhere: pairs as they are, at equal accuracy, and beyond what
#: confidence that does not change gains; and answers that are right.
CHANGES = {"auroc2": "pairs", "equal_accuracy": "equal", "beyond": "beyond", "accuracy": "right"}
COLUMNS = ("set", "model", "signal", *with_ends(*CHANGES.values()))


def in_hundred(found: pd.DataFrame, models: Sequence[str], *, of: str, signal: str) -> pd.DataFrame:
    """Changes of a table, with those of :data:`CHANGES` that it has, as rows of :data:`COLUMNS` for some models."""
    named = {f"{old}{end}": f"{new}{end}" for old, new in CHANGES.items() for end in ("", "_lower", "_upper")}
    numbers = found.rename(columns=named).reindex(columns=list(COLUMNS[3:])).astype(float) * 100
    about = {"set": of, "model": list(models), "signal": signal}
    return numbers.reset_index(drop=True).assign(**about)[list(COLUMNS)]


def mean_change(items: ModelItems, asked: Sequence[tuple[str, str]]) -> Mapping[str, float]:
    """Mean change in ``pairs`` over pairs of conditions, each on items that both answered, with an interval over items.

    To first order: an area moves with the weight of each item by its derivative.
    """
    changes, moves = [], []
    for pair in asked:
        at = [items.models.index(name) for name in pair]
        there = np.isfinite(items.confidence[at]).all(axis=0)
        off, on = (
            areas_and_moves(items.right[i][None], np.where(there, items.confidence[i], np.nan)) for i in at
        )
        changes.append(float(on[0][0] - off[0][0]))
        moves.append(on[1][0] - off[1][0])
    value, move = float(np.mean(changes)), np.mean(moves, axis=0)
    half = Z95 * float(np.sqrt(move @ move))
    return ended("pairs", 100 * value, 100 * (value - half), 100 * (value + half))
