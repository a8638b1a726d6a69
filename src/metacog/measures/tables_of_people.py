"""Trials of many people as tables of counts, and the measures of thousands of such tables in one batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.measures.fits import fitted
from metacog.sdt.checks import FloatArray, type2_table
from metacog.sdt.information import binary_entropy, meta_i2r
from metacog.sdt.information_bits import normal_meta_information
from metacog.sdt.type2 import auroc2_from_counts

IntArray = NDArray[np.int64]
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
    nR_S1: Sequence[ArrayLike], nR_S2: Sequence[ArrayLike], marked: ArrayLike | None = None
) -> pd.DataFrame:
    """Measures of many tables, a row each: :data:`OF_CHOICES`.

    Parameters
    ----------
    nR_S1, nR_S2 : B arrays of whole numbers, shape ``(2K,)``, each with its own K
        Of two-choice trials. Where ``marked``, wrong and right answers by rating, ``(K,)``.
    marked : array of bool, shape ``(B,)``, optional

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
    width = np.array([np.size(table) for table in nR_S1], dtype=np.int64)
    made = pd.DataFrame(np.nan, index=range(len(width)), columns=list(OF_CHOICES))
    for size, of_marks in sorted(set(zip(width.tolist(), one_sided.tolist(), strict=True))):
        at = np.flatnonzero((width == size) & (one_sided == of_marks))
        a, b = (np.stack([np.asarray(x[int(i)], dtype=np.float64) for i in at]) for x in (nR_S1, nR_S2))
        for name, values in (_of_marks(a, b) if of_marks else _of_choices(a, b)).items():
            made.loc[at, name] = values
    return made.astype({"trials": np.int64})


def _of_choices(a: FloatArray, b: FloatArray) -> dict[str, FloatArray]:
    made = _of_marks(*type2_table(a, b))
    fits = fitted(a, b, pad=1 / a.shape[1])
    d = fits["d_prime"]
    known = np.isfinite(d) & (d != 0)
    ideal = np.full(d.size, np.nan)
    parts = np.split(d[known], range(SIZE, int(known.sum()), SIZE))
    ideal[known] = np.concatenate([normal_meta_information(part) for part in parts])
    kept = {name: fits[name] for name in ("d_prime", "criterion", "meta_d", "m_ratio")}
    return made | {"meta_i1r": made["meta_i"] / ideal} | kept


def _of_marks(wrong: FloatArray, right: FloatArray) -> dict[str, FloatArray]:
    n, n_right = (wrong + right).sum(axis=1), right.sum(axis=1)
    both = (n_right > 0) & (n_right < n)
    accuracy = np.divide(n_right, n, out=np.full(n.size, np.nan), where=n > 0)
    share = np.full(n.size, np.nan)
    share[both] = meta_i2r(wrong[both], right[both])
    bits = share * binary_entropy(np.where(both, accuracy, 0.5))
    area = auroc2_from_counts(wrong, right)
    return {"trials": n, "accuracy": accuracy, "auroc2": area, "meta_i": bits, "meta_i2r": share}
