"""Decisions over many tests: adjusted p-values, and equivalence by two one-sided tests (TOST)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from ._checks import InputError
from ._tables import FloatArray


@dataclass(frozen=True)
class Equivalence:
    """Whether an estimate lies within margins of no practical difference.

    Attributes
    ----------
    estimate : float
    lower, upper, level : float
        The 1 - 2 alpha interval, which lies inside the margins exactly when ``equivalent``.
    margin_low, margin_high : float
    p_low, p_high, p_value : float
        Of "not above the low margin", "not below the high margin", and the larger of both.
    equivalent : bool
    different : bool
        The same interval lies wholly outside the margins.
    """

    estimate: float
    lower: float
    upper: float
    level: float
    margin_low: float
    margin_high: float
    p_low: float
    p_high: float
    p_value: float
    equivalent: bool
    different: bool


def _margins(low: float, high: float, alpha: float) -> None:
    if not low < high:
        raise InputError(f"margins must rise, got {low} and {high}")
    if not 0 < alpha < 0.5:
        raise InputError(f"alpha must be between 0 and 0.5, got {alpha}")


def tost(estimate: float, se: float, low: float, high: float, alpha: float = 0.05) -> Equivalence:
    """Two one-sided z-tests (Schuirmann 1987): equivalent when both reject at ``alpha``.

    Parameters
    ----------
    estimate, se : float
        A difference and its standard error.
    low, high : float
        Margins, fixed before looking.
    """
    _margins(low, high, alpha)
    if not (np.isfinite(estimate) and np.isfinite(se) and se > 0):
        raise InputError("need a finite estimate and a positive standard error")
    p_low, p_high = float(ndtr((low - estimate) / se)), float(ndtr((estimate - high) / se))
    half = float(-ndtri(alpha)) * se
    lower, upper = estimate - half, estimate + half
    p = max(p_low, p_high)
    return Equivalence(
        float(estimate), lower, upper, 1 - 2 * alpha, low, high, p_low, p_high, p,
        p < alpha, lower > high or upper < low,
    )  # fmt: skip


def tost_draws(
    draws: ArrayLike, estimate: float, low: float, high: float, alpha: float = 0.05
) -> Equivalence:
    """TOST by bootstrap draws: the 1 - 2 alpha percentile interval against the margins.

    p = (1 + #draws beyond a margin) / (1 + draws). Draws that are not finite must be dropped first.
    """
    _margins(low, high, alpha)
    x = np.asarray(draws, dtype=np.float64).ravel()
    if x.size < 2 or not np.isfinite(x).all():
        raise InputError("need at least two draws, all finite; drop the others and count them")
    lower, upper = (float(q) for q in np.quantile(x, [alpha, 1 - alpha]))
    p_low = (1 + int((x <= low).sum())) / (1 + x.size)
    p_high = (1 + int((x >= high).sum())) / (1 + x.size)
    return Equivalence(
        float(estimate), lower, upper, 1 - 2 * alpha, low, high, p_low, p_high, max(p_low, p_high),
        low < lower and upper < high, lower > high or upper < low,
    )  # fmt: skip


def bootstrap_p(draws: ArrayLike, value: float = 0.0) -> float:
    """Two-sided bootstrap p-value: twice the smaller tail beyond ``value``, never 0.

    p = min(1, 2 min(1 + #{draws <= value}, 1 + #{draws >= value})/(B + 1)) over the B finite draws; NaN
    without any.
    """
    x = np.asarray(draws, dtype=np.float64)
    x = x[np.isfinite(x)]
    if x.size == 0:
        return float("nan")
    tail = min(int((x <= value).sum()), int((x >= value).sum()))
    return min(1.0, 2 * (1 + tail) / (1 + x.size))


def adjust_p(p_values: ArrayLike, method: str = "holm") -> FloatArray:
    """Adjusted p-values: ``holm`` (1979, step-down), ``bonferroni`` or ``bh`` (false discovery rate)."""
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or p.size == 0 or not np.isfinite(p).all() or (p < 0).any() or (p > 1).any():
        raise InputError("p_values must be a one-dimensional array of numbers in [0, 1]")
    m = p.size
    if method == "bonferroni":
        return np.minimum(p * m, 1.0)
    order = np.argsort(p)
    if method == "holm":
        steps = np.maximum.accumulate(p[order] * (m - np.arange(m)))
    elif method == "bh":
        steps = np.minimum.accumulate((p[order] * m / np.arange(1, m + 1))[::-1])[::-1]
    else:
        raise InputError(f'no adjustment named {method!r}; use "holm", "bonferroni" or "bh"')
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted
