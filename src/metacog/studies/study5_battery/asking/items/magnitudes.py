"""T5, executive function: comparisons of magnitudes, graded by their ratio (Weber's law).

Format flexibility compares numbers in different notations, inhibitory control sets a misleading cue against
the comparison, and task switching makes the rule depend on a sign that changes from item to item.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import numpy as np

from metacog.studies.study5_battery.asking.items.item import BatteryItem, Draft, generated

N = {"format_flexibility": 20, "inhibitory_control": 43, "task_switching": 25}
#: Smallest and largest ratio of the two magnitudes.
RATIOS = {
    "format_flexibility": (1.1, 10.0),
    "inhibitory_control": (1.0002, 10.0),
    "task_switching": (1.05, 4.0),
}
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
    *("sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ROMAN = {
    **{1000: "M", 900: "CM", 500: "D", 400: "CD"},
    **{100: "C", 90: "XC", 50: "L", 40: "XL"},
    **{10: "X", 9: "IX", 5: "V", 4: "IV", 1: "I"},
}


def ratios(item_type: str) -> list[float]:
    """Ratio of each item of a kind, hardest first: even steps of log(ratio - 1)."""
    low, high = RATIOS[item_type]
    steps = np.geomspace(low - 1, high - 1, N[item_type])
    return [1 + float(f"{step:.3g}") for step in steps]


def magnitude_items(seed: int) -> list[BatteryItem]:
    """The 88 items of T5: ratios are fixed, the seed draws numbers, notations and order."""
    chance = random.Random(f"magnitudes:{seed}")
    makers = {"format_flexibility": _formats, "inhibitory_control": _conflict, "task_switching": _switch}

    def drafts(name: str) -> Iterator[Draft]:
        for i, ratio in enumerate(ratios(name)):
            smaller, larger = pair(ratio, chance, most=3900 if name == "format_flexibility" else None)
            asked = makers[name](i, smaller, larger, chance)
            yield f"{ratio:g}", round(-math.log(ratio - 1), 3), "magnitude", *asked

    return generated("T5", seed, chance, N, drafts)


def pair(ratio: float, chance: random.Random, most: int | None) -> tuple[int, int]:
    """Two whole numbers in a ratio, to within a fortieth of what it exceeds 1 by."""
    least = max(math.ceil(20 / (ratio - 1)), 20)
    top = 2 * least if most is None else max(least + 1, min(2 * least, int(most / ratio)))
    smaller = chance.randrange(least, top)
    return smaller, round(smaller * ratio)


def in_words(n: int) -> str:
    """A whole number below 10,000 in words: 2714 is ``two thousand seven hundred and fourteen``."""
    if n < 20:
        return _ONES[n]
    if n < 100:
        return _TENS[n // 10] + (f"-{_ONES[n % 10]}" if n % 10 else "")
    size, name = (100, "hundred") if n < 1000 else (1000, "thousand")
    below = n % size
    joined = "" if not below else f" and {in_words(below)}" if below < 100 else f" {in_words(below)}"
    return f"{_ONES[n // size]} {name}{joined}"


def in_roman(n: int) -> str:
    text = ""
    for value, letters in _ROMAN.items():
        text += letters * (n // value)
        n %= value
    return text


def in_powers(n: int) -> str:
    exponent = len(str(n)) - 1
    digits = str(n).rstrip("0")
    return f"{digits[0]}{'.' + digits[1:] if digits[1:] else ''} x 10^{exponent}"


def _formats(i: int, smaller: int, larger: int, chance: random.Random) -> tuple[str, str, str]:
    notations: tuple[Callable[[int], str], ...] = (str, in_words, in_roman, in_powers)
    first, second = chance.sample(notations, 2)
    want = "larger" if i % 2 else "smaller"
    right, wrong = (larger, smaller) if i % 2 else (smaller, larger)
    return f"Which number is {want}? Mind the notation.", first(right), second(wrong)


def _conflict(i: int, smaller: int, larger: int, chance: random.Random) -> tuple[str, str, str]:
    """A cue that speaks against the comparison: names, digits behind the point, or units."""
    high = i % 2 == 1
    want = "larger" if high else "smaller"
    if i % 3 == 0:
        text = f"Which number is {want}? The words beside the numbers are misleading."
        tiny, huge = f"{larger} (TINY)", f"{smaller} (HUGE)"
        return (text, tiny, huge) if high else (text, huge, tiny)
    if i % 3 == 1:
        digits = len(str(larger))
        short, long = (f"0.{larger:0{digits}d}", f"0.{smaller:0{digits}d}{chance.randrange(11, 99)}")
        text = f"Which number is {want}? The longer number need not be the larger."
        return (text, short, long) if high else (text, long, short)
    heavy, light = f"{larger} grams", f"{smaller / 1000:.3f} kilograms"
    text = f"Which weight is {want}? A larger unit need not mean a larger weight."
    return (text, heavy, light) if high else (text, light, heavy)


def _switch(i: int, smaller: int, larger: int, chance: random.Random) -> tuple[str, str, str]:
    """The rule depends on a sign; the item before followed the other rule."""
    sign, before = (("circle", "square"), ("square", "circle"))[i % 2]
    right, wrong = (larger, smaller) if sign == "circle" else (smaller, larger)
    a, b = chance.sample(range(20, 90), 2)
    done = max(a, b) if before == "circle" else min(a, b)
    return (
        f"After a circle choose the larger number, after a square the smaller one. Done: {before}, {a} or "
        f"{b}: {done}. Now: {sign}. Which number?",
        str(right),
        str(wrong),
    )
