"""Question sets: the project's own bank, and others in their publishers' form."""

from __future__ import annotations

import ast
import csv
import functools
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.collect.known_sets import (
    as_many,
    check_ids,
    check_texts,
    files_of,
    from_json_lines,
    known_sets,
    read_parquet,
)
from metacog.core.errors import MetacogError
from metacog.core.files import json_lines, reading
from metacog.core.paths import project_root
from metacog.core.provenance import file_digest

#: Domains that questions are sorted into.
DOMAINS = ("History & Politics", "Arts & Literature", "Geography", "Science & Technology")

#: Domain of a question that nobody has classified.
UNCLASSIFIED = "Unclassified"


@dataclass(frozen=True)
class Question:
    """One short-answer question."""

    #: Stable name of the question within its set.
    id: str
    question: str
    #: The key first, then its aliases.
    accepted: tuple[str, ...]
    domain: str = UNCLASSIFIED
    #: 1 (easy) to 5 (hard); None where the set has none.
    tier: int | None = None
    distractors: tuple[str, ...] = ()
    #: Place in the shuffled order (the paper's question index); -1 before shuffling.
    index: int = -1


def read_bank(path: Path) -> list[dict[str, Any]]:
    """Read a bank file as records, one JSON object a line."""
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
    for number, item in json_lines(path):
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
    return [one for file in files for one in _questions_of(file, file_digest(file))]


@functools.lru_cache(maxsize=8)
def _questions_of(bank: Path, sha256: str) -> list[Question]:
    """Questions of a bank; kept, since every plan and every reading of replies asks for them."""
    return [
        Question(
            item["id"],
            item["question"],
            tuple(dict.fromkeys([item["answer"], *item["aliases"]])),
            item["domain"],
            item["tier"],
            tuple(item["distractors"]),
        )
        for item in read_bank(bank)
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
        rows = from_json_lines(file, lambda r, n: (n, r["question"], r["answer"]), "question and answer")
        for number, text, answers in rows:
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

    ``name``: entry of ``config/datasets.yaml``, or the path of a ``.jsonl`` bank or ``.csv`` file.
    """
    path = Path(name)
    if path.suffix in {".jsonl", ".csv"}:
        if not path.is_file():
            raise MetacogError(f"there is no question file at {path}")
        entry: dict[str, Any] = {"form": "bank" if path.suffix == ".jsonl" else "csv"}
        files = [path]
    else:
        known = known_sets()
        if name not in known:
            raise MetacogError(f"there is no question set {name!r}; there are: {', '.join(known)}")
        entry = known[name]
        if entry["form"] not in READERS:
            held = "labelled sentences" if "classes" in entry else "questions with options"
            raise MetacogError(f"set {name!r} holds {held}, not questions with answers")
        files = files_of(name, entry)
    with reading(name, "set of questions"):
        questions = as_many(READERS[entry["form"]](files, entry), entry)
        check_texts(text for q in questions for text in (q.id, q.question, q.domain, *q.accepted))
    check_ids([q.id for q in questions], name)
    labels = project_root() / entry.get("labels", f"data/labels/{name}.csv")
    if "labels" in entry or labels.is_file():
        questions = _with_labels(questions, labels)
    random.Random(shuffle_seed).shuffle(questions)
    return [replace(q, index=i) for i, q in enumerate(questions[:limit])]


def _with_labels(questions: list[Question], path: Path) -> list[Question]:
    try:
        table = pd.read_csv(path, dtype=str)
        labels = dict(zip(table["id"], table["domain"], strict=True))
    except (FileNotFoundError, KeyError):
        raise MetacogError(f"domain labels {path}: expected a CSV with the columns id and domain") from None
    return [replace(q, domain=labels.get(q.id, q.domain)) for q in questions]


@dataclass(frozen=True)
class Labelled:
    #: Stable name of the sentence within its set.
    id: str
    text: str
    label: int
    topic: str = ""


def read_jsonl(path: Path) -> list[Labelled]:
    """The project's own form: JSON lines with ``id``, ``text``, ``label`` and, if there is one, ``topic``."""

    def one(record: dict[str, Any], number: int) -> Labelled:
        made = Labelled(record["id"], record["text"], record["label"], record.get("topic", ""))
        return _checked(made, f"{path}, line {number}")

    return from_json_lines(path, one, "id, text and label")


def read_tsv(path: Path) -> list[Labelled]:
    """Label, tab, sentence; a line each, numbered from 1 in their ids."""
    found = []
    for number, line in enumerate(_lines(path), start=1):
        label, tab, text = line.partition("\t")
        if not tab or label.strip() not in ("0", "1"):
            raise MetacogError(f"{path}, line {number}: expected the label 0 or 1, a tab and a sentence")
        found.append(
            _checked(
                Labelled(f"{path.stem}-{number:05d}", text.strip(), int(label)), f"{path}, line {number}"
            )
        )
    return found


def read_sst2(path: Path) -> list[Labelled]:
    """SST-2 as the hub serves it: parquet with ``idx``, ``sentence`` and ``label``."""
    table = read_parquet(path, ("idx", "sentence", "label"))
    labels: list[Any] = table["label"].tolist()
    return [
        _checked(Labelled(f"sst2-{idx}", str(text).strip(), label), f"{path}, idx {idx}")
        for idx, text, label in zip(table["idx"], table["sentence"], labels, strict=True)
    ]


LABELLED_READERS: dict[str, Callable[[Path], list[Labelled]]] = {
    "labelled-jsonl": read_jsonl,
    "labelled-tsv": read_tsv,
    "sst2-parquet": read_sst2,
}


def is_labelled(name: str) -> bool:
    return known_sets().get(name, {}).get("form") in LABELLED_READERS


def classes_of(name: str) -> tuple[str, ...]:
    return tuple(_entry(name).get("classes", ()))


def pilot_of(name: str) -> str:
    """The set whose difficulty this one, or one that it joins, chose; empty for a set that may be analysed.

    A set and its pilot share no sentence.
    """
    entry = known_sets().get(name, {})
    found = [str(entry.get("pilot_of", "")), *map(pilot_of, entry.get("joins", ()))]
    return next((one for one in found if one), "")


def load_labelled(name: str) -> list[Labelled]:
    entry = _entry(name)
    if joined := entry.get("joins"):
        found = [one for part in joined for one in load_labelled(part)]
    else:
        with reading(name, "set of sentences"):
            found = [one for file in files_of(name, entry) for one in LABELLED_READERS[entry["form"]](file)]
    if not found:
        raise MetacogError(f"set {name!r} holds no sentences")
    found = as_many(found, entry)
    check_ids([one.id for one in found], name)
    return found


def _entry(name: str) -> dict[str, Any]:
    known = {key: entry for key, entry in known_sets().items() if entry["form"] in LABELLED_READERS}
    if name not in known:
        raise MetacogError(f"there is no set of labelled sentences {name!r}; there are: {', '.join(known)}")
    return known[name]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").rstrip("\n").split("\n")
    except FileNotFoundError:
        raise MetacogError(f"there is no set of sentences at {path}") from None
    except UnicodeDecodeError:
        raise MetacogError(f"{path} is not UTF-8 text: delete it and fetch it again") from None


def _checked(one: Labelled, where: str) -> Labelled:
    if isinstance(one.label, bool) or one.label not in (0, 1):
        raise MetacogError(f"{where}: the label is {one.label!r}, not 0 or 1")
    if not isinstance(one.text, str) or not one.text.strip() or not isinstance(one.id, str):
        raise MetacogError(f"{where}: id and text must be texts and not empty")
    return one
