"""Why pages seem to contradict each other: what is measured here and there, with this run's numbers."""

from __future__ import annotations

import pandas as pd

from metacog.studies.study1_qa.cells.counts import REFERENCE
from metacog.studies.study1_qa.use.names import NAMES
from metacog.trials.signals import P_TRUE

COLUMNS = ("question", "one", "other", "why")
NOTHING = "not in this run"


def span(values: pd.Series, digits: int = 2, *, sign: bool = False) -> str:
    """The least and the largest of some values; empty of none."""
    known = values.dropna()
    form = f"{'+' if sign else ''}.{digits}f"
    ends = dict.fromkeys(f"{one:{form}}" for one in (known.min(), known.max())) if len(known) else {}
    return " to ".join(ends)


def _said(text: str, values: pd.Series, digits: int = 2, *, sign: bool = False) -> str:
    found = span(values, digits, sign=sign)
    return text.format(found) if found else NOTHING


def contradictions(
    areas: pd.DataFrame, gains: pd.DataFrame, halves: pd.DataFrame, sure: pd.DataFrame
) -> pd.DataFrame:
    """Three questions that have two answers in this book, and how the definitions differ.

    Parameters
    ----------
    areas, gains : DataFrame
        As in :class:`metacog.studies.contributions.SignalAreas`, of all studies.
    halves : DataFrame
        Gains in accuracy of :class:`metacog.studies.study1_qa.selective.analysis.Selective`.
    sure : DataFrame
        Of :func:`metacog.studies.study1_qa.use.reliability.sure`.
    """
    open_, here = areas["task"].str.startswith("open question"), gains["task"].str.startswith("open question")
    auroc2, p_true = areas["auroc2"], areas["signal"] == NAMES[P_TRUE]
    lowest = float(sure["temperature"].min())
    hot, cool = (sure.loc[sure["temperature"] == t, "auroc2"] for t in (REFERENCE, lowest))
    rows = [
        (
            "Is P(True) a good signal?",
            _said("AUROC2 {} in study 1", auroc2[p_true & open_]),
            _said("AUROC2 {} in study 3", auroc2[p_true & ~open_]),
            "Other models, and another task. Study 1 shows a small model an answer that it wrote freely; study 3 "
            "shows a model which of two answers it chose.",
        ),
        (
            "Does it pay to withhold answers?",
            _said(
                "{} points of accuracy by answering the surer half (study 1)",
                100 * halves["gain"],
                0,
                sign=True,
            ),
            _said("{} points of right decisions in study 3", 100 * gains.loc[~here, "gain"], 0, sign=True)
            + _said("; {} in study 1 counted the same way", 100 * gains.loc[here, "gain"], 0, sign=True),
            "Accuracy counts only what was answered. Right decisions count right answers that were withheld too, over "
            "the better of answering everything and nothing. The rest is the task: how often answers are right, and "
            "how well confidence tells.",
        ),
        (
            "How well does log-probability tell right from wrong?",
            _said("AUROC2 {} at temperature 1", hot),
            _said(f"AUROC2 {{}} at temperature {lowest:g}, same models", cool),
            "At temperature 1 an answer can be an unlucky draw, and its words say so. That is knowledge of the draw, "
            "not of the question.",
        ),
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))
