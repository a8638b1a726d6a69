"""Questions with options made by seed: truth values of Boolean expressions, and days of the calendar."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable

from metacog.collect.multiple import MultipleChoice
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
    tries = 0
    while len(found) < n:
        tries += 1
        if tries > 100 * n + 1000:
            raise MetacogError("so many different date questions cannot be drawn: ask for fewer")
        span = (_LAST_DAY - _FIRST_DAY).days
        day = _FIRST_DAY + datetime.timedelta(chance.randint(800, span - 800))
        text, answer = chance.choice(_ASKED)(day, chance)
        if text in seen:
            continue
        seen.add(text)
        options = [answer, *_wrong_days(answer, day, chance)]
        key_text = written(answer)
        shown = [written(option) for option in options]
        chance.shuffle(shown)
        found.append(
            MultipleChoice(
                f"date-{seed}-{len(found) + 1:04d}", text, tuple(shown), shown.index(key_text), "Dates"
            )
        )
    return found


def written(day: datetime.date) -> str:
    """A day as month/day/year with two, two and four digits."""
    return day.strftime("%m/%d/%Y")


def in_words(day: datetime.date) -> str:
    """A day as in "3 March 1987"."""
    months = "January February March April May June July August September October November December".split()
    return f"{day.day} {months[day.month - 1]} {day.year}"


def _shift(days: int, words: str) -> Callable[[datetime.date, random.Random], tuple[str, datetime.date]]:
    def make(day: datetime.date, chance: random.Random) -> tuple[str, datetime.date]:
        text = f"Today is {in_words(day)}. What was or will be the date {words}, as month/day/year?"
        return text, day + datetime.timedelta(days)

    return make


def _stated(day: datetime.date, chance: random.Random) -> tuple[str, datetime.date]:
    ago = chance.randint(2, 9)
    text = f"It was {in_words(day)} exactly {ago} days ago. Which date is today, as month/day/year?"
    return text, day + datetime.timedelta(ago)


def _until(day: datetime.date, chance: random.Random) -> tuple[str, datetime.date]:
    left = chance.randint(3, 20)
    text = (
        f"A ticket is valid until {in_words(day)}, which is {left} days from today. "
        "Which date is today, as month/day/year?"
    )
    return text, day - datetime.timedelta(left)


def _weekday(day: datetime.date, chance: random.Random) -> tuple[str, datetime.date]:
    weeks = chance.randint(2, 5)
    text = (
        f"A course began on {in_words(day)} and meets once a week on the same weekday. "
        f"On which date is its meeting number {weeks + 1}, as month/day/year?"
    )
    return text, day + datetime.timedelta(7 * weeks)


_ASKED: tuple[Callable[[datetime.date, random.Random], tuple[str, datetime.date]], ...] = (
    _shift(1, "tomorrow"),
    _shift(-1, "yesterday"),
    _shift(7, "one week from today"),
    _shift(-7, "one week ago"),
    _shift(10, "ten days from today"),
    _stated,
    _until,
    _weekday,
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
    different = [day for day in dict.fromkeys(slips) if day != answer]
    return chance.sample(different, N_WRONG_DATES)


GENERATORS: dict[str, Callable[[int, int], list[MultipleChoice]]] = {
    "boolean": boolean_questions,
    "date": date_questions,
}
