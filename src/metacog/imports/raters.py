"""Judgements that people (or models) gave of the same items, from a table of either form.

*Long*: one row per judgement, with a column each for rater, item and judgement. *Wide*: one row per item, with a column
for the item and one a rater. Judgements are labels without order; upper and lower case and outer blanks make no
difference. An empty cell, or one that says NA, None or null (:data:`metacog.measures.given.MISSING`), is missing.
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
from metacog.core.frames import ended, with_ends
from metacog.core.provenance import provenance
from metacog.core.words import listed, plural
from metacog.imports.mapping import SYNONYMS, find_column
from metacog.imports.tables import read_table
from metacog.measures.given import Given
from metacog.raters.reliability import rater_pairs, rater_reliability
from metacog.sdt import InputError
from metacog.sdt.intervals import Interval

_NAMED = 6


@dataclass(frozen=True)
class RaterColumns:
    """Names of columns by role; None takes what the table's own names suggest."""

    rater: str | None = None
    item: str | None = None
    judgement: str | None = None
    #: Items are also judged in parts, by this column.
    by: str | None = None
    #: Columns of a wide table that are no raters.
    ignore: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ratings:
    """Judgements as they were read: a row an item, a column a rater; None where missing.

    They are numbers throughout or text throughout; ``parts`` are the items', empty where none was named; ``form`` is
    ``long`` or ``wide``; ``columns`` stand as they were taken.
    """

    table: pd.DataFrame
    parts: pd.Series
    form: str
    columns: RaterColumns
    notes: list[str] = field(default_factory=list)


def read_ratings(files: Sequence[Path], columns: RaterColumns | None = None) -> Ratings:
    """Read one table of judgements, or several long ones (a file a rater) as one.

    A MetacogError for a file that is missing, empty or unreadable; files of unlike columns; a column that is not there;
    a row without rater or item; an item that one rater judged twice, or that stands twice in a wide table; numbers and
    words mixed.
    """
    asked = columns or RaterColumns()
    tables = [read_table(path, as_text=True, unique=True) for path in files]
    for path, table in zip(files, tables, strict=True):
        if set(table.columns) != set(tables[0].columns):
            raise MetacogError(f"{path} has other columns than {files[0]}: files read together need the same")
    table = pd.concat(tables, ignore_index=True)
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
        found, form = RaterColumns(item=item, by=by, ignore=asked.ignore), "wide"
        wide = _from_wide(table, item, by)
    else:
        rater = find_column(table, "rater", rater)
        judgement = find_column(table, "judgement", asked.judgement or _known(table, "judgement"))
        found, form = RaterColumns(rater, item, judgement, by, asked.ignore), "long"
        wide = _from_long(table, rater, item, judgement)
    notes: list[str] = []
    parts = _parts(table, item, by)
    return Ratings(_labels(wide, notes), parts.reindex(wide.index), form, found, notes)


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


def _from_wide(table: pd.DataFrame, item: str, by: str | None) -> pd.DataFrame:
    twice = table[item][table[item].duplicated()]
    if len(twice):
        raise MetacogError(
            f"item {twice.iloc[0]!r} stands in more than one row ({len(set(twice))} such items): a wide "
            "table has one row per item; for one row per judgement name --rater and --judgement"
        )
    return table.set_index(item)[[c for c in table.columns if c not in (item, by)]]


def _from_long(table: pd.DataFrame, rater: str, item: str, judgement: str) -> pd.DataFrame:
    if len({rater, item, judgement}) < 3:
        raise MetacogError("--rater, --item and --judgement must be three columns")
    _named(table, rater, "rater")
    twice = table[table.duplicated([rater, item])]
    if len(twice):
        raise MetacogError(
            f"rater {twice[rater].iloc[0]!r} judged item {twice[item].iloc[0]!r} more than once "
            f"({len(twice)} such rows): keep one judgement of each item by each rater"
        )
    wide = table.pivot(index=item, columns=rater, values=judgement)
    return wide.reindex(index=table[item].unique(), columns=table[rater].unique())


