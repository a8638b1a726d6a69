"""Bootstrap of count tables, trials and questions, and nulls by permutation.

Resampling n trials with replacement and counting them is one multinomial draw over the cells of
their table: the resampled table has the same distribution, at a cost that does not grow with n.
Trials that share a question (several temperatures, several models) are not independent: resample
questions. A resample is then a vector of question weights, and every table is that vector times the
questions-by-cells matrix, so one sparse product makes thousands of tables.

Seeds go through ``numpy.random.SeedSequence``; a result depends on its seed and on sizes only.

The p of a permutation is (1 + #null at least as extreme) / (1 + permutations) (Phipson & Smyth 2010), so it
is never 0.

Where questions repeat, whole vectors of correctness change places. Trials of one question are not
exchangeable one by one: a question that is easy at one temperature is easy at the next. What may change
places under the null is the whole of what a question holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from metacog.sdt.checks import FloatArray, InputError, as_correct, as_integer_tables, as_trials
from metacog.sdt.intervals import Statistic

TableStatistic = Callable[[FloatArray], FloatArray]
"""From cells of shape ``(B, M)`` to values of shape ``(B,)``."""

_CHUNK_NUMBERS = 4_000_000  # doubles held at a time: 32 MB


def resample_tables(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    stratify: bool = False,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Bootstrap tables ``(n_resamples, L)`` of one whole count table; ``stratify`` keeps the trials of each class."""
    s1, s2 = as_integer_tables(nR_S1, nR_S2)
    if s1.ndim != 1 or s1.sum() + s2.sum() == 0:
        raise InputError("one table of shape (L,) with at least one trial is wanted")
    if stratify:
        if s1.sum() == 0 or s2.sum() == 0:
            raise InputError("a class has no trials, so it cannot be resampled within; use stratify=False")
        rows = [rng.multinomial(int(x.sum()), x / x.sum(), size=n_resamples) for x in (s1, s2)]
        return rows[0].astype(np.int64), rows[1].astype(np.int64)
    cells = np.concatenate([s1, s2])
    tables = rng.multinomial(int(cells.sum()), cells / cells.sum(), size=n_resamples).astype(np.int64)
    return tables[:, : s1.size], tables[:, s1.size :]


def cluster_cells(
    correct: ArrayLike,
    confidence: ArrayLike,
    clusters: ArrayLike,
    *,
    ratings: ArrayLike | None = None,
    ids: ArrayLike | None = None,
) -> sparse.csr_array:
    """What each question adds to the table, ``(C, 2 L)``: L incorrect cells, then L correct ones, lowest rating first.

    ``ratings`` and ``ids`` are all ratings and questions of the result, those that occur when left out.
    """
    hits, scores = as_trials(correct, confidence)
    labels = np.asarray(clusters)
    if labels.shape != hits.shape:
        raise InputError(f"clusters must hold one label for each of the {hits.size} trials")
    rows = np.unique(labels) if ids is None else np.asarray(ids)
    columns = np.unique(scores if ratings is None else np.asarray(ratings, dtype=np.float64))
    row, column = np.searchsorted(rows, labels), np.searchsorted(columns, scores)
    row, column = np.minimum(row, rows.size - 1), np.minimum(column, columns.size - 1)
    if (rows[row] != labels).any():
        raise InputError("a trial has a question that is not among ids")
    if (columns[column] != scores).any():
        raise InputError("a trial has a confidence that is not among ratings")
    shape = (rows.size, 2 * columns.size)
    matrix = sparse.coo_array((np.ones(hits.size), (row, column + hits * columns.size)), shape=shape)
    return sparse.csr_array(matrix)


def total_of(cells: sparse.csr_array) -> FloatArray:
    """The table of all questions, shape ``(2 L,)``."""
    return np.asarray(cells.sum(axis=0), dtype=np.float64).ravel()


