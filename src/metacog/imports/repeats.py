"""Rows that stand twice: counted and named before anything is estimated.

A row that repeats another wholly is a copy: it is dropped. The same question of the same model at the same
temperature (and sample, where one is named) with other contents may be a further sample, or a second run, or
two models under one name; a file does not tell which, so the reader of the file must.
"""

from __future__ import annotations

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

    ``keep`` takes repeats for samples of one question, copies too, since two samples may agree in every column;
    ``first`` keeps the first row of each question; else repeats that are no copies are an error, unless several models
    are taken for one. Without a question column two trials may well agree in every column, so copies stay.
    """
    if policy not in POLICIES:
        raise MetacogError(f"there is no way {policy!r} with repeats; there are: {', '.join(POLICIES)}")
    report.n_read = report.n_read or len(table)
    copies = copied(table)
    n_copies = int(copies.sum())
    if columns.question_id is None:
        if n_copies:
            report.notes.append(
                f"{n_copies:,} rows repeat another row wholly: kept, since without a question "
                "column two trials may agree by chance. If questions have a name, give --question-id"
            )
        return table
    if n_copies and policy != "keep":
        of = counted_by(table[copies], columns.model)
        report.drop(f"the row repeats another row wholly ({of})", n_copies)
    kept = table if policy == "keep" else table[~copies]
    named = [columns.model, columns.question_id, columns.temperature, columns.sample]
    again = repeated(kept, [c for c in named if c is not None])
    if not again.any():
        return kept
    n, by = int(again.sum()), counted_by(kept[again], columns.model)
    what = f"{n:,} rows repeat {_what(columns)}"
    if policy == "keep":
        wholly = f"; {n_copies:,} of them repeat another row wholly" if n_copies else ""
        report.notes.append(f"{what}: kept as further samples, as asked{wholly} ({by})")
    elif policy == "first":
        report.drop(f"the row repeats {_what(columns)} ({by}); the first row was kept", n)
        return kept[~again]
    elif pool:
        report.notes.append(f"{what}: kept, since --pool takes several models for one")
    else:
        first = kept[again].iloc[0]
        where = ", ".join(f"{name} = {first[name]}" for name in named if name is not None)
        remedies = {
            "name the column that numbers the samples of a question with --sample": columns.sample is None,
            "name the temperature with --temperature, if there are several": columns.temperature is None,
            "say --repeats keep if they are samples of one question (whole questions are resampled)": True,
            "say --repeats first to keep the first row of each": True,
        }
        also = f" ({n_copies:,} further rows repeat another row wholly)" if n_copies else ""
        raise MetacogError(
            f"{n:,} of {len(table):,} rows repeat {_what(columns)} with other contents: {by}; the first is "
            f"{where}{also}. Is a model in the file twice? If not, "
            f"{'; or '.join(remedy for remedy, fits in remedies.items() if fits)}"
        )
    return kept


def _what(columns: Columns) -> str:
    """``the same question of the same model at the same temperature``, as far as there are columns."""
    words = {" of the same model": columns.model, " at the same temperature": columns.temperature}
    words[" in the same sample"] = columns.sample
    return "the same question" + "".join(word for word, column in words.items() if column)
