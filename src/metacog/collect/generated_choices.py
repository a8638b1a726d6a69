"""Questions with options made by seed: truth values of Boolean expressions, and days of the calendar."""

from __future__ import annotations

import datetime
import itertools
import random
from collections.abc import Callable

from metacog.collect.choices import MultipleChoice
from metacog.core.errors import MetacogError

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
