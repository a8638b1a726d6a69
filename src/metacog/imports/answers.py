"""Answers that came without confidence, or without a mark: agreeing resamples are counted, a key is compared."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.confidence_signals import agreement
from metacog.collect.scoring import Mark, Marking
from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation, labels_of
from metacog.imports.mapping import Columns
from metacog.measures.given import Given
from metacog.studies import first_with
from metacog.trials import AGREEMENT

#: Columns of the trial table that are filled where answers are in the file.
CARRIED = ("text", "answer", "match", "similarity", "matched_alias", "refusal")


def signal_of(columns: Columns, scale: str = "auto") -> str:
    """Which signal is to be computed; empty where ``--confidence`` names a column."""
    if columns.confidence != AGREEMENT or (columns.answer is None and columns.correct is not None):
        return ""
    if scale != "auto":
        raise MetacogError(f"confidence by {AGREEMENT} has a scale of its own: leave --confidence-scale out")
    return AGREEMENT


def wanted(columns: Columns, signal: str) -> tuple[Columns, tuple[str, ...]]:
    """Columns to look for in a table, and the roles among them that it must have."""
    if columns.correct is not None and columns.key is not None:
        raise MetacogError(
            "--correct and --key exclude each other: are answers marked in the file, or to be marked?"
        )
    needed = ["key", "answer"] if columns.key is not None else ["correct"]
    if not signal:
        return columns, (*needed, "confidence")
    return replace(columns, confidence=None), (*needed, "answer", "question_id")


def complete(
    table: pd.DataFrame,
    columns: Columns,
    signal: str,
    report: Validation,
    given: Given,
    *,
    threshold: float | None = None,
) -> tuple[pd.DataFrame, Columns, tuple[str, ...]]:
    """Mark answers and give them confidence, where the file does not.

    ``columns`` have no ``confidence`` where ``signal`` says what to compute, and no ``correct`` where there is a key.
    The table has then the columns that have a role, named by it, and those of answers that go with their trials, which
    are named last. What was computed stands in ``report.computed``: the ``signal``, from ``fewest`` to ``most`` other
    answers each; the column ``key``, and ``marks`` by how.
    """
    report.n_read = report.n_read or len(table)
    report.mapping = columns.named()
    done: dict[str, Any] = {"signal": signal, "fewest": 0, "most": 0, "key": "", "marks": {}}
    parts = {role: table[name] for role, name in report.mapping.items()}
    parts["text"] = labels_of(table, columns.answer, "").fillna("")
    if columns.answer is not None:  # None and NA are answers, unless they are said not to be
        parts["text"] = parts["text"].mask(given.text(parts["text"], usual=False).isna(), "")
    if "key" in parts:  # the file's word on refusals stands before the rule's
        parts = {**parts, **_marked(parts, done), **{r: parts[r] for r in ("refusal",) if r in parts}}
    else:
        parts["correct"] = given.correctness(parts["correct"], threshold)
        parts["answer"] = parts["text"]
    frame = pd.DataFrame(parts)
    if signal:
        if (frame["text"] == "").all():
            raise MetacogError(
                f"column {columns.answer!r} is empty in all {len(frame):,} rows: there is nothing to compare"
            )
        frame = _agreeing(frame, done, report)
    report.computed = done
    roles = {role: role for role in (*report.mapping, "correct", "confidence") if role in frame}
    return frame, Columns(**roles), tuple(name for name in CARRIED if name in frame)


def _marked(parts: dict[str, pd.Series], done: dict[str, Any]) -> dict[str, pd.Series]:
    """Answers marked against the key by the rule that a study brings; no mark where there is no key."""
    marking, key = _marking(), parts["key"]
    done["key"] = str(key.name)
    accepted = [_accepted(value) for value in key]
    if not any(accepted):
        raise MetacogError(
            f"column {done['key']!r} is empty in all {len(key):,} rows: there is no key to mark against"
        )
    marks = [
        _mark(marking, text, keys) if keys else Mark(False, "given", text, np.nan, "", False, False)
        for text, keys in zip(parts["text"], accepted, strict=True)
    ]
    made = pd.DataFrame([asdict(mark) for mark in marks], index=key.index).drop(columns="preamble")
    known = pd.Series([bool(keys) for keys in accepted], index=key.index)
    done["marks"] = {str(name): int(n) for name, n in made.loc[known, "match"].value_counts().items()}
    return {**made, "correct": made["correct"].astype("boolean").where(known)}


def _accepted(value: Any) -> list[str]:
    """Accepted answers of one cell: a list, or texts with ``|`` between them."""
    if isinstance(value, list | tuple | np.ndarray):
        given = [str(part) for part in value]
    elif isinstance(value, float) and value.is_integer():
        given = [str(int(value))]
    else:
        given = [] if pd.isna(value) else str(value).split("|")
    return [part.strip() for part in given if part.strip()]


def _mark(marking: Marking, text: str, keys: list[str]) -> Mark:
    """By the study's rule, but for a choice: a letter, with or without signs around it, or what is else an article."""
    mark = marking.mark(text, keys)
    plain = _bare(mark.answer)
    same = [key for key in keys if _bare(key) == plain and (len(plain) == 1 or plain in ("an", "the"))]
    if same:
        return Mark(True, "exact", mark.answer, 1.0, same[0], False, mark.preamble)
    return replace(mark, match="none") if mark.match == "empty" and plain else mark


def _bare(text: str) -> str:
    return re.sub(r"^[\W_]+|[\W_]+$", "", text).casefold()


def _marking() -> Marking:
    marking = first_with("marking").marking
    assert marking is not None
    return marking


def _agreeing(frame: pd.DataFrame, done: dict[str, Any], report: Validation) -> pd.DataFrame:
    """Confidence of an answer: the share of the model's other answers to the question that agree with it."""
    by = [role for role in ("model", "question_id", "temperature") if role in frame]
    marking, confidence = _marking(), pd.Series(np.nan, index=frame.index)
    compared = []
    for _, part in frame.groupby(by, sort=False, dropna=False):
        texts, same = part["text"].tolist(), cache(marking.same)
        confidence.loc[part.index] = np.array(
            [agreement(text, texts[:place] + texts[place + 1 :], same) for place, text in enumerate(texts)]
        )
        compared += [len(texts) - 1] if len(texts) > 1 else []
    if not compared:
        raise MetacogError(
            "no question has several answers of one model"
            + (" at one temperature" if "temperature" in frame else "")
            + ": agreement needs resamples, each in a row of its own"
        )
    done |= {"fewest": min(compared), "most": max(compared)}
    empty, none = frame["text"] == "", confidence.isna()
    report.drop("the answer is empty", int(empty.sum()))
    report.drop(
        "the only answer of its model to the question: there is none to agree with",
        int((none & ~empty).sum()),
    )
    return frame.assign(confidence=confidence)[~none]
