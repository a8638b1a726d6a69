"""What ``metacog raters`` does with judgements: coefficients by part, bars, files and sentences."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.provenance import provenance
from metacog.core.words import plural
from metacog.imports.raters import RaterColumns, Ratings, read_ratings
from metacog.raters.reliability import RaterReliability, rater_pairs, rater_reliability
from metacog.sdt import InputError
from metacog.sdt.intervals import Interval

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
        Where all items together allow no coefficient (:func:`metacog.raters.judgements`); a part that
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
        name: made.estimate,
        f"{name}_lower": made.lower,
        f"{name}_upper": made.upper,
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
