"""Every measure of many tables of two choices at once, and the same tables thinned, recut or made worse.

Counts of B tables have the shape ``(B, 2, 2, K)``: stimulus, response, and confidence, lowest first. Tables of fewer
ratings are filled up with ratings that nobody gave, which no measure sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.measures.fits import M_RATIO_LIMIT, fitted
from metacog.sdt.checks import FloatArray
from metacog.sdt.compare import MEASURES
from metacog.sdt.ideal import ideal_counts
from metacog.sdt.information import binary_entropy
from metacog.sdt.information_bits import normal_meta_information
from metacog.sdt.type2 import auroc2_from_counts

IntArray = NDArray[np.int64]
#: What :func:`measures_of` gives, besides trials, accuracy and d'.
COMPARED = (
    "auroc2", "auroc2_over_ideal", "m_ratio", "log_m_ratio", "meta_d", "m_diff", "meta_i2r", "meta_i1r", "gamma", "phi"
)  # fmt: skip


def stacked(nR_S1: Sequence[ArrayLike], nR_S2: Sequence[ArrayLike]) -> tuple[FloatArray, IntArray]:
    """Tables in the order of Maniscalco and Lau, each with its own K, as counts ``(B, 2, 2, K)``; and their K."""
    k = np.array([np.size(one) // 2 for one in nR_S1], dtype=np.int64)
    made = np.zeros((k.size, 2, 2, int(k.max(initial=2))))
    for size in np.unique(k):
        at = np.flatnonzero(k == size)
        for stimulus, side in enumerate((nR_S1, nR_S2)):
            cells = np.stack([np.asarray(side[i], dtype=np.float64) for i in at.tolist()])
            made[at, stimulus, 0, :size] = cells[:, size - 1 :: -1]
            made[at, stimulus, 1, :size] = cells[:, size:]
    return made, k


def measures_of(counts: ArrayLike, k: ArrayLike) -> pd.DataFrame:
    """Trials, accuracy, d' and :data:`COMPARED` of tables, a row each; NaN where one is undefined.

    Parameters
    ----------
    counts : array, shape ``(B, 2, 2, K)``
    k : array, shape ``(B,)``
        How many ratings each table's scale has.

    Notes
    -----
    gamma (Goodman and Kruskal 1954) is that of pairs of a right and a wrong answer that differ in rating; phi is the
    correlation of being right with the rating. Meta-I is less its chi-square bias; meta-I1r is its share of an ideal
    observer's of the same d'. AUROC2 over ideal is what AUROC2 has above one half, as a share of what that of an ideal
    observer has (:mod:`metacog.sdt.ideal`) with the same d', criterion and use of ratings; like M-ratio it is dropped
    from 10 on. For d' and meta-d', 1/(2K) is added to every cell; the logarithm of M-ratio is undefined
    where M-ratio is not above 0.
    """
    x, size = np.asarray(counts, dtype=np.float64), np.asarray(k, dtype=np.int64)
    wrong, right = x[:, 0, 1] + x[:, 1, 0], x[:, 0, 0] + x[:, 1, 1]
    trials, fits = wrong.sum(axis=1) + right.sum(axis=1), {}
    for name in ("d_prime", "criterion", "meta_d", "m_ratio"):
        fits[name] = np.full(size.size, np.nan)
    for one in np.unique(size):  # a program is compiled for each K
        at = np.flatnonzero(size == one)
        found = fitted(_row(x[at, 0, :, :one]), _row(x[at, 1, :, :one]), pad=0.5 / one)
        for name, values in fits.items():
            values[at] = found[name]
    d = fits["d_prime"]
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = right.sum(axis=1) / trials
        bits = MEASURES["meta_i_chi_square"].compute(wrong, right, trials)
        bits = np.where((accuracy > 0) & (accuracy < 1), bits, np.nan)
        ideal = np.interp(np.abs(d), *_ideal()) * d**2
        area = auroc2_from_counts(wrong, right)
        cells = ideal_counts(np.nan_to_num(d), np.nan_to_num(fits["criterion"]), x)
        most = auroc2_from_counts(cells[:, 0, 1] + cells[:, 1, 0], cells[:, 0, 0] + cells[:, 1, 1])
        share = (area - 0.5) / (most - 0.5)
        made = {
            "trials": trials,
            "accuracy": accuracy,
            "d_prime": d,
            "auroc2": area,
            "auroc2_over_ideal": np.where(np.abs(share) < M_RATIO_LIMIT, share, np.nan),
            "gamma": _gamma(wrong, right),
            "phi": _phi(wrong, right),
            "meta_i2r": bits / binary_entropy(accuracy),
            "meta_i1r": np.where(ideal > 0, bits / ideal, np.nan),
            "meta_d": fits["meta_d"],
            "m_diff": fits["meta_d"] - d,
            "m_ratio": fits["m_ratio"],
            "log_m_ratio": np.where(fits["m_ratio"] > 0, np.log(fits["m_ratio"]), np.nan),
        }
    return pd.DataFrame(made)


@cache
def _ideal() -> tuple[FloatArray, FloatArray]:
    """Values of d', and an ideal observer's meta-I by the square of d', which hardly bends between them."""
    d = np.linspace(0.01, 12, 400)
    return d, normal_meta_information(d) / d**2


