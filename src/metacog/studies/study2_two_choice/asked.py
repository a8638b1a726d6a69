"""What was put to the models of the run, and how much of it came back in a form that can be used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import plural
from metacog.engines.base import Message
from metacog.studies.study2_two_choice.sentences import sentences
from metacog.studies.study2_two_choice.settings import Settings
from metacog.studies.study2_two_choice.usable import asked_by_cell
from metacog.studies.study2_two_choice.wordings import load_wordings

#: How readers know the collections.
EXPERIMENTS = {"confidence": "with confidence", "warned": "under risk"}


def both(trials: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """:func:`.usable.asked_by_cell` of both collections, with ``experiment``; a row a cell."""
    parts = [
        asked_by_cell(rows).assign(experiment=EXPERIMENTS[name]) for name, rows in trials.items() if len(rows)
    ]
    return pd.concat(parts, ignore_index=True).sort_values(
        ["model", "task"], kind="stable", ignore_index=True
    )


def asked_said(cells: pd.DataFrame) -> str:
    """How many replies could be used, and where most were lost."""
    total, lost, mended = (int(cells[name].sum()) for name in ("asked", "unparsed", "repaired"))
    said = (
        f"Of {plural(total, 'reply', 'replies')} {total - lost:,} can be used, {mended:,} of them after "
        f"being asked for once more; {lost:,} could not be understood."
    )
    if not lost:
        return said
    worst = cells.iloc[int(np.argmax(cells["unparsed"] / cells["asked"]))]
    share = worst["unparsed"] / worst["asked"]
    where = f"{worst['model']} on task {worst['task']} {worst['experiment']}"
    return f"{said} Most were lost by {where} ({share:.0%})."


def way_said(settings: Settings) -> str:
    """How answers were taken, in words."""
    if settings.how == "json":
        again = "; a reply in another form is asked for once more" if settings.repair else ""
        return f"Answers were written as strict JSON at T = {settings.temperature:g}{again}."
    shown = f", after {plural(settings.examples, 'answered example')}" if settings.examples else ""
    return (
        "Answers were closed choices: the probabilities that the model gives to the allowed words were read, "
        f"and one was drawn at T = {settings.temperature:g}{shown}. Where an engine gives no probabilities, "
        "the word is looked for in what the model writes."
    )


def prompts(settings: Settings, collections: Sequence[Any]) -> str:
    """The first request about one sentence of each task, and what is asked next, as Markdown."""
    by_name = {c.name: c for c in collections}
    found = []
    for one in settings.sets().values():
        item = sentences(one)[0]
        first = by_name["confidence"].first(item, one).turns
        turns = [*_shortened(first, one), *_next(one)]
        name = load_wordings().tasks[one.task].name
        found.append(f"**Task {one.task}, {name.lower()}**\n\n```text\n{chr(10).join(turns)}\n```")
    return "\n\n".join(found)


def _shortened(turns: Sequence[Message], settings: Settings) -> Iterable[str]:
    """Turns as lines; of the answered examples the first two."""
    n_shown = 2 * settings.examples if settings.how == "choose" else 0
    head, examples, last = turns[:1], turns[1 : 1 + n_shown], turns[1 + n_shown :]
    lines = [_line(turn) for turn in (*head, *examples[:4])]
    if n_shown > 4:
        lines.append(f"... ({n_shown // 2 - 2} more examples)")
    return [*lines, *(_line(turn) for turn in last)]


def _next(settings: Settings) -> list[str]:
    if settings.how == "json":
        return []
    return ["assistant: (the decision)", f"user: {load_wordings().choose['confidence']}"]


def _line(turn: Message) -> str:
    return f"{turn['role']}: {turn['content']}"
