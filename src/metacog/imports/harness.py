"""Logs of lm-evaluation-harness (``samples_TASK_TIME.jsonl``, written with ``--log_samples``).

Multiple choice by log-likelihood: every choice has one; the chosen answer is the most likely, its
confidence the softmax over the choices, and ``acc`` says whether it was right. Generated answers have no
log-probabilities in these logs: they are read for a model that scores them (:func:`read_answers`).

A task may cut answers out of what was generated in several ways, its *filters*; a log then holds every
sample once for each. One filter is read at a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import softmax

from metacog.core.errors import MetacogError
from metacog.core.files import from_json, json_lines
from metacog.imports.clean import Validation
from metacog.imports.mapping import Columns

COLUMNS = Columns("correct", "confidence", "model", "domain", None, "question_id")

#: Columns of answers that are to be scored.
ANSWERS = Columns(
    "correct", model="model", domain="domain", question_id="question_id", question="question", answer="answer"
)
#: Metrics that say whether a generated answer is right, in the order in which they are looked for.
METRICS = ("exact_match", "acc", "em")

_NAME = re.compile(r"^samples_(?P<task>.+?)(?:_(?P<time>\d{4}-\d{2}-\d{2}T[0-9.:-]+))?$")


def files_of(path: Path) -> list[Path]:
    """Sample files of a path: the file itself, or all ``samples_*.jsonl`` below a folder."""
    return sorted(path.rglob("samples_*.jsonl")) if path.is_dir() else [path]


def is_harness(path: Path) -> bool:
    """True for a sample log, or a folder that holds one."""
    if path.is_dir():
        return bool(files_of(path))
    if path.suffix != ".jsonl" or not path.is_file():
        return False
    if path.name.startswith("samples_"):
        return True
    with open(path, encoding="utf-8", errors="replace") as handle:
        first = handle.readline()
    return '"filtered_resps"' in first and '"doc_id"' in first


def read_harness(path: Path, report: Validation, *, filter_name: str | None = None) -> pd.DataFrame:
    """Trials of sample logs: correct, confidence, model, domain (the task), question_id.

    Parameters
    ----------
    path : Path
        A sample log, or a folder of them.
    report : Validation
        Filled in.
    filter_name : str, optional
        Which filter's answers are read; needed where a log holds several.

    Raises
    ------
    MetacogError
        If a log holds no multiple choice by log-likelihood (generated answers have no
        log-probabilities in these logs), or no ``acc``; or if it has several filters and none is named, or not
        the one that is.
    """
    frames = [
        _one_file(records, task, model_of(file), report, file)
        for file, task, records in _logs(path, report, filter_name)
    ]
    report.notes.append("confidence is the softmax over the choices' log-likelihoods, of the chosen one")
    return _joined(frames, path, report)


def read_answers(path: Path, report: Validation, *, filter_name: str | None = None) -> pd.DataFrame:
    """Generated answers of sample logs: the columns of :data:`ANSWERS`.

    The question is the whole prompt, the answer what the filter left of the reply.

    Parameters
    ----------
    path, report, filter_name
        As for :func:`read_harness`.

    Raises
    ------
    MetacogError
        As :func:`read_harness` for filters; or if no sample has one answer and a score of 0 or 1.
    """
    frames = []
    for file, task, records in _logs(path, report, filter_name):
        model = model_of(file)
        rows: list[dict[str, Any]] = []
        for record in records:
            right = next((record[m] for m in METRICS if record.get(m) in (0, 1)), None)
            answers = _flat(record.get("filtered_resps") or record.get("resps"))
            if right is None:
                report.drop(f"no score of 0 or 1 ({', '.join(METRICS)})", 1)
            elif len(answers) != 1 or not isinstance(answers[0], str):
                report.drop("not one generated answer under one score", 1)
            else:
                rows.append(
                    {
                        "correct": int(right),
                        "question": _prompt(record),
                        "answer": answers[0],
                        "model": model,
                        "domain": task,
                        "question_id": f"{task}:{record.get('doc_id', len(rows))}",
                    }
                )
        frames.append(pd.DataFrame(rows, columns=list(ANSWERS.named().values())))
    return _joined(frames, path, report)


def _logs(
    path: Path, report: Validation, filter_name: str | None
) -> Iterator[tuple[Path, str, list[dict[str, Any]]]]:
    """Each log with its task and the samples of one filter."""
    for file in files_of(path):
        match = _NAME.match(file.stem)
        records = [record for _, record in json_lines(file)]
        if not records:
            raise MetacogError(f"{file} holds no samples")
        known = list(dict.fromkeys(str(record.get("filter", "none")) for record in records))
        if filter_name is None and len(known) > 1:
            raise MetacogError(
                f"{file.name} holds each sample under {len(known)} filters ({', '.join(known)}), which must not "
                "be mixed: name one with --filter"
            )
        wanted = known[0] if filter_name is None else filter_name
        if wanted not in known:
            raise MetacogError(f"{file.name} has no filter {wanted!r}; it has: {', '.join(known)}")
        if len(known) > 1:
            others = ", ".join(name for name in known if name != wanted)
            report.notes.append(
                f"{file.name}: answers under the filter {wanted} were read, not those under {others}"
            )
        kept = [record for record in records if str(record.get("filter", "none")) == wanted]
        report.n_read += len(kept)
        yield file, match["task"] if match else file.stem, kept


def _joined(frames: list[pd.DataFrame], path: Path, report: Validation) -> pd.DataFrame:
    table = pd.concat(frames, ignore_index=True)
    if table.empty:
        why = "; ".join(f"{n:,}: {reason}" for reason, n in report.dropped.items())
        raise MetacogError(f"no sample of {path} can be used ({why})")
    if len(frames) > 1:
        report.notes.append(f"{len(frames)} sample files were read; the task stands in the domain column")
    return table


def _flat(answers: Any) -> list[Any]:
    """Answers of a sample, out of however many lists they stand in."""
    if not isinstance(answers, list):
        return [] if answers is None else [answers]
    return [one for answer in answers for one in _flat(answer)]


def _prompt(record: dict[str, Any]) -> str:
    """What the model was asked; chat turns, which are logged as JSON, below each other."""
    given = record.get("arguments")
    first: Any = next(iter(given.values()), None) if isinstance(given, dict) else given
    while isinstance(first, list | tuple) and first:
        first = first[0]
    text = str(first.get("arg_0", "") if isinstance(first, dict) else first or "")
    if text.startswith("["):
        try:
            return "\n\n".join(str(turn["content"]) for turn in json.loads(text))
        except (ValueError, TypeError, KeyError):
            return text
    return text


def _one_file(
    records: list[dict[str, Any]], task: str, model: str, report: Validation, file: Path
) -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    for record in records:
        likelihoods = log_likelihoods(record)
        if likelihoods is None:
            raise MetacogError(
                f"{file.name}: sample {record.get('doc_id', '?')} has no log-likelihood for each choice "
                "(a generate_until task, or a perplexity): these logs keep no log-probabilities of generated "
                "text, so there is no confidence in them. Use a multiple-choice task, a table with --correct and "
                "--confidence, or have a model score the answers: --score-with MODEL --confidence nlp"
            )
        right = record.get("acc")
        if right is None or float(right) not in (0.0, 1.0):
            report.drop("no acc of 0 or 1", 1)
            continue
        chosen = int(np.argmax(likelihoods))
        gold = _gold(record)
        if (likelihoods == likelihoods[chosen]).sum() > 1:
            report.drop("two choices are equally likely: it is not known which was taken", 1)
            continue
        if gold is not None and float(chosen == gold) != float(right):
            report.drop("acc does not agree with the most likely choice and the target", 1)
            continue
        rows.append(
            {
                "correct": int(float(right)),
                "confidence": float(softmax(likelihoods)[chosen]),
                "model": model,
                "domain": task,
                "question_id": f"{task}:{record.get('doc_id', len(rows))}",
            }
        )
    return pd.DataFrame(rows, columns=["correct", "confidence", "model", "domain", "question_id"])


def log_likelihoods(record: dict[str, Any]) -> np.ndarray | None:
    """Log-likelihood of each choice, or None if the sample has none.

    Entries look like ``[-12.3, false]`` or ``["-12.3", "False"]``, in ``resps`` inside one more list.
    """
    found = []
    for entry in record.get("filtered_resps") or record.get("resps") or []:
        while isinstance(entry, list) and len(entry) == 1 and isinstance(entry[0], list):
            entry = entry[0]
        if not isinstance(entry, list) or len(entry) != 2:
            return None
        try:
            found.append(float(entry[0]))
        except (TypeError, ValueError):
            return None
    if len(found) < 2:
        return None
    choices = _n_choices(record)
    if choices is not None and len(found) == 2 * choices:
        found = found[:choices]  # the second half is unconditional, for acc_mutual_info
    values = np.array(found)
    return values if np.isfinite(values).all() else None


def _n_choices(record: dict[str, Any]) -> int | None:
    choices = (record.get("doc") or {}).get("choices") if isinstance(record.get("doc"), dict) else None
    if isinstance(choices, dict):
        choices = choices.get("text")
    return len(choices) if isinstance(choices, list) else None


def _gold(record: dict[str, Any]) -> int | None:
    """Index of the right choice, where the target is one."""
    target = record.get("target")
    whole = isinstance(target, int) or (isinstance(target, str) and re.fullmatch(r"\d+", target))
    return int(target) if whole else None  # type: ignore[arg-type]


def model_of(file: Path) -> str:
    """Model of a sample file: from a ``results_*.json`` next to it, else its folder's name."""
    for results in sorted(file.parent.glob("results_*.json")):
        try:
            content = from_json(results.read_text(encoding="utf-8"))
            name = content.get("model_name") or (content.get("config") or {}).get("model_args")
        except (ValueError, AttributeError, OSError):
            continue
        if isinstance(name, str) and name:
            match = re.search(r"(?:pretrained|model)=([^,]+)", name)
            return match[1] if match else name
    folder = file.parent.name
    return folder.replace("__", "/") if "__" in folder else "model"
