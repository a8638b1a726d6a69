"""Claims of a paper's text: a file with one line per claim, and what recomputes each, registered by its id.

A file of claims has the columns ``id``, ``claim`` and ``quantity``; what is printed in ``value``, ``lower``
and ``upper`` (nothing: the claim is true or false); ``relation`` (empty: ``=``); and ``kind``: ``words`` for
a claim that holds exactly or not, ``bound`` for one that must hold as it stands, or ``printed`` for a figure
judged by its last digit, also where it is the rounded end of all that is summed up ("at least 0.98").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.ledger.entry import Role, Value, entries_of
from metacog.ledger.tolerances import half_last_digit

#: What recomputing a claim gives: a value, one per printed column, or None while data are missing.
Answer = Value | Mapping[str, Value] | None

Answers = Mapping[str, Answer | Callable[..., Answer]]

#: Columns of figures, and how the quantity of each is named unless a study names it otherwise.
QUANTITIES = {"value": "{quantity}", "lower": "{quantity}, lower end", "upper": "{quantity}, upper end"}


def claim_entries(
    lines: pd.DataFrame,
    answers: Answers,
    *given: Any,
    study: str,
    table: str,
    item: str = "{claim}",
    quantities: Mapping[str, str] | None = None,
    needs: Callable[[Any], str] = lambda line: "",
    role: Callable[[str, str, Value | None], Role | None] = lambda claim, column, value: None,
) -> pd.DataFrame:
    """One entry for every figure that a file of claims prints, in its order, next to what answers the claim.

    ``answers`` has the answer of each claim by its id, or what finds it from ``given``. ``table``, ``item`` and
    ``quantities`` (by column, in place of :data:`QUANTITIES`) may name columns of the file in braces. ``needs`` and
    ``role`` are found from a line, and from id, column and value.
    """
    ids = list(lines["id"])
    if odd := sorted({*{one for one in ids if ids.count(one) > 1}, *(set(ids) ^ set(answers))}):
        raise MetacogError(f"{study}: claims and what answers them do not go together: {', '.join(odd)}")
    named = {**QUANTITIES, **(quantities or {})}
    rows: list[dict[str, Any]] = []
    for line in rows_of(lines):
        texts, answer = line._asdict(), answers[line.id]
        answer = answer(*given) if callable(answer) else answer
        values = answer if isinstance(answer, Mapping) else {"value": answer}
        printed = {column: texts[column] for column in named if texts.get(column)} or {"value": "True"}
        for column, text in printed.items():
            value = values.get(column)
            rounded_bound = line.relation not in ("", "=") and line.kind == "printed"
            rows.append(
                {
                    **({} if value is None else vars(value)),
                    "undefined": value is not None and value.bounds is None,
                    "table": table.format(**texts),
                    "item": item.format(**texts),
                    "quantity": named[column].format(**texts),
                    "published": text,
                    "relation": line.relation or "=",
                    "precision": half_last_digit(text) if rounded_bound else None,
                    "in_words": line.kind == "words",
                    "resampled": value is not None and value.error > 0,
                    "needs": needs(line),
                    "role": role(line.id, column, value),
                }
            )
    return entries_of(pd.DataFrame(rows), study)
