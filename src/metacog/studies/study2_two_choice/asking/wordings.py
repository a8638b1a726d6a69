"""Wordings of the two-choice tasks: ``config/two-choice.yaml`` as turns of a conversation."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from metacog.core.config import load_yaml
from metacog.core.paths import project_root
from metacog.engines.base import Message
from metacog.engines.requests import assistant, user
from metacog.studies.study2_two_choice.asking.deletion import without

#: How the deletion of several words is put into words.
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


#: A sentence with its right answer, shown before the one in question: ``label, sentence``.
Example = Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """One task: its name, what labels 0 and 1 mean, the line that sets it, and answered examples.

    ``several`` (of "the") and ``any_words`` are the lines and ``whole`` the examples where several words are
    deleted; the sentences of ``whole`` are complete, and those of label 1 lose their words when they are shown.
    """

    name: str
    classes: tuple[str, ...]
    task: str
    examples: Sequence[Example] = ()
    several: str = ""
    any_words: str = ""
    whole: Sequence[Example] = ()

    def deleting(self, n: int, what: str) -> tuple[str, Sequence[Example]]:
        if n == 1:
            return self.task, self.examples
        shown = []
        for one in self.whole:
            text = one["sentence"]
            lacking = without(text, n, random.Random(text), what) if one["label"] else text
            shown.append({**one, "sentence": lacking})
        line = self.several if what == "the" else self.any_words
        return line.replace("{n}", NUMBERS[n]), shown


@dataclass(frozen=True)
class Wordings:
    """All wordings of the study: ``risks`` by configuration, ``choose`` and ``json`` by what is asked for."""

    version: str
    role: str
    sentence: str
    tasks: dict[str, Task]
    risks: dict[str, str]
    choose: dict[str, str]
    json: dict[str, str]

    def turns(
        self,
        task: str,
        text: str,
        ask: str,
        risk: str = "None",
        examples: int = 0,
        n_deleted: int = 1,
        deleted: str = "the",
    ) -> tuple[Message, ...]:
        """What is said first: role, task, risk and form of the answer as system turn, then the sentence.

        ``examples`` answered sentences stand before it. What sentences share stands first, so that an
        engine reads it once. ``n_deleted`` words are deleted in task C, ``deleted`` says which.
        """
        of = self.tasks[task]
        set_by, answered = of.deleting(n_deleted if task == "C" else 1, deleted)
        lines = (self.role, set_by, self.named(task, self.risks[risk]), ask)
        system = " ".join(line.strip() for line in lines if line.strip())
        turns = [Message(role="system", content=system)]
        for one in answered[:examples]:
            turns += [self._put(one["sentence"]), assistant(of.classes[one["label"]])]
        return (*turns, self._put(text))

    def named(self, task: str, line: str, scale: int = 5) -> str:
        """A line with the names of the task's classes, and the highest confidence, filled in."""
        for label, name in enumerate(self.tasks[task].classes):
            line = line.replace(f"{{{label}}}", name)
        return line.replace("{top}", str(scale))

    def _put(self, text: str) -> Message:
        return user(self.sentence.replace("{sentence}", text))


@cache
def load_wordings() -> Wordings:
    raw = load_yaml(project_root() / "config" / "two-choice.yaml", "two-choice")
    shown = raw.pop("examples")
    tasks = {}
    for key, task in raw["tasks"].items():
        examples = {"examples": shown.get(key, ()), "whole": shown.get(f"{key}-several", ())}
        tasks[key] = Task(**{**task, "classes": tuple(task["classes"])}, **examples)
    return Wordings(**{**raw, "tasks": tasks})
