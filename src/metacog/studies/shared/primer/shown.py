"""The measures built one after the other from one small table: how they are shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.report.views import Views
from metacog.studies.shared.primer.figures import confidence, evidence

#: What each measure asks.
QUESTIONS = {
    "accuracy": "How many replies are right?",
    "d'": "How well are the two kinds of sentence told apart?",
    "c": "How readily is one of them named?",
    "AUROC2": "Are right replies ranked above wrong ones?",
    "meta-d'": "Which d' would explain the confidence?",
    "M-ratio": "How much of the decision's evidence does confidence use?",
    "meta-I2r": "What share of the uncertainty does confidence remove?",
}


def between(result: Any) -> str:
    """Which intervals of the table reach the value of confidence that knows nothing, or of full use of d'."""
    rows = result.estimates.set_index("measure")
    ratio = rows.loc["M-ratio"]
    place = "contains 1" if ratio["lower"] <= 1 <= ratio["upper"] else "does not contain 1"
    area = rows.loc["AUROC2"]
    told = "does not reach" if area["lower"] > area["nothing"] else "reaches"
    return (
        f"With {result.numbers['n']} replies, the interval of AUROC2 {told} chance, and that of the M-ratio "
        f"({ratio['lower']:.2f} to {ratio['upper']:.2f}) {place}."
    )


def answer(result: Any) -> str:
    """What eight counts tell of confidence, by the measure that is read most easily."""
    value = result.estimates.set_index("measure")["estimate"]
    return (
        "Eight counts give every measure of this book: in these, a right reply is ranked above a wrong one "
        f"{100 * value['AUROC2']:.0f} % of the time."
    )


def _estimates(result: Any) -> pd.DataFrame:
    """The measures with their questions, and the highest value that each can have, in words where it has no limit."""
    rows = result.estimates
    highest = [
        None if most != most else f"{most:.2f}" if most < np.inf else "no limit" for most in rows["most"]
    ]
    return rows.assign(question=rows["measure"].map(QUESTIONS), highest=highest)


VIEWS = Views(
    "primer",
    tables={
        "replies": Schema(
            "replies",
            columns_of(
                text("kind", "The sentence is"),
                count("sure_negative", "Called negative, sure"),
                count("unsure_negative", "Called negative, unsure"),
                count("unsure_positive", "Called positive, unsure"),
                count("sure_positive", "Called positive, sure"),
            ),
            "Every number on this page comes from these eight counts, which are invented.",
        ),
        "criteria": Schema(
            "criteria",
            columns_of(
                text("who", "Answerer"),
                number("c", "c", 2),
                number("hit_rate", "Hit rate", 2),
                number("false_alarm_rate", "False-alarm rate", 2),
                number("accuracy", "Share right", 2),
                number("d_prime", "d'", 2),
            ),
            "Three answerers with one d' and different criteria.",
        ),
        "confidence": Schema(
            "confidence",
            columns_of(
                text("confidence", "Confidence"),
                count("right", "Right"),
                count("wrong", "Wrong"),
                number("share_right", "Share right", 2),
                number("bits", "Uncertainty (bits)"),
            ),
            "The same replies, by confidence and by whether they are right.",
        ),
        "observers": Schema(
            "observers",
            columns_of(
                text("who", "Whose confidence"),
                number("meta_d", "meta-d'", 2),
                number("sure_right", "right", 2, "Share sure among replies that are"),
                number("sure_wrong", "wrong", 2, "Share sure among replies that are"),
                number("auroc2", "AUROC2"),
            ),
            "The table, and two computed answerers with its d' and c, each sure of half of what it calls negative and "
            "of half of what it calls positive.",
        ),
        "estimates": Schema(
            _estimates,
            columns_of(
                text("measure", "Measure"),
                text("question", "Question"),
                number("estimate", "Estimate", 2),
                limits("lower", "upper", digits=2),
                number("nothing", "knew nothing", 2, "If confidence"),
                number("whole", "used all the evidence", 2, "If confidence"),
                text("highest", "Highest possible"),
            ),
            "All measures of the table, with the 95 % intervals that so few replies leave. All the evidence is that of "
            "the decision, used with two levels of confidence, each for half of the replies of a kind.",
        ),
    },
    figures={"evidence": evidence, "confidence": confidence},
    sentences={"answer": answer, "between": between},
)
