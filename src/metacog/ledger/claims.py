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
from metacog.ledger.entry import Entry, Role, Value
from metacog.ledger.tolerances import half_last_digit

#: What recomputing a claim gives: a value, one per printed column, or None while data are missing.
Answer = Value | Mapping[str, Value] | None
Answers = Mapping[str, Callable[..., Answer]]
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
    precision: float | None = None,
    needs: Callable[[Any], str] = lambda line: "",
    role: Callable[[str, str, Value | None], Role | None] = lambda claim, column, value: None,
) -> list[Entry]:
    """One entry for every figure that a file of claims prints, in its order.

    Parameters
    ----------
    lines : DataFrame
        The file as text.
    answers : mapping of str to callable
        By id of the claim, what recomputes it from ``given``.
    study, table, item : str
        As in :class:`.Entry`; table and item may name columns of the file in braces.
    quantities : mapping of str to str, optional
        Name of the quantity of a column, in place of :data:`QUANTITIES`.
    precision : float, optional
        Of every figure; half of its last digit without.
    needs : callable
        From a line to what its recomputation waits for.
    role : callable
        From id, column and value to the role of the row.

    Raises
    ------
    MetacogError
        If two claims have one id, a claim has no answer or an answer no claim.
    """
    ids = list(lines["id"])
    if odd := sorted({*{one for one in ids if ids.count(one) > 1}, *(set(ids) ^ set(answers))}):
        raise MetacogError(f"{study}: claims and what answers them do not go together: {', '.join(odd)}")
    named = {**QUANTITIES, **(quantities or {})}
    found = []
    for line in rows_of(lines):
        texts = line._asdict()
        answer = answers[line.id](*given)
        values = answer if isinstance(answer, Mapping) else {"value": answer}
        printed = {column: texts[column] for column in named if texts.get(column)} or {"value": "True"}
        for column, text in printed.items():
            value = values.get(column)
            found.append(
                Entry(
                    study,
                    table.format(**texts),
                    item.format(**texts),
                    named[column].format(**texts),
                    text,
                    value,
                    relation=texts.get("relation") or "=",
                    precision=_precision(line, text, precision),
                    in_words=line.kind == "words",
                    resampled=value is not None and value.error > 0,
                    needs=needs(line),
                    role=role(line.id, column, value),
                )
            )
    return found


def _precision(line: Any, text: str, stated: float | None) -> float | None:
    """What is stated for the file; of a bound, half its last digit where it is printed rounded, and none else."""
    if (line.relation or "=") == "=":
        return stated
    return half_last_digit(text) if line.kind == "printed" else None