def _row(sides: FloatArray) -> FloatArray:
    """Counts of one stimulus ``(B, 2, K)``, surest "S1" first."""
    return np.concatenate([sides[:, 0, ::-1], sides[:, 1]], axis=1)


def _gamma(wrong: FloatArray, right: FloatArray) -> FloatArray:
    below = np.cumsum(wrong, axis=1) - wrong
    above = wrong.sum(axis=1, keepdims=True) - below - wrong
    surer, less_sure = (right * below).sum(axis=1), (right * above).sum(axis=1)
    return np.asarray((surer - less_sure) / (surer + less_sure))


def _phi(wrong: FloatArray, right: FloatArray) -> FloatArray:
    level, both = np.arange(wrong.shape[1], dtype=np.float64), wrong + right
    n, n_right = both.sum(axis=1), right.sum(axis=1)
    mean = both @ level / n
    spread = (both @ level**2 / n - mean**2) * (n_right / n) * (1 - n_right / n)
    return np.asarray((right @ level / n - mean * n_right / n) / np.sqrt(spread))


def part_of(counts: ArrayLike, n: ArrayLike, rng: np.random.Generator) -> IntArray:
    """``n`` trials of each table, drawn without replacement (multivariate hypergeometric)."""
    whole = np.asarray(counts, dtype=np.int64)
    cells = whole.reshape(len(whole), int(np.prod(whole.shape[1:])))
    left, rest = np.broadcast_to(n, len(whole)).astype(np.int64), cells.sum(axis=1)
    drawn = np.zeros_like(cells)
    for cell in range(cells.shape[1]):
        rest = rest - cells[:, cell]
        drawn[:, cell] = rng.hypergeometric(cells[:, cell], rest, left)
        left = left - drawn[:, cell]
    return drawn.reshape(whole.shape)


def two_parts(counts: ArrayLike, n: ArrayLike, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Two parts of ``n`` trials each that share none."""
    first = part_of(counts, n, rng)
    return first, part_of(np.asarray(counts, dtype=np.int64) - first, n, rng)


def recut(counts: ArrayLike, k: ArrayLike, merged: str) -> tuple[FloatArray, IntArray]:
    """The same trials with one rating fewer: the two ``lowest`` or the two ``highest`` are one; and the new K."""
    x, size = np.asarray(counts, dtype=np.float64), np.asarray(k, dtype=np.int64)
    level = np.arange(x.shape[-1])
    if merged == "lowest":
        new = np.broadcast_to(np.maximum(level - 1, 0), (size.size, level.size))
    else:
        new = np.minimum(level, size[:, None] - 2)
    return np.asarray(np.einsum("bsrk,bkl->bsrl", x, np.eye(level.size)[new])), size - 1


def randomised(counts: ArrayLike, share: float, rng: np.random.Generator) -> IntArray:
    """A ``share`` of the trials gets another rating: one at random, as often as that response got each of them."""
    x = np.asarray(counts, dtype=np.int64)
    chosen = rng.binomial(x, share)
    usual = x.sum(axis=1, keepdims=True).astype(np.float64)
    total = usual.sum(axis=-1, keepdims=True)
    chance = np.divide(usual, total, out=np.full(usual.shape, 1 / x.shape[-1]), where=total > 0)
    return x - chosen + rng.multinomial(chosen.sum(axis=-1), np.broadcast_to(chance, x.shape))
