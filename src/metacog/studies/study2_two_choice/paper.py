"""What study 2 printed, and the counts behind it: ``data/published/servajean_*.csv``.

The risk configuration that says nothing of risk is called ``None``; it is text, and read as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.ledger.published import Published

#: Models in the order of the paper, with the names readers know.
MODELS: dict[str, str] = {
    "GPT-5-2025-08-07": "GPT-5",
    "DeepSeek-V3.2-Exp": "DeepSeek-V3.2",
    "Mistral-Medium-2508": "Mistral-Medium",
}
TASKS: dict[str, str] = {
    "A": "A: negative or positive",
    "B": "B: oral or written",
    "C": "C: word deleted or not",
}
#: Which answer the prompt warns of; ``None`` says nothing of risk.
RISKS: tuple[str, ...] = ("S1", "None", "S2")
#: Levels of confidence, lowest first.
CONFIDENCE: tuple[int, ...] = (1, 2, 3, 4, 5)
#: Ratings from the surest "S1" to the surest "S2".
RATINGS = tuple(("S1", k) for k in reversed(CONFIDENCE)) + tuple(("S2", k) for k in CONFIDENCE)

FROM_COUNTS = "the published counts"
#: The paper's counts and published figures, for the analyses that read them.
FILES = ("data/published/servajean_*.csv",)

#: The files of study 2.
PUBLISHED = Published("servajean_")
as_text, as_numbers = PUBLISHED.as_text, PUBLISHED.as_numbers
precision, row = PUBLISHED.precision, PUBLISHED.row


@dataclass(frozen=True)
class Ratings:
    """One model on one task with confidence: responses to each stimulus, in the order of :data:`RATINGS`."""

    task: str
    model: str
    nR_S1: NDArray[np.int64]
    nR_S2: NDArray[np.int64]


def risk_counts() -> pd.DataFrame:
    """Hits, misses, false alarms and correct rejections: one row per task, model and risk configuration."""
    frame = _ordered(as_numbers("c_calibration_counts"))
    off = frame[["hits", "misses", "false_alarms", "correct_rejections"]].sum(axis=1) != frame["total"]
    if off.any():
        raise MetacogError(f"servajean_c_calibration_counts.csv: {int(off.sum())} totals are not their sums")
    return frame


@cache
def rating_cells() -> tuple[Ratings, ...]:
    """The nine tables with confidence, by task and model."""
    frame = _ordered(as_numbers("meta_d_counts"))
    found = []
    for (task, model), rows in frame.groupby(["task", "model"], sort=False):
        by = rows.set_index(["stimulus", "response", "confidence"])["n"]
        wanted = [[(stimulus, *rating) for rating in RATINGS] for stimulus in ("S1", "S2")]
        if sorted(by.index) != sorted(wanted[0] + wanted[1]):
            raise MetacogError(f"servajean_meta_d_counts.csv: {task}, {model} does not have its 20 counts")
        s1, s2 = (by.loc[cells].to_numpy(dtype=np.int64) for cells in wanted)
        found.append(Ratings(str(task), str(model), s1, s2))
    return tuple(found)


def stacked(cells: Sequence[Ratings]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return np.stack([c.nR_S1 for c in cells]), np.stack([c.nR_S2 for c in cells])


def _ordered(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows by task, then by model and risk in the order above."""
    order = {"task": TASKS, "model": MODELS, "risk": RISKS}
    ranks = [frame[k].map(list(known).index) for k, known in order.items() if k in frame.columns]
    return frame.iloc[np.lexsort(ranks[::-1])].reset_index(drop=True)
