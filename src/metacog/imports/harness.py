"""Logs of lm-evaluation-harness (``samples_TASK_TIME.jsonl``, written with ``--log_samples``).

Multiple choice by log-likelihood: every choice has one; the chosen answer is the most likely, its
confidence the softmax over the choices, and ``acc`` says whether it was right.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import softmax

from metacog.core.errors import MetacogError
from metacog.core.files import json_lines
from metacog.imports.clean import Validation
from metacog.imports.mapping import Columns

COLUMNS = Columns("correct", "confidence", "model", "domain", None, "question_id")

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


def read_harness(path: Path, report: Validation) -> pd.DataFrame:
    """Trials of sample logs: correct, confidence, model, domain (the task), question_id.

    Raises
    ------
    MetacogError
        If a log holds no multiple choice by log-likelihood (generated answers have no
        log-probabilities in these logs), or no ``acc``.
    """
    files = files_of(path)
    frames = []
    for file in files:
        match = _NAME.match(file.stem)
        task = match["task"] if match else file.stem
        records = [record for _, record in json_lines(file)]
        if not records:
            raise MetacogError(f"{file} holds no samples")
        report.n_read += len(records)
        frames.append(_one_file(records, task, model_of(file), report, file))
    trials = pd.concat(frames, ignore_index=True)
    if trials.empty:
        why = "; ".join(f"{n:,}: {reason}" for reason, n in report.dropped.items())
        raise MetacogError(f"no sample of {path} can be used ({why})")
    report.notes.append("confidence is the softmax over the choices' log-likelihoods, of the chosen one")
    if len(files) > 1:
        report.notes.append(f"{len(files)} sample files were read; the task stands in the domain column")
    return trials


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
                "text, so there is no confidence in them. Use a multiple-choice task, or a table with "
                "--correct and --confidence"
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
    if isinstance(target, bool):
        return int(target)
    if isinstance(target, int):
        return target
    return int(target) if isinstance(target, str) and re.fullmatch(r"\d+", target) else None


def model_of(file: Path) -> str:
    """Model of a sample file: from a ``results_*.json`` next to it, else its folder's name."""
    for results in sorted(file.parent.glob("results_*.json")):
        try:
            content = json.loads(results.read_text(encoding="utf-8"))
        except (json.JSONDecodeError, OSError):
            continue
        name = content.get("model_name") or (content.get("config") or {}).get("model_args")
        if isinstance(name, str) and name:
            match = re.search(r"(?:pretrained|model)=([^,]+)", name)
            return match[1] if match else name
    folder = file.parent.name
    return folder.replace("__", "/") if "__" in folder else "model"
