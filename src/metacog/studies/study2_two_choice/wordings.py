"""Wordings of the two-choice tasks: ``config/two-choice.yaml`` as turns of a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from metacog.core.config import load_yaml
from metacog.core.paths import project_root
from metacog.engines.base import Message
from metacog.engines.requests import user


@dataclass(frozen=True)
class Task:
    """One task: its name, what labels 0 and 1 mean, and the line that sets it."""

    name: str
    classes: tuple[str, ...]
    line: str


@dataclass(frozen=True)
class Wordings:
    """All wordings of the study.

    Attributes
    ----------
    version : str
        Recorded with every trial.
    role, sentence : str
    tasks : dict of Task
    risks : dict of str
        Line of each risk configuration; empty where nothing is said of risk.
    choose, json : dict of str
        Lines that ask for a decision and for confidence, by way of asking.
    """

    version: str
    role: str
    sentence: str
    tasks: dict[str, Task]
    risks: dict[str, str]
    choose: dict[str, str]
    json: dict[str, str]

    def turns(self, task: str, text: str, ask: str, risk: str = "None") -> tuple[Message, ...]:
        """What is said first: role, task, risk and form of the answer as system turn, then the sentence.

        What sentences share stands first, so that an engine reads it once.
        """
        of = self.tasks[task]
        risky = self.risks[risk]
        for label, name in enumerate(of.classes):
            risky = risky.replace(f"{{{label}}}", f"{label} ({name})")
        system = " ".join(line.strip() for line in (self.role, of.line, risky, ask) if line.strip())
        return (
            Message(role="system", content=system),
            user(self.sentence.replace("{sentence}", text)),
        )


@cache
def load_wordings() -> Wordings:
    """Read ``config/two-choice.yaml``.

    Raises
    ------
    MetacogError
        If it is missing or breaks its schema.
    """
    raw = load_yaml(project_root() / "config" / "two-choice.yaml", "two-choice")
    tasks = {key: Task(t["name"], tuple(t["classes"]), t["task"]) for key, t in raw["tasks"].items()}
    return Wordings(**{**raw, "tasks": tasks})
