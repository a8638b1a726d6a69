"""What is put to the models of the run: the first request about one sentence of each task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from metacog.engines.base import Message
from metacog.engines.requests import user
from metacog.studies.study2_two_choice.asking.sentences import sentences
from metacog.studies.study2_two_choice.asking.wordings import load_wordings
from metacog.studies.study2_two_choice.settings import Settings


def requests(settings: Settings, collections: Sequence[Any]) -> pd.DataFrame:
    """The first request about one sentence of each task, and what is asked next: one row per turn.

    Returns
    -------
    DataFrame
        ``task``, its ``name``, ``role``, ``content``, and ``example``: the number of the answered example
        that the turn belongs to, 0 outside of examples. The model's decision has no ``content``.
    """
    (confidence,) = (c for c in collections if c.name == "confidence")
    rows = []
    for one in settings.sets().values():
        turns = list(confidence.first(sentences(one)[0], one).turns)
        n_examples = 0
        if one.how == "choose":
            n_examples = one.examples
            turns += [Message(role="assistant", content=""), user(load_wordings().choose["confidence"])]
        name = load_wordings().tasks[one.task].name
        for place, turn in enumerate(turns):
            example = (place + 1) // 2 if 1 <= place <= 2 * n_examples else 0
            rows.append((one.task, name, turn["role"], turn["content"], example))
    return pd.DataFrame(rows, columns=["task", "name", "role", "content", "example"])
