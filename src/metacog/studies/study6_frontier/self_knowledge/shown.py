"""Is it self-knowledge? How it is shown."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from metacog.core.words import listed
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
    """How often simulated models are called self-knowing, and what the shares found are like."""
    table = result.worlds
    nothing, known = table[table["self_share"] == 0], table[table["self_share"] > 0]
    told = listed(_called(str(world), own) for world, own in nothing.groupby("world", sort=False))
    two = nothing[nothing["world"].str.startswith("two difficulties")]
    room = [
        proof.at_most(int(t["called_self_knowing"].sum()), int(t["n_runs"].sum())) for t in (nothing, two)
    ]
    seen = listed(_called(str(world), own) for world, own in known.groupby("world", sort=False))
    held = table["covers_mean"] / table["n_runs"]
    text_ = (
        f"In simulated leaderboards of this size, without any self-knowledge, a judged model is called self-knowing in "
        f"{told}. {proof.ALLOWED:.0%} is allowed; with so many runs the true share is at most {room[0]:.1%} over these "
        f"worlds, and {room[1]:.1%} where there are two difficulties (95 % limits). With self-knowledge it is in "
        f"{seen}. The 95 % intervals of own less the median placebo hold its mean in "
        f"{held.min():.0%} to {held.max():.0%} of the runs."
    )
    alike = proof.like(result.proof, result.models["share"].median())
    if alike == alike:
        text_ += (
            f" The median share of the information found here is that of simulated models whose confidence reads own "
            f"state to {alike:.0%} (it is the smaller figure, since right and wrong depend on difficulty as well)."
        )
    return text_


def _called(world: str, own: pd.DataFrame) -> str:
    return f"{int(own['called_self_knowing'].sum())} of {int(own['n_runs'].sum())} ({world})"


VIEWS = Views(
    "self_knowledge",
    tables={
        **TABLES,
        "worlds": Schema(
            "worlds",
            columns_of(
                text("world", "World"),
                text("model", "Judged model"),
                count("n_runs", "Runs"),
                number("corrected", "Remains"),
                number("placebo", "median", 3, "Placebo"),
                number("placebo_best", "best", 3, "Placebo"),
                number("own_less_placebo", "Own less median"),
                count("covers_mean", "Interval holds it"),
                number("corrected_above_0", "own", 0, "Above 0"),
                number("own_less_placebo_above_0", "own less median", 0, "Above 0"),
                number("blend_above_0", "bits", 0, "Above 0"),
                count("called_self_knowing", "Called self-knowing"),
            ),
            "Simulated leaderboards whose truth is known: means over runs, and in how many runs an interval lies above "
            "0 and a model is called self-knowing (own less the median placebo, and the bits added to any blend).",
        ),
        "proof": Schema(
            "proof",
            columns_of(
                text("kind", "Confidence reads"),
                number("self_share", "Own state", 2),
                count("runs", "Runs"),
                number("true_share", "in truth", 2, "Share of information"),
                number("share", "found", 2, "Share of information"),
            ),
            "Simulated leaderboards whose truth is known: what share of the information is found to be beyond "
            "difficulty, against the true one; three judged models.",
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
