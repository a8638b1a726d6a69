"""H1: is M-ratio below 1 in every model?

Pre-registered: yes if the upper limit of the 95 % bootstrap interval is below 1 for all models.
Beside it: intervals that resample whole questions and make the rating edges anew each time, at T = 1
and over all temperatures, because trials of one question are not independent and edges are data too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.measures.cell import Cell, tables_of
from metacog.measures.fits import Fits, fitted
from metacog.measures.measured import Measured
from metacog.measures.resamples import whole_and_resamples
from metacog.report.verdicts import Verdict
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import weight_chunks
from metacog.studies.study1_qa.cells.counts import REFERENCE, Cells, FloatArray, Rated, measurable
from metacog.studies.study1_qa.cells.estimates import below_one, fits, question_cells
from metacog.studies.study1_qa.h1.judging import NEW_EDGES, TRIALS, judge, judge_intervals
from metacog.trials.signals import SCORE, scored


@dataclass(frozen=True)
class H1:
    """Result of H1.

    Attributes
    ----------
    table : DataFrame
        One row per model and question set: estimates, ``m_ratio_lower, m_ratio_upper``, ``below_one``, ``flag``.
    intervals : DataFrame
        The same M-ratio with three ways of resampling: ``scheme, m_ratio, m_ratio_lower, m_ratio_upper, width``.
        Empty for published counts, where only the trial-level one is possible.
    verdicts : tuple of Verdict
    made : tuple of Measured
        Trial-level fits of each row of ``table``.
    """

    table: pd.DataFrame
    intervals: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    made: tuple[Measured, ...]


def h1_from_cells(cells: Cells, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H1:
    """H1 as pre-registered, from counts at T = 1."""
    table, made = fits(cells, n_resamples=n_resamples, seed=seed)
    table = table.assign(below_one=below_one(table))
    return H1(table, pd.DataFrame(), (judge(table),) if verdicts else (), tuple(made))


def h1(rated: Rated, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H1:
    """H1 as pre-registered, with the question-level intervals beside it.

    Parameters
    ----------
    rated : Rated
    n_resamples, seed
        Of every bootstrap.
    verdicts : bool
        Judge the hypothesis; otherwise numbers and flags only.
    """
    first = h1_from_cells(rated.cells(), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    rows = []
    for _, row in first.table.iterrows():
        own = rated.trials[
            (rated.trials["model"] == row["model"]) & (rated.trials["dataset"] == row["dataset"])
        ]
        rows += _schemes(own, row, rated.n_ratings, n_resamples, seed)
    intervals = pd.DataFrame(rows)
    found = first.verdicts
    if verdicts:
        found = (*found, judge_intervals(first.table, intervals))
    return H1(first.table, intervals, found, first.made)


def _schemes(
    own: pd.DataFrame, row: pd.Series, n_ratings: int, n_resamples: int, seed: int
) -> list[dict[str, object]]:
    """Rows of ``intervals`` of one model and question set."""
    at_one = own[own["temperature"] == REFERENCE]
    draws = draws_with_new_edges(at_one, n_ratings, n_resamples=n_resamples, seed=seed)
    found = {
        TRIALS: (row["m_ratio"], (row["m_ratio_lower"], row["m_ratio_upper"])),
        NEW_EDGES: (row["m_ratio"], percentile_limits(draws)),
    }
    if own["temperature"].nunique() > 1:
        for pooled in question_cells(own.assign(all=True), "all", n_ratings).values():
            tables = tables_of(pooled)
            alone = Cell.of_table(*tables, coarse=pooled.coarse)
            cells = {"trials, all T": alone, "questions, all T": pooled}
            for scheme, cell in cells.items() if measurable(*tables) else ():
                made = Fits()(cell, whole_and_resamples(cell, n_resamples, seed))
                found[scheme] = made.values["m_ratio"], made.bounds["m_ratio"]
    return [
        {
            "model": row["model"],
            "dataset": row["dataset"],
            "scheme": scheme,
            "m_ratio": value,
            "m_ratio_lower": low,
            "m_ratio_upper": high,
            "width": high - low,
        }
        for scheme, (value, (low, high)) in found.items()
    ]


def draws_with_new_edges(
    trials: pd.DataFrame, n_ratings: int, *, n_resamples: int = 10_000, seed: int = 42
) -> FloatArray:
    """M-ratio when whole questions are resampled and the quantile edges made from each resample.

    Parameters
    ----------
    trials : DataFrame
        Trials of one model and question set at the reference temperature.
    n_ratings : int
        2K quantile bins.

    Returns
    -------
    array, shape ``(n_resamples,)``; NaN for dropped draws
    """
    used = scored(trials)
    used = used[used[SCORE].notna()].sort_values(SCORE, kind="stable")
    if used["correct"].nunique() < 2 or ("coarse" in used and used["coarse"].any()):
        return np.full(n_resamples, np.nan)
    x = used[SCORE].to_numpy(dtype=np.float64)
    correct = used["correct"].to_numpy(dtype=bool)
    question = pd.factorize(used["question_id"])[0]
    levels = np.arange(1, n_ratings) / n_ratings
    out = []
    for drawn in weight_chunks(int(question.max()) + 1, n_resamples, seed, 3 * x.size):
        weights, size = drawn[:, question], len(drawn)
        running = np.cumsum(weights, axis=1)
        right = np.concatenate([np.zeros((size, 1)), np.cumsum(weights * correct, axis=1)], axis=1)
        cut = np.empty((size, n_ratings - 1), dtype=np.int64)
        for b in range(size):
            position = (running[b, -1] - 1) * levels
            low = np.floor(position)
            below, above = (x[np.searchsorted(running[b], p, side="right")] for p in (low, np.ceil(position)))
            cut[b] = np.searchsorted(x, below + (position - low) * (above - below), side="left")
        total = np.concatenate([np.zeros((size, 1)), running], axis=1)
        s2 = _between(right, cut)
        s1 = _between(total, cut) - s2
        out.append(fitted(s1, s2)["m_ratio"])
    return np.concatenate(out)


def _between(running: FloatArray, cut: np.ndarray) -> FloatArray:
    """Weight between consecutive cuts, from running totals that start at 0."""
    at = np.take_along_axis(running, cut, axis=1)
    return np.diff(np.concatenate([np.zeros((len(cut), 1)), at, running[:, -1:]], axis=1), axis=1)
