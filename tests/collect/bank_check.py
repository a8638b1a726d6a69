"""Checks of the question bank that need no model: what a careful reader would object to."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import Any

from cydifflib import SequenceMatcher

from metacog.collect.questions import DOMAINS
from metacog.collect.scoring import best_similarity, normalise
from metacog.studies.study1_qa.asking.marking import MARKING

#: Two questions this alike (difflib ratio of their words' text) are near-duplicates...
NEAR_DUPLICATE = 0.9
#: ...and so are two with the same answer that share this much of their content words.
SAME_FACT_OVERLAP = 0.8

_STOP_WORDS = frozenset(
    "which what who whom whose where when how is was are were did does do of in on at by for to from with "
    "and or that this it its name called known a an the as his her their".split()
)


def content_words(text: str) -> frozenset[str]:
    """Words of a question that carry its meaning."""
    return frozenset(re.findall(r"[\w']+", text.lower())) - _STOP_WORDS


def check_bank(items: list[dict[str, Any]]) -> list[str]:
    """Faults of a bank, one sentence each; an empty list means none.

    ``items``: records as :func:`metacog.collect.questions.read_bank` gives them.
    """
    faults = []
    for what, values in (
        ("id", [i["id"] for i in items]),
        ("question", [normalise(i["question"]) for i in items]),
    ):
        faults += [f"{what} {value!r} stands {n} times" for value, n in Counter(values).items() if n > 1]
    for item in items:
        faults += [f"{item['id']}: {fault}" for fault in _item_faults(item)]
    faults += _near_duplicates(items)
    return faults


def _item_faults(item: dict[str, Any]) -> list[str]:
    faults = []
    accepted = [item["answer"], *item["aliases"]]
    keys = [normalise(a) for a in accepted]
    plain = normalise(re.sub(r"[^\w\s]", " ", item["question"]))
    asked = f" {plain} "
    if item["domain"] not in DOMAINS:
        faults.append(f"unknown domain {item['domain']!r}")
    if item["tier"] not in range(1, 6):
        faults.append(f"tier {item['tier']} is not 1-5")
    if not item["question"].endswith("?"):
        faults.append("the question does not end with a question mark")
    if not 1 <= len(item["answer"].split()) <= 5:
        faults.append("the answer is not 1-5 words")
    for alias, key in zip(accepted, keys, strict=True):
        if len(key) > 3 and f" {key} " in asked:
            faults.append(f"{alias!r} stands in the question")
    if len(set(keys)) != len(keys) and len({a.lower() for a in accepted}) != len(accepted):
        faults.append("an alias is repeated")
    if len(item["distractors"]) != 3 or len({normalise(d) for d in item["distractors"]}) != 3:
        faults.append("there are not 3 different distractors")
    for distractor in item["distractors"]:
        if best_similarity(normalise(distractor), keys)[0] >= MARKING.threshold:
            faults.append(f"distractor {distractor!r} would be marked right")
    return faults


def _stands_in(key: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(key)}\b", text) is not None


def _near_duplicates(items: list[dict[str, Any]]) -> list[str]:
    """Pairs that ask the same fact: same answer and wording alike, same words, or two sides of it."""
    faults = []
    prepared = [
        (i, normalise(i["question"]), content_words(i["question"]), normalise(i["answer"])) for i in items
    ]
    for (a, text_a, words_a, key_a), (b, text_b, words_b, key_b) in itertools.combinations(prepared, 2):
        two_sides = (
            min(len(key_a), len(key_b)) > 3 and _stands_in(key_a, text_b) and _stands_in(key_b, text_a)
        )
        shared = len(words_a & words_b) / max(1, min(len(words_a), len(words_b)))
        alike = key_a == key_b and (
            shared >= SAME_FACT_OVERLAP or SequenceMatcher(None, text_a, text_b).ratio() >= NEAR_DUPLICATE
        )
        if two_sides or alike or words_a == words_b:
            faults.append(f"{a['id']} and {b['id']} ask the same: {a['question']!r}, {b['question']!r}")
    return faults
