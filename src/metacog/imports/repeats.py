"""Rows that stand twice: counted and named before anything is estimated.

A row that repeats another wholly is a copy: it is dropped. The same question of the same model at the same
temperature (and sample, where one is named) with other contents may be a further sample, or a second run, or
two models under one name; a file does not tell which, so the reader of the file must.
"""

from __future__ import annotations

from typing import NoReturn

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation
from metacog.imports.mapping import Columns
from metacog.trials import copies as copied
from metacog.trials import counted_by, repeated

#: What to do with repeated questions: stop, take them for samples, or keep the first row of each.
POLICIES = ("refuse", "keep", "first")


def without_repeats(
    table: pd.DataFrame, columns: Columns, report: Validation, policy: str = "refuse", *, pool: bool = False
) -> pd.DataFrame:
    """A table without its copies, or with its repeats declared.

    Parameters
    ----------
    table : DataFrame
        One row per trial, as it was read.
    columns : Columns
    report : Validation
        Counts what is dropped; notes what is kept.
    policy : str
        ``refuse``: copies are dropped, other repeats are an error. ``keep``: repeats are samples of one
        question, and stay, copies too, since two samples may agree in every column. ``first``: the first
        row of each question stays.
    pool : bool
        Several models are taken for one, so a question may stand once for each: other repeats stay.

    Raises
    ------
    MetacogError
        Repeats that are not copies, under ``refuse``; an unknown policy.

    Notes
    -----
    Without a question column two trials may well agree in every column that there is, so copies are
    counted and stay.
    """
    if policy not in POLICIES:
        raise MetacogError(f"there is no way {policy!r} with repeats; there are: {', '.join(POLICIES)}")
    report.n_read = report.n_read or len(table)
    copies = copied(table)
    if columns.question_id is None:
        if copies.any():
            report.notes.append(
                f"{int(copies.sum()):,} rows repeat another row wholly: kept, since without a question "
                "column two trials may agree by chance. If questions have a name, give --question-id"
            )
        return table
    named = [columns.model, columns.question_id, columns.temperature, columns.sample]
    key = [c for c in named if c is not None]
    if policy == "keep":
        again = repeated(table, key)
        if again.any():
            report.notes.append(
                f"{int(again.sum()):,} rows repeat {_what(columns)}: kept as further samples, as asked"
                + (f"; {int(copies.sum()):,} of them repeat another row wholly" if copies.any() else "")
                + f" ({counted_by(table[again], columns.model)})"
            )
        return table
    if copies.any():
        report.drop(
            f"the row repeats another row wholly ({counted_by(table[copies], columns.model)})",
            int(copies.sum()),
        )
    kept = table[~copies]
    again = repeated(kept, key)
    if not again.any():
        return kept
    if policy == "first":
        report.drop(
            f"the row repeats {_what(columns)} ({counted_by(kept[again], columns.model)}); the first row was kept",
            int(again.sum()),
        )
        return kept[~again]
    if pool:
        report.notes.append(
            f"{int(again.sum()):,} rows repeat {_what(columns)}: kept, since --pool takes several models "
            "for one"
        )
        return kept
    _refuse(kept, again, key, columns, int(copies.sum()))


def _what(columns: Columns) -> str:
    """``the same question of the same model at the same temperature``, as far as there are columns."""
    words = ["the same question"]
    words += ["of the same model"] if columns.model else []
    words += ["at the same temperature"] if columns.temperature else []
    return " ".join([*words, *(["in the same sample"] if columns.sample else [])])


def _refuse(
    table: pd.DataFrame, again: pd.Series, key: list[str], columns: Columns, n_copies: int
) -> NoReturn:
    first = table[again].iloc[0]
    where = ", ".join(f"{name} = {first[name]}" for name in key)
    remedies = []
    if columns.sample is None:
        remedies.append("name the column that numbers the samples of a question with --sample")
    if columns.temperature is None:
        remedies.append("name the temperature with --temperature, if there are several")
    remedies.append("say --repeats keep if they are samples of one question (whole questions are resampled)")
    remedies.append("say --repeats first to keep the first row of each")
    copies = f" ({n_copies:,} further rows repeat another row wholly)" if n_copies else ""
    n = len(table) + n_copies
    raise MetacogError(
        f"{int(again.sum()):,} of {n:,} rows repeat {_what(columns)} with other contents: "
        f"{counted_by(table[again], columns.model)}; the first is {where}{copies}. Is a model in the file twice? If "
        f"not, {'; or '.join(remedies)}"
    )
