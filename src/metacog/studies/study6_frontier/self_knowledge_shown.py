"""Is it self-knowledge? What is said of it."""

from __future__ import annotations

from functools import partial

from metacog.report.views import Views
from metacog.studies.study6_frontier import self_knowledge
from metacog.studies.study6_frontier.self_knowledge import Frontier
from metacog.verdicts.self_knowledge import at_most
from metacog.verdicts.self_knowledge_words import SENTENCES, VERDICTS, headline


def power(result: Frontier) -> str:
    """How often simulated models are called self-knowing."""
    called, runs = "called_self_knowing", "n_runs"
    table = result.worlds
    parts = (table[table["self_share"] == 0], table[table["self_share"] > 0])
    without, known = (one[[called, runs]].sum() for one in parts)
    most = at_most(int(without[called]), int(without[runs]))
    return (
        f"In simulated tables of this size, {int(without[called])} of {int(without[runs])} models that know nothing "
        f"of themselves are called self-knowing (at most {most:.1%} of such models, where "
        f"{self_knowledge.ALLOWED:.0%} is allowed), and {int(known[called])} of {int(known[runs])} "
        "of those that do know something."
    )


VIEWS = Views(
    "self_knowledge",
    sentences={**SENTENCES, "answer": partial(headline, models="large models"), "power": power},
    verdicts=VERDICTS,
)
