"""How sure is an order of groups? Ranks over bootstrap draws, and confidence sets of ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.sdt.checks import FloatArray, InputError, average_ranks, check_level
from metacog.sdt.decisions import adjust_p
from metacog.sdt.families import difference_p, family_method


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
