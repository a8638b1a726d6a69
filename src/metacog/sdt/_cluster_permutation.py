"""Permutation null where questions repeat: whole vectors of correctness change places.

Trials of one question are not exchangeable one by one: a question that is easy at one temperature is
easy at the next. What may change places under the null is the whole of what a question holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._permutation_p import permutation_p
from .checks import InputError
from .intervals import Statistic
from .resampling import chunks
from .tables import FloatArray, as_correct


@dataclass(frozen=True)
class ClusterPermutation:
    """An observed statistic against its null by question.

    Attributes
    ----------
    observed, p_value, null_mean : float
        ``p_value`` and ``null_mean`` are NaN if no question could change places.
    n_clusters, n_moved, n_fixed : int
        Questions in all; those that changed places; those that stayed because no other question has
        their set of conditions.
    n_dropped : int
        Permutations in which the statistic is not finite.
    null : array, shape ``(n_permutations - n_dropped,)``
    """

    observed: float
    p_value: float
    null_mean: float
    n_clusters: int
    n_moved: int
    n_fixed: int
    n_dropped: int
    null: FloatArray = field(repr=False)


def permute_clusters(
    correct: ArrayLike,
    rating: ArrayLike,
    clusters: ArrayLike,
    condition: ArrayLike,
    *,
    n_ratings: int,
    statistic: Statistic,
    n_permutations: int = 2000,
    seed: int | None = 42,
    alternative: str = "greater",
) -> ClusterPermutation:
    """Null of no relation between correctness and rating when trials share questions.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    rating : int array, shape ``(n,)``
        0 ... n_ratings - 1.
    clusters : array of labels, shape ``(n,)``
        The question of each trial.
    condition : array of labels, shape ``(n,)``
        What a question was asked under, such as the temperature; repeats within one condition are
        matched in the order in which they stand.
    n_ratings : int
    statistic : callable
        From incorrect and correct tables of shape ``(B, L)`` to ``(B,)``.
    n_permutations, seed
    alternative : {'greater', 'less', 'two-sided'}

    Returns
    -------
    ClusterPermutation

    Raises
    ------
    InputError
        Arrays of different length, a rating out of range, or a statistic undefined on the data.

    Notes
    -----
    A question's correctness over its conditions is one vector; vectors are permuted among questions
    that have the same conditions, while ratings stay. Rates by condition, the dependence within a
    question and both margins are kept. The mean of this null is what sampling questions adds to a
    plug-in measure; that of a permutation of single trials is too small where questions repeat.
    """
    hits = as_correct(correct)
    place = np.asarray(rating, dtype=np.int64)
    labels, asked = np.asarray(clusters), np.asarray(condition)
    if not place.shape == labels.shape == asked.shape == hits.shape:
        raise InputError("correct, rating, clusters and condition must hold one value per trial each")
    if n_permutations < 1:
        raise InputError("n_permutations must be at least 1")
    if place.min() < 0 or place.max() >= n_ratings:
        raise InputError(f"ratings must lie in 0 ... {n_ratings - 1}")
    blocks, n_clusters = _blocks(labels, asked)
    moving = [rows for rows in blocks if rows.shape[0] > 1]
    n_moved = sum(rows.shape[0] for rows in moving)
    total = np.bincount(place, minlength=n_ratings).astype(np.float64)
    right = np.bincount(place[hits], minlength=n_ratings).astype(np.float64)
    observed = float(np.asarray(statistic((total - right)[None], right[None])).ravel()[0])
    if not np.isfinite(observed):
        raise InputError("the statistic is undefined on the data")
    if not moving:
        nothing = np.empty(0)
        return ClusterPermutation(observed, np.nan, np.nan, n_clusters, 0, n_clusters, 0, nothing)
    stay = right - sum(
        np.bincount(place[rows][hits[rows]], minlength=n_ratings) for rows in moving
    )  # what fixed questions add to every table
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    null = []
    for size in chunks(n_permutations, 2 * sum(rows.size for rows in moving)):
        drawn = stay + sum(_dealt(hits[rows], place[rows], n_ratings, size, rng) for rows in moving)
        null.append(np.asarray(statistic(total - drawn, drawn), dtype=np.float64).ravel())
    test = permutation_p(observed, np.concatenate(null), alternative=alternative)
    return ClusterPermutation(
        observed,
        test.p_value,
        float(test.null.mean()),
        n_clusters,
        n_moved,
        n_clusters - n_moved,
        test.n_dropped,
        test.null,
    )


def _blocks(question: NDArray, condition: NDArray) -> tuple[list[NDArray[np.int64]], int]:
    """Trials of questions with the same conditions, as ``(questions, trials of one)`` each."""
    q = np.unique(question, return_inverse=True)[1].astype(np.int64)
    c = np.unique(condition, return_inverse=True)[1].astype(np.int64)
    order = np.lexsort((np.arange(q.size), c, q))
    sizes = np.bincount(q)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    found: list[NDArray[np.int64]] = []
    for size in np.unique(sizes):
        rows = order[starts[sizes == size][:, None] + np.arange(size)]  # (questions, size)
        kinds = np.unique(c[rows], axis=0, return_inverse=True)[1].ravel()
        found += [rows[kinds == kind] for kind in range(int(kinds.max()) + 1)]
    return found, int(sizes.size)


def _dealt(
    hits: NDArray[np.bool_], rating: NDArray[np.int64], n_ratings: int, size: int, rng: np.random.Generator
) -> FloatArray:
    """Correct trials by rating, ``(size, n_ratings)``, after rows of ``hits`` changed places."""
    m = hits.shape[0]
    place = np.argsort(rng.random((size, m)), axis=1)
    shuffled = hits[place].reshape(size, -1).astype(np.float32)
    marks = np.zeros((hits.size, n_ratings), dtype=np.float32)
    marks[np.arange(hits.size), rating.ravel()] = 1.0
    return (shuffled @ marks).astype(np.float64)
