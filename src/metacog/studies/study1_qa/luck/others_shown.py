"""Own confidence against that of the run's other models on the same questions. How it is shown."""

from __future__ import annotations

import pandas as pd

from metacog.report.self_knowledge_verdicts import SelfKnowledge
from metacog.report.self_knowledge_words import OWN_COLUMNS, against, headline
from metacog.report.tables import Schema
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import TEMPERATURE
from metacog.studies.study1_qa.cells.counts import REFERENCE
from metacog.studies.study1_qa.luck.others import SharedQuestions


def answer(result: SharedQuestions) -> str:
    """What can be said of self-knowledge with the models of a run."""
    if result.at_one is None:
        return result.why_not
    text = headline(result.at_one)
    return f"{text} At T = {REFERENCE:g} own confidence also holds the luck of the draw, which no other model shares."


def compared(result: SharedQuestions) -> str:
    """Own confidence against the others', at both temperatures."""
    return (
        " ".join(f"At T = {t:g}: {against(found)}" for t, found in _by_temperature(result)) or result.why_not
    )


def models(result: SharedQuestions) -> pd.DataFrame:
    """The models of both temperatures, in one table; empty where nothing is compared."""
    parts = [found.models.assign(temperature=t) for t, found in _by_temperature(result)]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _by_temperature(result: SharedQuestions) -> list[tuple[float, SelfKnowledge]]:
    both = ((result.lowest, result.at_lowest), (REFERENCE, result.at_one))
    return [(t, found) for t, found in both if found is not None]


VIEWS = Views(
    "shared_questions",
    tables={
        "models": Schema(
            models,
            (OWN_COLUMNS[0], TEMPERATURE, *OWN_COLUMNS[1:]),
            "AUROC2 for each model's answers by its own confidence and by the others', all in their own answers to the "
            "same questions at that temperature.",
            empty="No two models are compared: the run has one model, or confidence in one alone.",
        )
    },
    sentences={"answer": answer, "compared": compared},
)
