"""Question sets: the project's own bank, and others in their publishers' form."""

from __future__ import annotations

import ast
import csv
import json
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.collect.downloads import dataset_files
from metacog.core.config import load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root

#: Domains that questions are sorted into.
DOMAINS = ("History & Politics", "Arts & Literature", "Geography", "Science & Technology")

#: Domain of a question that nobody has classified.
UNCLASSIFIED = "Unclassified"


@dataclass(frozen=True)
class Question:
    """One short-answer question.

    Attributes
    ----------
    id : str
        Stable name of the question within its set.
    question : str
    accepted : tuple of str
        The key first, then its aliases.
    domain : str
    tier : int or None
        1 (easy) to 5 (hard); None where the set has none.
    distractors : tuple of str
        Plausible wrong answers, where the set has them.
    index : int
        Place in the shuffled order (the paper's question index); -1 before shuffling.
    """

    id: str
    question: str
    accepted: tuple[str, ...]
    domain: str = UNCLASSIFIED
    tier: int | None = None
    distractors: tuple[str, ...] = ()
    index: int = -1


def read_bank(path: Path) -> list[dict[str, Any]]:
    """Read a bank file as records, one JSON object a line.

    Raises
    ------
    MetacogError
        Naming the file and the line that is not a well-formed item.
    """
    needed = {
        "id": str,
        "domain": str,
        "tier": int,
        "question": str,
        "answer": str,
        "aliases": list,
        "distractors": list,
    }
    items = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise MetacogError(f"there is no question bank at {path}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except json.JSONDecodeError as error:
            raise MetacogError(f"{path}, line {number}: not valid JSON ({error.msg})") from None
        if not isinstance(item, dict):
            raise MetacogError(f"{path}, line {number}: not a JSON object")
        for key, kind in needed.items():
            if not isinstance(item.get(key), kind) or isinstance(item.get(key), bool):
                raise MetacogError(f"{path}, line {number}: field {key!r} is missing or not {kind.__name__}")
        if not item["question"].strip() or not item["answer"].strip():
            raise MetacogError(f"{path}, line {number}: question and answer must not be empty")
        if not all(isinstance(a, str) for a in item["aliases"] + item["distractors"]):
            raise MetacogError(f"{path}, line {number}: aliases and distractors must be texts")
        items.append(item)
    if not items:
        raise MetacogError(f"{path} holds no questions")
    return items


def _bank(files: Iterable[Path], entry: dict[str, Any]) -> list[Question]:
    return [
        Question(
            item["id"],
            item["question"],
            tuple(dict.fromkeys([item["answer"], *item["aliases"]])),
            item["domain"],
            item["tier"],
            tuple(item["distractors"]),
        )
        for file in files
        for item in read_bank(file)
    ]


def _dpr_tsv(files: Iterable[Path], entry: dict[str, Any]) -> list[Question]:
    """DPR's TriviaQA topics: question, tab, Python-literal list of aliases (csv-quoted)."""
    questions = []
    for file in files:
        with open(file, encoding="utf-8", newline="") as handle:
            for number, row in enumerate(csv.reader(handle, delimiter="\t"), start=1):
                try:
                    text, aliases = row
                    accepted = ast.literal_eval(aliases)
                except (ValueError, SyntaxError):
                    raise MetacogError(
                        f"{file}, line {number}: expected question, tab, list of answers"
                    ) from None
                questions.append(Question(f"tqa-dev-{number:05d}", text, tuple(dict.fromkeys(accepted))))
    return questions


def _nq_jsonl(files: Iterable[Path], entry: dict[str, Any]) -> list[Question]:
    """NQ-Open: JSON lines; de-duplicated on question text, answers of at most N words kept."""
    most = entry.get("max_answer_words")
    questions: dict[str, Question] = {}
    for file in files:
        with open(file, encoding="utf-8") as handle:
            for number, line in enumerate(handle, start=1):
                try:
                    record = json.loads(line)
                    text, answers = record["question"], record["answer"]
                except (json.JSONDecodeError, KeyError):
                    raise MetacogError(
                        f"{file}, line {number}: expected JSON with question and answer"
                    ) from None
                kept = [a for a in answers if most is None or 1 <= len(a.split()) <= most]
                if kept and text not in questions:
                    questions[text] = Question(f"{file.stem}-{number:06d}", text, tuple(dict.fromkeys(kept)))
    return list(questions.values())


def _triviaqa_parquet(files: Iterable[Path], entry: dict[str, Any]) -> list[Question]:
    """The hub's TriviaQA: aliases are value + aliases + normalised aliases."""
    questions = []
    for file in files:
        table = pd.read_parquet(file, columns=["question_id", "question", "answer"])
        for row in table.itertuples(index=False):
            answer: Any = row.answer
            accepted = [answer["value"], *answer["aliases"], *answer["normalized_aliases"]]
            questions.append(
                Question(
                    str(row.question_id), str(row.question), tuple(dict.fromkeys(filter(None, accepted)))
                )
            )
    return questions


def _csv(files: Iterable[Path], entry: dict[str, Any]) -> list[Question]:
    """A user's own set: columns question, answer (alternatives split by ``|``), optional id, domain."""
    questions = []
    for file in files:
        table = pd.read_csv(file, dtype=str, keep_default_na=False)
        missing = {"question", "answer"} - set(table.columns)
        if missing:
            raise MetacogError(f"{file} lacks the columns {', '.join(sorted(missing))}")
        for number, row in enumerate(table.to_dict("records"), start=1):
            accepted = tuple(a.strip() for a in row["answer"].split("|") if a.strip())
            if not accepted or not row["question"].strip():
                raise MetacogError(f"{file}, row {number}: question and answer must not be empty")
            questions.append(
                Question(
                    row.get("id") or f"q{number:05d}",
                    row["question"],
                    accepted,
                    row.get("domain") or UNCLASSIFIED,
                )
            )
    return questions


READERS = {
    "bank": _bank,
    "dpr-tsv": _dpr_tsv,
    "nq-jsonl": _nq_jsonl,
    "triviaqa-parquet": _triviaqa_parquet,
    "csv": _csv,
}


def load_questions(name: str, *, shuffle_seed: int = 42, limit: int | None = None) -> list[Question]:
    """Questions of a set in the study's order: shuffled with Python's ``random``, first ``limit``.

    Parameters
    ----------
    name : str
        Entry of ``config/datasets.yaml``, or the path of a ``.jsonl`` bank or ``.csv`` file.
    shuffle_seed : int
    limit : int, optional
        How many of the shuffled questions are kept.

    Raises
    ------
    MetacogError
        If the set is unknown, cannot be had, is malformed, or repeats an id.
    """
    path = Path(name)
    if path.suffix in {".jsonl", ".csv"}:
        if not path.is_file():
            raise MetacogError(f"there is no question file at {path}")
        entry: dict[str, Any] = {"form": "bank" if path.suffix == ".jsonl" else "csv"}
        files = [path]
    else:
        known = load_yaml(project_root() / "config" / "datasets.yaml", "datasets")["datasets"]
        if name not in known:
            raise MetacogError(f"there is no question set {name!r}; there are: {', '.join(known)}")
        entry = known[name]
        if entry["form"] not in READERS:
            held = "labelled sentences" if "classes" in entry else "questions with options"
            raise MetacogError(f"set {name!r} holds {held}, not questions with answers")
        files = [project_root() / entry["path"]] if "path" in entry else dataset_files(name, entry)
    questions = READERS[entry["form"]](files, entry)
    ids = [q.id for q in questions]
    if len(set(ids)) != len(ids):
        raise MetacogError(f"question set {name!r} repeats {len(ids) - len(set(ids))} ids")
    if labels := entry.get("labels"):
        questions = _with_labels(questions, project_root() / labels)
    random.Random(shuffle_seed).shuffle(questions)
    return [replace(q, index=i) for i, q in enumerate(questions[:limit])]


def _with_labels(questions: list[Question], path: Path) -> list[Question]:
    """Take domains from a CSV with the columns id and domain."""
    try:
        table = pd.read_csv(path, dtype=str)
        labels = dict(zip(table["id"], table["domain"], strict=True))
    except (FileNotFoundError, KeyError):
        raise MetacogError(f"domain labels {path}: expected a CSV with the columns id and domain") from None
    return [replace(q, domain=labels.get(q.id, q.domain)) for q in questions]
