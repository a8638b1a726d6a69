"""Observers whose d', meta-d' and criteria are known, for recovery, coverage and power.

Populations to plan with: cell probabilities that have a wanted value of a measure.

A population is a table of probabilities over class and rating. Sample sizes are planned by drawing
tables from it; a pilot table serves as well as a model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from metacog.sdt.checks import FloatArray, InputError, as_tables, need_both_classes
from metacog.sdt.compare import MEASURES, Measure, get_measure
from metacog.sdt.type1 import rms_scale

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
    """Unbiased two-choice observer of the meta-d' model, ratings of equal mass on each side, of both together even.

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


@dataclass(frozen=True)
class SimulatedTrials:
    """Trials of one observer.

    Attributes
    ----------
    stimulus, response : int arrays, shape ``(n,)``
        0 for S1, 1 for S2.
    confidence : int array, shape ``(n,)``
        1 ... K.
    rating : int array, shape ``(n,)``
        1 (highest-confidence "S1") ... 2K (highest-confidence "S2").
    """

    stimulus: NDArray[np.int64]
    response: NDArray[np.int64]
    confidence: NDArray[np.int64]
    rating: NDArray[np.int64]

    @property
    def correct(self) -> NDArray[np.bool_]:
        """Whether the response named the stimulus."""
        return self.stimulus == self.response


