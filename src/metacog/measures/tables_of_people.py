"""Trials of many people as tables of counts, and the measures of thousands of such tables in one batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from metacog.measures.fits import fitted
from metacog.sdt.checks import FloatArray, type2_table
from metacog.sdt.information import binary_entropy, meta_i2r
from metacog.sdt.information_bits import normal_meta_information
from metacog.sdt.meta_d_errors import m_ratio_errors
from metacog.sdt.type2 import auroc2_from_counts

IntArray = NDArray[np.int64]
#: Counts of several tables, each with its own number of ratings.
Tables = Sequence[Any] | pd.Series
#: What :func:`table_measures` gives of tables of two choices, and of marked answers (:data:`OF_MARKS`).
OF_MARKS = ("trials", "accuracy", "auroc2", "meta_i", "meta_i2r")
OF_CHOICES = (*OF_MARKS, "meta_i1r", "d_prime", "criterion", "meta_d", "m_ratio")

#: Tables whose ideal observers are computed together, which take 200 kB each.
SIZE = 500


def choice_tables(
    who: ArrayLike, stimulus: ArrayLike, response: ArrayLike, rating: ArrayLike, *, k: int, n_who: int
) -> tuple[IntArray, IntArray]:
    """Counts ``nR_S1, nR_S2`` of each of ``n_who`` people (0, 1 ...), shape ``(n_who, 2k)``, in the order of
    Maniscalco & Lau (2012), of two-choice trials with ratings 1 ... ``k``.
    """
    said, level = np.asarray(response), np.asarray(rating)
    cell = np.where(said == 1, k + level - 1, k - level)
    place = (2 * np.asarray(who) + np.asarray(stimulus)) * 2 * k + cell
    counts = np.bincount(place.astype(np.int64), minlength=4 * n_who * k).reshape(n_who, 2, 2 * k)
    return counts[:, 0], counts[:, 1]


def marked_tables(
    who: ArrayLike, correct: ArrayLike, rating: ArrayLike, *, k: int, n_who: int
) -> tuple[IntArray, IntArray]:
    """Wrong and right answers of each person by rating, lowest first, shape ``(n_who, k)`` each."""
    place = (2 * np.asarray(who) + np.asarray(correct, dtype=np.int64)) * k + np.asarray(rating) - 1
    counts = np.bincount(place.astype(np.int64), minlength=2 * n_who * k).reshape(n_who, 2, k)
    return counts[:, 0], counts[:, 1]


def table_measures(
    nR_S1: Tables,
    nR_S2: Tables,
    marked: ArrayLike | None = None,
    *,
    bits: bool = True,
) -> pd.DataFrame:
    """Measures of many tables, a row each: :data:`OF_CHOICES`.

    Parameters
    ----------
    nR_S1, nR_S2 : B arrays of whole numbers, shape ``(2K,)``, each with its own K
        Of two-choice trials. Where ``marked``, wrong and right answers by rating, ``(K,)``.
    marked : array of bool, shape ``(B,)``, optional
    bits : bool
        Without them meta-information is NaN, which saves half of the time.

    Returns
    -------
    DataFrame
        NaN where a measure is undefined, and of meta-d' where its fit is none (:func:`metacog.measures.fits.fitted`).

    Notes
    -----
    For d', meta-d' and M-ratio 1/(2K) is added to each cell of every table, as in Maniscalco and Lau's program:
    one trial a stimulus, spread evenly. AUROC2 and meta-information are of the counts as they are; meta-I and meta-I2r
    less what ratings come to that know nothing (:func:`metacog.sdt.meta_i2r`), meta-I1r as a share of an ideal
    observer's of the same d'.
    """
    one_sided = np.zeros(len(nR_S1), dtype=bool) if marked is None else np.asarray(marked, dtype=bool)
    made = pd.DataFrame(np.nan, index=range(len(nR_S1)), columns=list(OF_CHOICES))
    for of_marks in (False, True):
        among = np.flatnonzero(one_sided == of_marks)
        for at, a, b in by_width(nR_S1, nR_S2, among):
            for name, values in (_of_marks(a, b, bits) if of_marks else _of_choices(a, b, bits)).items():
                made.loc[at, name] = values
    return made.astype({"trials": np.int64})


def by_width(
    nR_S1: Tables, nR_S2: Tables, among: NDArray[np.intp] | None = None
) -> Iterator[tuple[NDArray[np.intp], FloatArray, FloatArray]]:
    """Tables of equally many ratings, one batch after the other: where they stand, and their counts ``(b, 2K)``."""
    sides = list(nR_S1), list(nR_S2)
    wanted = np.arange(len(sides[0])) if among is None else among
    width = np.array([np.size(sides[0][int(i)]) for i in wanted], dtype=np.int64)
    for size in np.unique(width):
        at = wanted[width == size]
        a, b = (np.stack([np.asarray(x[int(i)], dtype=np.float64) for i in at]) for x in sides)
        yield at, a, b


def table_errors(nR_S1: Tables, nR_S2: Tables, given: ArrayLike) -> FloatArray:
    """Standard error of each M-ratio if it were ``given``, by :func:`metacog.sdt.meta_d_errors.m_ratio_errors`."""
    ratio, made = np.asarray(given, dtype=np.float64), np.full(len(nR_S1), np.nan)
    for at, a, b in by_width(nR_S1, nR_S2):
        pad = 1 / a.shape[1]
        made[at] = m_ratio_errors(a + pad, b + pad, ratio[at])[1]
    return made


def thinned(nR_S1: Tables, nR_S2: Tables, n: int, seed: int) -> tuple[list[IntArray], list[IntArray]]:
    """Tables of ``n`` of each one's trials, drawn without replacement; whole where it has no more."""
    rng, made = np.random.default_rng(seed), []
    for one, other in zip(nR_S1, nR_S2, strict=True):
        cells = np.concatenate([one, other]).astype(np.int64)
        drawn = rng.multivariate_hypergeometric(cells, min(n, int(cells.sum())))
        made.append(np.split(drawn, 2))
    return [a for a, _ in made], [b for _, b in made]


