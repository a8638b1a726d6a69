"""Multiple-choice questions: the project's own and generated ones, and others in their publishers' form.

Questions with options made by seed: truth values of Boolean expressions, and days of the calendar.
"""

from __future__ import annotations

import datetime
import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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

# A multiple-choice question, and the binary choices that are made of it.

#: What the two options of a binary choice are called.
LABELS = ("A", "B")
#: In which orders a pairing is asked.
ORDERS = ("both", "one")


@dataclass(frozen=True)
class MultipleChoice:
    """A question with given options; ``key`` is the place of the right one.

    ``as_is``: two options that are asked once, in the order given (True or False).
    """

    id: str
    question: str
    options: tuple[str, ...]
    key: int
    domain: str = ""
    as_is: bool = False


@dataclass(frozen=True)
class BinaryQuestion:
    """A question with its right option and one wrong one."""

    #: Of the base question, the pairing and the order.
    id: str
    #: The base question, which its pairings and orders repeat; what intervals resample.
    base: str
    question: str
    options: tuple[str, str]
    #: Place of the right option: 0 for A, 1 for B.
    stimulus: int
    #: Which wrong option, counted from 0 among the base question's wrong ones.
    pairing: int
    domain: str = ""
    index: int = 0

    @property
    def key(self) -> str:
        return LABELS[self.stimulus]

    @property
    def wrong(self) -> str:
        return LABELS[1 - self.stimulus]

    def text(self, label: str) -> str:
        return self.options[LABELS.index(label)]


def binary_questions(
    questions: Iterable[MultipleChoice],
    *,
    n_pairings: int | None = None,
    orders: str = "both",
    seed: int = 42,
) -> list[BinaryQuestion]:
    """The right option with each wrong one, in both orders.

    ``n_pairings``: so many wrong options a question, drawn by the seed and the question's id alone; all of them if
    None; ``orders``: ``both``, or ``one``: the right option first in every other pairing, so that over an even
    number of them it stands as often first as last.

    Gives a pairing twice, or once; a question that is used as it is once.
    """
    if orders not in ORDERS:
        raise MetacogError(f"orders must be {' or '.join(ORDERS)}, not {orders!r}")
    found: list[BinaryQuestion] = []
    n_paired = 0
    for one in questions:
        if one.as_is:
            options = (one.options[0], one.options[1])
            found.append(
                BinaryQuestion(one.id, one.id, one.question, options, one.key, 0, one.domain, len(found))
            )
            continue
        wrong = [place for place in range(len(one.options)) if place != one.key]
        drawn = list(range(len(wrong)))
        if n_pairings is not None and n_pairings < len(wrong):
            drawn = sorted(random.Random(f"{seed}:{one.id}").sample(drawn, n_pairings))
        for pairing in drawn:
            right, other = one.options[one.key], one.options[wrong[pairing]]
            ordered = ((0, (right, other)), (1, (other, right)))
            n_paired += 1
            for stimulus, options in ordered if orders == "both" else ordered[1 - n_paired % 2 :][:1]:
                name = f"{one.id}.{pairing}{'ab'[stimulus]}"
                found.append(
                    BinaryQuestion(
                        name, one.id, one.question, options, stimulus, pairing, one.domain, len(found)
                    )
                )
    return found


#: Operators a Boolean expression has at least and at most.
OPERATORS = (2, 5)
#: Wrong dates next to the right one.
N_WRONG_DATES = 3
_FIRST_DAY, _LAST_DAY = datetime.date(1900, 1, 1), datetime.date(2049, 12, 31)


def boolean_questions(n: int, seed: int) -> list[MultipleChoice]:
    """Boolean expressions, half of them true (one more if odd), no two alike; asked as they are."""
    chance = random.Random(f"boolean:{seed}")
    wanted = [k % 2 for k in range(n)]
    chance.shuffle(wanted)
    seen: set[str] = set()
    found = []
    for number, key in enumerate(wanted, start=1):
        text = _unseen(chance, seen, key == 0)
        found.append(
            MultipleChoice(
                f"boolean-{seed}-{number:04d}",
                f"What is the value of this Boolean expression? {text}",
                ("True", "False"),
                key,
                "Boolean expressions",
                as_is=True,
            )
        )
    return found


def _unseen(chance: random.Random, seen: set[str], value: bool) -> str:
    for _ in range(10_000):
        text, found = _expression(chance, chance.randint(*OPERATORS))
        if text not in seen and found is value:
            seen.add(text)
            return text
    raise MetacogError("so many different Boolean expressions of this size cannot be drawn: ask for fewer")


