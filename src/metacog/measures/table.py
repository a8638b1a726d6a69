"""Measures of a trial table by model, domain and temperature, and differences between models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.measures.cell import Cell
from metacog.measures.coverage import NAMES, coverage_notes
from metacog.measures.estimates import Measured, measure
from metacog.measures.pairs import Side, pair_table
from metacog.sdt.binning import quantile_edges, rate

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


def _groups(
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
    """All measures of every model, and of its domains and temperatures where there are several.

    Parameters
    ----------
    trials : DataFrame
        A trial table with the column ``options.score``.
    options : Options, optional
    by : tuple of str
        Which kinds of rows are wanted.

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
    rows, models = [], {}
    for labels, part, reference in _groups(trials, by):
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
        kinds = "; ".join(dict.fromkeys(made.flags))
        rows.append({**labels, **made.row(), "coverage": _coverage(made, cell.clustered), "flags": kinds})
        if labels["by"] == "model":
            models[str(labels["model"])] = made
    table = pd.DataFrame(rows)
    for name in ("n_trials", "n_units", "n_correct", "n_levels"):
        table[name] = table[name].astype("int64")
    if "m_ratio" in table:
        table["m_ratio_valid"] = "stimulus" in trials
    return table[[c for c in table.columns if c != "flag"] + ["flag"]], models


def _coverage(made: Measured, clustered: bool) -> str:
    """Simulated coverage of the intervals that a row has, where it is not as it should be."""
    values = {name: made.values[name] for name in NAMES if name in made.bounds}
    return coverage_notes(values, int(made.values["n_trials"]), int(made.values["n_correct"]), clustered)


def compare_models(
    trials: pd.DataFrame, models: dict[str, Measured], options: Options | None = None
) -> pd.DataFrame:
    """Differences of every pair of models, first minus second, whatever their number.

    Where two models share questions, whole questions are resampled for both at once, on the shared
    questions alone; otherwise their own draws are subtracted. Bootstrap p are adjusted by Holm over all
    pairs, and intervals have level 1 - (1 - level)/pairs (Bonferroni), so that they hold for all pairs
    together.

    Returns
    -------
    DataFrame
        See :func:`metacog.measures.pairs.pair_table`; empty with one model that can be judged.
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
