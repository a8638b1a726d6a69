"""How far a recomputed figure may lie from the printed one: rules and formulas, no numbers by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from metacog.core.errors import MetacogError
from metacog.sdt.intervals import quantile_mc_error

#: Chance that any resampled figure of a study is called different by Monte-Carlo error alone.
ALPHA = 0.05


@cache
def half_last_digit(text: str) -> float:
    """Half a unit of the last printed digit: 0.0005 for ``0.946``, 0.5 for ``1248``, 0 for ``True``."""
    if text in ("True", "False"):
        return 0.0
    mantissa, _, exponent = text.strip().lower().partition("e")
    try:
        float(text)
        shift = int(exponent or 0)
    except ValueError:
        raise MetacogError(f"{text!r} is not a printed figure") from None
    decimals = len(mantissa.partition(".")[2])
    return 0.5 * 10.0 ** (shift - decimals)


def quantile_error(draws: ArrayLike, probability: float, n_published: int) -> float:
    """Standard error of the difference of two percentile ends, ours and the published one.

    A percentile of B independent draws has standard error sqrt(p (1 - p)/B)/f(q); the density f is
    taken from our draws, which share the published ones' distribution if the figure reproduces. The
    two errors add in squares: se sqrt(1 + B_ours/B_published).
    """
    values = np.asarray(draws, dtype=np.float64)
    return quantile_mc_error(values, probability) * float(np.sqrt(1 + values.size / n_published))


def mean_error(draws: ArrayLike, n_published: int) -> float:
    """Standard error of a published mean of draws about the exact mean: sd/sqrt(B_published)."""
    return float(np.std(np.asarray(draws, dtype=np.float64), ddof=1) / np.sqrt(n_published))


def proportion_error(share: float, n: int, share_published: float, n_published: int) -> float:
    """Standard error of the difference of two Monte-Carlo proportions.

    sqrt(p (1 - p)(1/n + 1/n')) at the pooled share with one success and one failure added, so that
    0 of n is not taken for certain.
    """
    pooled = (share * n + share_published * n_published + 1) / (n + n_published + 2)
    return float(np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / n_published)))


def z_bound(n_resampled: int) -> float:
    """Phi^-1(1 - ALPHA/(2 m)) for m resampled figures."""
    return float(ndtri(1 - ALPHA / (2 * max(n_resampled, 1))))


def rounding(
    statistic: Callable[[NDArray[np.float64]], float], figures: ArrayLike, precision: float
) -> tuple[float, float]:
    """How far rounding puts a statistic of printed figures off: its standard error, and the most it can do.

    Each figure is off by at most ``precision`` (half its last digit), all places equally likely and each by
    itself, so by sqrt(precision^2/3) in the mean square; the statistic by that times the length of its
    gradient. At most, to first order, every figure is off by the whole ``precision``, in the way that suits.
    """
    x = np.asarray(figures, dtype=np.float64)
    steps = precision * np.eye(x.size)
    slopes = np.array([(statistic(x + step) - statistic(x - step)) / (2 * precision) for step in steps])
    return float(np.linalg.norm(slopes) * precision / np.sqrt(3.0)), float(np.abs(slopes).sum() * precision)
