"""Many differences judged together: p-values and intervals that hold for the whole family.

A percentile needs draws beyond it. Of B draws the smallest two-sided p is 2/(B + 1), and m tests multiply
it by m: 2,000 draws could never tell any of 435 pairs apart. So a family with fewer than
:data:`TAIL_DRAWS` draws beyond each end of its simultaneous intervals is judged by the draws' standard
error alone, and says so (``method``). With fewer than a few hundred units the far percentiles of
their resamples lie too near, so that a family that has enough draws is judged by both: a difference is called one
where percentiles and standard error agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.decisions import adjust_p, bootstrap_p
from metacog.sdt.intervals import Interval, percentile_interval

#: Fewest draws beyond each end of a simultaneous interval for which percentiles are used.
TAIL_DRAWS = 5

PERCENTILE, NORMAL, BOTH = "percentile", "standard error", "percentile and standard error"


class Drawn(Protocol):
    """A difference with its bootstrap draws."""

    @property
    def difference(self) -> float: ...

    @property
    def draws(self) -> FloatArray: ...


DrawnT = TypeVar("DrawnT", bound=Drawn)


@dataclass(frozen=True)
class Family(Generic[DrawnT]):
    """Several differences, judged together.

    Attributes
    ----------
    pairs : tuple of (str, str)
    differences : tuple
    p_value : array
        Of each alone, from its draws: that its difference is zero, whatever the two sides' scales.
    p_holm, p_bonferroni : arrays
        Adjusted over the family.
    method : str
        ``percentile and standard error``, or ``standard error`` alone; see the module.
    level_bonferroni : float
        The level of the simultaneous intervals ``bonferroni_intervals``.
    bonferroni_intervals : tuple of Interval
    """

    pairs: tuple[tuple[str, str], ...]
    differences: tuple[DrawnT, ...]
    p_value: FloatArray
    p_holm: FloatArray
    p_bonferroni: FloatArray
    method: str
    level_bonferroni: float
    bonferroni_intervals: tuple[Interval, ...]


def family_method(n_tests: int, n_draws: int, *, level: float = 0.95) -> str:
    """``BOTH`` where ``n_draws`` reach into the tails of ``n_tests`` tests, else ``NORMAL``."""
    return BOTH if (1 - level) / (2 * n_tests) * (n_draws + 1) >= TAIL_DRAWS else NORMAL


def difference_p(
    draws: ArrayLike, difference: float, *, method: str = PERCENTILE, n_units: float = np.inf
) -> float:
    """Two-sided p-value of no difference, from bootstrap draws of the difference of ``n_units`` that were resampled.

    ``PERCENTILE``: :func:`~metacog.sdt.decisions.bootstrap_p`. ``NORMAL``: 2 F(-|difference|/se), F Student's t
    with n_units - 1 degrees of freedom (the normal of very many), se the standard deviation of the finite
    draws, times the root of n_units / (n_units - 1), which resampling leaves out; without spread as the first.
    ``BOTH``: the larger of the two.
    """
    x = np.asarray(draws, dtype=np.float64)
    x = x[np.isfinite(x)]
    if method == PERCENTILE or x.size < 2 or x.std() <= 1e-12 * max(1.0, abs(difference)):
        return bootstrap_p(x)
    by_error = float(2 * stdtr(n_units - 1, -abs(difference) / (x.std(ddof=1) * _short(n_units))))
    return by_error if method == NORMAL else max(by_error, bootstrap_p(x))


def _short(n_units: float) -> float:
    """By how much the standard deviation of resamples is too small."""
    return 1.0 if np.isinf(n_units) else float(np.sqrt(n_units / (n_units - 1)))


def difference_interval(
    draws: ArrayLike, difference: float, level: float, method: str, n_units: float = np.inf
) -> Interval:
    """Interval of a difference by percentiles, by the draws' standard error, or of both the ends that lie further out.

    Parameters are those of :func:`difference_p`.
    """
    found = percentile_interval(draws, difference, level=level)
    if method == PERCENTILE:
        return found
    half = float(-stdtrit(n_units - 1, (1 - level) / 2)) * found.se * _short(n_units)
    low, high = difference - half, difference + half
    if method == BOTH:
        low, high = min(low, found.lower), max(high, found.upper)
    return replace(found, lower=low, upper=high, method=method)


def family(
    pairs: Sequence[tuple[str, str]],
    differences: Sequence[DrawnT],
    *,
    level: float = 0.95,
    n_units: ArrayLike = np.inf,
) -> Family[DrawnT]:
    """Judge differences that were computed one by one as one family.

    Parameters
    ----------
    pairs : sequence of (str, str)
    differences : sequence
        Each with ``difference`` and ``draws``.
    level : float
        Of the family: 0.95 holds the chance of any false difference at .05.
    n_units : float, or one for each difference
        How many questions or sentences were resampled for it, of two sides the fewer; 2 stands for less.

    Returns
    -------
    Family
        With adjusted p-values and simultaneous intervals.

    Notes
    -----
    What is adjusted is a p of resamples, whose null is that the measure is equal. A permutation p has
    another null, that the two sides are exchangeable trial by trial, and rejects for nothing but a
    difference in how their scores are spread (level .2 and more; ``benchmarks/comparison_level.py``).
    Holm (1979) bounds the chance of any false rejection under any dependence.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import compare_paired, family
    >>> rng = np.random.default_rng(1)
    >>> correct = rng.random((3, 300)) < 0.6
    >>> confidence = rng.normal(correct * np.array([[0.9], [0.5], [0.4]]), 1)
    >>> few = {"n_resamples": 400, "n_permutations": 100}
    >>> differences = [
    ...     compare_paired(correct[i], confidence[i], correct[j], confidence[j], **few)
    ...     for i, j in [(0, 1), (0, 2), (1, 2)]
    ... ]
    >>> found = family([("A", "B"), ("A", "C"), ("B", "C")], differences)
    >>> found.p_value.round(3)
    array([0.016, 0.   , 0.094])
    >>> found.p_holm.round(3)
    array([0.032, 0.   , 0.094])
    """
    if not differences or len(pairs) != len(differences):
        raise InputError("a family needs at least one difference, and as many names of pairs")
    n_draws = min(int(np.isfinite(d.draws).sum()) for d in differences)
    method = family_method(len(differences), n_draws, level=level)
    resampled = np.broadcast_to(np.maximum(n_units, 2.0), len(differences)).tolist()
    each = list(zip(differences, resampled, strict=True))
    p = np.array([difference_p(d.draws, d.difference, method=method, n_units=n) for d, n in each])
    wide = 1 - (1 - level) / len(differences)
    intervals = tuple(difference_interval(d.draws, d.difference, wide, method, n) for d, n in each)
    return Family(
        tuple(pairs),
        tuple(differences),
        p,
        adjust_p(p),
        adjust_p(p, method="bonferroni"),
        method,
        wide,
        intervals,
    )
