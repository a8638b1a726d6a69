"""What study 4 printed: ``data/published/probe_*.csv``. No answers of models or people were published."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.ledger.published import Published
from metacog.report.vocabulary import term

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
#: Items of each task.
ITEMS = {"T1_CC": 24, "T2_EV": 20, "T3_KB": 10, "T4_CR": 12, "T5_RCV": 12}
#: Tasks whose score is the mean of items that are scored 0 or 1.
BINARY = ("T2_EV", "T3_KB", "T5_RCV")
#: Slots of the composite that the paper describes as having fifteen.
SLOTS = 15
FLASH, SONNET, OPUS = "Gemini 2.5 Flash", "Claude Sonnet 4.6", "Claude Opus 4.6"
PRO, DEEPSEEK, QWEN = "Gemini 2.5 Pro", "DeepSeek-R1", "Qwen 3 Next 80B"
#: Models that section B.3 says to have stated one confidence on all items of T4-CR.
CONSTANT = (PRO, DEEPSEEK, QWEN)
#: Right answers on T4-CR that the text prints of one of them (section 5.2).
RIGHT = {DEEPSEEK: 8}

FROM_CELLS = "the printed cells of table 1"
FROM_ITEMS = "the printed items of table 5"


#: The files of study 4.
PUBLISHED = Published("probe_")
as_text, precision, row = PUBLISHED.as_text, PUBLISHED.precision, PUBLISHED.row


def short(task: str) -> str:
    """``T1-CC`` of ``T1_CC``."""
    return task.replace("_", "-")


def plain(task: str) -> str:
    """What pages call a task, by ``T1_CC`` or ``T1-CC``; anything else by its own name."""
    return term("task").values.get(task, task)


def in_words(text: str) -> str:
    """A text with the names of tasks that readers know."""
    for task in map(short, TASKS):
        text = text.replace(task, plain(task))
    return text


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
    """Right or wrong, and confidence in percent, of Flash's twelve T4-CR items."""
    frame = as_text("table5_flash_t4cr_items")
    if len(frame) != ITEMS["T4_CR"]:
        raise MetacogError(f"probe_table5_flash_t4cr_items.csv: {len(frame)} items instead of 12")
    return frame["correct"].to_numpy(dtype=float), frame["confidence"].to_numpy(dtype=float)


def claim(name: str) -> str:
    """A figure of the text by the id of its claim, as printed."""
    return str(row("text_claims", id=name).value)
