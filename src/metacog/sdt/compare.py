"""Is one model better than another? Paired and unpaired differences of any measure.

Two models that answered the same questions are compared *paired*: questions are resampled with all
their trials, so that what is hard for both does not look like noise. The interval is the answer to "how
different"; read it first. Whether there is a difference is judged by the bootstrap p, whose null is that
the measure is equal. The permutation p-value swaps (or re-deals) whole questions; its null is that the
two are exchangeable, which is more: scores on other scales break it, and so does accuracy alone. It is
reported with its null (``permutation_null``), and no verdict rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._checks import InputError
from ._tables import FloatArray, as_correct, as_integer_tables, as_scores, table_from_trials
from .decisions import bootstrap_p
from .families import Family, family
from .intervals import Interval, percentile_interval, spawn_seeds
from .measures import MAX_RATING_LEVELS, Measure, get_measure
from .permutation import PermutationTest, relabel_clusters, relabel_counts, swap_within_clusters
from .resampling import ClusterCells, TableStatistic, chunks, cluster_cells, weight_chunks


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
        Its null is ``permutation_null``, not that the measure is equal.
    p_bootstrap : float
        Twice the smaller share of draws on one side of zero; its null is that the measure is equal.
    paired : bool
    n_a, n_b : int
        Trials in use.
    n_units : int
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
    n_units: int
    n_unshared: int
    n_permutations: int

    @property
    def draws(self) -> FloatArray:
        """Bootstrap draws of the difference, those in use."""
        return self.interval.draws

    @property
    def permutation_null(self) -> str:
        """What ``p_permutation`` is the p-value of."""
        how = "swapped within questions" if self.paired else "dealt anew to the two groups"
        return f"trials of both groups can be exchanged, answers and scores alike ({how})"


Weighted = Callable[[FloatArray], Mapping[str, FloatArray]]
"""From how often each question is drawn, ``(B, Q)``, to measures by name, ``(B,)`` each."""


@dataclass(frozen=True)
class Together:
    """One measure of two sides whose questions were resampled together.

    Attributes
    ----------
    value_a, value_b : float
    draws : array, shape ``(n_resamples,)``
        Of A less B.
    """

    value_a: float
    value_b: float
    draws: FloatArray

    @property
    def difference(self) -> float:
        """A less B."""
        return self.value_a - self.value_b


def resample_together(
    first: Weighted,
    second: Weighted,
    n_questions: int,
    *,
    n_resamples: int = 2000,
    seed: int | None = 42,
    width: int = 0,
) -> dict[str, Together]:
    """Every measure of two sides that answered the same questions, and draws of its difference.

    Both sides see the same resampled questions, so what is hard for both cancels. Any measure will do
    that is a function of question weights, such as one of a rating table (:func:`compare_paired`).

    Parameters
    ----------
    first, second : callable
        See :data:`Weighted`; only measures that both name are compared.
    width : int
        Numbers a resample needs beside its weights; sets how many are made at a time.
    """
    ones = np.ones((1, n_questions))
    a, b = first(ones), second(ones)
    names = [name for name in a if name in b]
    parts: dict[str, list[FloatArray]] = {name: [] for name in names}
    for weights in weight_chunks(n_questions, n_resamples, seed, n_questions + width):
        drawn = first(weights), second(weights)
        for name in names:
            parts[name].append(drawn[0][name] - drawn[1][name])
    return {
        name: Together(float(a[name][0]), float(b[name][0]), np.concatenate(parts[name])) for name in names
    }


def _of_clusters(cells: ClusterCells, measure: Measure, statistic: TableStatistic) -> Weighted:
    """A measure of a rating table, as a function of question weights."""
    return lambda weights: {measure.name: statistic((cells.matrix.T @ weights.T).T)}


def _result(
    measure: Measure,
    values: FloatArray,
    interval: Interval,
    test: PermutationTest,
    paired: bool,
    sizes: tuple[int, int, int, int],
) -> Difference:
    return Difference(
        measure.name, float(values[0]), float(values[1]), float(values[0] - values[1]), interval,
        test.p_value, bootstrap_p(interval.draws), paired, *sizes, test.null.size,
    )  # fmt: skip


def compare_paired(
    correct_a: ArrayLike,
    score_a: ArrayLike,
    correct_b: ArrayLike,
    score_b: ArrayLike,
    *,
    questions_a: ArrayLike | None = None,
    questions_b: ArrayLike | None = None,
    measure: str | Measure = "auroc2",
    levels: ArrayLike | None = None,
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
    questions_a, questions_b : arrays of labels, optional
        The question of each trial; several trials a question are kept together, and questions
        that only one group answered are left out and counted. Without them row i of A and row i
        of B are one question.
    measure : str or Measure
        A name in ``measures.MEASURES``.
    levels : array, optional
        All levels of the rating scale (``range(1, 9)``), for measures that need unused ones too.

    Raises
    ------
    InputError
        No shared question, or a measure undefined on either group.
    """
    chosen = get_measure(measure)
    hits, scores, scale = _read(correct_a, score_a, correct_b, score_b, levels)
    if (questions_a is None) != (questions_b is None):
        raise InputError("pass questions of both groups or of neither")
    if questions_a is None:
        if hits[0].size != hits[1].size:
            raise InputError("groups of different length are paired by question: pass questions_a and _b")
        labels = [np.arange(hits[0].size)] * 2
    else:
        labels = [np.asarray(questions_a), np.asarray(questions_b)]
        for one, h in zip(labels, hits, strict=True):
            if one.shape != h.shape:
                raise InputError("questions must hold one label for each trial")
    shared = np.intersect1d(labels[0], labels[1])
    if shared.size < 2:
        raise InputError("the groups share fewer than two questions; use compare_unpaired")
    cells: list[ClusterCells] = []
    for h, s, q in zip(hits, scores, labels, strict=True):
        keep = np.isin(q, shared)
        cells.append(cluster_cells(h[keep], s[keep], q[keep], levels=scale, ids=shared))
    statistic = chosen.on_tables(scale)
    values = _defined(chosen, statistic(np.stack([c.total() for c in cells])))
    sides = [_of_clusters(c, chosen, statistic) for c in cells]
    both = resample_together(
        sides[0], sides[1], shared.size, n_resamples=n_resamples, seed=seed, width=4 * scale.size
    )[chosen.name]
    interval = percentile_interval(both.draws, both.difference, level=level)
    test = swap_within_clusters(
        cells[0].matrix, cells[1].matrix, statistic, n_permutations=n_permutations, seed=seed
    )
    used = [int(c.total().sum()) for c in cells]
    unshared = hits[0].size + hits[1].size - sum(used)
    return _result(chosen, values, interval, test, True, (used[0], used[1], shared.size, unshared))


