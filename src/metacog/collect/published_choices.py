"""Sets of multiple-choice questions: the project's own and generated ones, and others in their publishers' form."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from metacog.collect.choices import MultipleChoice
from metacog.collect.generated_choices import GENERATORS
from metacog.collect.known_sets import (
    check_ids,
    check_texts,
    files_of,
    from_json_lines,
    known_sets,
    read_parquet,
)
from metacog.collect.questions import load_questions
from metacog.core.errors import MetacogError
from metacog.core.files import reading

_OPTION = re.compile(r"^\s*\(?([A-Z])\)\s*(.*)$")


def fault_of(question: MultipleChoice) -> str:
    """What keeps a question from being asked as a choice; empty if nothing does."""
    options = [option.strip() for option in question.options]
    faults = {
        "an empty question or option": not question.question.strip() or not all(options),
        "a single option": len(options) < 2,
        "options equal to each other": len(set(options)) < len(options),
        "no right option": not 0 <= question.key < len(options),
    }
    return next((fault for fault, holds in faults.items() if holds), "")


def sound(questions: Iterable[MultipleChoice], name: str) -> tuple[list[MultipleChoice], dict[str, int]]:
    """Questions that can be asked, and how many cannot, by what is wrong with them."""
    judged = [(question, fault_of(question)) for question in questions]
    kept = [question for question, fault in judged if not fault]
    faults = Counter(fault for _, fault in judged if fault)
    if not kept:
        reasons = "; ".join(f"{n} with {fault}" for fault, n in faults.items()) or "it is empty"
        raise MetacogError(f"set {name!r} has no question with two different options ({reasons})")
    return kept, dict(faults)


def read_csqa(path: Path) -> list[MultipleChoice]:
    """CommonsenseQA as its authors serve it: JSON lines with ``question.stem``, ``question.choices``."""

    def one(record: Any, number: int) -> MultipleChoice:
        choices = {choice["label"]: choice["text"] for choice in record["question"]["choices"]}
        labels = list(choices)
        return MultipleChoice(
            record["id"],
            record["question"]["stem"],
            tuple(choices.values()),
            labels.index(record["answerKey"]),
            record["question"].get("question_concept", ""),
        )

    return from_json_lines(path, one, "question.stem, question.choices and answerKey")


def read_agieval(path: Path) -> list[MultipleChoice]:
    """AGIEval as its authors serve it: JSON lines with ``passage``, ``question``, ``options``, ``label``."""

    def one(record: Any, number: int) -> MultipleChoice:
        found = dict(_lettered(option) for option in record["options"])
        stem = "\n".join(text for text in (record.get("passage") or "", record["question"]) if text.strip())
        return MultipleChoice(
            f"{path.stem}-{number:04d}", stem, tuple(found.values()), list(found).index(record["label"])
        )

    return from_json_lines(path, one, "question, options and label")


def read_bbh(path: Path) -> list[MultipleChoice]:
    """BIG-Bench Hard as its authors serve it: ``examples`` of ``input`` and ``target``.

    Options stand below the question as ``(A) ...``; a task without them is answered True or False.
    """
    try:
        examples = json.loads(path.read_text(encoding="utf-8"))["examples"]
        return [_of_bbh(path, number, one) for number, one in enumerate(examples, start=1)]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise MetacogError(
            f"{path}: expected JSON with examples of input and target; delete it and fetch it again"
        ) from None


def _of_bbh(path: Path, number: int, example: Mapping[str, str]) -> MultipleChoice:
    name = f"{path.stem}-{number:04d}"
    stem, split, below = example["input"].partition("\nOptions:\n")
    if not split:
        return MultipleChoice(
            name, stem, ("True", "False"), ("True", "False").index(example["target"]), as_is=True
        )
    found = dict(_lettered(line) for line in below.splitlines() if line.strip())
    target = example["target"].strip().strip("()")
    return MultipleChoice(name, stem, tuple(found.values()), list(found).index(target))


def read_mmlu(path: Path) -> list[MultipleChoice]:
    """MMLU as the hub serves a subject: parquet with ``question``, ``choices`` and ``answer`` (0 ... 3)."""
    table = read_parquet(path, ("question", "choices", "answer"))
    subjects = table["subject"] if "subject" in table else [path.parent.name] * len(table)
    rows = zip(table["question"], table["choices"], table["answer"], subjects, strict=True)
    return [
        MultipleChoice(f"{subject}-{number:04d}", str(text), tuple(map(str, options)), int(key), str(subject))
        for number, (text, options, key, subject) in enumerate(rows, start=1)
    ]


READERS: dict[str, Callable[[Path], list[MultipleChoice]]] = {
    "csqa-jsonl": read_csqa,
    "agieval-jsonl": read_agieval,
    "bbh-json": read_bbh,
    "mmlu-parquet": read_mmlu,
}


def form_of(name: str) -> str:
    return str(known_sets().get(name, {}).get("form", ""))


def is_choices(name: str) -> bool:
    """Whether ``config/datasets.yaml`` has a set of that name that can be asked as choices."""
    return form_of(name) in (*READERS, "bank", "generated")


def load_choices(name: str, *, n: int | None = None, seed: int = 42) -> list[MultipleChoice]:
    """Multiple-choice questions of a set of ``config/datasets.yaml``, in its own order.

    A publisher's set, ``generated-boolean`` or ``generated-date`` (``n`` questions by ``seed``), or a question bank
    with distractors; ``bank:TEXT`` takes the bank's domains that begin with TEXT.
    """
    base, _, part = name.partition(":")
    known = {key: entry for key, entry in known_sets().items() if is_choices(key)}
    if base not in known:
        raise MetacogError(f"there is no multiple-choice set {name!r}; there are: {', '.join(known)}")
    entry = known[base]
    if entry["form"] == "generated":
        return GENERATORS[entry["generator"]](n or 250, seed)
    if entry["form"] == "bank":
        return _of_bank(base, part, entry.get("n_options", 0))
    with reading(base, "set of questions"):
        found = [one for file in files_of(base, entry) for one in READERS[entry["form"]](file)]
        check_texts(text for one in found for text in (one.id, one.question, one.domain, *one.options))
    check_ids([one.id for one in found], name)
    return found


def _of_bank(name: str, part: str, n_options: int = 0) -> list[MultipleChoice]:
    """Questions with their distractors; where they stand in for a set of more options, numbered ones make these up."""
    found = [
        MultipleChoice(
            q.id,
            q.question,
            (
                q.accepted[0],
                *q.distractors,
                *(f"other {n}" for n in range(1, n_options - len(q.distractors))),
            ),
            0,
            q.domain,
        )
        for q in sorted(load_questions(name), key=lambda q: q.id)
    ]
    kept = [one for one in found if one.domain.casefold().startswith(part.casefold())]
    if not kept:
        domains = ", ".join(sorted({one.domain for one in found}))
        raise MetacogError(f"{name} has no domain that begins with {part!r}; it has: {domains}")
    return kept


def _lettered(option: str) -> tuple[str, str]:
    found = _OPTION.match(option)
    if found is None:
        raise ValueError(f"{option!r} has no letter")
    return found.group(1), found.group(2).strip()