def cluster_weights(n_clusters: int, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """How often each cluster is drawn in each resample, shape ``(n_resamples, n_clusters)``."""
    picks = rng.integers(0, n_clusters, (n_resamples, n_clusters))
    picks += np.arange(n_resamples)[:, None] * n_clusters
    counts = np.bincount(picks.ravel(), minlength=n_resamples * n_clusters)
    return counts.reshape(n_resamples, n_clusters).astype(np.float64)


def chunks(n: int, width: int) -> list[int]:
    """Sizes of the chunks that ``n`` rows of ``width`` numbers are worked in."""
    size = max(1, min(n, _CHUNK_NUMBERS // max(width, 1)))
    return [min(size, n - start) for start in range(0, n, size)]


def weight_chunks(
    n_clusters: int,
    n_resamples: int,
    seed: int | np.random.SeedSequence | None,
    width: int,
) -> Iterator[FloatArray]:
    """Weights ``(b, n_clusters)`` of ``n_resamples`` resamples of whole clusters, in chunks that fit in memory.

    ``width``, the numbers that one resample needs, sets the size of a chunk, never what is drawn.
    """
    rng = np.random.default_rng(seed)
    with ThreadPoolExecutor(max_workers=1) as pool:  # the next chunk is drawn while one is worked with
        drawn: Future[FloatArray] | None = None
        for size in chunks(n_resamples, width):
            before, drawn = drawn, pool.submit(cluster_weights, n_clusters, size, rng)
            if before is not None:
                yield before.result()
        if drawn is not None:
            yield drawn.result()


@dataclass(frozen=True)
class PermutationTest:
    """An observed value against its permutation null.

    Attributes
    ----------
    observed, p_value : float
    alternative : str
        ``two-sided`` compares absolute distances from the mean of the null.
    null : array
        Null values in use; ``n_dropped`` were not finite.
    n_dropped : int
    """

    observed: float
    p_value: float
    alternative: str
    n_dropped: int
    null: FloatArray = field(repr=False)


def permutation_p(
    observed: float, null: ArrayLike, *, alternative: str = "two-sided", centre: float | None = None
) -> PermutationTest:
    """p-value of ``observed`` among null values.

    Parameters
    ----------
    observed : float
    null : array
    alternative : {'two-sided', 'greater', 'less'}
    centre : float, optional
        Of the two-sided distance; the mean of the null when left out. Differences take 0.

    Returns
    -------
    PermutationTest

    References
    ----------
    Phipson & Smyth (2010): (1 + #null at least as extreme)/(1 + permutations).

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import permutation_p
    >>> null = np.random.default_rng(1).normal(size=999)
    >>> print(f"{permutation_p(2.5, null).p_value:.3f}")
    0.013
    """
    values = np.asarray(null, dtype=np.float64).ravel()
    keep = np.isfinite(values)
    used = values[keep]
    if used.size == 0 or not np.isfinite(observed):
        raise InputError("the statistic is undefined on the data or on every permutation")
    middle = float(used.mean()) if centre is None else centre
    # Equal tables must tie whatever order they were summed in.
    slack = 1e-12 * max(1.0, float(np.abs(used).max()))
    if alternative == "greater":
        extreme = used >= observed - slack
    elif alternative == "less":
        extreme = used <= observed + slack
    elif alternative == "two-sided":
        extreme = np.abs(used - middle) >= abs(observed - middle) - slack
    else:
        raise InputError(f'alternative must be "two-sided", "greater" or "less", got {alternative!r}')
    p = (1 + int(extreme.sum())) / (1 + used.size)
    return PermutationTest(float(observed), p, alternative, int((~keep).sum()), used)


@dataclass(frozen=True)
class ClusterPermutation:
    """An observed statistic against its null by question; p and the null's mean are NaN if no question could move.

    Questions that no other shares its set of conditions with stay fixed; permutations in which the statistic is
    not finite are dropped.
    """

    observed: float
    p_value: float
    null_mean: float
    n_moved: int
    n_fixed: int
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
) -> ClusterPermutation:
    """Null of no relation between correctness and rating when trials share questions.

    A question's correctness over its conditions (what it was asked under, such as the temperature) is one
    vector; vectors are permuted among questions that have the same conditions, while ratings 0 ... n_ratings -
    1 stay; repeats within one condition are matched in the order in which they stand. Rates by condition, the
    dependence within a question and both margins are kept. The mean of this null is what sampling questions
    adds to a plug-in measure; that of a permutation of single trials is too small where questions repeat.
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
        return ClusterPermutation(observed, np.nan, np.nan, 0, n_clusters, np.empty(0))
    # what fixed questions add to every table
    stay = right - sum(np.bincount(place[rows][hits[rows]], minlength=n_ratings) for rows in moving)
    rng = np.random.default_rng(seed)
    null = []
    for size in chunks(n_permutations, 2 * sum(rows.size for rows in moving)):
        drawn = stay + sum(_dealt(hits[rows], place[rows], n_ratings, size, rng) for rows in moving)
        null.append(np.asarray(statistic(total - drawn, drawn), dtype=np.float64).ravel())
    test = permutation_p(observed, np.concatenate(null), alternative="greater")
    mean = float(test.null.mean())
    return ClusterPermutation(observed, test.p_value, mean, n_moved, n_clusters - n_moved, test.null)


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
    place = np.argsort(rng.random((size, hits.shape[0])), axis=1)
    return np.asarray(hits[place].reshape(size, -1).astype(np.float64) @ np.eye(n_ratings)[rating.ravel()])


def shuffled_tables(
    nR_S1: ArrayLike, nR_S2: ArrayLike, n_permutations: int, *, seed: int | None = 42
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tables of random re-pairings of correctness and rating, two arrays of shape ``(n_permutations, L)``.

    Shuffling correctness over trials keeps both margins, so the correct row is a multivariate
    hypergeometric draw from the rating totals: no trial is touched.
    """
    incorrect, correct = as_integer_tables(nR_S1, nR_S2, one=True)
    rating = incorrect + correct
    rng = np.random.default_rng(seed)
    drawn = rng.multivariate_hypergeometric(rating, int(correct.sum()), size=n_permutations)
    return rating - drawn, drawn


Deal = Callable[[int, np.random.Generator], FloatArray]
"""From a number of permutations to that many tables of the first group, ``(size, M)``."""


def _two_groups(
    tables: tuple[FloatArray, FloatArray],
    statistic: TableStatistic,
    deal: Deal,
    width: int,
    n_permutations: int,
    seed: int | None,
) -> PermutationTest:
    """Null of ``statistic(A) - statistic(B)``: trials are dealt again, and B gets what A does not."""
    first, second = (t.reshape(1, -1) for t in tables)
    total = first + second
    rng = np.random.default_rng(seed)
    null = []
    for size in chunks(n_permutations, width):
        dealt = deal(size, rng)
        null.append(statistic(dealt) - statistic(total - dealt))
    observed = float((statistic(first) - statistic(second))[0])
    return permutation_p(observed, np.concatenate(null), centre=0.0)


def swap_within_clusters(
    cells_a: sparse.csr_array,
    cells_b: sparse.csr_array,
    statistic: TableStatistic,
    *,
    n_permutations: int = 2000,
    seed: int | None = 42,
) -> PermutationTest:
    """Paired null of ``statistic(A) - statistic(B)``: each question (a row of both) swaps its A and B trials or not.

    The null is that A and B are exchangeable within a question, not only that the statistic is equal: a
    difference in accuracy alone also breaks it.
    """
    if cells_a.shape != cells_b.shape:
        raise InputError(f"paired cells must have one shape, got {cells_a.shape} and {cells_b.shape}")
    n, n_cells = cells_a.shape
    change, table_a = sparse.csr_array(cells_b - cells_a), total_of(cells_a)

    def deal(size: int, rng: np.random.Generator) -> FloatArray:
        swap = rng.integers(0, 2, (size, n)).astype(np.float64)
        return table_a + (change.T @ swap.T).T

    tables = table_a, total_of(cells_b)
    return _two_groups(tables, statistic, deal, n + 2 * n_cells, n_permutations, seed)


def relabel_clusters(
    cells_a: sparse.csr_array,
    cells_b: sparse.csr_array,
    statistic: TableStatistic,
    *,
    n_permutations: int = 2000,
    seed: int | None = 42,
) -> PermutationTest:
    """Unpaired null of ``statistic(A) - statistic(B)``: questions are dealt to A and B at random."""
    if cells_a.shape[1] != cells_b.shape[1]:
        raise InputError(f"both groups need the same cells, got {cells_a.shape[1]} and {cells_b.shape[1]}")
    pooled = sparse.csr_array(sparse.vstack([cells_a, cells_b]))
    n_a, n = cells_a.shape[0], pooled.shape[0]

    def deal(size: int, rng: np.random.Generator) -> FloatArray:
        chosen = np.argpartition(rng.random((size, n)), n_a - 1)[:, :n_a]
        picked = np.zeros((size, n))
        np.put_along_axis(picked, chosen, 1.0, axis=1)
        return np.asarray((pooled.T @ picked.T).T)

    tables = total_of(cells_a), total_of(cells_b)
    return _two_groups(tables, statistic, deal, 2 * (n + pooled.shape[1]), n_permutations, seed)


def relabel_counts(
    table_a: ArrayLike,
    table_b: ArrayLike,
    statistic: TableStatistic,
    *,
    n_permutations: int = 2000,
    seed: int | None = 42,
) -> PermutationTest:
    """The unpaired null when every trial is its own unit: only the two whole tables ``(M,)`` are needed."""
    a, b = as_integer_tables(table_a, table_b)

    def deal(size: int, rng: np.random.Generator) -> FloatArray:
        return rng.multivariate_hypergeometric(a + b, int(a.sum()), size=size).astype(np.float64)

    tables = a.astype(np.float64), b.astype(np.float64)
    return _two_groups(tables, statistic, deal, 3 * a.size, n_permutations, seed)
