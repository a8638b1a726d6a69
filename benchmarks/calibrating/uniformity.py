"""Are ranks uniform? The simultaneous band of their distribution function (Säilynoja, Bürkner & Vehtari 2022)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, chisquare

DRAWS = 99  # of a fit, so that ranks are 0 ... 99
BINS = 20
REPLICATES = 20_000  # of the null distribution


def rank(truth: NDArray[np.float64], draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many of the draws lie below the truth; draws lead."""
    return np.asarray((draws < truth).sum(axis=0))


def band_p(ranks: NDArray[np.int64]) -> float:
    """P-value of uniformity of ranks in 0 ... `DRAWS`, from the most surprising point of their distribution function.

    At every point the number of ranks up to it is binomial. The smallest two-sided probability of all points is
    compared with those of uniform ranks: a p-value below .05 says that the distribution function leaves its
    simultaneous 95 % band.
    """
    null = _null(len(ranks))
    least = _least(np.bincount(ranks, minlength=DRAWS + 1)[None], _tails(len(ranks)))[0]
    return float((1 + (null <= least * (1 + 1e-12)).sum()) / (1 + REPLICATES))


@lru_cache(maxsize=32)
def _tails(size: int) -> NDArray[np.float64]:
    """Two-sided probability of each number of ranks up to each point, `(DRAWS, size + 1)`."""
    p = np.arange(1, DRAWS + 1)[:, None] / (DRAWS + 1)
    n = np.arange(size + 1)
    return np.minimum(1.0, 2 * np.minimum(binom.cdf(n, size, p), binom.sf(n - 1, size, p)))


@lru_cache(maxsize=32)
def _null(size: int) -> NDArray[np.float64]:
    rng = np.random.default_rng([20261126, size])
    counts = rng.multinomial(size, np.full(DRAWS + 1, 1 / (DRAWS + 1)), REPLICATES)
    return _least(counts, _tails(size))


def _least(counts: NDArray[np.int64], tails: NDArray[np.float64]) -> NDArray[np.float64]:
    up_to = np.cumsum(counts, axis=1)[:, :-1]
    return np.asarray(tails[np.arange(DRAWS), up_to].min(axis=1))


def chi_square(ranks: NDArray[np.int64]) -> tuple[float, float]:
    """Chi-square of ranks in `BINS` bins, and its p-value."""
    found = chisquare(np.bincount(ranks * BINS // (DRAWS + 1), minlength=BINS))
    return float(found.statistic), float(found.pvalue)
