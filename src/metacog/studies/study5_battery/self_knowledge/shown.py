"""Is what the probes say knowledge of oneself? What is said of it."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.self_knowledge_words import READING, against, headline, like_these
from metacog.report.views import Views
from metacog.studies.study5_battery.self_knowledge.analysis import ProbesSelfKnowledge, medians, one_sided


def answer(result: ProbesSelfKnowledge) -> str:
    """In how many models KEEP says more than another model's would."""
    return headline(result.keep)


def bet_answer(result: ProbesSelfKnowledge) -> str:
    """The same of the bet."""
    n, better = result.bet.n_ranked, result.bet.n_better
    return f"With the bet in the place of KEEP it is so in {better or 'none'} of {n} models."


def coarse(result: ProbesSelfKnowledge) -> str:
    """What a yes or no can say at most."""
    m, few = medians(result.coarse, "keep"), one_sided(result.coarse, "keep")
    return (
        f"A yes or no leaves {m['tied']:.0%} of a model's pairs of a right and a wrong answer without an order "
        f"(median), and {plural(len(few), 'model gives', 'models give')} the same reply to nearly everything."
    )


def keep_against(result: ProbesSelfKnowledge) -> str:
    """KEEP against others' KEEP."""
    return against(result.keep)


def left_out(result: ProbesSelfKnowledge) -> str:
    """What the comparison rests on."""
    keep = result.keep
    return (
        f"It rests on {keep.n_items} items of T1 to T5 and {keep.n_models} models of {keep.n_families} families; "
        f"{plural(result.n_copied, 'file')} of a model and track are left out, since two models have the same."
    )


def could_be_seen(result: ProbesSelfKnowledge) -> str:
    """What would be found of models whose self-knowledge is known."""
    return like_these(result.keep, result.simulated)


def reading(result: ProbesSelfKnowledge) -> str:
    """What the words mean."""
    return READING


VIEWS = (
    Views(
        "probes_self_knowledge",
        sentences={
            "answer": answer,
            "bet_answer": bet_answer,
            "coarse_said": coarse,
            "keep_against": keep_against,
            "left_out": left_out,
            "could_be_seen": could_be_seen,
            "reading": reading,
        },
    ),
)
