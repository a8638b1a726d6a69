"""Decisions: z-tests and adjusted p-values, equivalence by two one-sided tests (TOST), and the ROPE.

A region of practical equivalence (ROPE; Kruschke 2018) holds the differences that are too small to matter.
An interval outside it is practically significant, one inside it negligible, any other inconclusive.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.intervals import Interval


class Practical(StrEnum):
    """What an interval says about a difference, against a region of practical equivalence.

    Attributes
    ----------
    SIGNIFICANT, NEGLIGIBLE, INCONCLUSIVE : str
        It lies outside the region, inside, or neither.
    """

    SIGNIFICANT = "significant"
    NEGLIGIBLE = "negligible"
    INCONCLUSIVE = "inconclusive"


#: Words for a difference that its test does not reject, and for one that cannot be judged.
NOT_SIGNIFICANT = "not significant"
UNDECIDED = "no decision"


@dataclass(frozen=True)
class ZTest:
    """A two-sided z-test of a difference: the p of this test alone, and the size that |z| must exceed."""

    difference: float
    se: float
    z: float
    p_value: float
    critical: float
    rejected: bool

    def interval(self) -> Interval:
        """Difference -/+ as many standard errors as the test asks for."""
        ends = self.difference - self.critical * self.se, self.difference + self.critical * self.se
        return Interval(self.difference, *ends, float(2 * ndtr(self.critical) - 1), self.se)


@dataclass(frozen=True)
class LogRatio:
    """The logarithm of a ratio, from draws of it.

    Limits are of all draws: one at or below 0 lies below every logarithm. The mean is NaN where more than 1 %
    of the draws have no logarithm or are infinite. Limits are NaN, and the decision None, where too many draws
    are no ratio.
    """

    mean: float
    lower: float
    upper: float
    level: float
    share_undefined: float
    excludes_zero: bool | None
    decision: Practical | None


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


def bonferroni_z(*, m: int = 1, alpha: float = 0.05) -> float:
    """Size that |z| must exceed in each of ``m`` two-sided tests: Phi^-1(1 - alpha/(2 m))."""
    if m < 1 or not 0 < alpha < 1:
        raise InputError(f"need at least one test and alpha between 0 and 1, got {m} and {alpha}")
    return float(-ndtri(alpha / (2 * m)))


def z_test(difference: float, se: float, *, m: int = 1) -> ZTest:
    """Two-sided z-test of a difference against 0, one of a family of ``m`` (Bonferroni, .05 for the whole family).

    The standard error of a difference of independent estimates is the root of the sum of their variances.
    """
    if not (np.isfinite(difference) and np.isfinite(se) and se > 0):
        raise InputError("need a finite difference and a positive standard error")
    z, critical = difference / se, bonferroni_z(m=m)
    p = float(2 * ndtr(-abs(z)))
    return ZTest(float(difference), float(se), float(z), p, critical, bool(abs(z) > critical))


def rope_decision(lower: float, upper: float, low: float, high: float) -> Practical:
    """An interval against a ROPE: outside, inside, or neither.

    Parameters
    ----------
    lower, upper : float
        Ends of the interval of a difference.
    low, high : float
        Ends of the ROPE, fixed before looking. An interval that touches an end is not outside.

    Returns
    -------
    Practical
        One of ``significant``, ``negligible``, ``inconclusive``.

    Raises
    ------
    InputError
        Ends that do not rise, or are not numbers.

    References
    ----------
    Kruschke (2018).

    Examples
    --------
    >>> from metacog.sdt import rope_decision
    >>> print(rope_decision(0.06, 0.12, low=-0.05, high=0.05))
    significant
    >>> print(rope_decision(-0.02, 0.12, low=-0.05, high=0.05))
    inconclusive
    """
    if not low < high:
        raise InputError(f"a ROPE's ends must rise, got {low} and {high}")
    if not lower <= upper:
        raise InputError(f"an interval's ends must rise, got {lower} and {upper}")
    if lower > high or upper < low:
        return Practical.SIGNIFICANT
    return Practical.NEGLIGIBLE if low <= lower and upper <= high else Practical.INCONCLUSIVE


def finding(rejected: bool | None, decision: Practical | None) -> str:
    """One word for a difference, from its test and its interval against the ROPE.

    A difference that its test does not reject is *not significant* whatever the ROPE; of one that is
    rejected the ROPE says whether it matters. Without either there is *no decision*.
    """
    if rejected is None or decision is None:
        return UNDECIDED
    return decision.value if rejected else NOT_SIGNIFICANT


#: How the lower and the upper end are taken from draws that are in part infinite: outwards.
ENDS: tuple[Literal["lower", "higher"], ...] = ("lower", "higher")


#: Share of draws without a ratio, or without its logarithm, above which there is no decision, or no mean.
MOST_UNDEFINED = 0.01


def log_ratio_decision(ratio: ArrayLike, margin: float, *, level: float = 0.95) -> LogRatio:
    """Draws of a ratio against a ROPE of -/+ ``margin`` around log 1 = 0; to compare two ratios pass :func:`quotient`.

    A draw at or below 0 has no logarithm and is far below 1 all the same: were it left out, a ratio of 0 could
    never be told from 1. With more than 1 % of draws that are NaN there is no decision: what is left would be a
    selection.
    """
    x = np.asarray(ratio, dtype=np.float64).ravel()
    if x.size < 2 or not margin > 0 or not 0 < level < 1:
        raise InputError("need at least two draws, a positive margin and a level between 0 and 1")
    known = np.maximum(x[~np.isnan(x)], 0.0)
    share = float(np.isnan(x).mean())
    if share > MOST_UNDEFINED:
        return LogRatio(np.nan, np.nan, np.nan, level, share, None, None)
    with np.errstate(divide="ignore"):
        logs = np.log(known)
    finite = np.isfinite(logs)
    mean = float(logs[finite].mean()) if (~finite).mean() <= MOST_UNDEFINED else float("nan")
    at = np.array([(1 - level) / 2, (1 + level) / 2])
    if finite.all():
        lower, upper = (float(q) for q in np.quantile(logs, at))
    else:  # no line goes from a logarithm to one that there is not
        lower, upper = (float(np.quantile(logs, q, method=end)) for q, end in zip(at, ENDS, strict=True))
    decision = rope_decision(lower, upper, -margin, margin)
    return LogRatio(mean, lower, upper, level, share, lower > 0 or upper < 0, decision)


def quotient(top: ArrayLike, bottom: ArrayLike) -> FloatArray:
    """Draws of one ratio over another's: 0 where the first alone is not positive, infinite where the second alone is.

    NaN where neither is positive, and their order says nothing.
    """
    a, b = np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(b > 0, np.maximum(a, 0.0) / b, np.where(a > 0, np.inf, np.nan))
    return np.where(np.isnan(a) | np.isnan(b), np.nan, found)


def _margins(low: float, high: float, alpha: float = 0.05) -> None:
    if not low < high:
        raise InputError(f"margins must rise, got {low} and {high}")
    if not 0 < alpha < 0.5:
        raise InputError(f"alpha must be between 0 and 0.5, got {alpha}")


def tost(estimate: float, se: float, low: float, high: float, *, alpha: float = 0.05) -> Equivalence:
    """Two one-sided z-tests (Schuirmann 1987): equivalent when both reject at ``alpha``.

    Parameters
    ----------
    estimate, se : float
        A difference and its standard error.
    low, high : float
        Margins, fixed before looking.
    alpha : float

    Returns
    -------
    Equivalence

    Examples
    --------
    >>> from metacog.sdt import tost
    >>> found = tost(0.01, 0.02, low=-0.05, high=0.05)
    >>> found.equivalent, found.different
    (True, False)
    >>> print(f"[{found.lower:.3f}, {found.upper:.3f}], p {found.p_value:.3f}")
    [-0.023, 0.043], p 0.023
    """
    _margins(low, high, alpha)
    if not (np.isfinite(estimate) and np.isfinite(se) and se > 0):
        raise InputError("need a finite estimate and a positive standard error")
    p = float(ndtr((low - estimate) / se)), float(ndtr((estimate - high) / se))
    half = float(-ndtri(alpha)) * se
    ends = estimate - half, estimate + half
    return _equivalence(estimate, ends, (low, high), p, alpha, max(p) < alpha)


def _equivalence(
    estimate: float,
    ends: tuple[float, float],
    margins: tuple[float, float],
    p: tuple[float, float],
    alpha: float,
    equivalent: bool,
) -> Equivalence:
    different = ends[0] > margins[1] or ends[1] < margins[0]
    return Equivalence(float(estimate), *ends, 1 - 2 * alpha, *margins, *p, max(p), equivalent, different)


def tost_draws(draws: ArrayLike, estimate: float, low: float, high: float) -> Equivalence:
    """TOST by finite bootstrap draws: the 90 % percentile interval against margins that were fixed before looking.

    p = (1 + #draws beyond a margin) / (1 + draws).
    """
    _margins(low, high)
    x = np.asarray(draws, dtype=np.float64).ravel()
    if x.size < 2 or not np.isfinite(x).all():
        raise InputError("need at least two draws, all finite; drop the others and count them")
    lower, upper = (float(q) for q in np.quantile(x, [0.05, 0.95]))
    p = (1 + int((x <= low).sum())) / (1 + x.size), (1 + int((x >= high).sum())) / (1 + x.size)
    return _equivalence(estimate, (lower, upper), (low, high), p, 0.05, low < lower and upper < high)


def equivalence_p(draws: ArrayLike, bound: float) -> float:
    """P of :func:`tost_draws` of a difference against +-``bound``; NaN with fewer than two finite draws."""
    x = np.asarray(draws, dtype=np.float64)
    x = x[np.isfinite(x)]
    return tost_draws(x, np.nan, -bound, bound).p_value if x.size > 1 else float("nan")


def bootstrap_p(draws: ArrayLike, *, value: float = 0.0) -> float:
    """Two-sided bootstrap p-value: twice the smaller tail beyond ``value``, never 0.

    Parameters
    ----------
    draws : array
    value : float
        The null's.

    Returns
    -------
    float

    Notes
    -----
    p = min(1, 2 min(1 + #{draws <= value}, 1 + #{draws >= value})/(B + 1)) over the B finite draws; NaN
    without any.

    References
    ----------
    Davison & Hinkley (1997), ch. 4, for the 1 in both counts.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import bootstrap_p
    >>> draws = np.random.default_rng(1).normal(loc=2, size=1999)
    >>> print(f"{bootstrap_p(draws):.3f}")
    0.045
    """
    x = np.asarray(draws, dtype=np.float64)
    x = x[np.isfinite(x)]
    if x.size == 0:
        return float("nan")
    tail = min(int((x <= value).sum()), int((x >= value).sum()))
    return min(1.0, 2 * (1 + tail) / (1 + x.size))


def adjust_p(p_values: ArrayLike, *, method: str = "holm") -> FloatArray:
    """P-values adjusted for their number.

    Parameters
    ----------
    p_values : array, shape ``(m,)``
    method : {'holm', 'bonferroni', 'bh'}
        Holm (1979, step-down), Bonferroni, or Benjamini & Hochberg (1995) for the false discovery rate.

    Returns
    -------
    array, shape ``(m,)``
        In the order given.

    Examples
    --------
    >>> from metacog.sdt import adjust_p
    >>> adjust_p([0.01, 0.02, 0.03])
    array([0.03, 0.04, 0.04])
    >>> adjust_p([0.01, 0.02, 0.03], method="bh")
    array([0.03, 0.03, 0.03])
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or p.size == 0 or not np.isfinite(p).all() or (p < 0).any() or (p > 1).any():
        raise InputError("p_values must be a one-dimensional array of numbers in [0, 1]")
    m = p.size
    if method == "bonferroni":
        return np.minimum(p * m, 1.0)
    order = np.argsort(p, kind="stable")
    if method == "holm":
        steps = np.maximum.accumulate(p[order] * (m - np.arange(m)))
    elif method == "bh":
        steps = np.minimum.accumulate((p[order] * m / np.arange(1, m + 1))[::-1])[::-1]
    else:
        raise InputError(f'no adjustment named {method!r}; use "holm", "bonferroni" or "bh"')
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def holm(p_values: ArrayLike) -> FloatArray:
    """P-values adjusted by Holm, those that are NaN left out of the count."""
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    known = np.isfinite(p)
    if known.any():
        adjusted[known] = adjust_p(p[known])
    return adjusted
