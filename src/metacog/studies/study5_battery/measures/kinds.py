"""Kinds of item as readers know them."""

from __future__ import annotations

#: Words for kinds whose names in the data are short for something else.
_WORDS = {
    "basic_me": "basic mutual exclusivity",
    "me_under_load": "mutual exclusivity under load",
    "irony_sarcasm": "irony and sarcasm",
    "two_novel_object": "two novel objects",
}


def kind_in_words(name: str) -> str:
    """A kind of item by its name in the battery's files, in words."""
    return _WORDS.get(name, name.replace("_", " "))
