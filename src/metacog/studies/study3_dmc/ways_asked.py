"""One question as a model gets it, and what is asked of it by three ways of asking."""

from __future__ import annotations

from metacog.collect.confidence_ways import filled, load_wordings
from metacog.collect.plan import settings_of
from metacog.studies.study import Inputs, analysis
from metacog.studies.study3_dmc.asking.items import items
from metacog.studies.study3_dmc.settings import Settings


@analysis(files=("config/confidence.yaml",))
def ways_asked(inputs: Inputs) -> dict[str, str]:
    """What is a model asked?"""
    settings = settings_of(inputs.study, inputs.profile)
    return {"example": example(next(iter(settings.by_set().values())))}


def example(settings: Settings) -> str:
    """The first question of a set with its two options, and the lines that ask for an answer and for confidence."""
    item = items(settings, 1)[0]
    words = load_wordings()
    lines = words.of(settings.options.answer)
    right = item.options[item.stimulus]
    told = [turn["content"] for turn in lines.turns(item, lines.answer)]
    behind = {
        "Stated number": filled(lines.scale, answer=right),
        "P(True)": filled(lines.p_true, answer=right),
        "Written number": filled(words.verbal["vanilla"], k=settings.options.k),
    }
    told += [f"[the two options scored] {item.options[0]} / {item.options[1]} (right: {right})"]
    told += [f"[{name}] {line}" for name, line in behind.items()]
    return "```text\n" + "\n".join(told) + "\n```"
