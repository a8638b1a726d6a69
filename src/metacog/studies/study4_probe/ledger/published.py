"""What study 4 printed: ``data/published/probe_*.csv``. No answers of models or people were published.

Figures are kept as the text they were printed as, because the last printed digit matters.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import published_file

#: The five tasks, and how readers know them.
TASKS: dict[str, str] = {
    "T1_CC": "T1-CC: confidence calibration",
    "T2_EV": "T2-EV: epistemic vigilance",
    "T3_KB": "T3-KB: knowledge boundary",
    "T4_CR": "T4-CR: calibration range",
    "T5_RCV": "T5-RCV: reasoning chains",
}
#: Tasks of the headline composite.
HEADLINE = ("T1_CC", "T2_EV", "T4_CR", "T5_RCV")
#: Public benchmarks that the composite was compared with.
BENCHMARKS = ("MMLU", "GSM8K", "ARC-Challenge", "TruthfulQA", "IFEval")
#: Items of each task.
ITEMS = {"T1_CC": 24, "T2_EV": 20, "T3_KB": 10, "T4_CR": 12, "T5_RCV": 12}
#: Slots of the composite that the paper describes as having fifteen.
SLOTS = 15
FLASH, SONNET = "Gemini 2.5 Flash", "Claude Sonnet 4.6"

FROM_CELLS = "the printed cells of table 1"
FROM_ITEMS = "the printed items of table 5"


@cache
def _read(name: str) -> pd.DataFrame:
    return pd.read_csv(published_file(f"probe_{name}.csv"), dtype=str, keep_default_na=False)


def as_text(name: str) -> pd.DataFrame:
    """A file (``table1_leaderboard``, ``table4_spearman``, ...) with every entry as it stands there."""
    return _read(name).copy()


def short(task: str) -> str:
    """``T1-CC`` of ``T1_CC``."""
    return task.replace("_", "-")


@cache
def scores() -> pd.DataFrame:
    """Scores of table 1, models x tasks, in the order of the table."""
    frame = as_text("table1_leaderboard").set_index("model")
    return frame[list(TASKS)].astype(float)


def score(model: str, task: str) -> float:
    """One score of table 1."""
    table: Any = scores()
    return float(table.loc[model, task])


def scores_of(model: str) -> pd.Series:
    """A model's five scores."""
    return scores().T[model]


def composite(name: str) -> pd.Series:
    """A composite of table 1 (``mean_T1_T2_T4_T5``, ``mean_T1_T5``, ``composite_15_slot``), by model."""
    return as_text("table1_leaderboard").set_index("model")[name].astype(float)


@cache
def flash_items() -> tuple[np.ndarray, np.ndarray]:
    """Right or wrong, and confidence in percent, of Flash's twelve T4-CR items.

    Raises
    ------
    MetacogError
        If there are not twelve.
    """
    frame = as_text("table5_flash_t4cr_items")
    if len(frame) != ITEMS["T4_CR"]:
        raise MetacogError(f"probe_table5_flash_t4cr_items.csv: {len(frame)} items instead of 12")
    return frame["correct"].to_numpy(dtype=float), frame["confidence"].to_numpy(dtype=float)


def claim(section: str, name: str, column: str = "value") -> str:
    """A figure of the text by its section and claim, as printed.

    Raises
    ------
    MetacogError
        If there is not exactly one such claim.
    """
    frame = as_text("text_claims")
    own = frame[(frame["section"] == section) & (frame["claim"] == name)]
    if len(own) != 1:
        raise MetacogError(f"probe_text_claims.csv: {len(own)} claims {name!r} in section {section}")
    return str(own[column].iloc[0])
