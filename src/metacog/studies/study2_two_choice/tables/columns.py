"""Columns that several tables of study 2 share."""

from __future__ import annotations

import pandas as pd

from metacog.report.tables import Pick, columns_of, count, limits, number, text

MODEL, TASK, RISK = text("name", "Model"), text("task", "Task"), text("risk", "Warned of")
N = count("n", "Trials")
PAIR = text("pair", "Pair")
BOTH_ENDS = columns_of(limits("lower", "upper"), limits("lower_wide", "upper_wide", "as wide as the test"))
SAID = columns_of(text("said", "By 95 %"), text("said_wide", "By the wide"))
DIFFERENCE = number("difference", "Difference")


def rows_with(column: str, value: str) -> Pick:
    """Picks the rows of a table whose column holds a value."""

    def pick(frame: pd.DataFrame) -> pd.DataFrame:
        return frame[frame[column] == value]

    return pick
