"""Differences between groups from bootstrap draws, with multiplicity control, and paired draws.

Paired draws resample whole questions: every model and every temperature sees the same resampled
questions, so the difference keeps what they share.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from metacog.sdt.decisions import adjust_p, bootstrap_p
from metacog.sdt.intervals import percentile_limits as interval
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.sdt.resampling import weight_chunks
from metacog.studies.study1_qa.cells.counts import FloatArray
from metacog.studies.study1_qa.cells.estimates import M_RATIO_LIMIT
from metacog.studies.study1_qa.cells.flags import PAD

#: What a fit of many tables gives back: the measures of :func:`fit_draws`.
MEASURES = ("d_prime", "c", "meta_d", "m_ratio", "low_criterion", "high_criterion")


def holm(p_values: ArrayLike) -> FloatArray:
    """Holm's (1979) step-down adjusted p-values, NaN left out of the count."""
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    known = np.isfinite(p)
    if known.any():
        adjusted[known] = adjust_p(p[known], method="holm")
    return adjusted


def differences(
    labels: Sequence[str], estimates: ArrayLike, draws: FloatArray, *, levels: Sequence[float] = (0.95,)
) -> pd.DataFrame:
    """All pairwise differences ``a - b`` of a row of groups.

    Parameters
    ----------
    labels : sequence of str, length G
    estimates : array, shape ``(G,)``
    draws : array, shape ``(G, B)``
        Draw j of two groups is one draw of their difference.
    levels : sequence of float
        Interval levels; the columns are ``lower, upper`` for the first, then ``lower2, upper2`` and so on.
    """
    values = np.asarray(estimates, dtype=np.float64)
    rows = []
    for i, j in combinations(range(len(labels)), 2):
        gap = draws[i] - draws[j]
        row = {"a": labels[i], "b": labels[j], "difference": values[i] - values[j]}
        for number, level in enumerate(levels, start=1):
            mark = "" if number == 1 else str(number)
            row[f"lower{mark}"], row[f"upper{mark}"] = interval(gap, level=level)
        row["p"] = bootstrap_p(gap)
        rows.append(row)
    columns = ["a", "b", "difference"]
    for number in range(1, len(levels) + 1):
        mark = "" if number == 1 else str(number)
        columns += [f"lower{mark}", f"upper{mark}"]
    return pd.DataFrame(rows, columns=[*columns, "p"])


def excludes_zero(low: pd.Series, high: pd.Series) -> pd.Series:
    """Whether each interval lies on one side of zero; False where it is missing."""
    return (low > 0) | (high < 0)


@dataclass(frozen=True)
class QuestionCells:
    """What each question adds to the counts of several conditions, side by side.

    Attributes
    ----------
    matrix : sparse array, shape ``(Q, C * 2 * L)``
        For each condition its L incorrect cells, then its L correct cells, lowest rating first.
    conditions : tuple of str
    n_ratings : int
    """

    matrix: sparse.csr_array
    conditions: tuple[object, ...]
    n_ratings: int

    def tables(self, weights: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
        """Incorrect and correct counts, ``(B, C, L)`` each; all questions once without weights."""
        w = np.ones((1, self.matrix.shape[0])) if weights is None else weights
        flat = np.asarray((self.matrix.T @ w.T).T, dtype=np.float64)
        cube = flat.reshape(len(w), len(self.conditions), 2, self.n_ratings)
        return cube[:, :, 0], cube[:, :, 1]


def question_cells(
    trials: pd.DataFrame, condition: str, n_ratings: int, *, shared_only: bool = True
) -> QuestionCells:
    """Put the counts of the conditions (models, temperatures, domains) side by side, one row per question.

    Parameters
    ----------
    trials : DataFrame
        Rated trials of one question set; trials without a rating are left out.
    condition : str
        Column that tells conditions apart.
    shared_only : bool
        Keep only questions that every condition has rated trials of.
    """
    rated = trials[trials["rating"].notna()]
    names = tuple(sorted(rated[condition].unique()))
    if shared_only:
        seen = rated.groupby("question_id", observed=True)[condition].nunique()
        rated = rated[rated["question_id"].isin(seen.index[seen == len(names)])]
    row = pd.factorize(rated["question_id"], sort=True)[0]
    place = pd.Categorical(rated[condition], categories=list(names)).codes.astype(np.int64)
    rating = rated["rating"].to_numpy(dtype=np.int64) - 1
    correct = rated["correct"].to_numpy(dtype=np.int64)
    column = (place * 2 + correct) * n_ratings + rating
    shape = (int(row.max()) + 1 if row.size else 0, len(names) * 2 * n_ratings)
    matrix = sparse.coo_array((np.ones(len(rated)), (row, column)), shape=shape)
    return QuestionCells(sparse.csr_array(matrix), names, n_ratings)


def fit_draws(nR_S1: FloatArray, nR_S2: FloatArray, *, pad: float = PAD) -> dict[str, FloatArray]:
    """Fit tables of shape ``(..., L)``; one array of shape ``(...)`` a measure.

    Fits that did not converge, lack a class, or have |M-ratio| >= 10 are NaN throughout.
    """
    shape, levels = nR_S1.shape[:-1], nR_S1.shape[-1]
    a, b = nR_S1.reshape(-1, levels), nR_S2.reshape(-1, levels)
    fit = fit_meta_d_batch(a + pad, b + pad, undefined="flag")
    keep = (a.sum(axis=1) > 0) & (b.sum(axis=1) > 0) & fit.converged
    keep &= np.abs(np.nan_to_num(fit.m_ratio, nan=np.inf)) < M_RATIO_LIMIT
    values = {
        "d_prime": fit.d_prime,
        "c": fit.c,
        "meta_d": fit.meta_d,
        "m_ratio": fit.m_ratio,
        "low_criterion": fit.t2_criteria_rS1.mean(axis=1),
        "high_criterion": fit.t2_criteria_rS2.mean(axis=1),
    }
    return {name: np.where(keep, v, np.nan).reshape(shape) for name, v in values.items()}


def paired_draws(
    cells: QuestionCells, *, n_resamples: int = 10_000, seed: int = 42
) -> tuple[dict[str, FloatArray], dict[str, FloatArray]]:
    """Estimates and draws of every condition when whole questions are resampled.

    Returns
    -------
    estimates, draws : dicts of measure to arrays of shape ``(C,)`` and ``(C, B)``
    """
    point = {k: v[0] for k, v in fit_draws(*cells.tables()).items()}
    parts: list[dict[str, FloatArray]] = []
    for s1, s2 in resampled_tables(cells, n_resamples, seed):
        parts.append(fit_draws(s1, s2))
    return point, {k: np.concatenate([p[k] for p in parts]).T for k in MEASURES}


def resampled_tables(
    cells: QuestionCells, n_resamples: int, seed: int
) -> list[tuple[FloatArray, FloatArray]]:
    """Tables of resampled questions, in chunks of ``(b, C, L)``."""
    n, width = cells.matrix.shape
    return [cells.tables(weights) for weights in weight_chunks(n, n_resamples, seed, n + width)] if n else []


def spread(values: NDArray[np.float64]) -> float:
    """Largest less smallest finite value; NaN for fewer than two."""
    x = values[np.isfinite(values)]
    return float(x.max() - x.min()) if x.size > 1 else float("nan")
