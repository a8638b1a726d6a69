"""Logs of lm-evaluation-harness (``samples_TASK_TIME.jsonl``, written with ``--log_samples``).

Multiple choice by log-likelihood: every choice has one, and a metric says whether the chosen one was right. ``acc``
takes the most likely choice, ``acc_norm`` the most likely one per character, ``acc_bytes`` per byte, and
``acc_mutual_info`` the one that the question makes likelier most. Confidence is the softmax of what the choice was
taken by. Generated answers have no log-probabilities in these logs.

What a metric counts and how a target is written differ between versions (a choice with the blank before it or
without; its place, its text, or its text where that is a number), so each is read in the way in which the log's own
metric comes out of it.

A task may cut answers out of what was generated in several ways, its *filters*; a log then holds every
sample once for each. One filter is read at a time. Versions before 0.4 wrote ``TASK_write_out_info.json``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from scipy.special import softmax

from metacog.core.errors import MetacogError
from metacog.core.files import cut, from_json
from metacog.imports.clean import Validation
from metacog.imports.mapping import Columns
from metacog.imports.records import first_record, objects

T = TypeVar("T")

COLUMNS = Columns("correct", "confidence", "model", "domain", None, "question_id")

#: Metrics of multiple choice in the order in which they are looked for, and what each takes a choice by.
CHOSEN_BY = {
    "acc": "log-likelihood",
    "acc_norm": "log-likelihood per character",
    "acc_bytes": "log-likelihood per byte",
    "acc_mutual_info": "log-likelihood beyond that without the question",
}
#: Share of samples in which the metric may not fit choice and target (they are left out), and share whose targets
#: must be understood for the two to be compared at all.
MOST_ODD, LEAST_KNOWN = 0.01, 0.9

_NAME = re.compile(r"^samples_(?P<task>.+?)(?:_(?P<time>\d{4}-\d{2}-\d{2}T[0-9.:-]+))?$")
_OLD = "_write_out_info"
_PAIR = re.compile(r"""\(\s*['"]?([^'",()]+)['"]?\s*,[^()]*\)""")


@dataclass
class Sample:
    """What is needed of a sample of multiple choice.

    ``given`` and ``alone`` are log-likelihoods of each choice with the question and without. ``choices`` and
    ``continuations`` are texts of the choices, and what was scored, mostly the same behind a blank; None where they are
    not known, as where the choices stand in the question. ``scores`` are metrics of 0 or 1.
    """

    id: Any
    given: np.ndarray
    alone: np.ndarray | None
    choices: list[str] | None
    continuations: list[str] | None
    target: Any
    scores: dict[str, float] = field(default_factory=dict)

    def by(self, metric: str, texts: str) -> np.ndarray | None:
        """What a metric takes the choice by; None where that is not known."""
        if metric == "acc":
            return self.given
        if metric == "acc_mutual_info":
            return None if self.alone is None else self.given - self.alone
        named = self.choices if texts == "choices" else self.continuations
        if named is None:
            return None
        lengths = np.array([len(t.encode() if metric == "acc_bytes" else t) for t in named], dtype=float)
        with np.errstate(divide="ignore"):
            return self.given / lengths

    def gold(self, form: str) -> set[int]:
        """Places of the right choices, if targets are given as text, place or letter; empty if not."""
        targets = self.target
        if isinstance(targets, str) and targets.startswith("[") and form != "text":
            try:
                targets = ast.literal_eval(targets)
            except (ValueError, SyntaxError):
                return set()
        named = [choice.strip() for choice in self.choices or []]
        places: set[int] = set()
        for one in targets if isinstance(targets, list) else [targets]:
            text = str(one).strip()
            if form == "text" and text in named:
                places.add(named.index(text))  # the first of two alike, as the harness
            elif form == "place" and re.fullmatch(r"\d{1,4}", text):
                places.add(int(text))
            elif form == "letter" and re.fullmatch("[A-Za-z]", text):
                places.add(ord(text.upper()) - ord("A"))
        return {place for place in places if place < len(self.given)}


def files_of(path: Path) -> list[Path]:
    """Sample files of a path: the file itself, or all of them below a folder."""
    if not path.is_dir():
        return [path]
    return sorted([*path.rglob("samples_*.jsonl"), *path.rglob(f"*{_OLD}.json")])


def is_harness(path: Path) -> bool:
    """True for a sample log, or a folder that holds one."""
    if path.is_dir():
        return bool(files_of(path))
    first = first_record(path) or {}
    return "doc_id" in first and ("filtered_resps" in first or {"prompt_0", "logit_0"} <= first.keys())


def read_harness(
    path: Path, report: Validation, *, filter_name: str | None = None, metric: str | None = None
) -> pd.DataFrame:
    """Trials of sample logs: correct, confidence, model, domain (the task), question_id.

    ``path``: a sample log, or a folder of them; ``report`` is filled in; ``filter_name``: which filter's answers are
    read, needed where a log holds several; ``metric``: which of :data:`CHOSEN_BY` says what is right, the first that a
    log has where left out.

    A MetacogError if a log holds no multiple choice by log-likelihood (generated answers have no log-probabilities in
    these logs), or no such metric; if it has several filters and none is named, or not the one that is; or if its
    metric does not follow from its log-likelihoods and targets.
    """
    frames: list[pd.DataFrame] = []
    lines: dict[str, list[str]] = {}
    for file, task, samples in _logs(path, report, filter_name, _sample):
        frame, line = _one_file(samples, task, report, file, metric)
        frames.append(frame)
        lines.setdefault(line, []).append(task)
    several = len(lines) > 1
    report.notes += [f"{line} ({cut(', '.join(of), 200)})" if several else line for line, of in lines.items()]
    return _joined(frames, path, report)


def _logs(
    path: Path, report: Validation, filter_name: str | None, take: Callable[[dict[str, Any]], T]
) -> Iterator[tuple[Path, str, list[T]]]:
    """Each log with its task and what is taken from the samples of one filter."""
    for file in files_of(path):
        by_filter: dict[str, list[T]] = {}
        for record in objects(file):
            record = _renewed(record) if "logit_0" in record else record
            by_filter.setdefault(str(record.get("filter", "none")), []).append(take(record))
        known = list(by_filter)
        if not known:
            raise MetacogError(f"{file} holds no samples")
        if filter_name is None and len(known) > 1:
            raise MetacogError(
                f"{file.name} holds each sample under {len(known)} filters ({', '.join(known)}), which must not "
                "be mixed: name one with --filter"
            )
        wanted = known[0] if filter_name is None else filter_name
        if wanted not in known:
            raise MetacogError(f"{file.name} has no filter {wanted!r}; it has: {', '.join(known)}")
        if others := ", ".join(name for name in known if name != wanted):
            report.notes.append(
                f"{file.name}: answers under the filter {wanted} were read, not those under {others}"
            )
        report.n_read += len(by_filter[wanted])
        match = _NAME.match(file.stem)
        yield file, match["task"] if match else file.stem.removesuffix(_OLD), by_filter[wanted]


def _renewed(record: dict[str, Any]) -> dict[str, Any]:
    """A sample of ``write_out_info.json`` as later versions lay it out; its choices stand in its prompts."""
    n = sum(1 for key in record if re.fullmatch(r"logit_\d+", key))
    replies = [record.get(f"logit_{i}") for i in range(n)]
    told = [[reply, None] for reply in replies] if n > 1 else replies
    asked = [[record.get("prompt_0"), ""]]
    return {**record, "filtered_resps": told, "target": record.get("truth"), "arguments": asked}


def _joined(frames: list[pd.DataFrame], path: Path, report: Validation) -> pd.DataFrame:
    table = pd.concat(frames, ignore_index=True)
    if table.empty:
        raise MetacogError(f"no sample of {path} can be used ({report.why()})")
    if len(frames) > 1:
        report.notes.append(f"{len(frames)} sample files were read; the task stands in the domain column")
    return table


def _sample(record: dict[str, Any]) -> Sample | str:
    """A sample of multiple choice; its name where it is none."""
    values = log_likelihoods(record)
    if values is None:
        return str(record.get("doc_id", "?"))
    contexts, texts = _arguments(record)
    n, doc = len(values), record.get("doc")
    listed = doc.get("choices") if isinstance(doc, dict) else None
    listed = listed.get("text") if isinstance(listed, dict) else listed
    listed = [str(one) for one in listed] if isinstance(listed, list) else None
    if n % 2 == 0 and len(texts) == n and texts[: n // 2] == texts[n // 2 :] and not any(contexts[n // 2 :]):
        n //= 2  # the second half is unconditional, for acc_mutual_info
    elif listed is not None and n == 2 * len(listed):
        n //= 2
    texts = texts[:n]
    choices = None
    if len(texts) == n and len(set(texts)) > 1:  # all the same where the choices stand in the question
        apart = texts[0][:1].isspace() and all(text[:1] == texts[0][:1] for text in texts)
        choices = [text[1:] for text in texts] if apart else texts
    if listed is not None and len(listed) == n and len(set(listed)) > 1:
        behind = all(text.endswith(one) for text, one in zip(texts, listed, strict=False))
        choices = listed if behind else choices
    return Sample(
        record.get("doc_id"),
        values[:n],
        values[n:] if len(values) == 2 * n else None,
        choices,
        texts if choices is not None and len(texts) == n else None,
        record.get("target"),
        _scores(record),
    )


def _scores(record: dict[str, Any]) -> dict[str, float]:
    """Metrics of 0 or 1."""
    named = record.get("metrics") or []
    found = {}
    for name in sorted({*map(str, named), *CHOSEN_BY}) if isinstance(named, list) else ():
        value = record.get(name)
        with suppress(TypeError, ValueError):
            number = float(value[0] if isinstance(value, list) and len(value) == 1 else value)  # type: ignore[arg-type]
            if number in (0.0, 1.0):
                found[name] = number
    return found


def _arguments(record: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Contexts, and what was scored behind each."""
    given = record.get("arguments")
    pairs = list(given.values()) if isinstance(given, dict) else given if isinstance(given, list) else []
    pairs = [list(pair.values()) if isinstance(pair, dict) else pair for pair in pairs]
    if not all(isinstance(pair, list) and len(pair) > 1 and isinstance(pair[1], str) for pair in pairs):
        return [], []
    return [pair[0] if isinstance(pair[0], str) else "?" for pair in pairs], [pair[1] for pair in pairs]


