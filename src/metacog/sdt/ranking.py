"""How sure is an order of groups? Ranks over bootstrap draws, and confidence sets of ranks.

Many differences judged together: p-values and intervals that hold for the whole family.

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
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

from metacog.sdt.checks import FloatArray, InputError, average_ranks, check_level
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


@dataclass(frozen=True)
class Ranking:
    """Ranks of G groups, 1 for the highest estimate, and what is not known about them.

    Attributes
    ----------
    rank : array, shape ``(G,)``
        Rank of the estimate; ties share the mean rank. NaN, here and below, for groups left out.
    set_lower, set_upper : arrays, shape ``(G,)``
        Simultaneous confidence set of the ranks: 1 + number of groups significantly higher, and
        G - number significantly lower. This is the one to show.
    lower, upper : arrays, shape ``(G,)``
        Percentiles of the rank over draws.
    p_highest, p_lowest : arrays, shape ``(G,)``
        Share of draws in which the group comes first, or last; ties are shared out.
    order_probability : float
        Share of draws with exactly the estimated order.
    level : float
    left_out : tuple of int
        Groups without an estimate, or without two draws, by index.
    n_draws, n_dropped : int
        Draws in use, and those in which some group is undefined.
    """

    rank: FloatArray
    set_lower: FloatArray
    set_upper: FloatArray
    lower: FloatArray
    upper: FloatArray
    p_highest: FloatArray
    p_lowest: FloatArray
    order_probability: float
    level: float
    left_out: tuple[int, ...]
    n_draws: int
    n_dropped: int


def bootstrap_ranks(estimates: ArrayLike, draws: ArrayLike, *, level: float = 0.95) -> Ranking:
    """Ranks of groups, their bootstrap distribution and their simultaneous confidence set.

    Parameters
    ----------
    estimates : array, shape ``(G,)``
        NaN groups are left out and named by index.
    draws : array, shape ``(G, B)``
        Bootstrap draws on the estimates' scale (bias taken off). Groups that share questions must have
        been resampled together, column by column.
    level : float

    Returns
    -------
    Ranking

    Raises
    ------
    InputError
        Shapes that do not fit, no group left, or fewer than two draws in which all groups are defined.

    Notes
    -----
    Percentiles of bootstrap ranks (Goldstein & Spiegelhalter 1996, J. R. Stat. Soc. A 159, 385-443; Hall &
    Miller 2009, Ann. Stat. 37, 3929-3959) are consistent only where the groups are well apart. For groups
    that are equal or nearly so they are not calibrated: ranks of equals spread over draws although no
    order exists, and the estimated order is found in the draws too often. The same holds of
    ``p_highest`` and ``order_probability``: they say how stable the order is, and are no test of it.

    The confidence sets (Mogstad, Romano, Shaikh & Wilhelm 2024, Rev. Econ. Stud. 91, 476-518) hold for
    equal groups too: every pair is tested by the bootstrap p of its difference, adjusted by Holm (1979)
    over all G (G - 1)/2 pairs, and a group's rank lies between 1 + the number of groups significantly
    higher and G - the number significantly lower, for all groups at once with the given confidence. That
    the sign of a rejected difference is right as well is proved for Holm's procedure with independent
    tests (Shaffer 1980, Ann. Stat. 8, 1342-1347) and taken over here.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import bootstrap_ranks
    >>> estimates = np.array([0.80, 0.78, 0.60])
    >>> draws = estimates[:, None] + np.random.default_rng(1).normal(0, 0.03, (3, 2000))
    >>> found = bootstrap_ranks(estimates, draws)
    >>> found.rank
    array([1., 2., 3.])
    >>> found.set_lower, found.set_upper  # the first two may stand either way round
    (array([1., 1., 3.]), array([2., 2., 3.]))
    """
    values, all_draws = np.asarray(estimates, dtype=np.float64), np.asarray(draws, dtype=np.float64)
    if values.ndim != 1 or all_draws.ndim != 2 or all_draws.shape[0] != values.size:
        raise InputError(f"estimates (G,) and draws (G, B) are wanted, got {values.shape}, {all_draws.shape}")
    check_level(level)
    known = np.isfinite(values) & (np.isfinite(all_draws).sum(axis=1) >= 2)
    if not known.any():
        raise InputError("no group has an estimate and draws: there is nothing to rank")
    mine, drawn = values[known], all_draws[known]
    whole = np.isfinite(drawn).all(axis=0)
    drawn = drawn[:, whole]
    if drawn.shape[1] < 2:
        raise InputError("fewer than two draws in which every group is defined")
    ranks = average_ranks(-drawn, axis=0)
    limits = np.quantile(ranks, [(1 - level) / 2, (1 + level) / 2], axis=1, method="inverted_cdf")
    sets = rank_sets(significantly_higher(mine, drawn, level=level))
    first = np.where(drawn == drawn.max(axis=0), 1.0, 0.0)
    last = np.where(drawn == drawn.min(axis=0), 1.0, 0.0)
    higher, lower = np.nonzero(mine[:, None] > mine)  # groups whose estimates tie may stand either way

    def over_all(part: ArrayLike) -> FloatArray:
        full = np.full(values.size, np.nan)
        full[known] = part
        return full

    return Ranking(
        over_all(average_ranks(-mine)),
        over_all(sets[0]),
        over_all(sets[1]),
        over_all(limits[0]),
        over_all(limits[1]),
        over_all((first / first.sum(axis=0)).mean(axis=1)),
        over_all((last / last.sum(axis=0)).mean(axis=1)),
        float((drawn[higher] > drawn[lower]).all(axis=0).mean()),
        level,
        tuple(int(i) for i in np.flatnonzero(~known)),
        int(whole.sum()),
        int((~whole).sum()),
    )


def significantly_higher(
    estimates: FloatArray, draws: FloatArray, *, level: float = 0.95
) -> NDArray[np.bool_]:
    """Whether group i is significantly higher than group j, ``(G, G)``, by Holm-adjusted bootstrap p over all pairs."""
    n = estimates.size
    higher = np.zeros((n, n), dtype=bool)
    one, two = np.triu_indices(n, 1)
    if one.size == 0:
        return higher
    method = family_method(one.size, draws.shape[1], level=level)
    gaps = estimates[one] - estimates[two]
    p = [difference_p(draws[i] - draws[j], g, method=method) for i, j, g in zip(one, two, gaps, strict=True)]
    significant = adjust_p(p) < 1 - level
    higher[one, two] = significant & (gaps > 0)
    higher[two, one] = significant & (gaps < 0)
    return higher


def rank_sets(higher: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest rank of each group: 1 + groups significantly higher than it, G - groups lower than it."""
    table = np.asarray(higher, dtype=bool)
    return 1.0 + table.sum(axis=0), float(table.shape[0]) - table.sum(axis=1)


def not_apart(higher: ArrayLike) -> list[tuple[int, ...]]:
    """The largest sets of groups within which no pair differs significantly; a group may be in several.

    Insert and absorb (Piepho 2004, J. Comput. Graph. Stat. 13, 456-466): the letters of a display in which
    groups that share one do not differ significantly.
    """
    table = np.asarray(higher, dtype=bool)
    n = table.shape[0]
    columns = [frozenset(range(n))]
    for i, j in zip(*np.nonzero(np.triu(table | table.T)), strict=True):
        split = [c for c in columns if i in c and j in c]
        columns = [c for c in columns if c not in split]
        for new in [part for c in split for part in (c - {int(j)}, c - {int(i)})]:
            if not any(new <= c for c in columns):
                columns = [c for c in columns if not c < new] + [new]
    return sorted((tuple(sorted(c)) for c in columns), key=lambda c: (c[0], c[-1], c))