def _defined(measure: Measure, values: FloatArray) -> FloatArray:
    if not np.isfinite(values).all():
        raise InputError(f"{measure.name} is undefined for a group; both need correct and incorrect trials")
    return values


def _read(
    correct_a: ArrayLike,
    score_a: ArrayLike,
    correct_b: ArrayLike,
    score_b: ArrayLike,
    levels: ArrayLike | None,
) -> tuple[list[NDArray[np.bool_]], list[FloatArray], FloatArray]:
    """Correctness and scores of both groups, and the levels of their common scale."""
    hits = [as_correct(correct_a), as_correct(correct_b)]
    scores = [as_scores(score_a, hits[0].size), as_scores(score_b, hits[1].size)]
    used = np.concatenate(scores) if levels is None else np.asarray(levels, dtype=np.float64)
    return hits, scores, np.unique(used)


def _apart(draws: Sequence[FloatArray], values: FloatArray, level: float) -> Interval:
    """Interval of the difference of two groups that were resampled each alone."""
    return percentile_interval(draws[0] - draws[1], float(values[0] - values[1]), level=level)


def compare_counts(
    table_a: tuple[ArrayLike, ArrayLike],
    table_b: tuple[ArrayLike, ArrayLike],
    *,
    measure: str | Measure = "auroc2",
    levels: ArrayLike | None = None,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int | None = 42,
    level: float = 0.95,
) -> Difference:
    """Difference between two independent groups known by their count tables only.

    Parameters
    ----------
    table_a, table_b : (nR_S1, nR_S2), whole-number arrays of shape ``(L,)``
    levels : array of shape ``(L,)``, optional
        The value of each level; 1 ... L when left out.
    """
    chosen = get_measure(measure)
    rows = [np.concatenate(as_integer_tables(*t)) for t in (table_a, table_b)]
    if rows[0].ndim != 1 or rows[0].shape != rows[1].shape:
        raise InputError("both groups need tables of one shape (L,)")
    width = rows[0].size // 2
    scale = np.arange(1.0, width + 1) if levels is None else np.asarray(levels, dtype=np.float64)
    if scale.size != width or (np.diff(scale) <= 0).any():
        raise InputError(f"levels must hold {width} rising values")
    statistic = chosen.on_tables(scale)
    values = _defined(chosen, statistic(np.stack(rows).astype(np.float64)))
    draws = []
    for row, child in zip(rows, spawn_seeds(seed, 2), strict=True):
        rng = np.random.default_rng(child)
        parts = [
            statistic(rng.multinomial(int(row.sum()), row / row.sum(), size=size).astype(np.float64))
            for size in chunks(n_resamples, 3 * row.size)
        ]
        draws.append(np.concatenate(parts))
    interval = _apart(draws, values, level)
    test = relabel_counts(rows[0], rows[1], statistic, n_permutations=n_permutations, seed=seed)
    n_a, n_b = int(rows[0].sum()), int(rows[1].sum())
    return _result(chosen, values, interval, test, False, (n_a, n_b, n_a + n_b, 0))