def without_chance(values: ArrayLike, errors: ArrayLike, group: ArrayLike, over: ArrayLike) -> FloatArray:
    """Values drawn to their group's mean until they vary as much as true values do, given their standard errors.

    Parameters
    ----------
    values, errors : array_like, shape ``(n,)``
    group : array_like, shape ``(n,)``
        Such as a set, each with a mean of its own.
    over : array_like, shape ``(n,)``
        Such as a domain: true values have one variance about the means of all groups in it.

    Notes
    -----
    The variance is Paule and Mandel's (1982): with it the weighted squares about the means come to their number less
    that of the groups. A value is drawn by the root of the share of its variance that is true, so that the spread of
    the result is that of true values (Louis 1984), and not less as of the best guess of each.
    """
    x, variance = np.asarray(values, dtype=np.float64), np.asarray(errors, dtype=np.float64) ** 2
    made = np.empty_like(x)
    for part in np.unique(np.asarray(over)):
        at = np.flatnonzero(np.asarray(over) == part)
        _, of = np.unique(np.asarray(group)[at], return_inverse=True)
        own, error, free = x[at], variance[at], at.size - of.max() - 1

        def excess(true: float, *known: Any, free: int = free) -> float:
            weight, gap = _about_means(true, *known)
            return float(weight @ gap**2) - free

        most = float(own.var()) + 1.0
        known = (own, error, of)
        true = (
            brentq(excess, 0.0, most, args=known) if excess(0.0, *known) > 0 > excess(most, *known) else 0.0
        )
        weight, gap = _about_means(true, *known)
        made[at] = own - gap + np.sqrt(true * weight) * gap
    return made


def _about_means(
    true: float, own: FloatArray, error: FloatArray, of: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Weights of values if true ones vary so much, and how far each lies from its group's mean."""
    weight = 1 / (true + error)
    return weight, own - (np.bincount(of, weight * own) / np.bincount(of, weight))[of]


def _of_choices(a: FloatArray, b: FloatArray, bits: bool) -> dict[str, FloatArray]:
    made = _of_marks(*type2_table(a, b), bits)
    fits = fitted(a, b, pad=1 / a.shape[1])
    kept = {name: fits[name] for name in ("d_prime", "criterion", "meta_d", "m_ratio")}
    if not bits:
        return made | kept
    d = fits["d_prime"]
    known = np.isfinite(d) & (d != 0)
    ideal = np.full(d.size, np.nan)
    parts = np.split(d[known], range(SIZE, int(known.sum()), SIZE))
    ideal[known] = np.concatenate([normal_meta_information(part) for part in parts])
    return made | {"meta_i1r": made["meta_i"] / ideal} | kept


def _of_marks(wrong: FloatArray, right: FloatArray, bits: bool) -> dict[str, FloatArray]:
    n, n_right = (wrong + right).sum(axis=1), right.sum(axis=1)
    both = (n_right > 0) & (n_right < n)
    accuracy = np.divide(n_right, n, out=np.full(n.size, np.nan), where=n > 0)
    area = auroc2_from_counts(wrong, right)
    made = {"trials": n, "accuracy": accuracy, "auroc2": area}
    if not bits:
        return made
    share = np.full(n.size, np.nan)
    share[both] = meta_i2r(wrong[both], right[both])
    known = share * binary_entropy(np.where(both, accuracy, 0.5))
    return made | {"meta_i": known, "meta_i2r": share}
