"""Populations to plan with: cell probabilities that have a wanted value of a measure.

A population is a table of probabilities over class and rating. Sample sizes are planned by drawing
tables from it; a pilot table serves as well as a model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from metacog.sdt.checks import FloatArray, InputError, as_tables, need_both_classes, type2_table
from metacog.sdt.compare import MEASURES, Measure, get_measure
from metacog.sdt.simulate import MetaDObserver
from metacog.sdt.type2 import auroc2_from_counts

_MANY = 1e12  # trials at which a measure of expected counts is its population value

TWO_CHOICE = ("d_prime", "meta_d", "m_ratio")

SOLVED = ("auroc2", "meta_i_chi_square", "meta_i2r_chi_square", "d_a", "aurc", "accuracy_at_50")


@dataclass(frozen=True)
class Population:
    """Probability of each cell.

    Attributes
    ----------
    s1, s2 : arrays of shape ``(L,)``, together summing to 1
        Incorrect and correct trials (type-2 measures) or S1 and S2 trials (meta-d') by rating.
    ratings : array of shape ``(L,)``
    description : str
    """

    s1: FloatArray
    s2: FloatArray
    ratings: FloatArray
    description: str

    def cells(self) -> FloatArray:
        """All 2 L cells in one row."""
        return np.concatenate([self.s1, self.s2])

    def value(self, measure: str | Measure) -> float:
        """The measure of the population itself."""
        statistic = get_measure(measure).on_tables(self.ratings)
        return float(statistic(self.cells()[None] * _MANY)[0])


def confidence_population(
    d_a: float, *, accuracy: float = 0.5, n_ratings: int = 8, slope: float = 1.0
) -> Population:
    """Gaussian confidence N(0, 1) when wrong and N(mu, 1/slope) when right, cut into equal masses.

    Parameters
    ----------
    d_a : float
        Distance in root-mean-square units; mu = d_a sqrt((1 + slope^2)/2)/slope.
    accuracy : float
    n_ratings : int
    slope : float
        z-ROC slope, sd(incorrect)/sd(correct).

    Returns
    -------
    Population

    References
    ----------
    Macmillan & Creelman (2005), ch. 3, for d_a.

    Examples
    --------
    >>> from metacog.sdt import confidence_population
    >>> population = confidence_population(1.0, accuracy=0.6)
    >>> print(f"{population.value('auroc2'):.3f}")
    0.755
    """
    if not 0 < accuracy < 1 or n_ratings < 2 or slope <= 0:
        raise InputError("need 0 < accuracy < 1, at least 2 ratings and a positive slope")
    mu, sd = d_a * np.sqrt((1 + slope**2) / 2) / slope, 1 / slope
    grid = np.linspace(min(-9.0, mu - 9 * sd), max(9.0, mu + 9 * sd), 40_001)
    mass = (1 - accuracy) * ndtr(grid) + accuracy * ndtr((grid - mu) / sd)
    edges = np.interp(np.arange(1, n_ratings) / n_ratings, mass, grid)
    wrong = np.diff(np.concatenate([[0.0], ndtr(edges), [1.0]]))
    right = np.diff(np.concatenate([[0.0], ndtr((edges - mu) / sd), [1.0]]))
    return Population(
        (1 - accuracy) * wrong,
        accuracy * right,
        np.arange(1.0, n_ratings + 1),
        f"Gaussian confidence, d_a {d_a:.3f}, accuracy {accuracy:g}, {n_ratings} ratings, slope {slope:g}",
    )


def two_choice_population(d_prime: float, *, m_ratio: float = 1.0, n_ratings: int = 8) -> Population:
    """Unbiased two-choice observer of the meta-d' model, ratings of equal mass on each side.

    ``n_ratings``, of both sides together, is even.
    Responses follow d' (criterion 0); given the response, ratings follow N(-+ meta-d'/2, 1).
    """
    if n_ratings < 4 or n_ratings % 2:
        raise InputError(
            f"a two-choice population needs an even number of ratings, at least 4, got {n_ratings}"
        )
    if d_prime <= 0:
        raise InputError(f"d_prime must be above 0, got {d_prime}")
    k, meta = n_ratings // 2, d_prime * m_ratio
    right = float(ndtr(d_prime / 2))
    grid = np.linspace(0.0, abs(meta) / 2 + 9.0, 40_001)
    # P(confidence <= x | response S2) when right and when wrong
    when_right = 1 - ndtr(meta / 2 - grid) / ndtr(meta / 2)
    when_wrong = 1 - ndtr(-meta / 2 - grid) / ndtr(-meta / 2)
    mass = right * when_right + (1 - right) * when_wrong
    edges = np.interp(np.arange(1, k) / k, mass, grid)
    cut = [
        np.diff(np.concatenate([[0.0], np.interp(edges, grid, w), [1.0]])) for w in (when_right, when_wrong)
    ]
    correct, wrong = right * cut[0], (1 - right) * cut[1]
    s1 = np.concatenate([correct[::-1], wrong])
    return Population(
        0.5 * s1,
        0.5 * s1[::-1],
        np.arange(1.0, n_ratings + 1),
        f"two-choice observer, d' {d_prime:.3f}, M-ratio {m_ratio:.3f}, {n_ratings} ratings",
    )


def observer_population(observer: MetaDObserver) -> Population:
    """The cell probabilities of an observer whose d' and meta-d' are known."""
    s1, s2 = observer.probabilities()
    return Population(
        (1 - observer.base_rate) * s1,
        observer.base_rate * s2,
        np.arange(1.0, s1.size + 1),
        f"two-choice observer, d' {observer.d_prime:.3f}, M-ratio {observer.m_ratio:.3f}, {s1.size} ratings",
    )


def pilot_population(nR_S1: ArrayLike, nR_S2: ArrayLike, *, ratings: ArrayLike | None = None) -> Population:
    """The observed shares of a pilot table, lowest rating first; ratings are 1 ... L when left out."""
    s1, s2 = as_tables(nR_S1, nR_S2, one=True)
    need_both_classes(s1, s2)
    n = float(s1.sum() + s2.sum())
    scale = np.arange(1.0, s1.size + 1) if ratings is None else np.asarray(ratings, dtype=np.float64)
    if scale.shape != s1.shape:
        raise InputError(f"ratings must hold {s1.size} values")
    return Population(s1 / n, s2 / n, scale, f"pilot table of {n:g} trials")


def population_for(
    measure: str,
    value: float,
    *,
    accuracy: float = 0.5,
    n_ratings: int = 8,
    slope: float = 1.0,
    d_prime: float = 1.5,
    auroc2: float = 0.75,
) -> Population:
    """A model population whose ``measure`` has this value after its ratings are cut.

    Parameters
    ----------
    measure : str
        ``accuracy``, ``auroc2``, ``meta_i_chi_square``, ``meta_i2r_chi_square``, ``d_a``, ``z_slope``,
        ``aurc``, ``accuracy_at_50``, ``d_prime``, ``meta_d`` or ``m_ratio``. Calibration depends on more
        than one number: plan ``ece`` and ``brier`` from a pilot.
    accuracy, n_ratings, slope, d_prime, auroc2
        What is held fixed, where the measure does not decide it itself.
    value : float

    Returns
    -------
    Population

    Raises
    ------
    InputError
        A value the model cannot have.

    Examples
    --------
    >>> from metacog.sdt import population_for
    >>> population = population_for("meta_i2r_chi_square", 0.10, accuracy=0.7)
    >>> print(f"{population.value('auroc2'):.3f}")  # the AUROC2 that goes with it
    0.711
    """
    if measure not in MEASURES:
        raise InputError(f"no measure named {measure!r}; use one of {', '.join(MEASURES)}")
    if measure in ("accuracy", "z_slope"):
        held = {"accuracy": accuracy, "slope": slope} | {"slope" if measure == "z_slope" else measure: value}
        return confidence_population(float(np.sqrt(2) * ndtri(auroc2)), n_ratings=n_ratings, **held)
    if measure in TWO_CHOICE:
        d = value if measure == "d_prime" else d_prime
        ratio = 1.0 if measure == "d_prime" else value / (d_prime if measure == "meta_d" else 1.0)
        return two_choice_population(d, m_ratio=ratio, n_ratings=n_ratings)
    if measure not in SOLVED:
        raise InputError(f"{measure} has no model population; pass a pilot table")

    def gap(d_a: float) -> float:
        return (
            confidence_population(d_a, accuracy=accuracy, n_ratings=n_ratings, slope=slope).value(measure)
            - value
        )

    low, high = 0.0, 6.0
    ends = gap(low), gap(high)
    if not ends[0] * ends[1] <= 0:
        a, b = sorted(e + value for e in ends)
        raise InputError(
            f"{measure} = {value:g} is not attainable at accuracy {accuracy:g} with {n_ratings} ratings "
            f"(from {a:.3f} to {b:.3f}); change the value, the accuracy or the ratings"
        )
    return confidence_population(
        float(brentq(gap, low, high, xtol=1e-10)), accuracy=accuracy, n_ratings=n_ratings, slope=slope
    )


def lossless_area(accuracy: float, *, n_ratings: int = 400) -> float:
    """AUROC2 of an unbiased two-choice observer, right in more than half, whose confidence uses all its evidence.

    Examples
    --------
    >>> from metacog.sdt.populations import lossless_area
    >>> print(f"{lossless_area(0.66):.3f} {lossless_area(0.77):.3f}")
    0.634 0.731
    """
    observer = two_choice_population(float(2 * ndtri(accuracy)), n_ratings=n_ratings)
    return float(auroc2_from_counts(*type2_table(observer.s1, observer.s2)))
