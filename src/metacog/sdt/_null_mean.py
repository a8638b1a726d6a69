"""Mean of the plug-in information under independence, to rounding at any number of trials."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .tables import FloatArray

#: Standard deviations on either side of the mode that are summed; what lies beyond is below exp(-700).
_BULK = 40
#: Trials added on either side, for cells so small that their spread is a fraction of a trial.
_LEAST = 60
#: Most trials of a table; beyond it whole-number products leave 64 bits.
MOST_TRIALS = 2_000_000_000


def null_mean_nats(rating: NDArray[np.int64], n_correct: int) -> float:
    """Mean plug-in I(accuracy; rating) in nats over all re-pairings that keep both margins.

    Parameters
    ----------
    rating : int array, shape ``(L,)``
        Trials by rating.
    n_correct : int

    Notes
    -----
    N I = sum over ratings of D(k, r p) + D(r - k, r (1 - p)), with k the correct trials of r, p = n1/N
    and D the Poisson deviance of :func:`deviance`. Every term is at least 0, so nothing cancels; k is
    hypergeometric. (Sums of k log k less N log N, as in Vinh, Epps & Bailey 2010, lose a digit for each
    tenfold of N.)
    """
    n = int(rating.sum())
    values, times = np.unique(rating[rating > 0], return_counts=True)
    parts = [int(t) * _of_rating(int(r), n_correct, n) for r, t in zip(values, times, strict=True)]
    return float(sum(parts)) / n


def _of_rating(r: int, n1: int, n: int) -> float:
    """Mean deviance of one rating with ``r`` of ``n`` trials."""
    n0 = n - n1
    k, p = hypergeometric_bulk(r, n1, n)
    gap = (k * n - r * n1).astype(np.float64) / n  # exact before the division
    return float(p @ (deviance(gap, r * n1 / n) + deviance(-gap, r * n0 / n)))


def hypergeometric_bulk(r: int, n1: int, n: int) -> tuple[NDArray[np.int64], FloatArray]:
    """Values and probabilities of a hypergeometric count around its mode, probabilities summing to 1.

    Log-probabilities are summed outwards from the mode by ratios of neighbours, so that they are exact
    where they matter.
    """
    n0 = n - n1
    low, high = max(0, r - n0), min(r, n1)
    mode = int(np.clip((r + 1) * (n1 + 1) // (n + 2), low, high))
    sd = np.sqrt(r * (n1 / n) * (n0 / n) * ((n - r) / max(n - 1, 1)))
    reach = int(np.ceil(_BULK * sd)) + _LEAST
    k = np.arange(max(low, mode - reach), min(high, mode + reach) + 1, dtype=np.int64)
    a = k[:-1].astype(np.float64)
    ratio = np.log((n1 - a) * (r - a)) - np.log((a + 1) * (n0 - r + a + 1))  # log p(k + 1) - log p(k)
    at = mode - int(k[0])
    log_p = np.zeros(k.size)
    log_p[at + 1 :] = np.cumsum(ratio[at:])
    log_p[:at] = -np.cumsum(ratio[:at][::-1])[::-1]
    p = np.exp(log_p)
    return k, p / p.sum()


def deviance(gap: FloatArray, mean: float) -> FloatArray:
    """x log(x/m) - x + m for x = m + gap, never negative and exact for small gaps (Loader 2000)."""
    t = gap / mean
    small = np.abs(t) < 0.01
    series = np.where(small, t, 0.0)
    # (1 + t) log(1 + t) - t = sum over j >= 2 of (-t)^j / (j (j - 1)); ten terms reach 1e-24 here
    power, total = series * series, np.zeros_like(series)
    for j in range(2, 12):
        total += power / (j * (j - 1))
        power = -power * series
    rest = np.where(small, 0.0, t)
    near = np.maximum(1.0 + rest, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        plain = np.where(near > 0, near * np.log1p(np.maximum(rest, -1.0)), 0.0) - rest
    return mean * np.where(small, total, plain)
