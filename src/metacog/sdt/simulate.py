"""Observers whose d', meta-d' and criteria are known, for recovery, coverage and power."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import ndtr

from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.type1 import rms_scale


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
    falls as noise grows, though no meta-d' describes the ratings exactly. With ``lognormal`` it is the thresholds that
    are noisy: all of a trial are multiplied by exp(`noise` * N(0, 1)) (Shekhar & Rahnev 2021).

    Attributes
    ----------
    d_prime, c, noise : float
    thresholds : tuple of float
        Positive, increasing.
    s, base_rate : float
        sd(S1)/sd(S2) and P(S2).
    lognormal : bool
    """

    d_prime: float
    c: float = 0.0
    noise: float = 0.0
    thresholds: tuple[float, ...] = (0.5, 1.0, 1.5)
    s: float = 1.0
    base_rate: float = 0.5
    lognormal: bool = False

    def __post_init__(self) -> None:
        _check_observer(self.s, self.base_rate)
        if not self.noise >= 0:
            raise InputError("noise must be at least 0.")
        if len(self.thresholds) < 1 or (np.diff([0.0, *self.thresholds]) <= 0).any():
            raise InputError("thresholds must be positive and increase.")

    def probabilities(self) -> tuple[FloatArray, FloatArray]:
        """P(rating | S1) and P(rating | S2), shape (2K,) each, by quadrature over the noise."""
        node, weight = _nodes()
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
                        top = 12.0 if self.lognormal else min(cut / self.noise, 12.0)
                        e, w = (node + 1) * (top + 12) / 2 - 12, weight * (top + 12) / 2
                        density = w * np.exp(-0.5 * e * e) / np.sqrt(2 * np.pi)
                        needed = cut * np.exp(-self.noise * e) if self.lognormal else cut - self.noise * e
                        below = density @ ndtr((m - needed) / sd)
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
        side, noise = np.where(response, 1.0, -1.0), self.noise * rng.standard_normal(n_trials)
        if self.lognormal:
            outward = side * (x - self.c) * np.exp(-noise)
        else:
            outward = side * (x + noise - self.c)
        level = np.searchsorted(np.array(self.thresholds), outward)
        k = len(self.thresholds) + 1
        return _trials(stimulus, np.where(response, k + level, k - 1 - level), k)


@cache
def _nodes() -> tuple[FloatArray, FloatArray]:
    node, weight = np.polynomial.legendre.leggauss(400)
    return node, weight


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