class _Observer:
    """What all observers do once their cell probabilities are known."""

    base_rate: float

    def probabilities(self) -> tuple[FloatArray, FloatArray]:
        """P(rating | S1) and P(rating | S2), shape (2K,) each."""
        raise TypeError("an observer must give its own probabilities")

    def counts(
        self,
        n_trials: int,
        n_tables: int = 1,
        seed: int | np.random.SeedSequence = 42,
        *,
        fixed_base_rate: bool = False,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Draw tables of `n_trials` trials: two arrays of shape (n_tables, 2K).

        The number of S2 trials is binomial with the base rate, or its rounded mean with
        `fixed_base_rate`.
        """
        if n_trials < 1 or n_tables < 1:
            raise InputError("n_trials and n_tables must be at least 1.")
        rng = np.random.default_rng(seed)
        p1, p2 = self.probabilities()
        if fixed_base_rate:
            n2 = np.full(n_tables, round(n_trials * self.base_rate))
        else:
            n2 = rng.binomial(n_trials, self.base_rate, size=n_tables)
        return rng.multinomial(n_trials - n2, p1), rng.multinomial(n2, p2)

    def trials(self, n_trials: int, *, seed: int | np.random.SeedSequence = 42) -> SimulatedTrials:
        """Draw single trials."""
        rng = np.random.default_rng(seed)
        stimulus = (rng.random(n_trials) < self.base_rate).astype(np.int64)
        ladder = np.cumsum(np.stack(self.probabilities()), axis=1)[:, :-1]
        index = (rng.random(n_trials)[:, None] > ladder[stimulus]).sum(axis=1)
        return _trials(stimulus, index, (ladder.shape[1] + 1) // 2)


def _trials(stimulus: NDArray[np.int64], index: NDArray[np.int64], k: int) -> SimulatedTrials:
    response = (index >= k).astype(np.int64)
    confidence = np.where(response == 1, index - k + 1, k - index)
    return SimulatedTrials(stimulus, response, confidence, index + 1)


@dataclass(frozen=True)
class MetaDObserver(_Observer):
    """The generative model of meta-d' (Maniscalco & Lau 2012): its fit is consistent for this observer.

    Responses follow type-1 SDT with `d_prime` and `c`; ratings, given stimulus and response, follow the
    areas of an SDT observer with sensitivity `meta_d` and criterion `meta_d c/d_prime`. Distances are in
    root-mean-square units of the two sds, as in `MetaDFit`, and `c` is that record's c: for s != 1 it
    counts from the point where hit and correct-rejection rates are equal, not from between the means.

    Attributes
    ----------
    d_prime, meta_d, c : float
    t2_criteria_rS1, t2_criteria_rS2 : tuple of float
        Increasing, below and above the meta criterion.
    s : float
        sd(S1)/sd(S2).
    base_rate : float
        P(S2).
    """

    d_prime: float
    meta_d: float
    c: float
    t2_criteria_rS1: tuple[float, ...]
    t2_criteria_rS2: tuple[float, ...]
    s: float = 1.0
    base_rate: float = 0.5

    def __post_init__(self) -> None:
        _check_observer(self.s, self.base_rate, self.d_prime)
        ladder = np.array([*self.t2_criteria_rS1, self.meta_c, *self.t2_criteria_rS2])
        if len(self.t2_criteria_rS1) != len(self.t2_criteria_rS2) or (np.diff(ladder) <= 0).any():
            raise InputError("Type-2 criteria must be equally many and increase through meta_d c/d_prime.")

    @property
    def meta_c(self) -> float:
        """The type-1 criterion on the scale of meta-d'."""
        return self.meta_d * self.c / self.d_prime

    @property
    def m_ratio(self) -> float:
        """meta_d / d_prime."""
        return self.meta_d / self.d_prime

    def probabilities(self) -> tuple[FloatArray, FloatArray]:
        """P(rating | S1) and P(rating | S2), shape (2K,) each."""
        k = len(self.t2_criteria_rS1) + 1
        scale = float(rms_scale(self.s))
        ladder = np.array([*self.t2_criteria_rS1, self.meta_c, *self.t2_criteria_rS2]) / scale
        border = _border(self.d_prime / scale, self.c / scale, self.s)
        out = []
        for sign, sd in ((-1.0, 1.0), (1.0, 1.0 / self.s)):
            p_s1 = ndtr((border - sign * self.d_prime / scale / 2) / sd)
            z = (ladder - sign * self.meta_d / scale / 2) / sd
            below = np.concatenate([[0.0], ndtr(z[:k])])
            above = np.concatenate([ndtr(-z[k - 1 :]), [0.0]])
            left, right = np.diff(below) / below[-1], -np.diff(above) / above[0]
            out.append(np.concatenate([p_s1 * left, (1.0 - p_s1) * right]))
        return out[0], out[1]


def meta_d_observer(
    d_prime: float,
    *,
    m_ratio: float = 1.0,
    c: float = 0.0,
    n_ratings: int = 4,
    s: float = 1.0,
    base_rate: float = 0.5,
) -> MetaDObserver:
    """Make a `MetaDObserver` that uses all `n_ratings` ratings of a response equally often.

    Parameters
    ----------
    d_prime, m_ratio, c : float
    n_ratings : int
        K, ratings for each response.
    s, base_rate : float
        sd(S1)/sd(S2) and P(S2).

    Returns
    -------
    MetaDObserver
        ``counts`` draws tables of it, ``trials`` single trials.

    Raises
    ------
    InputError
        Fewer than two ratings, d' of 0, s not positive or a base rate outside (0, 1).

    References
    ----------
    Maniscalco & Lau (2012), the model of :func:`fit_meta_d`.

    Examples
    --------
    >>> from metacog.sdt import counts_from_trials, fit_meta_d, meta_d_observer
    >>> observer = meta_d_observer(1.5, m_ratio=0.8)
    >>> trials = observer.trials(2000, seed=1)
    >>> trials.rating[:8]
    array([2, 1, 3, 1, 6, 8, 2, 4])
    >>> nR_S1, nR_S2 = counts_from_trials(trials.stimulus, trials.rating, n_ratings=4)
    >>> print(f"{fit_meta_d(nR_S1, nR_S2).m_ratio:.2f}")
    0.80
    """
    if n_ratings < 2:
        raise InputError("n_ratings must be at least 2.")
    _check_observer(s, base_rate, d_prime)
    scale = float(rms_scale(s))
    border = _border(d_prime / scale, c / scale, s)
    meta_d, meta_c = m_ratio * d_prime, m_ratio * c
    sides = []
    for side in (-1.0, 1.0):
        share, tail = [], []
        for sign, sd, prior in ((-1.0, 1.0, 1 - base_rate), (1.0, 1.0 / s, base_rate)):
            share.append(prior * ndtr(side * (sign * d_prime / scale / 2 - border) / sd))
            tail.append((side * sign * meta_d / 2 / scale, sd))

        def beyond(x: float, side: float = side, share: list = share, tail: list = tail) -> float:
            """P(evidence farther out than x | response)."""
            areas = [
                w * ndtr((m - side * x / scale) / sd) / ndtr((m - side * meta_c / scale) / sd)
                for w, (m, sd) in zip(share, tail, strict=True)
            ]
            return float(sum(areas) / sum(share))

        levels = 1.0 - np.arange(1, n_ratings) / n_ratings
        far = meta_c + side * 40.0 * scale * max(1.0, 1.0 / s)
        found = [brentq(lambda x, q=q: beyond(x) - q, meta_c, far, xtol=1e-13) for q in levels]
        sides.append(tuple(sorted(float(x) for x in found)))
    return MetaDObserver(d_prime, meta_d, c, sides[0], sides[1], s, base_rate)


@dataclass(frozen=True)
class NoisyConfidenceObserver(_Observer):
    """A mechanistic observer: confidence reads the decision evidence through extra noise.

    Evidence is x ~ N(-d'/2, 1) or N(d'/2, 1/s) (d' in units of sd(S1)), the response is "S2" if x > c, and
    the rating cuts ``|y - c|`` at `thresholds`, y = x + `noise` * N(0, 1); a y on the other side of c than x
    gives the lowest confidence, so that no trial is lost whatever the noise. Without noise M-ratio is 1; it
    falls as noise grows, though no meta-d' describes the ratings exactly.

    Attributes
    ----------
    d_prime, c, noise : float
    thresholds : tuple of float
        Positive, increasing.
    s, base_rate : float
        sd(S1)/sd(S2) and P(S2).
    """

    d_prime: float
    c: float = 0.0
    noise: float = 0.0
    thresholds: tuple[float, ...] = (0.5, 1.0, 1.5)
    s: float = 1.0
    base_rate: float = 0.5

    def __post_init__(self) -> None:
        _check_observer(self.s, self.base_rate)
        if not self.noise >= 0:
            raise InputError("noise must be at least 0.")
        if len(self.thresholds) < 1 or (np.diff([0.0, *self.thresholds]) <= 0).any():
            raise InputError("thresholds must be positive and increase.")

    def probabilities(self) -> tuple[FloatArray, FloatArray]:
        """P(rating | S1) and P(rating | S2), shape (2K,) each, by quadrature over the noise."""
        node, weight = np.polynomial.legendre.leggauss(400)
        out = []
        for sign, sd in ((-1.0, 1.0), (1.0, 1.0 / self.s)):
            centre = sign * self.d_prime / 2
            cells = []
            for side in (-1.0, 1.0):
                m = side * (centre - self.c)  # mean of the evidence, outwards from the criterion
                cuts = np.array([0.0, *self.thresholds])
                outer = ndtr((m - cuts) / sd)
                if self.noise > 0:
                    for j, cut in enumerate(self.thresholds, start=1):
                        # P(x > 0 and y > cut): noise above cut/noise only needs x > 0
                        top = min(cut / self.noise, 12.0)
                        e, w = (node + 1) * (top + 12) / 2 - 12, weight * (top + 12) / 2
                        density = w * np.exp(-0.5 * e * e) / np.sqrt(2 * np.pi)
                        below = density @ ndtr((m - cut + self.noise * e) / sd)
                        outer[j] = ndtr(-top) * ndtr(m / sd) + below
                cells.append(-np.diff(outer, append=0.0))
            out.append(np.concatenate([cells[0][::-1], cells[1]]))
        return out[0] / out[0].sum(), out[1] / out[1].sum()

    def trials(self, n_trials: int, *, seed: int | np.random.SeedSequence = 42) -> SimulatedTrials:
        """Draw single trials from the mechanism itself."""
        rng = np.random.default_rng(seed)
        stimulus = (rng.random(n_trials) < self.base_rate).astype(np.int64)
        sd = np.where(stimulus == 1, 1.0 / self.s, 1.0)
        x = (stimulus - 0.5) * self.d_prime + sd * rng.standard_normal(n_trials)
        response = x > self.c
        outward = np.where(response, 1.0, -1.0) * (x + self.noise * rng.standard_normal(n_trials) - self.c)
        level = np.searchsorted(np.array(self.thresholds), outward)
        k = len(self.thresholds) + 1
        return _trials(stimulus, np.where(response, k + level, k - 1 - level), k)


def counts_from_trials(
    stimulus: ArrayLike, rating: ArrayLike, n_ratings: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Counts nR_S1 and nR_S2 of trials, shape ``(2K,)`` each.

    Parameters
    ----------
    stimulus : array of 0/1, shape ``(n,)``
    rating : int array, shape ``(n,)``
        1 ... 2K.
    n_ratings : int
        K.

    Returns
    -------
    nR_S1, nR_S2 : int arrays, shape ``(2K,)``
        Trials of each stimulus by rating, in the order of Maniscalco & Lau (2012).

    Examples
    --------
    >>> from metacog.sdt import counts_from_trials
    >>> stimulus = [0, 0, 0, 1, 1, 1]
    >>> rating = [1, 2, 3, 2, 4, 4]  # 1: sure "S1", 4: sure "S2"
    >>> nR_S1, nR_S2 = counts_from_trials(stimulus, rating, n_ratings=2)
    >>> nR_S1, nR_S2
    (array([1, 1, 1, 0]), array([0, 1, 0, 2]))
    """
    which, level = np.asarray(stimulus), np.asarray(rating)
    if which.shape != level.shape or which.ndim != 1:
        raise InputError("stimulus and rating must be one-dimensional and equally long.")
    if not np.isin(which, (0, 1)).all() or not np.isin(level, np.arange(1, 2 * n_ratings + 1)).all():
        raise InputError(f"stimulus must be 0 or 1 and rating a whole number from 1 to {2 * n_ratings}.")
    tables = [np.bincount(level[which == v].astype(np.int64) - 1, minlength=2 * n_ratings) for v in (0, 1)]
    return tables[0], tables[1]


def _border(d1: float, c1: float, s: float) -> float:
    """Where on the evidence axis (0 between the means, units of sd(S1)) a criterion of value c1 lies."""
    return c1 + 0.5 * d1 * (s - 1.0) / (s + 1.0)


def _check_observer(s: float, base_rate: float, d_prime: float = 1.0) -> None:
    if not (s > 0 and np.isfinite(s)):
        raise InputError("s = sd(S1)/sd(S2) must be a positive number.")
    if not 0 < base_rate < 1:
        raise InputError("base_rate = P(S2) must lie between 0 and 1.")
    if d_prime == 0:
        raise InputError("d_prime must not be 0: meta-d' holds the ratio c/d'.")