def compare_unpaired(
    correct_a: ArrayLike,
    score_a: ArrayLike,
    correct_b: ArrayLike,
    score_b: ArrayLike,
    *,
    clusters_a: ArrayLike | None = None,
    clusters_b: ArrayLike | None = None,
    measure: str | Measure = "auroc2",
    levels: ArrayLike | None = None,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int | None = 42,
    level: float = 0.95,
) -> Difference:
    """Difference between groups of different questions (two domains, two data sets).

    ``clusters_a`` and ``clusters_b`` keep trials of one question together; without them every
    trial is its own unit. See :func:`compare_paired` for the rest.
    """
    chosen = get_measure(measure)
    hits, scores, scale = _read(correct_a, score_a, correct_b, score_b, levels)
    if (clusters_a is None) != (clusters_b is None):
        raise InputError("pass clusters of both groups or of neither")
    if clusters_a is None and scale.size > MAX_RATING_LEVELS:
        # Raw confidence: drawing trials is faster than drawing thousands of nearly empty cells.
        clusters_a, clusters_b = np.arange(hits[0].size), np.arange(hits[1].size)
    if clusters_a is None or clusters_b is None:
        tables = []
        for h, s in zip(hits, scores, strict=True):
            incorrect, correct, used = table_from_trials(h, s)
            where = np.searchsorted(scale, used)
            if (scale[np.minimum(where, scale.size - 1)] != used).any():
                raise InputError("a trial has a confidence that is not among levels")
            full = np.zeros((2, scale.size))
            full[:, where] = incorrect, correct
            tables.append((full[0], full[1]))
        return compare_counts(
            tables[0], tables[1], measure=chosen, levels=scale, n_resamples=n_resamples,
            n_permutations=n_permutations, seed=seed, level=level,
        )  # fmt: skip
    cells = [
        cluster_cells(h, s, np.asarray(q), levels=scale)
        for h, s, q in zip(hits, scores, (clusters_a, clusters_b), strict=True)
    ]
    statistic = chosen.on_tables(scale)
    values = _defined(chosen, statistic(np.stack([c.total() for c in cells])))
    draws = []
    for c, child in zip(cells, spawn_seeds(seed, 2), strict=True):
        side, n = _of_clusters(c, chosen, statistic), c.matrix.shape[0]
        weights = weight_chunks(n, n_resamples, child, n + 2 * scale.size)
        draws.append(np.concatenate([side(w)[chosen.name] for w in weights]))
    interval = _apart(draws, values, level)
    test = relabel_clusters(
        cells[0].matrix, cells[1].matrix, statistic, n_permutations=n_permutations, seed=seed
    )
    units = cells[0].matrix.shape[0] + cells[1].matrix.shape[0]
    return _result(chosen, values, interval, test, False, (hits[0].size, hits[1].size, units, 0))


def compare_pairs(
    groups: Mapping[str, Mapping[str, ArrayLike]],
    *,
    measure: str | Measure = "auroc2",
    paired: bool = True,
    levels: ArrayLike | None = None,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int | None = 42,
    level: float = 0.95,
) -> Family[Difference]:
    """All pairs of groups on one scale of ratings; bootstrap p adjusted by Holm and Bonferroni.

    Models of a trial table, each with a scale of its own, are compared by
    :func:`metacog.measures.table.compare_models`; both judge by :func:`metacog.sdt.families.family`.

    Parameters
    ----------
    groups : mapping from name to ``{"correct": ..., "score": ..., "question": ...}``
        ``question`` is needed when ``paired``, and gives the clusters when not.
    """
    if len(groups) < 2:
        raise InputError("at least two groups are needed to compare")
    pairs = tuple(combinations(groups, 2))
    differences = []
    for (a, b), child in zip(pairs, spawn_seeds(seed, len(pairs)), strict=True):
        one, two = groups[a], groups[b]
        trials = (one["correct"], one["score"], two["correct"], two["score"])
        labels = one.get("question"), two.get("question")
        run = partial(
            compare_paired if paired else compare_unpaired, measure=measure, levels=levels,
            n_resamples=n_resamples, n_permutations=n_permutations,
            seed=int(child.generate_state(1)[0]), level=level,
        )  # fmt: skip
        if paired:
            differences.append(run(*trials, questions_a=labels[0], questions_b=labels[1]))
        else:
            differences.append(run(*trials, clusters_a=labels[0], clusters_b=labels[1]))
    return family(pairs, differences, level)
