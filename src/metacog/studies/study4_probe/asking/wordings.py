"""Wordings of the probe: ``config/probe.yaml`` as turns of a conversation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from metacog.core.config import load_yaml
from metacog.core.paths import project_root
from metacog.engines.base import Message
from metacog.engines.requests import assistant, user

#: How the version of the wordings ends where no worked reply was shown.
WITHOUT_EXAMPLES = ", without examples"


@dataclass(frozen=True)
class Wordings:
    """All wordings of the study, whose ``version`` is recorded with every trial.

    ``marker`` opens each item, and ends a reply where a model goes on to invent another. By task, ``tasks`` has
    ``instruction``, ``max_tokens`` and ``examples``.
    """

    version: str
    marker: str
    tasks: Mapping[str, Mapping[str, Any]]

    def turns(self, task: str, prompt: str, examples: bool) -> tuple[Message, ...]:
        """Instruction, examples if wanted, then the item; what items share stands first."""
        of = self.tasks[task]
        shown: list[Message] = []
        for one in of["examples"] if examples else ():
            shown += [self._item(one["item"]), assistant(one["reply"])]
        return (Message(role="system", content=of["instruction"]), *shown, self._item(prompt))

    def max_tokens(self, task: str) -> int:
        """Longest reply of a task."""
        return int(self.tasks[task]["max_tokens"])

    def _item(self, prompt: str) -> Message:
        return user(f"{self.marker} {prompt}")


@cache
def load_wordings() -> Wordings:
    """Read ``config/probe.yaml``."""
    return Wordings(**load_yaml(project_root() / "config" / "probe.yaml", "probe"))
