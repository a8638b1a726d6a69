"""Two-choice data as trials: stimulus, response and rating, or tables of counts; here meta-d' is valid.

Trials carry ``stimulus`` and ``response`` (0 is S1, 1 is S2), ``rating`` 1 ... K (K is the surest) and ``k``;
counts are in the order of Maniscalco & Lau (2012): surest S1 ... surest S2.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.files import from_json, why
from metacog.imports.clean import Validation, clean, text_of
from metacog.imports.mapping import Columns
from metacog.imports.tables import read_table
from metacog.measures.tidy import BINNED, MOST_RATINGS
from metacog.sdt.binning import quantile_edges, rate

#: Most trials that a table of counts may stand for.
MOST_TRIALS = 5_000_000


def clean_two_choice(
    table: pd.DataFrame,
    columns: Columns,
    report: Validation,
    *,
    pool: bool = False,
    dataset: str = "import",
) -> pd.DataFrame:
    """Trials of a two-choice task in the house's schema, with the two-choice columns.

    Parameters
    ----------
    table : DataFrame
        One row per trial.
    columns : Columns
        With ``stimulus``, ``response`` and ``rating``.
    report : Validation
        Filled in; says which value was taken for S1.

    Raises
    ------
    MetacogError
        If the stimulus does not have exactly two values, the response has others, or the ratings are
        no numbers or all the same; and as :func:`metacog.imports.clean.clean`.
    """
    assert columns.stimulus and columns.response and columns.rating
    report.n_read = report.n_read or len(table)
    report.mapping = columns.named()
    stimulus, response = (text_of(table[c]) for c in (columns.stimulus, columns.response))
    sides = sorted(stimulus.dropna().unique(), key=_natural)
    if len(sides) != 2:
        raise MetacogError(
            f"column {columns.stimulus!r} must hold exactly two stimuli, but holds {len(sides)}: "
            f"{', '.join(sides[:6])}. For open answers use --correct and --confidence"
        )
    other = sorted(set(response.dropna().unique()) - set(sides))
    if other:
        raise MetacogError(
            f"column {columns.response!r} holds {', '.join(other[:4])}, but the stimuli are "
            f"{' and '.join(sides)}: recode responses with the stimuli's names"
        )
    report.notes.append(f"S1 is {sides[0]!r}, S2 is {sides[1]!r}")
    ratings = pd.to_numeric(table[columns.rating], errors="coerce").astype("float64")
    labels = [c for c in (columns.model, columns.domain, columns.temperature, columns.question_id) if c]
    bad = stimulus.isna() | response.isna() | ~np.isfinite(ratings)
    report.drop("no stimulus, response or numeric rating", int(bad.sum()))
    kept = table.loc[~bad, labels].copy()
    if not len(kept):
        raise MetacogError("no row has a stimulus, a response and a numeric rating")
    kept["_correct"] = (stimulus == response)[~bad].astype(int)
    kept["stimulus"] = (stimulus[~bad] == sides[1]).astype("int64")
    kept["response"] = (response[~bad] == sides[1]).astype("int64")
    kept["rating"], k = _levels(ratings[~bad], report)
    kept["k"] = k
    roles = replace(
        columns, correct="_correct", confidence="rating", stimulus=None, response=None, rating=None
    )
    return clean(
        kept,
        roles,
        report,
        scale="score",
        pool=pool,
        dataset=dataset,
        carry=("stimulus", "response", "rating", "k"),
    )


def _natural(text: str) -> tuple[int, float, str]:
    try:
        return 0, float(text), text
    except ValueError:
        return 1, 0.0, text


def _levels(ratings: pd.Series, report: Validation) -> tuple[np.ndarray, int]:
    """Ratings as 1 ... K: distinct values in order, or quantile bins where there are many."""
    distinct = np.unique(ratings.to_numpy())
    if distinct.size == 1:
        raise MetacogError(
            f"the rating is {distinct[0]:g} in all trials: meta-d' needs at least two ratings a response"
        )
    if distinct.size <= MOST_RATINGS:
        low, high = distinct[0], distinct[-1]
        if (distinct == np.floor(distinct)).all() and high - low < MOST_RATINGS and low in (0, 1):
            k = int(high - low) + 1  # a rating that nobody gave is still a rating
            return (ratings.to_numpy() - low).astype("int64") + 1, k
        return np.searchsorted(distinct, ratings.to_numpy()).astype("int64") + 1, int(distinct.size)
    report.notes.append(f"{distinct.size} distinct ratings were cut into {BINNED} levels at their quantiles")
    return rate(ratings.to_numpy(), quantile_edges(ratings.to_numpy(), BINNED)), BINNED


def read_counts(path: Path, model: str | None = None) -> pd.DataFrame:
    """Read tables of counts as trials with the columns stimulus, response, rating (and model).

    Parameters
    ----------
    path : Path
        JSON with ``nR_S1`` and ``nR_S2`` lists (one object or a list of them, ``model`` next to them);
        or a table with the columns ``nR_S1`` and ``nR_S2``, one row per cell in order; or one row per
        model with ``nR_S1_1 ... nR_S1_2K`` and ``nR_S2_1 ... nR_S2_2K``.
    model : str, optional
        Column that names the model of a row.

    Raises
    ------
    MetacogError
        If no such tables are found, they have an odd number of cells, or counts are not whole.
    """
    tables = _json_tables(path) if path.suffix.lower() == ".json" else _frame_tables(read_table(path), model)
    if not tables:
        raise MetacogError(f"{path} holds no tables of counts")
    frames = []
    for name, s1, s2 in tables:
        counts = []
        for label, values in (("nR_S1", s1), ("nR_S2", s2)):
            numbers = pd.to_numeric(pd.Series(list(values), dtype=object), errors="coerce").to_numpy(
                dtype=float
            )
            if not np.isfinite(numbers).all() or (numbers < 0).any() or (numbers != np.floor(numbers)).any():
                raise MetacogError(
                    f"{label} of {name} must hold whole counts of at least 0: give the raw table, "
                    "before anything is added to its cells"
                )
            counts.append(np.minimum(numbers, 2.0 * MOST_TRIALS).astype("int64"))
        if counts[0].size != counts[1].size or counts[0].size % 2 or counts[0].size < 4:
            raise MetacogError(
                f"{name}: nR_S1 has {counts[0].size} cells and nR_S2 {counts[1].size}; both need the same "
                "even number, at least 4 (surest S1 ... surest S2)"
            )
        if sum(int(c.sum()) for c in counts) > MOST_TRIALS:
            raise MetacogError(f"{name}: more than {MOST_TRIALS:,} trials; is this a table of counts?")
        k = counts[0].size // 2
        cell = np.arange(2 * k)
        rating = np.where(cell < k, k - cell, cell - k + 1)
        for stimulus, table in enumerate(counts):
            frames.append(
                pd.DataFrame(
                    {
                        "model": name,
                        "stimulus": stimulus,
                        "response": np.repeat((cell >= k).astype(int), table),
                        "rating": np.repeat(rating, table),
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def _json_tables(path: Path) -> list[tuple[str, list, list]]:
    try:
        content = from_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MetacogError(f"there is no file at {path}") from None
    except ValueError as error:
        raise MetacogError(f"{path} is not valid JSON ({why(error)})") from None
    records = content if isinstance(content, list) else [content]
    found = []
    for number, record in enumerate(records, start=1):
        both = isinstance(record, dict) and all(isinstance(record.get(n), list) for n in ("nR_S1", "nR_S2"))
        if not both:
            raise MetacogError(f"{path}: expected objects with the lists nR_S1 and nR_S2")
        found.append((str(record.get("model", f"table {number}")), record["nR_S1"], record["nR_S2"]))
    return found


def _frame_tables(table: pd.DataFrame, model: str | None) -> list[tuple[str, list, list]]:
    if model is not None and model not in table:
        raise MetacogError(
            f"there is no column {model!r} for --model; the file has: {', '.join(table.columns)}"
        )
    if {"nR_S1", "nR_S2"} <= set(table.columns):
        parts = (
            [("table", table)]
            if model is None
            else [(str(n), p) for n, p in table.groupby(model, sort=False)]
        )
        return [(name, part["nR_S1"].tolist(), part["nR_S2"].tolist()) for name, part in parts]
    wide = [[c for c in table.columns if c.startswith(f"{side}_")] for side in ("nR_S1", "nR_S2")]
    if not all(wide):
        raise MetacogError(
            "--nr-table needs the columns nR_S1 and nR_S2 (one row per cell), or nR_S1_1, nR_S1_2 ... and "
            f"nR_S2_1 ... (one row per model); the file has: {', '.join(table.columns[:20])}"
        )
    try:
        first, second = (sorted(names, key=lambda c: int(c.rsplit("_", 1)[1])) for names in wide)
    except ValueError:
        raise MetacogError("columns of --nr-table must end in a number: nR_S1_1, nR_S1_2 ...") from None
    names = table[model].astype(str) if model else pd.Series([f"table {i + 1}" for i in range(len(table))])
    return [
        (name, table.loc[i, first].tolist(), table.loc[i, second].tolist())
        for name, i in zip(names, table.index, strict=True)
    ]
