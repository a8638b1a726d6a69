"""Is one model better than another? Paired differences of any measure.

Two models that answered the same questions are compared *paired*: questions are resampled with all
their trials, so that what is hard for both does not look like noise. The interval is the answer to "how
different"; read it first. Whether there is a difference is judged by the bootstrap p, whose null is that
the measure is equal. The permutation p-value swaps (or re-deals) whole questions; its null is that the
two are exchangeable, which is more: scores on other scales break it, and so does accuracy alone. It is
reported with its null, and no verdict rests on it. Groups of different questions are compared
as independent (``compare_unpaired``).

`MEASURES` holds every measure that can be compared, resampled or planned for, as a function of a table. It
has one row of cells for each class over L ratings, lowest first. For type-2 measures the classes are
incorrect and correct; for ``d_prime``, ``meta_d`` and ``m_ratio`` they are S1 and S2 over 2K ratings
(incorrect and correct may be put in their place). A name without more says which estimator it is:
``meta_i2r`` alone is the exactly corrected one, which takes a table at a time, so what is resampled and
planned for here is ``meta_i2r_chi_square``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from metacog.sdt.calibration import calibration_edges
from metacog.sdt.checks import FloatArray, InputError, as_integer_tables, as_trials
from metacog.sdt.decisions import bootstrap_p
from metacog.sdt.information import analytic_bias, meta_i2r, plugin_meta_i
from metacog.sdt.intervals import Interval, percentile_interval, spawn_seeds
from metacog.sdt.resampling import (
    PermutationTest,
    TableStatistic,
    chunks,
    cluster_cells,
    relabel_clusters,
    relabel_counts,
    swap_within_clusters,
    total_of,
    weight_chunks,
)
from metacog.sdt.selective import accuracy_coverage_from_counts, aurc_from_counts
from metacog.sdt.type1 import z_roc
from metacog.sdt.type2 import auroc2_from_counts

MAX_RATING_LEVELS = 64


@dataclass(frozen=True)
class Measure:
    """A measure by name, NaN where it is undefined.

    ``compute`` takes S1 and S2 tables ``(B, L)`` and the value of each rating ``(L,)``. ``scale`` says what
    ratings must be: ``any`` (only their order counts), ``ratings`` (few of them), ``even ratings`` (2K of them)
    or ``probability``.
    """

    name: str
    description: str
    compute: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    scale: str = "any"

    def on_tables(self, ratings: FloatArray) -> TableStatistic:
        """The measure of cells of shape ``(B, 2 L)``; refuses ratings that it cannot use."""
        if self.scale == "probability" and ((ratings < 0).any() or (ratings > 1).any()):
            raise InputError(
                f"{self.name} needs confidence in [0, 1]; got {ratings.min():g} to {ratings.max():g}"
            )
        width = ratings.size
        if "ratings" in self.scale and width > MAX_RATING_LEVELS:
            raise InputError(f"{self.name} needs ratings, got {width} distinct values; bin them first")
        if self.scale == "even ratings" and width % 2:
            raise InputError(f"{self.name} needs an even number of ratings (2K), got {width}; pass ratings")
        return lambda cells: self.compute(cells[..., :width], cells[..., width:], ratings)


def _accuracy(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return s2.sum(axis=-1) / (s1.sum(axis=-1) + s2.sum(axis=-1))


def _meta_i_chi_square(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return plugin_meta_i(s1, s2) - analytic_bias(s1, s2, "chi-square")


def _z_roc(field: str) -> Callable[[FloatArray, FloatArray, FloatArray], FloatArray]:
    return lambda s1, s2, ratings: np.asarray(getattr(z_roc(np.atleast_2d(s1), np.atleast_2d(s2)), field))


def _brier(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return (s1 @ ratings**2 + s2 @ (1 - ratings) ** 2) / (s1.sum(axis=-1) + s2.sum(axis=-1))


def _ece(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
    edges = calibration_edges(ratings, n_bins=10, binning="width")
    inside = np.eye(edges.size + 1)[np.searchsorted(edges, ratings, side="right")]
    stated = (s1 + s2) @ (inside * ratings[:, None])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.abs(s2 @ inside - stated).sum(axis=-1) / (s1 + s2).sum(axis=-1)


def _d_prime(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
    half = ratings.size // 2
    a, b = s1 + 0.5, s2 + 0.5
    far, hr = (x[..., half:].sum(axis=-1) / x.sum(axis=-1) for x in (a, b))
    return ndtri(hr) - ndtri(far)


def _meta_d(field: str, pad: float = 0.5) -> Callable[[FloatArray, FloatArray, FloatArray], FloatArray]:
    def compute(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
        from metacog.sdt.meta_d import fit_meta_d_batch

        fits = fit_meta_d_batch(np.atleast_2d(s1) + pad, np.atleast_2d(s2) + pad, undefined="flag")
        values = np.where(fits.converged, getattr(fits, field), np.nan)
        return np.where(np.abs(values) < 10, values, np.nan)

    return compute


MEASURES: dict[str, Measure] = {
    m.name: m
    for m in (
        Measure("accuracy", "share correct", _accuracy),
        Measure("auroc2", "area under the type-2 ROC", lambda a, b, _: auroc2_from_counts(a, b)),
        Measure(
            "meta_i_chi_square", "meta-I in bits, less its chi-square bias", _meta_i_chi_square, "ratings"
        ),
        Measure(
            "meta_i2r_chi_square",
            "meta-I2r, less its chi-square bias",
            lambda a, b, _: meta_i2r(a, b, correction="chi-square"),
            "ratings",
        ),
        Measure("d_a", "d_a of the regression z-ROC", _z_roc("d_a"), "ratings"),
        Measure("z_slope", "slope of the regression z-ROC", _z_roc("slope"), "ratings"),
        Measure("d_prime", "d' at the middle rating, 0.5 in every cell", _d_prime, "even ratings"),
        Measure("meta_d", "meta-d', 0.5 in every cell", _meta_d("meta_d"), "even ratings"),
        Measure(
            "m_ratio", "meta-d'/d', 0.5 in every cell, |M| >= 10 dropped", _meta_d("m_ratio"), "even ratings"
        ),
        Measure("ece", "expected calibration error, 10 equal widths", _ece, "probability"),
        Measure("brier", "Brier score", _brier, "probability"),
        Measure("aurc", "area under the risk-coverage curve", lambda a, b, _: aurc_from_counts(a, b)),
        Measure(
            "accuracy_at_50",
            "accuracy at 50 % coverage",
            lambda a, b, _: accuracy_coverage_from_counts(a, b, 0.5),
        ),
    )
}


def m_ratio_measure(pad: float) -> Measure:
    """M-ratio with another constant than 0.5 in every cell; 0 fits tables as they are."""
    what = f"{pad:g} in every cell" if pad else "no cell padded"
    return Measure(
        "m_ratio", f"meta-d'/d', {what}, |M| >= 10 dropped", _meta_d("m_ratio", pad), "even ratings"
    )


def get_measure(measure: str | Measure) -> Measure:
    """A measure by name, or the one passed."""
    if isinstance(measure, Measure):
        return measure
    if measure not in MEASURES:
        raise InputError(f"no measure named {measure!r}; use one of {', '.join(MEASURES)}")
    return MEASURES[measure]


def compare_counts(
    table_a: tuple[ArrayLike, ArrayLike],
    table_b: tuple[ArrayLike, ArrayLike],
    *,
    measure: str | Measure = "auroc2",
    ratings: ArrayLike | None = None,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int | None = 42,
    level: float = 0.95,
) -> Difference:
    """Difference between two independent groups known by their whole count tables ``(L,)`` only.

    ``ratings`` are the values of the ratings, 1 ... L when left out.
    """
    chosen = get_measure(measure)
    rows = [np.concatenate(as_integer_tables(*t)) for t in (table_a, table_b)]
    if rows[0].ndim != 1 or rows[0].shape != rows[1].shape:
        raise InputError("both groups need tables of one shape (L,)")
    width = rows[0].size // 2
    scale = np.arange(1.0, width + 1) if ratings is None else np.asarray(ratings, dtype=np.float64)
    if scale.size != width or (np.diff(scale) <= 0).any():
        raise InputError(f"ratings must hold {width} rising values")
    statistic = chosen.on_tables(scale)
    values = defined(chosen, statistic(np.stack(rows).astype(np.float64)))
    draws = []
    for row, child in zip(rows, spawn_seeds(seed, 2), strict=True):
        rng = np.random.default_rng(child)
        parts = [
            statistic(rng.multinomial(int(row.sum()), row / row.sum(), size=size).astype(np.float64))
            for size in chunks(n_resamples, 3 * row.size)
        ]
        draws.append(np.concatenate(parts))
    test = relabel_counts(rows[0], rows[1], statistic, n_permutations=n_permutations, seed=seed)
    n_a, n_b = int(rows[0].sum()), int(rows[1].sum())
    sizes = (n_a, n_b, n_a + n_b, 0)
    return difference_of(chosen, values, draws[0] - draws[1], level, test, False, sizes)


def compare_unpaired(
    correct_a: ArrayLike,
    score_a: ArrayLike,
    correct_b: ArrayLike,
    score_b: ArrayLike,
    *,
    clusters_a: ArrayLike | None = None,
    clusters_b: ArrayLike | None = None,
    measure: str | Measure = "auroc2",
    ratings: ArrayLike | None = None,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int | None = 42,
    level: float = 0.95,
) -> Difference:
    """Difference between groups of different questions (two domains, two data sets).

    Parameters
    ----------
    correct_a, score_a, correct_b, score_b : arrays of shape ``(n_a,)`` and ``(n_b,)``
    clusters_a, clusters_b : arrays of labels, optional
        Trials of one cluster (a question) stay together; without them every trial is its own.
    measure, ratings, n_resamples, n_permutations, seed, level
        As for :func:`compare_paired`.

    Returns
    -------
    Difference
        A less B.

    References
    ----------
    Efron & Tibshirani (1993), ch. 13, for the percentile interval; Phipson & Smyth (2010) for the permutation
    p.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import compare_unpaired
    >>> rng = np.random.default_rng(1)
    >>> correct_a, correct_b = rng.random(300) < 0.6, rng.random(200) < 0.4
    >>> confidence_a, confidence_b = rng.normal(correct_a, 1), rng.normal(correct_b, 1)
    >>> found = compare_unpaired(
    ...     correct_a, confidence_a, correct_b, confidence_b, n_resamples=300, n_permutations=300
    ... )
    >>> low, high = found.interval
    >>> print(f"{found.difference:.2f} [{low:.2f}, {high:.2f}]")
    -0.04 [-0.12, 0.06]
    """
    chosen = get_measure(measure)
    hits, scores, scale = read_groups(correct_a, score_a, correct_b, score_b, ratings)
    if (clusters_a is None) != (clusters_b is None):
        raise InputError("pass clusters of both groups or of neither")
    if clusters_a is None and scale.size > MAX_RATING_LEVELS:
        # Raw confidence: drawing trials is faster than drawing thousands of nearly empty cells.
        clusters_a, clusters_b = np.arange(hits[0].size), np.arange(hits[1].size)
    if clusters_a is None or clusters_b is None:
        tables = [
            np.split(total_of(cluster_cells(h, s, np.zeros(h.size), ratings=scale)), 2)
            for h, s in zip(hits, scores, strict=True)
        ]
        return compare_counts(
            (tables[0][0], tables[0][1]),
            (tables[1][0], tables[1][1]),
            measure=chosen,
            ratings=scale,
            n_resamples=n_resamples,
            n_permutations=n_permutations,
            seed=seed,
            level=level,
        )
    cells = [
        cluster_cells(h, s, np.asarray(q), ratings=scale)
        for h, s, q in zip(hits, scores, (clusters_a, clusters_b), strict=True)
    ]
    statistic = chosen.on_tables(scale)
    values = defined(chosen, statistic(np.stack([total_of(c) for c in cells])))
    draws = []
    for c, child in zip(cells, spawn_seeds(seed, 2), strict=True):
        weights = weight_chunks(c.shape[0], n_resamples, child, sum(c.shape))
        draws.append(np.concatenate([statistic((c.T @ w.T).T) for w in weights]))
    test = relabel_clusters(cells[0], cells[1], statistic, n_permutations=n_permutations, seed=seed)
    sizes = (hits[0].size, hits[1].size, cells[0].shape[0] + cells[1].shape[0], 0)
    return difference_of(chosen, values, draws[0] - draws[1], level, test, False, sizes)


@dataclass(frozen=True)
class Difference:
    """Difference of a measure between two groups, A less B.

    Attributes
    ----------
    measure : str
    value_a, value_b, difference : float
    interval : Interval
        Of the difference, with its draws and the number dropped.
    p_permutation : float
        Its null is that trials of both groups can be exchanged, answers and scores alike (swapped within
        questions if paired, else dealt again to the two groups), not that the measure is equal.
    p_bootstrap : float
        Twice the smaller share of draws on one side of zero; its null is that the measure is equal.
    paired : bool
    n_a, n_b : int
        Trials in use.
    n_clusters : int
        Questions (paired), or resampled units of both groups.
    n_unshared : int
        Trials left out because the other group has no trial of their question.
    n_permutations : int
        Permutations in use; those where the measure is undefined are not.
    """

    measure: str
    value_a: float
    value_b: float
    difference: float
    interval: Interval
    p_permutation: float
    p_bootstrap: float
    paired: bool
    n_a: int
    n_b: int
    n_clusters: int
    n_unshared: int
    n_permutations: int

    @property
    def draws(self) -> FloatArray:
        """Bootstrap draws of the difference, those in use."""
        return self.interval.draws


@dataclass(frozen=True)
class Together:
    """One measure of two sides whose questions were resampled together, with draws of A less B."""

    value_a: float
    value_b: float
    draws: FloatArray

    @property
    def difference(self) -> float:
        """A less B."""
        return self.value_a - self.value_b


def difference_of(
    measure: Measure,
    values: FloatArray,
    draws: FloatArray,
    level: float,
    test: PermutationTest,
    paired: bool,
    sizes: tuple[int, int, int, int],
) -> Difference:
    """The record of a comparison; ``sizes``: trials of A and B, units, and trials left out."""
    difference = float(values[0] - values[1])
    interval = percentile_interval(draws, difference, level=level)
    return Difference(
        measure.name,
        float(values[0]),
        float(values[1]),
        difference,
        interval,
        test.p_value,
        bootstrap_p(interval.draws),
        paired,
        *sizes,
        test.null.size,
    )


def compare_paired(
    correct_a: ArrayLike,
    score_a: ArrayLike,
    correct_b: ArrayLike,
    score_b: ArrayLike,
    *,
    clusters_a: ArrayLike | None = None,
    clusters_b: ArrayLike | None = None,
    measure: str | Measure = "auroc2",
    ratings: ArrayLike | None = None,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int | None = 42,
    level: float = 0.95,
) -> Difference:
    """Difference between two groups that answered the same questions.

    Parameters
    ----------
    correct_a, score_a, correct_b, score_b : arrays of shape ``(n_a,)`` and ``(n_b,)``
        Correctness and rating or confidence of each trial.
    clusters_a, clusters_b : arrays of labels, optional
        The question of each trial; several trials a question are kept together, and questions
        that only one group answered are left out and counted. Without them row i of A and row i
        of B are one question.
    measure : str or Measure
        A name in ``metacog.sdt.MEASURES``, such as ``auroc2`` or ``accuracy``.
    ratings : array, optional
        All ratings of the scale (``range(1, 9)``), for measures that need unused ones too.
    n_resamples, n_permutations : int
    seed : int or None
    level : float

    Returns
    -------
    Difference
        A less B.

    Raises
    ------
    InputError
        No shared question, or a measure undefined on either group.

    References
    ----------
    Efron & Tibshirani (1993), ch. 13, for the percentile interval; Phipson & Smyth (2010) for the permutation
    p.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import compare_paired
    >>> rng = np.random.default_rng(1)
    >>> correct_a, correct_b = rng.random((2, 300)) < 0.6  # the same 300 questions
    >>> confidence_a = rng.normal(1.5 * correct_a, 1)
    >>> confidence_b = rng.normal(0.5 * correct_b, 1)
    >>> found = compare_paired(
    ...     correct_a, confidence_a, correct_b, confidence_b, n_resamples=300, n_permutations=300
    ... )
    >>> low, high = found.interval
    >>> print(f"{found.difference:.2f} [{low:.2f}, {high:.2f}], p {found.p_bootstrap:.3f}")
    0.21 [0.14, 0.29], p 0.007
    """
    chosen = get_measure(measure)
    hits, scores, scale = read_groups(correct_a, score_a, correct_b, score_b, ratings)
    if (clusters_a is None) != (clusters_b is None):
        raise InputError("pass clusters of both groups or of neither")
    if clusters_a is None:
        if hits[0].size != hits[1].size:
            raise InputError(
                "groups of different length are paired by question: pass clusters_a and clusters_b"
            )
        labels = [np.arange(hits[0].size)] * 2
    else:
        labels = [np.asarray(clusters_a), np.asarray(clusters_b)]
        for one, h in zip(labels, hits, strict=True):
            if one.shape != h.shape:
                raise InputError("clusters must hold one label for each trial")
    shared = np.intersect1d(labels[0], labels[1])
    if shared.size < 2:
        raise InputError("the groups share fewer than two questions; use compare_unpaired")
    cells = []
    for h, s, q in zip(hits, scores, labels, strict=True):
        keep = np.isin(q, shared)
        cells.append(cluster_cells(h[keep], s[keep], q[keep], ratings=scale, ids=shared))
    statistic = chosen.on_tables(scale)
    tables = np.stack([total_of(c) for c in cells])
    values = defined(chosen, statistic(tables))
    draws = []  # both sides see the same resampled questions, so what is hard for both cancels
    for weights in weight_chunks(shared.size, n_resamples, seed, shared.size + 4 * scale.size):
        first, second = (statistic((c.T @ weights.T).T) for c in cells)
        draws.append(first - second)
    test = swap_within_clusters(cells[0], cells[1], statistic, n_permutations=n_permutations, seed=seed)
    n_a, n_b = (int(n) for n in tables.sum(axis=1))
    sizes = (n_a, n_b, shared.size, hits[0].size + hits[1].size - n_a - n_b)
    return difference_of(chosen, values, np.concatenate(draws), level, test, True, sizes)


def defined(measure: Measure, values: FloatArray) -> FloatArray:
    """The values, refused where one is undefined."""
    if not np.isfinite(values).all():
        raise InputError(f"{measure.name} is undefined for a group; both need correct and incorrect trials")
    return values


def read_groups(
    correct_a: ArrayLike,
    score_a: ArrayLike,
    correct_b: ArrayLike,
    score_b: ArrayLike,
    ratings: ArrayLike | None,
) -> tuple[list[NDArray[np.bool_]], list[FloatArray], FloatArray]:
    """Correctness and scores of both groups, and the ratings of their common scale."""
    (hits_a, a), (hits_b, b) = as_trials(correct_a, score_a), as_trials(correct_b, score_b)
    used = np.concatenate([a, b]) if ratings is None else np.asarray(ratings, dtype=np.float64)
    return [hits_a, hits_b], [a, b], np.unique(used)