def _expression(chance: random.Random, operators: int) -> tuple[str, bool]:
    """An expression with so many operators, every part of which stands in brackets, and its value."""
    if operators == 0:
        value = chance.random() < 0.5
        return str(value), value
    if chance.random() < 0.3:
        inner, value = _expression(chance, operators - 1)
        return f"not {_bracketed(inner)}", not value
    left = chance.randint(0, operators - 1)
    (one, first), (other, second) = (_expression(chance, size) for size in (left, operators - 1 - left))
    word = chance.choice(("and", "or"))
    value = (first and second) if word == "and" else (first or second)
    return f"{_bracketed(one)} {word} {_bracketed(other)}", value


def _bracketed(text: str) -> str:
    return f"({text})" if " " in text else text


def date_questions(n: int, seed: int) -> list[MultipleChoice]:
    """Days reckoned from a day that is given, no two questions alike; dates as month/day/year."""
    chance = random.Random(f"date:{seed}")
    seen: set[str] = set()
    found: list[MultipleChoice] = []
    tries, span = itertools.count(1), (_LAST_DAY - _FIRST_DAY).days
    while len(found) < n:
        if next(tries) > 100 * n + 1000:
            raise MetacogError("so many different date questions cannot be drawn: ask for fewer")
        day = _FIRST_DAY + datetime.timedelta(chance.randint(800, span - 800))
        said, days, drawn = chance.choice(_ASKED)
        times = chance.randint(*drawn) if drawn else 1
        text = f"{said}, as month/day/year?".format(day=in_words(day), n=times, next=times + 1)
        answer = day + datetime.timedelta(days * times)
        if text in seen:
            continue
        seen.add(text)
        shown = [written(option) for option in (answer, *_wrong_days(answer, day, chance))]
        chance.shuffle(shown)
        name, key = f"date-{seed}-{len(found) + 1:04d}", shown.index(written(answer))
        found.append(MultipleChoice(name, text, tuple(shown), key, "Dates"))
    return found


def written(day: datetime.date) -> str:
    return day.strftime("%m/%d/%Y")


def in_words(day: datetime.date) -> str:
    months = "January February March April May June July August September October November December".split()
    return f"{day.day} {months[day.month - 1]} {day.year}"


_SHIFTS = {
    "tomorrow": 1,
    "yesterday": -1,
    "one week from today": 7,
    "one week ago": -7,
    "ten days from today": 10,
}
#: What is said of a day, by how many days the answer is off, and between which numbers these are multiplied, if so.
_ASKED: tuple[tuple[str, int, tuple[int, int] | None], ...] = (
    *(
        (f"Today is {{day}}. What was or will be the date {words}", days, None)
        for words, days in _SHIFTS.items()
    ),
    ("It was {day} exactly {n} days ago. Which date is today", 1, (2, 9)),
    ("A ticket is valid until {day}, which is {n} days from today. Which date is today", -1, (3, 20)),
    (
        "A course began on {day} and meets once a week on the same weekday. On which date is its meeting number {next}",
        7,
        (2, 5),
    ),
)


def _wrong_days(answer: datetime.date, stated: datetime.date, chance: random.Random) -> list[datetime.date]:
    """Dates that slips in reckoning lead to, all different from each other and from the answer."""
    slips = [
        stated,
        answer + datetime.timedelta(1),
        answer - datetime.timedelta(1),
        answer + datetime.timedelta(30),
        answer - datetime.timedelta(31),
        stated + (stated - answer),
        answer + datetime.timedelta(365),
        answer - datetime.timedelta(7),
    ]
    return chance.sample([day for day in dict.fromkeys(slips) if day != answer], N_WRONG_DATES)


GENERATORS: dict[str, Callable[[int, int], list[MultipleChoice]]] = {
    "boolean": boolean_questions,
    "date": date_questions,
}


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
        return _of_bank(base, part)
    with reading(base, "set of questions"):
        found = [one for file in files_of(base, entry) for one in READERS[entry["form"]](file)]
        check_texts(text for one in found for text in (one.id, one.question, one.domain, *one.options))
    check_ids([one.id for one in found], name)
    return found


def _of_bank(name: str, part: str) -> list[MultipleChoice]:
    found = [
        MultipleChoice(q.id, q.question, (q.accepted[0], *q.distractors), 0, q.domain)
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