def _one_file(
    samples: list[Sample | str], task: str, report: Validation, file: Path, asked: str | None
) -> tuple[pd.DataFrame, str]:
    """Trials of a log, and what their correctness and confidence are."""
    if strange := [one for one in samples if isinstance(one, str)]:
        raise MetacogError(
            f"{file.name}: sample {strange[0]} has no log-likelihood for each choice "
            "(a generate_until task, or a perplexity): these logs keep no log-probabilities of generated "
            "text, so there is no confidence in them. Use a multiple-choice task, a table with --correct and "
            "--confidence, or have a model score the answers: --score-with MODEL --confidence nlp"
        )
    whole = [one for one in samples if isinstance(one, Sample)]
    metric = _metric(whole, file, asked)
    scored = [one for one in whole if metric in one.scores]
    report.drop(f"no {metric} of 0 or 1", len(whole) - len(scored))
    texts, odd = _reading(scored, metric)
    n_odd, n = int(odd.sum()), len(scored)
    if n_odd > MOST_ODD * n:
        right = sum(one.scores[metric] == 1 for one, is_odd in zip(scored, odd, strict=True) if is_odd)
        raise MetacogError(
            f"{file.name}: in {n_odd:,} of {n:,} samples {metric} does not say whether the choice of the highest "
            f"{CHOSEN_BY[metric]} is the target, e.g. {scored[int(odd.argmax())].target!r} ({right:,} of them count as "
            "right): leaving them out would move the accuracy, and of which choice the confidence is wanted is not "
            "known. The task may score by a rule of its own: take another metric with --scorer, or write a table with "
            "--correct and --confidence"
        )
    report.drop(f"{metric} does not fit the choice of the highest {CHOSEN_BY[metric]} and the target", n_odd)
    rows, ties = [], 0
    for place in np.flatnonzero(~odd):
        one = scored[place]
        values = one.by(metric, texts)
        assert values is not None
        ties += int((values == values.max()).sum() > 1)
        rows.append(
            {
                "correct": int(one.scores[metric]),
                "confidence": float(
                    softmax(values)[np.argmax(values)]
                ),  # the first of equals, as in the harness
                "question_id": f"{task}:{place if one.id is None else one.id}",
            }
        )
    if ties:
        report.notes.append(
            f"{file.name}: in {ties:,} samples two choices are equally likely; the first is taken, as the harness does"
        )
    others = [name for name in CHOSEN_BY if name != metric and any(name in one.scores for one in whole)]
    line = f"correctness is {metric}, confidence the softmax over the choices' {CHOSEN_BY[metric]}, of the chosen one"
    if texts == "continuations":
        line += "; the blank before a choice counts as a character"
    if metric != "acc":
        line += "; the model gave no such probabilities, so calibration says little of them"
    if others:
        line += f" (the log has {', '.join(others)} too: --scorer {others[0]})"
    table = pd.DataFrame(rows).assign(model=model_of(file), domain=task)
    return table.reindex(columns=list(COLUMNS.named().values())), line


