"""Batch files of the OpenAI form: requests written out in place of being sent, and answers read back.

A batch file has one line for each request: ``custom_id``, ``method``, ``url`` and ``body``. A results file has one for
each answer: ``custom_id`` and ``response`` (``status_code`` and ``body``) or ``error``. The ``custom_id`` is made of
the run's key, the digest of the request and the sample, so that an answer finds its place whatever the order of the
lines, and an answer to another run's request finds none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from metacog.core.errors import MetacogError
from metacog.core.files import json_lines, replacing
from metacog.engines.asked import Asked
from metacog.engines.base import GaveUp
from metacog.engines.budget import Budget, Tally


class Deferred(GaveUp):
    """A request is left for a batch: its answer is not there yet."""


def custom_id(run: str, asked: Asked) -> str:
    return f"{run}-{asked.name}"


class Batch:
    """What answers requests in a server's place: as far as answers of earlier batches are kept.

    Answers are kept in the run's folder until it is whole, since a request may take several calls, one after another.
    """

    def __init__(self) -> None:
        self._run, self._file = "", Path()
        self._kept: dict[str, Any] = {}
        self._new: set[str] = set()

    def turn_to(self, run: str, file: Path) -> None:
        """Go on with a run: its key, and the file of answers that are kept for it."""
        self._run, self._file = run, file
        self._kept = {line["custom_id"]: line for _, line in json_lines(file)} if file.is_file() else {}

    def answer(self, asked: Asked, path: str, body: Mapping[str, Any]) -> Any:
        """JSON of the answer to a call; :class:`Deferred` is raised where there is none."""
        name = custom_id(self._run, asked)
        if name not in self._kept:
            self.lacks(name, path, body)
            raise Deferred(f"request {name} waits for a batch")
        return self._kept[name]["response"]["body"]

    def is_new(self, asked: Asked) -> bool:
        """Whether an answer came with this batch and has not been read before."""
        name = custom_id(self._run, asked)
        new = name in self._new
        self._new.discard(name)
        return new

    def lacks(self, name: str, path: str, body: Mapping[str, Any]) -> None:
        """A call has no answer yet."""

    def reject(self, asked: Asked, why: str) -> None:
        self._kept.pop(custom_id(self._run, asked), None)
        self._keep()

    def _keep(self) -> None:
        _write_lines(self._file, self._kept)


def _write_lines(path: Path, lines: Mapping[str, Any]) -> None:
    with replacing(path) as handle:
        handle.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines.values())


class Outbox(Batch):
    """Collects requests, as far as a budget goes; none is sent.

    ``cut``: option of the limit that the next request would have passed; empty if all fit; ``left``: the most that
    the requests can take that were left out: that one, and all after it.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        super().__init__()
        self.budget = budget or Budget()
        self.lines: dict[str, dict[str, Any]] = {}
        self.cut, self.left = "", Tally()

    def lacks(self, name: str, path: str, body: Mapping[str, Any]) -> None:
        self.cut = self.cut or self.budget.promise(body)
        if self.cut:
            self.left.add(self.budget.tally(self.budget.bound(body)))
        else:
            self.lines[name] = {"custom_id": name, "method": "POST", "url": f"/v1{path}", "body": dict(body)}

    def write(self, path: Path) -> None:
        _write_lines(path, self.lines)


class Inbox(Batch):
    """Answers of a results file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.used: set[str] = set()
        self.missing: set[str] = set()
        self.failed: dict[str, str] = {}
        self._answers: dict[str, Any] = {}
        for number, line in json_lines(path):
            name = line.get("custom_id")
            told = "response" in line and isinstance(line["response"] or {}, dict)
            if not isinstance(name, str) or not told:
                raise MetacogError(
                    f"{path}, line {number}: no result of a batch (it needs custom_id and response); "
                    "give the batch's results file, not the batch file itself"
                )
            if self._answers.setdefault(name, line) != line:
                raise MetacogError(f"{path}, line {number}: {name} is answered twice, each time otherwise")

    def __len__(self) -> int:
        return len(self._answers)

    def turn_to(self, run: str, file: Path) -> None:
        super().turn_to(run, file)
        for name, line in self._answers.items():
            if name.startswith(f"{run}-"):
                response = line.get("response") or {}
                if line.get("error") or response.get("status_code") != 200:
                    why = line.get("error") or response.get("body") or response
                    self.failed[name] = json.dumps(why)[:300]
                else:
                    self.used.add(name)
                    if name not in self._kept:
                        self._new.add(name)
                    self._kept[name] = {"custom_id": name, "response": {"body": response.get("body")}}
        self._keep()

    def lacks(self, name: str, path: str, body: Mapping[str, Any]) -> None:
        self.missing.add(name)

    def reject(self, asked: Asked, why: str) -> None:
        super().reject(asked, why)
        name = custom_id(self._run, asked)
        self.used.discard(name)
        self.failed[name] = why
