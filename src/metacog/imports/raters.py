"""Judgements that people (or models) gave of the same items, from a table of either form.

*Long*: one row per judgement, with a column each for rater, item and judgement. *Wide*: one row per item, with a
column for the item and one a rater. Judgements are labels without order; upper and lower case and outer
blanks make no difference. An empty cell, or one that says NA, None or null (:data:`metacog.measures.given.MISSING`),
is missing.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import ended
from metacog.core.provenance import provenance
from metacog.core.words import listed, plural
from metacog.imports.mapping import SYNONYMS, find_column
from metacog.imports.tables import read_table
from metacog.measures.given import Given
from metacog.raters.reliability import RaterReliability, rater_pairs, rater_reliability
from metacog.sdt import InputError
from metacog.sdt.intervals import Interval

_NAMED = 6


@dataclass(frozen=True)
class RaterColumns:
    """Names of columns by role; None takes what the table's own names suggest.

    Attributes
    ----------
    rater, item, judgement : str or None
    by : str or None
        Items are also judged in parts, by this column.
    ignore : tuple of str
        Columns of a wide table that are no raters.
    """

    rater: str | None = None
    item: str | None = None
    judgement: str | None = None
    by: str | None = None
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ratings:
    """Judgements as they were read.

    Attributes
    ----------
    table : DataFrame
        A row an item, a column a rater; numbers throughout or text throughout, None where missing.
    parts : Series
        Part of each item; empty where none was named.
    form : str
        ``long`` or ``wide``.
    columns : RaterColumns
        As they were taken.
    notes : list of str
    """

    table: pd.DataFrame
    parts: pd.Series
    form: str
    columns: RaterColumns
    notes: list[str] = field(default_factory=list)


def read_ratings(files: Sequence[Path], columns: RaterColumns | None = None) -> Ratings:
    """Read one table of judgements, or several long ones (a file a rater) as one.

    Raises
    ------
    MetacogError
        A file that is missing, empty or unreadable; files of unlike columns; a column that is not there; a
        row without rater or item; an item that one rater judged twice, or that stands twice in a wide table;
        numbers and words mixed.
    """
    asked = columns or RaterColumns()
    table = _read(files)
    for name in asked.ignore:
        if name not in table:
            raise MetacogError(f"there is no column {name!r} to ignore; the file has: {_some(table.columns)}")
    table = table.drop(columns=list(asked.ignore))
    rater = asked.rater or _known(table, "rater")
    item = find_column(table, "item", asked.item or _known(table, "item"))
    if rater is None and asked.judgement is not None:
        raise MetacogError("--judgement is of a long table, with one row per judgement: name --rater too")
    if rater is None and len(files) > 1:
        raise MetacogError("several files are read as one long table, and these have no column of raters")
    by = None if asked.by is None else find_column(table, "by", asked.by)
    _named(table, item, "item")
    if rater is None:
        found = RaterColumns(item=item, by=by, ignore=asked.ignore)
        wide, form = _from_wide(table, found), "wide"
    else:
        rater = find_column(table, "rater", rater)
        judgement = find_column(table, "judgement", asked.judgement or _known(table, "judgement"))
        found = RaterColumns(rater, item, judgement, by, asked.ignore)
        wide, form = _from_long(table, found), "long"
    notes: list[str] = []
    parts = _parts(table, item, by)
    return Ratings(_labels(wide, notes), parts.reindex(wide.index), form, found, notes)


def _read(files: Sequence[Path]) -> pd.DataFrame:
    tables = [read_table(path, as_text=True, unique=True) for path in files]
    for path, table in zip(files, tables, strict=True):
        if set(table.columns) != set(tables[0].columns):
            raise MetacogError(f"{path} has other columns than {files[0]}: files read together need the same")
    return pd.concat(tables, ignore_index=True)


def _known(table: pd.DataFrame, role: str) -> str | None:
    """A column that bears one of the role's names."""
    lower = {str(c).lower(): str(c) for c in table.columns}
    return next((lower[name] for name in SYNONYMS[role] if name in lower), None)


