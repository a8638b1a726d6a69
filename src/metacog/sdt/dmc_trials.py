"""DMC from trials: answers A and B with a confidence, to the counts matrix and intervals of d*, d^ and MC.

A multiple-choice question makes several two-choice trials (each wrong option, both orders), which share
what the model knows of it. So intervals resample base questions, never trials. Edges of the ratings are
those of the observed confidences and stay where they are in every resample.

An observer for whom DMC's own assumption holds: confidence reads d* while the criterion stays put.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import ndtr

from metacog.core.errors import MetacogError
from metacog.sdt.binning import Edges, equal_width_edges, rate
from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.dmc import DMCFit, dmc_rows, fit_dmc, fit_dmc_batch, tables_of_matrix
from metacog.sdt.intervals import Interval, percentile_interval
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.simulate import _Observer
from metacog.sdt.tables import as_correct, cluster_index


@dataclass(frozen=True)
class DMCObserver(_Observer):
    """Answers follow type-1 SDT with ``d_hat`` and ``c0``; ratings, given the answer, areas with ``d_star``.

    Where :class:`~.simulate.MetaDObserver` moves the criterion in proportion to meta-d', this one leaves it
    at ``c0`` (Wang et al. 2025). With ``c0 = 0`` the two are one. S1 is truth A.

    Attributes
    ----------
    d_hat, d_star, c0 : float
    axes_A, axes_B : tuple of float
        Cuts between ratings, increasing: below ``c0`` and above it.
    base_rate : float
        P(truth B).
    """

    d_hat: float
    d_star: float
    c0: float
    axes_A: tuple[float, ...]
    axes_B: tuple[float, ...]
    base_rate: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.base_rate < 1:
            raise InputError("base_rate = P(truth B) must lie between 0 and 1.")
        if self.d_hat == 0:
            raise InputError("d_hat must not be 0: MC is a ratio to it.")

    @property
    def mc(self) -> float:
        """d*/d^."""
        return self.d_star / self.d_hat

    def probabilities(self) -> tuple[FloatArray, FloatArray]:
        """P(rating | truth A) and P(rating | truth B), shape (2K,) each."""
        answers_b = ndtr(np.array([-0.5, 0.5]) * self.d_hat - self.c0)  # of truth A, of truth B
        weight = np.array([1 - answers_b[0], 1 - answers_b[1], answers_b[1], answers_b[0]])  # TA, FA, TB, FB
        return tables_of_matrix(dmc_rows(self.d_star, self.c0, self.axes_A, self.axes_B) * weight[:, None])


#: Decimals that confidences and edges are compared in: 0.7 and 0.7000000000000001 are one confidence.
_DECIMALS = 12
ANSWERS = ("A", "B")


@dataclass(frozen=True, eq=False)
class DMCCounts:
    """Two-choice trials, rated and counted.

    Attributes
    ----------
    matrix : int array, shape ``(4, K)``
        TA, FA, TB, FB by rating, lowest first.
    edges : Edges
        Right-closed, equal in width over the observed range.
    rating : int array, shape ``(n,)``
        1 ... K; 0 for trials that are left out.
    n_unanswered : int
        Trials with neither A nor B.
    n_out_of_range : int
        Answered trials whose confidence is missing or no probability.
    """

    matrix: NDArray[np.int64]
    edges: Edges
    rating: NDArray[np.int64]
    n_unanswered: int
    n_out_of_range: int

    @property
    def tables(self) -> tuple[FloatArray, FloatArray]:
        """nR_S1 and nR_S2 in the order of Maniscalco & Lau, A as S1."""
        return tables_of_matrix(self.matrix)

    @property
    def n_dropped(self) -> int:
        """Trials left out."""
        return self.n_unanswered + self.n_out_of_range

    @property
    def empty_ratings(self) -> int:
        """Ratings that no trial carries."""
        return int((self.matrix.sum(axis=0) == 0).sum())


def dmc_counts(
    answer: ArrayLike, correct: ArrayLike, confidence: ArrayLike, *, n_ratings: int = 4
) -> DMCCounts:
    """Count two-choice trials by answer, correctness and rating (Wang et al. 2025, step 1).

    Parameters
    ----------
    answer : array of "A" and "B", shape ``(n,)``
        The option chosen by its place; None, NaN or an empty text where there was no answer.
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        A probability; NaN where none was given. Values outside [0, 1] are left out and counted.
    n_ratings : int
        K equal-width, right-closed bins over the observed range.

    Raises
    ------
    InputError
        Arrays that do not fit together, another answer than A or B, no usable trial, or one confidence
        throughout (nothing can be rated then).
    """
    chosen = _answers(answer)
    right = as_correct(correct)
    try:
        stated: FloatArray = np.asarray(confidence, dtype=np.float64).round(_DECIMALS)
    except (TypeError, ValueError) as error:
        raise InputError("confidence must hold numbers, NaN where none was given") from error
    if not chosen.shape == right.shape == stated.shape:
        raise InputError(
            f"one entry per trial is wanted; got {chosen.size} answers, {right.size} marks and "
            f"{stated.size} confidences"
        )
    answered = chosen >= 0
    usable = answered & (stated >= 0) & (stated <= 1)
    if not usable.any():
        percent = np.nanmax(stated, initial=0.0) > 1
        hint = "; confidences above 1 look like percent: divide by 100" if percent else ""
        raise InputError("no trial has an answer A or B and a confidence between 0 and 1" + hint)
    if np.unique(stated[usable]).size < 2:
        raise InputError("every usable trial has the same confidence: nothing can be rated")
    edges = _edges(stated[usable], n_ratings)
    rating = np.zeros(stated.size, dtype=np.int64)
    rating[usable] = rate(stated[usable], edges, closed="right")
    cell = _cells(chosen, right, rating, n_ratings)
    matrix = np.bincount(cell[usable], minlength=4 * n_ratings).reshape(4, n_ratings).astype(np.int64)
    return DMCCounts(matrix, edges, rating, int((~answered).sum()), int((answered & ~usable).sum()))


@dataclass(frozen=True, eq=False)
class DMCEstimate:
    """DMC with intervals from resampled questions.

    Attributes
    ----------
    fit : DMCFit
    mc, d_star, d_hat : Interval
        ``draws`` leaves out resamples whose fit is undefined or did not converge.
    counts : DMCCounts
    n_clusters : int
    """

    fit: DMCFit
    mc: Interval
    d_star: Interval
    d_hat: Interval
    counts: DMCCounts
    n_clusters: int


def bootstrap_dmc(
    answer: ArrayLike,
    correct: ArrayLike,
    confidence: ArrayLike,
    clusters: ArrayLike,
    *,
    n_ratings: int = 4,
    n_resamples: int = 10_000,
    seed: int | None = 42,
    level: float = 0.95,
    pad: float | None = None,
    variant: str = "paper",
) -> DMCEstimate:
    """DMC of trials with percentile intervals over base questions.

    Parameters
    ----------
    answer, correct, confidence, n_ratings
        As for :func:`dmc_counts`.
    clusters : array of labels, shape ``(n,)``
        The base question of each trial; its pairings and orders are drawn together.
    pad, variant
        As for :func:`~.dmc.fit_dmc`.
    n_resamples : int
    seed : int or None
    level : float

    Raises
    ------
    InputError
        As for :func:`dmc_counts` and :func:`~.dmc.fit_dmc`, or fewer than two clusters.
    """
    counts = dmc_counts(answer, correct, confidence, n_ratings=n_ratings)
    cells = dmc_cluster_cells(answer, correct, counts, clusters)
    tables = resample_dmc(cells, n_resamples, seed=seed)
    draws = fit_dmc_batch(*tables_of_matrix(tables), pad=pad, variant=variant)
    fit = fit_dmc(*counts.tables, pad=pad, variant=variant)

    def interval(name: str) -> Interval:
        values = np.where(draws.converged, getattr(draws, name), np.nan)
        return percentile_interval(values, getattr(fit, name), level=level)

    return DMCEstimate(
        fit, interval("mc"), interval("d_star"), interval("d_hat"), counts, int(cells.shape[0])
    )


def dmc_cluster_cells(
    answer: ArrayLike, correct: ArrayLike, counts: DMCCounts, clusters: ArrayLike
) -> sparse.csr_array:
    """What each cluster adds to the counts matrix, its rows one after another: shape ``(C, 4 K)``.

    Clusters none of whose trials is usable keep their (empty) row: they were asked.
    """
    row = cluster_index(clusters, counts.rating.size)
    size = int(row.max(initial=-1)) + 1
    if size < 2:
        raise InputError("at least two clusters are needed to resample them")
    k = counts.matrix.shape[1]
    column = _cells(_answers(answer), as_correct(correct), counts.rating, k)
    used = counts.rating > 0
    entries = (np.ones(int(used.sum())), (row[used], column[used]))
    return sparse.csr_array(sparse.coo_array(entries, shape=(size, 4 * k)))


def resample_dmc(cells: sparse.csr_array, n_resamples: int, *, seed: int | None = 42) -> FloatArray:
    """Counts matrices of resampled clusters, shape ``(n_resamples, 4, K)``."""
    n, width = cells.shape
    parts = [(cells.T @ w.T).T for w in weight_chunks(n, n_resamples, seed, n + width)]
    return np.concatenate(parts).reshape(n_resamples, 4, -1)


def _edges(values: FloatArray, n_ratings: int) -> Edges:
    try:
        made = equal_width_edges(values, n_ratings, closed="right")
    except MetacogError as error:
        raise InputError(str(error)) from error
    rounded = np.round(made.values, _DECIMALS)
    empty = np.bincount(rate(values, rounded, closed="right"), minlength=n_ratings + 1)[1:] == 0
    return Edges(rounded, n_ratings, made.degenerate, tuple(int(r) for r in np.flatnonzero(empty) + 1))


def _answers(answer: ArrayLike) -> NDArray[np.int64]:
    """0 for A, 1 for B, -1 for none."""
    given = np.asarray(answer, dtype=object)
    if given.ndim != 1 or given.size == 0:
        raise InputError(f"answers must be a non-empty one-dimensional array, got shape {given.shape}")
    missing = np.array([x is None or x != x or x == "" for x in given], dtype=bool)
    found = np.array([ANSWERS.index(x) if x in ANSWERS else -1 for x in given], dtype=np.int64)
    other = sorted({str(x) for x in given[(found < 0) & ~missing]})
    if other:
        raise InputError(f"answers must be A, B or missing; got {', '.join(other[:5])}")
    return found


def _cells(
    chosen: NDArray[np.int64], correct: NDArray[np.bool_], rating: NDArray[np.int64], k: int
) -> NDArray[np.int64]:
    return (2 * chosen + np.where(correct, 0, 1)) * k + rating - 1
