"""What is put to the models of the run, and what of it can be used: every reply is counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from metacog.collect.plan import settings_of
from metacog.core.frames import rows_of
from metacog.engines.base import Message
from metacog.engines.requests import user
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice.asking.sentences import sentences
from metacog.studies.study2_two_choice.asking.wordings import load_wordings
from metacog.studies.study2_two_choice.replication_ratings import with_labels
from metacog.studies.study2_two_choice.settings import Settings

#: A cell of the design.
CELL = ("model", "dataset", "task", "risk")
#: How readers know the collections.
EXPERIMENTS = {"confidence": "with confidence", "warned": "under risk"}


@analysis(needs=("confidence", "warned"), files=("config/two-choice.yaml",))
def replication_asked(inputs: Inputs) -> dict[str, Any]:
    """What was asked, and how much of it was answered?"""
    cells = of_both({name: inputs.trials(name) for name in ("confidence", "warned")})
    settings = settings_of(inputs.study, inputs.profile)
    return {"requests": requests(settings, inputs.study.collections), "cells": with_labels(cells)}


def requests(settings: Settings, collections: Sequence[Any]) -> pd.DataFrame:
    """The first request about one sentence of each task, and what is asked next: one row per turn.

    ``example`` is the number of the answered example that the turn belongs to, 0 outside of examples. The model's
    decision has no ``content``.
    """
    (confidence,) = (c for c in collections if c.name == "confidence")
    rows = []
    for one in settings.sets().values():
        turns = list(confidence.first(sentences(one)[0], one).turns)
        n_examples = one.n_examples
        if one.how == "choose":
            line = load_wordings().named(one.task, load_wordings().choose["confidence"], one.scale)
            turns += [Message(role="assistant", content=""), user(line)]
        name = load_wordings().tasks[one.task].name
        for place, turn in enumerate(turns):
            example = (place + 1) // 2 if place <= 2 * n_examples else 0
            rows.append((one.task, name, turn["role"], turn["content"], example))
    return pd.DataFrame(rows, columns=["task", "name", "role", "content", "example"])


def asked_by_cell(trials: pd.DataFrame) -> pd.DataFrame:
    """How many trials each cell has, and how many of them can be used, some after being asked again."""
    ok = trials["parse_status"] == "ok"
    flags = trials[list(CELL)].assign(asked=1, usable=ok, unparsed=~ok, repaired=ok & (trials["repairs"] > 0))
    return flags.groupby(list(CELL), sort=False).sum().astype("int64").reset_index()


def of_both(trials: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """:func:`asked_by_cell` of both collections, with ``experiment``; one row per cell."""
    parts = [
        asked_by_cell(rows).assign(experiment=EXPERIMENTS[name]) for name, rows in trials.items() if len(rows)
    ]
    return pd.concat(parts).sort_values(["model", "task"], kind="stable", ignore_index=True)


def prompts(result: Any) -> str:
    """The first request about one sentence of each task, and what is asked next, as Markdown."""
    parts = []
    for (task, name), turns in result.requests.groupby(["task", "name"], sort=False):
        n = turns["example"].max()
        lines: list[str] = []
        for turn in rows_of(turns[turns["example"] <= 2]):
            if turn.example == 0 and n > 2 and len(lines) == 5:
                lines.append(f"... ({n - 2} more examples)")
            lines.append(f"{turn.role}: {turn.content or '(the decision)'}")
        parts.append(f"**Task {task}, {str(name).lower()}**\n\n```text\n{chr(10).join(lines)}\n```")
    return "\n\n".join(parts)


def numbers(result: Any) -> dict[str, int]:
    """How many answers were asked for, and how many of them can be used."""
    return {f"n_{name}": int(result.cells[name].sum()) for name in ("asked", "usable")}


VIEWS = (Views("replication_asked", numbers=numbers, sentences={"prompts": prompts}),)