def _named(table: pd.DataFrame, column: str, role: str) -> None:
    """Every row must say which item and rater it is of."""
    text = Given().text(table[column]).astype("string")
    lacking = text.isna()
    if lacking.any():
        row = int(np.flatnonzero(lacking)[0]) + 1
        raise MetacogError(
            f"column {column!r} names no {role} in {int(lacking.sum())} of {len(table)} rows "
            f"(first in row {row} of the data): fill it in or delete the row"
        )
    table[column] = text


def _from_wide(table: pd.DataFrame, columns: RaterColumns) -> pd.DataFrame:
    item = columns.item
    twice = table[item][table[item].duplicated()]
    if len(twice):
        raise MetacogError(
            f"item {twice.iloc[0]!r} stands in more than one row ({len(set(twice))} such items): a wide "
            "table has one row per item; for one row per judgement name --rater and --judgement"
        )
    raters = [c for c in table.columns if c not in (item, columns.by)]
    return table.set_index(item)[raters]


def _from_long(table: pd.DataFrame, columns: RaterColumns) -> pd.DataFrame:
    rater, item = columns.rater, columns.item
    assert rater is not None and item is not None
    if len({rater, item, columns.judgement}) < 3:
        raise MetacogError("--rater, --item and --judgement must be three columns")
    _named(table, rater, "rater")
    twice = table.duplicated([rater, item])
    if twice.any():
        first = table[twice].iloc[0]
        raise MetacogError(
            f"rater {first[rater]!r} judged item {first[item]!r} more than once "
            f"({int(twice.sum())} such rows): keep one judgement of each item by each rater"
        )
    wide = table.pivot(index=item, columns=rater, values=columns.judgement)
    return wide.reindex(index=table[item].unique(), columns=table[rater].unique())


def _parts(table: pd.DataFrame, item: str, by: str | None) -> pd.Series:
    """Part of each item."""
    if by is None:
        return pd.Series(dtype=object)
    _named(table, by, "part")
    pairs = table[[item, by]].drop_duplicates()
    several = pairs[pairs[item].duplicated()]
    if len(several):
        name = several[item].iloc[0]
        of = listed(pairs.loc[pairs[item] == name, by])
        raise MetacogError(f"item {name!r} belongs to {of}: an item has one {by!r}")
    return pairs.set_index(item)[by]