def _metric(samples: list[Sample], file: Path, asked: str | None) -> str:
    known = [name for name in CHOSEN_BY if any(name in one.scores for one in samples)]
    usable = [name for name in known if all(one.by(name, "choices") is not None for one in samples)]
    if asked is not None and asked not in usable:
        has = f"it has {', '.join(usable) or 'none of ' + ', '.join(CHOSEN_BY)}"
        why = "it does not say what the choices were" if asked in known else has
        raise MetacogError(f"{file.name} cannot be read by {asked!r}: {why}")
    if not usable:
        raise MetacogError(
            f"{file.name} has no {', '.join(list(CHOSEN_BY)[:-1])} or {list(CHOSEN_BY)[-1]} of 0 or 1 in any sample"
            + (", or does not say what the choices were" if known else "")
            + ": it is not told whether the chosen answer is right. Log one of these metrics (metric_list of the "
            "task), or write a table with --correct and --confidence"
        )
    return asked or usable[0]


def _reading(samples: list[Sample], metric: str) -> tuple[str, np.ndarray]:
    """What texts are counted, as targets and metric show it, and the samples in which the metric does not fit."""
    right = np.array([one.scores[metric] for one in samples], dtype=bool)
    by_length = metric in ("acc_norm", "acc_bytes") and all(one.continuations is not None for one in samples)
    counted = ("choices", "continuations") if by_length else ("choices",)
    # where targets are no places the metric is taken as it is
    best, most = ("choices", np.zeros(len(samples), dtype=bool)), -1
    for texts, form in product(counted, ("text", "place", "letter")):
        golds = [one.gold(form) for one in samples]
        known = np.array([bool(gold) for gold in golds], dtype=bool)
        chosen = [int(np.argmax(one.by(metric, texts))) for one in samples]  # type: ignore[arg-type]
        fits = np.array([c in gold for c, gold in zip(chosen, golds, strict=True)], dtype=bool) == right
        n_fits = int((known & fits).sum())
        if known.mean() >= LEAST_KNOWN and n_fits > most:
            best, most = (texts, known & ~fits), n_fits
    return best


