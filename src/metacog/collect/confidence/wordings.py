"""Wordings of the ways of asking for confidence: ``config/confidence.yaml`` as turns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from metacog.collect.multiple import BinaryQuestion
from metacog.core.config import load_yaml
from metacog.core.paths import project_root
from metacog.engines.base import Message
from metacog.engines.requests import user


@dataclass(frozen=True)
class Lines:
    """Lines of one form of answer, ``label`` or ``text``.

    Attributes
    ----------
    question, answer, cot, cot_answer, scale, p_true, written_out : str
    perturbing : tuple of str
    misleading : dict of tuple of str
        By kind: ``frame`` and ``hint``. The first line is neutral.
    """

    question: str
    answer: str
    cot: str
    cot_answer: str
    scale: str
    p_true: str
    written_out: str
    perturbing: tuple[str, ...]
    misleading: dict[str, tuple[str, ...]]

    def turns(self, question: BinaryQuestion, ask: str) -> tuple[Message, ...]:
        """The question, and below it what is asked of it."""
        stem = filled(self.question, question=question.question, a=question.options[0], b=question.options[1])
        return (user(f"{stem}\n{ask}" if ask else stem),)


@dataclass(frozen=True)
class Wordings:
    """All wordings.

    Attributes
    ----------
    version : str
        Recorded with every trial.
    verbal : dict of str
        Lines that ask for a written number.
    label, text : Lines
        By the form of the answer.
    """

    version: str
    verbal: dict[str, str]
    label: Lines
    text: Lines

    def of(self, form: str) -> Lines:
        """The lines of a form of answer."""
        return self.text if form == "text" else self.label


def filled(text: str, /, **values: object) -> str:
    """A wording with its places filled, each once; braces in what is put in stay as they are."""
    parts = [text]
    for name, value in values.items():
        split: list[str] = []
        for i, part in enumerate(parts):
            if i % 2:  # already a value
                split.append(part)
                continue
            pieces = part.split(f"{{{name}}}")
            for j, piece in enumerate(pieces):
                split += [piece] if j == len(pieces) - 1 else [piece, str(value)]
        parts = split
    return "".join(parts)


@cache
def load_wordings() -> Wordings:
    """Read ``config/confidence.yaml``.

    Raises
    ------
    MetacogError
        If it is missing or breaks its schema.
    """
    raw = load_yaml(project_root() / "config" / "confidence.yaml", "confidence")
    return Wordings(**{**raw, "label": _lines(raw["label"]), "text": _lines(raw["text"])})


def _lines(raw: dict[str, Any]) -> Lines:
    misleading = {kind: tuple(lines) for kind, lines in raw["misleading"].items()}
    return Lines(**{**raw, "perturbing": tuple(raw["perturbing"]), "misleading": misleading})
