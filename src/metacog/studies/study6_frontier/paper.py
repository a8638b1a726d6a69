"""What the atlas printed: ``data/published/atlas_*.csv``, its models and its domains."""

from __future__ import annotations

import re

import pandas as pd

from metacog.ledger.published import Published

#: The files of the atlas.
PUBLISHED = Published("atlas_")
as_text, as_numbers = PUBLISHED.as_text, PUBLISHED.as_numbers
#: Files that the analyses read.
FILES = ("data/atlas/*.parquet", "data/published/atlas_*.csv")

#: Domains by their name in the rows: as the atlas's tables call them, and as readers know them.
DOMAINS: dict[str, tuple[str, str]] = {
    "applied_professional": ("Applied", "applied and professional"),
    "factual_recall": ("Factual", "factual recall"),
    "humanities": ("Human.", "humanities"),
    "social_moral": ("Social", "social and moral"),
    "formal_reasoning": ("Formal", "formal reasoning"),
    "natural_science": ("Science", "natural science"),
}
PRINTED_DOMAINS = tuple(short for short, _ in DOMAINS.values())
#: Families as readers know them.
FAMILIES = {"G-Gemini": "Gemini", "G-Gemma": "Gemma"}
#: A model whose parser put 50 where a reply stated no confidence, as the author's later note on parsing says
#: (docs/parsing_protocol.md of the repository): it never stated 50 itself.
IMPUTED = ("GPT-oss-120B", 50.0)


def claims() -> pd.DataFrame:
    """The claims of the atlas's page in the form that :mod:`metacog.ledger.judging` reads.

    A value with a sign before it (``< .0001``) is a bound, one that is no number a claim in words.
    """
    lines = as_text("text_claims")
    parts = [_parted(text) for text in lines["value"]]
    return lines.assign(
        quantity="value",
        relation=[relation for relation, _ in parts],
        value=[value for _, value in parts],
        kind=[
            "words" if "." not in value else "bound" if sign != "=" else "printed" for sign, value in parts
        ],
    )


def _parted(text: str) -> tuple[str, str]:
    """Relation and figure of a printed value; no figure where it is words."""
    found = re.fullmatch(r"(<=|>=|<|>|)\s*([0-9.]+)", text.strip())
    return (found[1] or "=", found[2]) if found else ("=", "")
