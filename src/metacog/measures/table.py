"""Measures of a trial table by model, domain and temperature, and differences between models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.paths import committed
from metacog.measures.cell import Cell, Flag
from metacog.measures.estimates import Measured, measurable, measure, remarks_on, statistics
from metacog.measures.pairs import Side, pair_table
from metacog.sdt.binning import quantile_edges, rate
from metacog.sdt.intervals import spawn_seeds
from metacog.sdt.ranking import bootstrap_ranks
from metacog.sdt.resampling import weight_chunks

# How often intervals hold the truth, from simulations: shown with an interval on a page.

#: The simulations, made by ``benchmarks/interval_coverage.py``; analyses that print notes name this file.
TABLE = "data/simulations/interval_coverage.csv"
#: Coverage of a 95 % interval that needs no remark.
SOUND = (0.93, 0.97)
#: Measures whose intervals were simulated, and what readers call them.
NAMES = {"auroc2": "AUROC2", "meta_i2r": "meta-I2r"}
#: A step of one in the distance between designs: a doubling of trials, or this much of the measure.
_STEP = {"auroc2": 0.08, "meta_i2r": 0.05}


def simulated_coverage(
    interval: str, n_trials: int, minority: int, value: float, clustered: bool = False
) -> float | None:
    """Share of 95 % intervals that hold the truth in the nearest simulated design; None where there is none.

    Nearest in doublings of trials, doublings of the smaller class (``minority``) and steps of the value; AUROC2 below
    0.5 is mirrored, and what lies beyond the simulated values takes the nearest one.
    """
    if interval not in NAMES or not np.isfinite(value) or n_trials < 1 or minority < 1:
        return None
    rows = {name: column.to_numpy() for name, column in simulations().items()}
    these = (rows["interval"] == interval) & (rows["clustered"] == clustered)
    if not these.any():
        return None
    at = max(value, 1 - value) if interval == "auroc2" else value
    apart = (
        np.log2(rows["n_trials"][these] / n_trials) ** 2
        + np.log2(rows["minority"][these] / minority) ** 2
        + ((rows["value"][these] - at) / _STEP[interval]) ** 2
    )
    return float(rows["coverage"][these][apart.argmin()])


def coverage_notes(
    values: Mapping[str, float], n_trials: int, n_correct: int, clustered: bool = False
) -> str:
    """For a row of a table: ``AUROC2 91 %; meta-I2r 98 %``, the intervals not within 93-97 % alone."""
    minority = min(n_correct, n_trials - n_correct)
    parts = []
    for name, value in values.items():
        found = simulated_coverage(name, n_trials, minority, value, clustered)
        if found is not None and not SOUND[0] <= found <= SOUND[1]:
            parts.append(f"{NAMES[name]} {100 * found:.0f} %")
    return "; ".join(parts)


def simulations() -> pd.DataFrame:
    """The committed table of designs, of the measures that have remarks; empty where it is not there."""
    return _read(committed(TABLE))


@cache
def _read(path: Path) -> pd.DataFrame:
    columns = ["interval", "clustered", "n_trials", "minority", "value", "coverage", "coverage_se"]
    table = pd.read_csv(path) if path.is_file() else pd.DataFrame(columns=columns)
    return table[table["interval"].isin(list(NAMES))]


#: Ratings that raw confidence is cut into, at its quantiles within a model.
N_LEVELS = 8


@dataclass(frozen=True)
class Options:
    """How measures are made.

    Attributes
    ----------
    n_resamples, n_permutations, seed : int
    level : float
        Coverage of intervals.
    clustered : bool
        Resample whole questions (``question_id``) instead of trials.
    open_m_ratio : bool
        Add M-ratio for open answers (right for S2, wrong for S1), which is not valid there.
    score : str
        Column that orders trials by confidence.
    """

    n_resamples: int = 2000
    n_permutations: int = 2000
    seed: int = 42
    level: float = 0.95
    clustered: bool = True
    open_m_ratio: bool = False
    score: str = "score"


def levels_of(score: NDArray[np.float64], reference: NDArray[np.float64]) -> tuple[NDArray[np.int64], int]:
    """Ratings 0 ... L - 1: the values themselves where there are at most eight, else quantile bins.

    ``reference`` holds the values that the bins are made from.
    """
    distinct = np.unique(reference)
    if distinct.size <= N_LEVELS and np.isin(score, distinct).all():
        return np.searchsorted(distinct, score).astype(np.int64), max(int(distinct.size), 1)
    return rate(score, quantile_edges(reference, N_LEVELS)) - 1, N_LEVELS


def make_cell(trials: pd.DataFrame, reference: pd.DataFrame, options: Options) -> Cell:
    """Arrays of one cell; the rating bins come from ``reference``.

    Two-choice trials carry the columns ``stimulus`` (0 or 1), ``response`` (0 or 1), ``rating``
    (1 ... K) and ``k``.
    """
    score = trials[options.score].to_numpy(dtype=np.float64)
    level, n_levels = levels_of(score, reference[options.score].to_numpy(dtype=np.float64))
    n = len(trials)
    unit = np.unique(trials["question_id"], return_inverse=True)[1] if options.clustered else np.arange(n)
    choice, k = None, 0
    if "stimulus" in trials:
        k = int(trials["k"].iloc[0])
        rating = trials["rating"].to_numpy(dtype=np.int64)
        cell = np.where(trials["response"] == 1, k + rating - 1, k - rating)
        choice = trials["stimulus"].to_numpy(dtype=np.int64) * 2 * k + cell
    return Cell(
        trials["correct"].to_numpy(dtype=bool),
        score,
        level,
        n_levels,
        trials["confidence"].to_numpy(dtype=np.float64),
        np.asarray(unit, dtype=np.int64),
        choice,
        k,
        trials["temperature"].to_numpy() if "temperature" in trials else None,
    )


def groups_of(
    trials: pd.DataFrame, by: tuple[str, ...]
) -> Iterator[tuple[dict[str, Any], pd.DataFrame, pd.DataFrame]]:
    """Rows of the table: its labels, its trials, and the trials its bins come from."""
    for model, mine in trials.groupby("model", sort=False):
        labels = {"by": "model", "model": model, "domain": "all", "temperature": np.nan}
        if "model" in by:
            yield labels, mine, mine
        if "domain" in by and mine["domain"].nunique() > 1:
            for domain, part in mine.groupby("domain", sort=True):
                yield {**labels, "by": "domain", "domain": domain}, part, mine
        if "temperature" in by and mine["temperature"].nunique() > 1:
            for temperature, part in mine.groupby("temperature", sort=True):
                yield {**labels, "by": "temperature", "temperature": float(temperature)}, part, part  # type: ignore[arg-type]


def measure_table(
    trials: pd.DataFrame,
    options: Options | None = None,
    by: tuple[str, ...] = ("model", "domain", "temperature"),
) -> tuple[pd.DataFrame, dict[str, Measured]]:
    """All measures of every model, and of its domains and temperatures where there are several, by the kinds ``by``.

    Returns
    -------
    table : DataFrame
        One row per cell: ``by`` (model, domain or temperature), labels, estimates with ``_lower`` and
        ``_upper``, ``coverage`` (intervals whose simulated coverage is not 93-97 %), ``flags`` (kinds of
        :class:`metacog.measures.cell.Flag`) and ``flag`` (why numbers are missing or rough, in words).
    models : dict
        The whole result of each model, with its draws.

    Notes
    -----
    Ratings of a model and its domains are cut at the model's own quantiles, those of a temperature
    at the temperature's own.
    """
    options = options or Options()
    rows, clustered, models = [], [], {}
    for labels, part, reference in groups_of(trials, by):
        small = {} if labels["by"] == "model" else {"n_permutations": min(1000, options.n_permutations)}
        cell = make_cell(part, reference, options)
        made = measure(
            cell,
            n_resamples=options.n_resamples,
            n_permutations=small.get("n_permutations", options.n_permutations),
            seed=options.seed,
            level=options.level,
            open_m_ratio=options.open_m_ratio,
        )
        rows.append((labels, made))
        clustered.append(cell.clustered)
        if labels["by"] == "model":
            models[str(labels["model"])] = made
    labelled, found = [labels for labels, _ in rows], [made for _, made in rows]
    return rows_table(labelled, found, clustered, "stimulus" in trials), models


def rows_table(
    labels: Sequence[Mapping[str, Any]], made: Sequence[Measured], clustered: Sequence[bool], two_choice: bool
) -> pd.DataFrame:
    """The table of :func:`measure_table` from the labels and the measures of its rows."""
    rows = []
    for about, one, repeats in zip(labels, made, clustered, strict=True):
        bounded = {name: one.values[name] for name in NAMES if name in one.bounds}
        sizes = int(one.values["n_trials"]), int(one.values["n_correct"])
        noted = {
            "coverage": coverage_notes(bounded, *sizes, repeats),
            "flags": "; ".join(dict.fromkeys(one.flags)),
        }
        rows.append({**about, **one.row(), **noted})
    table = pd.DataFrame(rows)
    for name in ("n_trials", "n_units", "n_correct", "n_levels"):
        table[name] = table[name].astype("int64")
    if "m_ratio" in table:
        table["m_ratio_valid"] = two_choice
    return table[[c for c in table.columns if c != "flag"] + ["flag"]]


def compare_models(
    trials: pd.DataFrame, models: dict[str, Measured], options: Options | None = None
) -> pd.DataFrame:
    """Differences of every pair of models, first minus second, whatever their number; see :func:`pair_table`.

    Where two models share questions, whole questions are resampled for both at once, on the shared questions alone;
    otherwise their own draws are subtracted.
    """
    options = options or Options()
    sides = []
    for name, made in models.items():
        if np.isfinite(made.values.get("auroc2", np.nan)):
            mine = trials[trials["model"] == name]
            sides.append(Side(name, make_cell(mine, mine, options), mine["question_id"].to_numpy(), made))
    return pair_table(
        sides,
        clustered=options.clustered,
        n_resamples=options.n_resamples,
        seed=options.seed,
        level=options.level,
    )


# The order of a model's domains or temperatures in AUROC2, and how sure it is.

ORDER_COLUMNS = (
    *("by", "model", "part", "estimate", "rank", "set_lower", "set_upper", "rank_lower", "rank_upper"),
    *("p_highest", "p_lowest", "order_probability"),
)


def order_table(trials: pd.DataFrame, options: Options | None = None, by: str = "domain") -> pd.DataFrame:
    """Ranks of the parts (by ``domain`` or ``temperature``) of each model by AUROC2, with their uncertainty.

    Columns :data:`ORDER_COLUMNS`, one row per model and part, for models with two parts or more; numbers are missing
    for a part that cannot be judged. See :func:`metacog.sdt.ranking.bootstrap_ranks`. Whole questions are resampled.
    Parts that share questions (temperatures) are resampled together, parts of questions of their own (domains) each
    alone.
    """
    options = options or Options()
    rows: list[tuple[object, ...]] = []
    for model, mine in trials.groupby("model", sort=False):
        parts = [(part, rows_) for part, rows_ in mine.groupby(by, sort=True)]
        if len(parts) < 2:
            continue
        cells = [make_cell(part, part, options) for _, part in parts]
        draws = np.full((len(parts), options.n_resamples), np.nan)
        estimates = np.full(len(parts), np.nan)
        good = [i for i, cell in enumerate(cells) if _judged(cell)]
        for i in good:
            estimates[i] = statistics(cells[i], np.ones((1, cells[i].n_units)))["auroc2"][0]
        if good:
            questions = [part["question_id"].to_numpy() for _, part in parts]
            draws[good] = list(_draws([cells[i] for i in good], [questions[i] for i in good], options))
        if len(good) < 2 or np.isfinite(draws[good]).all(axis=0).sum() < 2:
            rows += [(by, model, str(part), *[np.nan] * 9) for part, _ in parts]
            continue
        made = bootstrap_ranks(estimates, draws, level=options.level)
        rows += [
            (
                by,
                model,
                f"{part:g}" if by == "temperature" else str(part),
                estimates[i],
                made.rank[i],
                made.set_lower[i],
                made.set_upper[i],
                made.lower[i],
                made.upper[i],
                made.p_highest[i],
                made.p_lowest[i],
                made.order_probability,
            )
            for i, (part, _) in enumerate(parts)
        ]
    return pd.DataFrame(rows, columns=list(ORDER_COLUMNS))


def _judged(cell: Cell) -> bool:
    return measurable(cell) and not any(r.flag is Flag.FEW_OF_A_CLASS for r in remarks_on(cell))


def _draws(
    cells: list[Cell], questions: list[NDArray[np.object_]], options: Options
) -> Iterator[NDArray[np.float64]]:
    """Draws of AUROC2 of each part."""
    known, code = np.unique(np.concatenate(questions), return_inverse=True)
    codes = np.split(code, np.cumsum([q.size for q in questions])[:-1])
    distinct = [np.unique(c) for c in codes]
    shared = sum(o.size for o in distinct) > known.size
    seeds = [np.random.SeedSequence(options.seed)] * len(cells)
    if not shared:
        seeds = spawn_seeds(options.seed, len(cells))
    for cell, mine, each, seed in zip(cells, codes, distinct, seeds, strict=True):
        picked = each if shared else np.arange(each.size)
        n = known.size if shared else each.size
        part = Cell(
            cell.correct,
            cell.score,
            cell.level,
            cell.n_levels,
            np.full(mine.size, np.nan),
            np.searchsorted(each, mine),
        )
        chunks = weight_chunks(n, options.n_resamples, seed, n + mine.size)
        yield np.concatenate([statistics(part, weights[:, picked])["auroc2"] for weights in chunks])