def _labels(wide: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Cells as numbers, if all of them are, or as text."""
    cells = pd.Series(wide.to_numpy(dtype=object).ravel())
    every = Given().text(cells)
    words = cells.astype("string").str.strip()[every.isna()].dropna()
    if taken := sorted({word for word in words if word.lower() in ("none", "null", "-", ".")}):
        n = int(words.isin(taken).sum())
        notes.append(
            f"{plural(n, 'cell')} of {listed([repr(word) for word in taken])} taken for missing: if it is a label, "
            "write another word"
        )
    written = pd.DataFrame(every.to_numpy().reshape(wide.shape), wide.index, wide.columns).astype("string")
    text = written.apply(lambda column: column.str.lower())
    cells = pd.Series(text.to_numpy(dtype=object).ravel()).dropna()
    forms = pd.Series(written.to_numpy(dtype=object).ravel()).loc[cells.index]
    numeric = pd.to_numeric(cells, errors="coerce").notna()
    if numeric.any() and not numeric.all():
        raise MetacogError(
            f"judgements mix numbers ({_some(cells[numeric].unique())}) and words "
            f"({_some(cells[~numeric].unique())}): use one set of labels; a column that holds no judgements "
            "goes under --ignore or --by"
        )
    if numeric.all():
        table = text.astype("Float64").astype(object)
    else:
        table = text.astype(object)
        if forms.nunique() > cells.nunique():
            notes.append("labels that differ in upper and lower case alone were taken for one")
    return table.where(text.notna(), None)


def _some(names: Iterable[object]) -> str:
    found = [str(name) for name in names]
    return ", ".join(found[:_NAMED]) + (", ..." if len(found) > _NAMED else "")


# What ``metacog raters`` does with judgements: coefficients by part, bars, files and sentences.

#: What all items together are called where they are also judged in parts.
ALL = "all"
COEFFICIENTS = {
    "agreement": "pairwise agreement",
    "alpha": "Krippendorff's alpha",
    "cronbach": "Cronbach's alpha",
}
#: Items' worth of rarer judgements below which intervals of alpha are too narrow, as simulated panels show
#: (:func:`metacog.studies.shared.raters.designs`).
FEW_RARER = 12
ENDS = ("lower", "upper")
COUNTS = ("n_items", "n_raters", "n_judgements", "n_unpaired", "n_complete")


@dataclass(frozen=True)
class RaterOptions:
    """How judgements are assessed.

    Attributes
    ----------
    bars : mapping
        By coefficient, what it should reach.
    n_resamples, seed, level
        Of the intervals over items.
    """

    bars: Mapping[str, float]
    n_resamples: int = 2000
    seed: int = 42
    level: float = 0.95


@dataclass(frozen=True)
class Assessed:
    """What was found.

    Attributes
    ----------
    ratings : Ratings
    reliability : DataFrame
        A row for all items, and one a part: counts, then each coefficient with its ends, how they were made
        and why they lack, its bar and whether that is met; ``rarer`` says how many items' worth of judgements
        are not of the most frequent category.
    pairs : DataFrame
        ``first, second, n_items, agreement``: every pair of raters.
    """

    ratings: Ratings
    reliability: pd.DataFrame
    pairs: pd.DataFrame


def standing(value: Interval, bar: float) -> str:
    """Whether a bar is met: ``met`` or ``missed`` where the whole interval says so, else ``open``.

    ``undefined`` where there is no value. An interval without width counts for nothing, since it says only
    that all resamples were alike.
    """
    if math.isnan(value.estimate):
        return "undefined"
    if value.lower < value.upper:
        if value.lower >= bar:
            return "met"
        if value.upper < bar:
            return "missed"
    return "open"


def assess(ratings: Ratings, options: RaterOptions) -> Assessed:
    """All items together, then each part.

    Raises
    ------
    InputError
        Where all items together allow no coefficient (:func:`metacog.raters.reliability`); a part that
        allows none has a row that says why.
    """
    rows = [_row(ALL, ratings.table, options)]
    for part, items in ratings.parts.groupby(ratings.parts, sort=False):
        try:
            rows.append(_row(str(part), ratings.table.loc[items.index], options))
        except InputError as error:
            rows.append({"part": str(part), "problem": str(error)})
    names = list(ratings.table.columns)
    pairs = pd.DataFrame(
        [(names[a], names[b], n, share) for a, b, n, share in rater_pairs(ratings.table)],
        columns=["first", "second", "n_items", "agreement"],
    )
    counts = dict.fromkeys((*COUNTS, "n_categories"), "Int64")
    return Assessed(ratings, pd.DataFrame(rows).astype(counts), pairs)


def _row(part: str, table: pd.DataFrame, options: RaterOptions) -> dict[str, Any]:
    found = rater_reliability(table, n_resamples=options.n_resamples, seed=options.seed, level=options.level)
    row = {"part": part, **{name: getattr(found, name) for name in COUNTS}}
    row |= {"n_categories": len(found.categories), "problem": ""}
    for name in COEFFICIENTS:
        row |= _of(name, found, options)
    row["rarer"] = rarer(table) * found.n_items
    return row


def rarer(table: pd.DataFrame) -> float:
    """Share of the judgements that are not of the most frequent category."""
    shares = pd.Series(table.to_numpy(dtype=object).ravel()).value_counts(normalize=True)
    return float(1 - shares.iloc[0])


def _of(name: str, found: RaterReliability, options: RaterOptions) -> dict[str, Any]:
    made: Interval = getattr(found, name)
    row: dict[str, Any] = {
        **ended(name, made.estimate, *made.ends),
        f"{name}_method": made.method,
        f"{name}_reason": made.reason,
        f"{name}_left_out": made.n_dropped,
    }
    if name in options.bars:
        row |= {f"{name}_bar": options.bars[name], f"{name}_standing": standing(made, options.bars[name])}
    return row


def import_ratings(
    files: Sequence[Path], out: Path, columns: RaterColumns | None, options: RaterOptions
) -> Assessed:
    """Read judgements, assess them, and write ``reliability.csv``, ``pairs.csv`` and ``raters.json``.

    Raises
    ------
    MetacogError, InputError
        As :func:`metacog.imports.raters.read_ratings` and :func:`assess`; if the folder cannot be written.
    """
    assessed = assess(read_ratings(files, columns), options)
    facts = {
        "files": [path.name for path in files],
        "form": assessed.ratings.form,
        "columns": asdict(assessed.ratings.columns),
        "notes": assessed.ratings.notes,
        "options": asdict(options),
        "made_by": provenance(seed=options.seed),
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        assessed.reliability.to_csv(out / "reliability.csv", index=False)
        assessed.pairs.to_csv(out / "pairs.csv", index=False)
        (out / "raters.json").write_text(json.dumps(facts, indent=1), encoding="utf-8")
    except OSError as error:
        raise MetacogError(f"could not write to {out}: {error.strerror or error}") from error
    return assessed


def lines(assessed: Assessed, level: float = 0.95) -> list[str]:
    """What the terminal shows."""
    rows = assessed.reliability.to_dict("records")
    whole = rows[0]
    lines = [
        f"{assessed.ratings.form} table: {plural(int(whole['n_items']), 'item')}, "
        f"{plural(int(whole['n_raters']), 'rater')}, {plural(int(whole['n_judgements']), 'judgement')} of "
        f"{plural(int(whole['n_categories']), 'category', 'categories')}"
    ]
    if whole["n_unpaired"]:
        lines.append(
            f"{plural(int(whole['n_unpaired']), 'item')} left out: fewer than two raters judged them"
            if whole["n_unpaired"] > 1
            else "1 item left out: fewer than two raters judged it"
        )
    lines += assessed.ratings.notes
    for row in rows:
        lines += ["", f"{row['part']}:" if len(rows) > 1 else f"intervals of {level:.0%} over items:"]
        if row["problem"]:
            lines.append(f"  {row['problem']}")
        else:
            lines += [f"  {_coefficient(name, row)}" for name in COEFFICIENTS]
            if 0 < row["rarer"] < FEW_RARER:
                lines.append(
                    "  few judgements are not of the most frequent category (as many as "
                    f"{row['rarer']:.1f} items' worth): the intervals are too narrow"
                )
    return lines


#: How sure it is on which side of a bar a value lies.
SURE = {
    "met": ", with the whole interval",
    "missed": ", with the whole interval",
    "open": "; the interval leaves that open",
}


def _coefficient(name: str, row: Mapping[Any, Any]) -> str:
    value, title = row[name], COEFFICIENTS[name]
    if math.isnan(value):
        return f"{title}: undefined ({row[f'{name}_reason']})"
    shown, lower, upper = (f"{round(x, 3) + 0.0:.3f}" for x in (value, *(row[f"{name}_{e}"] for e in ENDS)))
    text = f"{title} {shown}" + (f" ({lower} to {upper})" if math.isfinite(row[f"{name}_lower"]) else "")
    if math.isfinite(row[f"{name}_lower"]) and row[f"{name}_left_out"]:
        text += f" [{row[f'{name}_left_out']:,.0f} resamples left out]"
    elif row[f"{name}_reason"]:
        text += f" [{row[f'{name}_reason']}]"
    if f"{name}_bar" not in row:
        return text
    side = "at or above" if value >= row[f"{name}_bar"] else "below"
    return f"{text}: {side} the bar of {row[f'{name}_bar']:.2f}{SURE[row[f'{name}_standing']]}"
