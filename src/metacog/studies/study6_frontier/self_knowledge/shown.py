"""Is it self-knowledge? How it is shown."""

from __future__ import annotations

from dataclasses import replace

from metacog.report import self_knowledge_figures as figures
from metacog.report.self_knowledge_words import ANSWERS, CLAIMS, SENTENCES, TABLES, VERDICTS
from metacog.report.tables import Schema, columns_of, count, number, text
from metacog.report.views import Views
from metacog.studies.study6_frontier.self_knowledge import proof
from metacog.studies.study6_frontier.self_knowledge.analysis import Frontier


def front(result: Frontier) -> str:
    """The result in one sentence, for the front page."""
    rows = result.models.dropna(subset=["own", "crowd", "crowd_right"])
    over = int((rows["own_less_crowd_lower"] > 0).sum())
    under = int((rows["own_less_crowd_upper"] < 0).sum())
    others = int((rows["own_less_crowd_right_upper"] < 0).sum())
    return (
        f"For {over} of {len(rows)} large models their own confidence tells right answers from wrong ones better than "
        f"the mean confidence of models of other families does, for {under} worse; for {others} the share of those "
        f"models that answer rightly tells it better still. Is it self-knowledge? {ANSWERS[result.answer]}"
    )


def power(result: Frontier) -> str:
    """What of self-knowledge could have been seen, and what the shares found are like."""
    table = result.proof.set_index("kind")
    nothing, two = table.loc[proof.DIFFICULTY], table.loc[proof.TWO]
    text_ = (
        f"In simulated leaderboards of this size, something is found in {nothing['above_0']:.0%} of runs where "
        f"confidence reads difficulty alone. It is found in {two['above_0']:.0%} where there are two kinds of "
        f"difficulty and still no self-knowledge (up to {two['most_above_0']:.0%} for a single model)."
    )
    least = proof.seen_from(result.proof)
    if least == least:
        text_ += (
            f" Own state that makes up {least:.0%} of what confidence reads is found in at least {proof.POWER:.0%} of "
            "runs."
        )
    alike = proof.like(result.proof, result.models["share"].median())
    if alike == alike:
        text_ += (
            f" The median share of the information found here is that of simulated models whose confidence reads own "
            f"state to {alike:.0%} (it is the smaller figure, since right and wrong depend on difficulty as well)."
        )
    return text_


VIEWS = Views(
    "self_knowledge",
    tables={
        **TABLES,
        "proof": Schema(
            "proof",
            columns_of(
                text("kind", "Confidence reads"),
                number("self_share", "Own state", 2),
                count("runs", "Runs"),
                number("above_0", "Something found", 2),
                number("corrected", "Remains"),
                number("true_share", "in truth", 2, "Share of information"),
                number("share", "found", 2, "Share of information"),
            ),
            "Simulated leaderboards whose truth is known: in what share of runs something is found to remain, and what "
            "share of the information is, against the true one; three judged models.",
        ),
    },
    figures={
        "signals": replace(figures.signals, name="fig-frontier-signals"),
        "matrix": replace(figures.matrix, name="fig-frontier-matrix"),
        "remains": replace(figures.remains, name="fig-frontier-remains"),
    },
    sentences={**SENTENCES, "front": front, "power": power},
    verdicts=VERDICTS,
    claims=CLAIMS,
)
