"""Columns and tables that several chapters of study 2 share."""

from __future__ import annotations

import re

import pandas as pd

from metacog.report.tables import Pick, Schema, columns_of, count, limits, number, text

MODEL, TASK, RISK = text("name", "Model"), text("task", "Task"), text("risk", "Warned of")
N = count("n", "Trials")
_NONE = re.compile(r"\bNone\b")
PAIR = text("pair", "Pair")
BOTH_ENDS = columns_of(limits("lower", "upper"), limits("lower_wide", "upper_wide", "as wide as the test"))
DECISIONS = columns_of(text("decision", "By 95 %"), text("decision_wide", "By the wide"))
DIFFERENCE = number("difference", "Difference")
LOG = number("difference", "log ratio")


def in_words(frame: pd.DataFrame) -> pd.DataFrame:
    """The same rows; where the data name the absence of a warning ``None``, readers see ``nothing``."""
    names = [column for column in ("risk", "pair") if column in frame]
    return frame.assign(**{name: frame[name].map(lambda text: _NONE.sub("nothing", text)) for name in names})


def rows_with(column: str, value: str) -> Pick:
    """Picks the rows of a table whose column holds a value; see :func:`in_words`."""

    def pick(frame: pd.DataFrame) -> pd.DataFrame:
        return in_words(frame[frame[column] == value])

    return pick


def ratio_tables(what: str) -> dict[str, Schema]:
    """Tables of the differences of log M-ratio: to the optimum, between models and between tasks.

    Parameters
    ----------
    what : str
        Starts their captions.
    """
    optimality = columns_of(
        TASK, MODEL, LOG, BOTH_ENDS, number("undefined", "Draws at or below 0"), DECISIONS
    )
    pairs = columns_of(PAIR, LOG, BOTH_ENDS, DECISIONS)
    shown = {"optimality": (optimality, f"{what} against 0, which is optimal.")}
    for kind in ("models", "tasks"):
        shown[kind] = (pairs, f"{what} between {kind}, first minus second.")
    return {
        kind: Schema("ratios", columns, caption, pick=rows_with("kind", kind))
        for kind, (columns, caption) in shown.items()
    }