def log_likelihoods(record: dict[str, Any]) -> np.ndarray | None:
    """Log-likelihood of each choice, or None if the sample has none.

    Entries look like ``[-12.3, false]``, ``["-12.3", "False"]`` or ``"('-12.3', 'False')"``, in ``resps`` inside one
    more list.
    """
    found: list[Any] = []
    for entry in record.get("filtered_resps") or record.get("resps") or []:
        while isinstance(entry, list) and len(entry) == 1 and isinstance(entry[0], list | str):
            entry = entry[0]
        if isinstance(entry, str) and (pair := _PAIR.fullmatch(entry.strip())):
            entry = [pair[1], None]
        found.append(entry[0] if isinstance(entry, list) and len(entry) == 2 else None)
    try:
        values = np.array([float(value) for value in found])
    except (TypeError, ValueError):
        return None
    return values if len(found) > 1 and np.isfinite(values).all() else None


def model_of(file: Path) -> str:
    """Model of a sample file: from a ``results_*.json`` next to it, else its folder's name."""
    for results in sorted(file.parent.glob("results_*.json")):
        with suppress(ValueError, AttributeError, OSError):
            content = from_json(results.read_text(encoding="utf-8"))
            name = content.get("model_name") or (content.get("config") or {}).get("model_args")
            if isinstance(name, str) and name:
                match = re.search(r"(?:pretrained|model)=([^,]+)", name)
                return match[1] if match else name
    folder = file.parent.name
    return folder.replace("__", "/") if "__" in folder else "model"