def _parts(table: pd.DataFrame, item: str, by: str | None) -> pd.Series:
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
    raw = pd.Series(wide.to_numpy(dtype=object).ravel())
    written = Given().text(raw)
    words = raw.astype("string").str.strip()[written.isna()].dropna()
    if taken := sorted({word for word in words if word.lower() in ("none", "null", "-", ".")}):
        n = int(words.isin(taken).sum())
        notes.append(
            f"{plural(n, 'cell')} of {listed([repr(word) for word in taken])} taken for missing: if it is a label, "
            "write another word"
        )
    cells = written.astype("string").str.lower()
    said = cells.dropna()
    numeric = pd.to_numeric(said, errors="coerce").notna()
    if numeric.any() and not numeric.all():
        raise MetacogError(
            f"judgements mix numbers ({_some(said[numeric].unique())}) and words "
            f"({_some(said[~numeric].unique())}): use one set of labels; a column that holds no judgements "
            "goes under --ignore or --by"
        )
    if not numeric.all() and written.nunique() > said.nunique():
        notes.append("labels that differ in upper and lower case alone were taken for one")
    labels = (cells.astype("Float64") if numeric.all() else cells).astype(object).to_numpy()
    table = pd.DataFrame(labels.reshape(wide.shape), wide.index, wide.columns, dtype=object)
    return table.where(table.notna(), None)


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
COUNTS = ("n_items", "n_raters", "n_judgements", "n_unpaired", "n_complete")


@dataclass(frozen=True)
class RaterOptions:
    """What each coefficient should reach (``bars``), and how its interval over items is made."""

    bars: Mapping[str, float]
    n_resamples: int = 2000
    seed: int = 42
    level: float = 0.95


@dataclass(frozen=True)
class Assessed:
    """A row for all items, and one a part; and every pair of raters (``first, second, n_items, agreement``).

    A row of ``reliability`` has counts, then each coefficient with its ends, how they were made and why they lack, its
    bar and whether that is met; ``rarer`` says how many items' worth of judgements are not of the most frequent
    category.
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
    if not value.lower < value.upper:
        return "open"
    return "met" if value.lower >= bar else "missed" if value.upper < bar else "open"


def assess(ratings: Ratings, options: RaterOptions) -> Assessed:
    """All items together, which must allow a coefficient; then each part, or why it allows none."""
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
    row: dict[str, Any] = {"part": part, **{name: getattr(found, name) for name in COUNTS}}
    row |= {"n_categories": len(found.categories), "problem": ""}
    for name in COEFFICIENTS:
        made: Interval = getattr(found, name)
        row |= ended(name, made.estimate, *made.ends)
        row |= {
            f"{name}_method": made.method,
            f"{name}_reason": made.reason,
            f"{name}_left_out": made.n_dropped,
        }
        if (bar := options.bars.get(name)) is not None:
            row |= {f"{name}_bar": bar, f"{name}_standing": standing(made, bar)}
    return row | {"rarer": rarer(table) * found.n_items}


def rarer(table: pd.DataFrame) -> float:
    """Share of the judgements that are not of the most frequent category."""
    shares = pd.Series(table.to_numpy(dtype=object).ravel()).value_counts(normalize=True)
    return float(1 - shares.iloc[0])


def import_ratings(
    files: Sequence[Path], out: Path, columns: RaterColumns | None, options: RaterOptions
) -> Assessed:
    """Read judgements, assess them, and write ``reliability.csv``, ``pairs.csv`` and ``raters.json``."""
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
    if n := int(whole["n_unpaired"]):
        lines.append(
            f"{plural(n, 'item')} left out: fewer than two raters judged {'it' if n == 1 else 'them'}"
        )
    lines += assessed.ratings.notes
    for row in rows:
        lines += ["", f"{row['part']}:" if len(rows) > 1 else f"intervals of {level:.0%} over items:"]
        if row["problem"]:
            lines.append(f"  {row['problem']}")
            continue
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
    title, why = COEFFICIENTS[name], row[f"{name}_reason"]
    if math.isnan(row[name]):
        return f"{title}: undefined ({why})"
    shown, lower, upper = (f"{round(row[one], 3) + 0.0:.3f}" for one in with_ends(name))
    text, known = f"{title} {shown}", math.isfinite(row[f"{name}_lower"])
    if known:
        text += f" ({lower} to {upper})"
    if known and row[f"{name}_left_out"]:
        text += f" [{row[f'{name}_left_out']:,.0f} resamples left out]"
    elif why:
        text += f" [{why}]"
    if f"{name}_bar" not in row:
        return text
    side = "at or above" if row[name] >= row[f"{name}_bar"] else "below"
    return f"{text}: {side} the bar of {row[f'{name}_bar']:.2f}{SURE[row[f'{name}_standing']]}"
