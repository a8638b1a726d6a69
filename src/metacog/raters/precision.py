r"""How sure a coefficient of rater agreement is: raters whose alpha is known, and what is found of it.

The raters of this model know the true category of an item with probability q, each on their own, and
otherwise draw a category from its shares p. Every judgement then has the shares p, and two raters agree where
both know (:math:`q^2`) or else by chance (:math:`\sum p_c^2`):

.. math:: A_o = q^2 + (1 - q^2) \sum_c p_c^2, \qquad A_e = \sum_c p_c^2, \qquad
    \alpha = \frac{A_o - A_e}{1 - A_e} = q^2.

So alpha is :math:`q^2` whatever the shares and however many raters, and with two categories
the correlation of two raters is :math:`q^2` too, which makes Cronbach's alpha of k raters
:math:`k q^2/(1 + (k - 1) q^2)` (Spearman-Brown).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.raters.reliability import agreement_of, alpha_of, item_limits, item_sums
from metacog.sdt.checks import InputError
from metacog.sdt.resampling import cluster_weights


def simulate_raters(
    n_items: int,
    n_raters: int,
    alpha: float,
    shares: ArrayLike,
    *,
    n_tables: int = 1,
    seed: int | np.random.SeedSequence = 42,
) -> NDArray[np.int64]:
    """Tables of judgements whose population alpha is known, shape ``(n_tables, n_items, n_raters)``.

    Parameters
    ----------
    n_items, n_raters : int
    alpha : float
        Krippendorff's alpha of the population, in [0, 1]: the square of the probability of knowing.
    shares : array_like, shape ``(C,)``
        Of the categories 0 ... C - 1; they sum to 1.
    n_tables : int
    seed : int or None

    Raises
    ------
    InputError
        An alpha outside [0, 1], shares that are none, or a size below 1.
    """
    p = np.asarray(shares, dtype=np.float64)
    if not 0 <= alpha <= 1:
        raise InputError(f"alpha of such raters lies between 0 and 1, not at {alpha}")
    if p.ndim != 1 or p.size < 2 or (p < 0).any() or abs(p.sum() - 1) > 1e-9:
        raise InputError("shares of two categories or more must be at least 0 and sum to 1")
    if min(n_items, n_raters, n_tables) < 1:
        raise InputError("n_items, n_raters and n_tables must be at least 1")
    rng = np.random.default_rng(seed)
    shape = (n_tables, n_items, n_raters)
    truth = rng.choice(p.size, (n_tables, n_items, 1), p=p)
    knows = rng.random(shape) < np.sqrt(alpha)
    return np.where(knows, truth, rng.choice(p.size, shape, p=p)).astype(np.int64)


def agreement_at(alpha: float, shares: ArrayLike) -> float:
    """Pairwise agreement of raters of a known alpha: alpha + (1 - alpha) S, with S the chance of agreeing.

    Parameters
    ----------
    alpha : float
    shares : array, shape ``(C,)``
    """
    chance = float((np.asarray(shares, dtype=np.float64) ** 2).sum())
    return alpha + (1 - alpha) * chance


def alpha_at(agreement: float, shares: ArrayLike) -> float:
    """Alpha of raters whose pairwise agreement is known; negative where chance alone agrees more often.

    Parameters
    ----------
    agreement : float
    shares : array, shape ``(C,)``
    """
    chance = float((np.asarray(shares, dtype=np.float64) ** 2).sum())
    return (agreement - chance) / (1 - chance) if chance < 1 else float("nan")


@dataclass(frozen=True)
class AlphaPrecision:
    """What simulated panels find of a known Krippendorff's alpha.

    Attributes
    ----------
    mean, sd : float
        Of the estimates, over the tables in which alpha is defined.
    half_width : float
        Mean half-width of the interval.
    coverage, coverage_se : float
        Share of intervals that hold the truth, of those that have ends, and its Monte-Carlo error.
    undefined : float
        Share of tables in which all judgements are of one category.
    agreement : float
        Mean pairwise agreement.
    """

    mean: float
    sd: float
    half_width: float
    coverage: float
    coverage_se: float
    undefined: float
    agreement: float


def alpha_precision(
    n_items: int,
    n_raters: int,
    alpha: float,
    shares: ArrayLike,
    *,
    n_simulations: int = 500,
    n_resamples: int = 400,
    seed: int = 42,
    level: float = 0.95,
) -> AlphaPrecision:
    """Simulate panels and estimate alpha with its interval in each. Raises as `simulate_raters`.

    Parameters
    ----------
    n_items, n_raters : int
    alpha : float
    shares : array, shape ``(C,)``
    n_simulations, n_resamples : int
    seed : int or None
    level : float

    Returns
    -------
    AlphaPrecision

    Examples
    --------
    >>> from metacog.raters import alpha_precision
    >>> found = alpha_precision(50, 3, 0.7, [0.7, 0.3], n_simulations=50, n_resamples=100)
    >>> print(f"+- {found.half_width:.2f}")  # what fifty items and three raters tell
    +- 0.17
    """
    if n_raters < 2 or n_items < 2:
        raise InputError("precision takes two raters and two items or more")
    drawing, resampling = np.random.SeedSequence(seed).spawn(2)
    tables = simulate_raters(n_items, n_raters, alpha, shares, n_tables=n_simulations, seed=drawing)
    items = item_sums(tables)
    whole = items.sum(axis=1)
    found = alpha_of(whole)
    rng = np.random.default_rng(resampling)
    limits = np.full((n_simulations, 2), np.nan)
    for i in np.flatnonzero(np.isfinite(found)):
        draws = alpha_of(cluster_weights(n_items, n_resamples, rng) @ items[i])
        limits[i] = item_limits(draws, items[i], alpha_of, level=level)[:2]
    kept = np.isfinite(limits).all(axis=1)
    held = float(((limits[kept, 0] <= alpha) & (alpha <= limits[kept, 1])).mean()) if kept.any() else np.nan
    defined = found[np.isfinite(found)]
    return AlphaPrecision(
        float(defined.mean()) if defined.size else np.nan,
        float(defined.std(ddof=1)) if defined.size > 1 else np.nan,
        float(0.5 * (limits[kept, 1] - limits[kept, 0]).mean()) if kept.any() else np.nan,
        held,
        float(np.sqrt(held * (1 - held) / max(kept.sum(), 1))),
        float(1 - defined.size / n_simulations),
        float(agreement_of(whole).mean()),
    )
