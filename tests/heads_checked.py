"""What a page's head must keep: short, few numbers, no codes."""

import re

MOST_WORDS, MOST_NUMBERS = 25, 2
#: A number that stands by itself: not part of a name such as Qwen2.5 or GPT-4.
NUMBER = re.compile(r"(?<![\w.,-])[-−+]?\d[\d,]*(?:\.\d+)?(?![\w-])|(?<![\w.])\.\d+")
#: Names that only those who know a paper or this project can read.
CODE = re.compile(r"\b(?:S[12]|[TAB]\d(?:-[A-Z]+)?|H[1-4]|R[1-6]|v[12]|TRIN)\b|\bT = ")
#: Phrases that say nothing.
HEDGE = re.compile(r"it may be|in part\b", re.I)


def words_of(text):
    """Words of a head, without marks of emphasis; a sign alone is none."""
    return [word for word in re.sub(r"[*_`$]", "", text).split() if re.search(r"\w", word)]


def numbers_of(text):
    """Numbers that stand by themselves."""
    return NUMBER.findall(text)


def faults(text):
    """What is wrong with a head; nothing where it is well."""
    found = []
    if len(words_of(text)) > MOST_WORDS:
        found.append(f"{len(words_of(text))} words")
    if len(numbers_of(text)) > MOST_NUMBERS:
        found.append(f"{len(numbers_of(text))} numbers")
    return found + CODE.findall(text) + HEDGE.findall(text)
