"""Many differences judged together: p-values and intervals that hold for the whole family.

A percentile needs draws beyond it. Of B draws the smallest two-sided p is 2/(B + 1), and m tests multiply
it by m: 2,000 draws could never tell any of 435 pairs apart. So a family with fewer than
:data:`TAIL_DRAWS` draws beyond each end of its simultaneous intervals is judged by the draws' standard
error and the normal distribution instead, and says so (``method``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from .checks import InputError
from .decisions import adjust_p, bootstrap_p
from .intervals import Interval, percentile_interval
from .tables import FloatArray

#: Fewest draws beyond each end of a simultaneous interval for which percentiles are used.
TAIL_DRAWS = 5
PERCENTILE, NORMAL = "percentile", "normal"


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
        Bootstrap p-value of each alone: that its difference is zero, whatever the two sides' scales.
    p_holm, p_bonferroni : arrays
        Adjusted over the family.
    method : str
        ``percentile`` or ``normal``; see the module.
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
    """``percentile`` where ``n_draws`` reach into the tails of ``n_tests`` tests, else ``normal``."""
    return PERCENTILE if (1 - level) / (2 * n_tests) * (n_draws + 1) >= TAIL_DRAWS else NORMAL


def difference_p(draws: ArrayLike, difference: float, *, method: str = PERCENTILE) -> float:
    """Two-sided p-value of no difference, from bootstrap draws of the difference.

    Parameters
    ----------
    draws : array, shape ``(B,)``
    difference : float
    method : str
        ``percentile``: :func:`~metacog.sdt.decisions.bootstrap_p`. ``normal``: 2 Phi(-|difference|/se), se
        the standard deviation of the finite draws; without spread as ``percentile``.
    """
    x = np.asarray(draws, dtype=np.float64)
    x = x[np.isfinite(x)]
    if method == PERCENTILE or x.size < 2 or x.std() <= 1e-12 * max(1.0, abs(difference)):
        return bootstrap_p(x)
    return float(2 * ndtr(-abs(difference) / x.std(ddof=1)))


def difference_interval(draws: ArrayLike, difference: float, level: float, method: str) -> Interval:
    """Interval of a difference by percentiles or by the draws' standard error."""
    found = percentile_interval(draws, difference, level=level)
    if method == PERCENTILE:
        return found
    half = float(-ndtri((1 - level) / 2)) * found.se
    return replace(found, lower=difference - half, upper=difference + half, method=NORMAL)


def family(
    pairs: Sequence[tuple[str, str]], differences: Sequence[DrawnT], *, level: float = 0.95
) -> Family[DrawnT]:
    """Judge differences that were computed one by one as one family.

    Parameters
    ----------
    pairs : sequence of (str, str)
    differences : sequence
        Each with ``difference`` and ``draws``.
    level : float
        Of the family: 0.95 holds the chance of any false difference at .05.

    Notes
    -----
    What is adjusted is the bootstrap p, whose null is that the measure is equal. A permutation p has
    another null, that the two sides are exchangeable trial by trial, and rejects for nothing but a
    difference in how their scores are spread (level .2 and more; ``benchmarks/comparison_level.py``).
    Holm (1979) bounds the chance of any false rejection under any dependence.
    """
    if not differences or len(pairs) != len(differences):
        raise InputError("a family needs at least one difference, and as many names of pairs")
    n_draws = min(int(np.isfinite(d.draws).sum()) for d in differences)
    method = family_method(len(differences), n_draws, level=level)
    p = np.array([difference_p(d.draws, d.difference, method=method) for d in differences])
    wide = 1 - (1 - level) / len(differences)
    intervals = tuple(difference_interval(d.draws, d.difference, wide, method) for d in differences)
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
