r"""Simulated answerers whose metacognitive efficiency is known.

An answer is right (Y = 1) with a fixed probability. A latent strength x separates right answers from
wrong ones, and confidence is x seen through noise, y = x + noise N(0, 1). What x carries about
correctness is I(Y; x) bits, what confidence carries is I(Y; y) bits, and

    efficiency = I(Y; y) / I(Y; x),

1 for a confidence that reads all of x and near 0 for one drowned in noise. Two kinds of x:

* *Gaussian*: x is N(0, sd0) for wrong answers and N(signal, 1) for right ones, so x itself is not
  sure of correctness; sd0 is the slope of its z-ROC;
* *threshold*: x is N(m, 1) and an answer is right when x > 0, so x knows correctness exactly and
  I(Y; x) = H(Y).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

from metacog.core.errors import MetacogError
from metacog.sdt import auroc2_from_counts, fit_meta_d_batch, z_roc
from metacog.sdt.information import binary_entropy, meta_i2r

FloatArray = NDArray[np.float64]

N_RATINGS = 8
PAD = 0.5
#: Measures the simulation asks, by name.
ASKED = {"m_ratio": "M-ratio", "meta_i2r": "meta-I2r", "auroc2": "AUROC2"}


@dataclass(frozen=True)
class Observer:
    """One simulated answerer.

    Attributes
    ----------
    name : str
    accuracy : float
    signal : float
        Distance between the mean strengths of right and wrong answers (Gaussian kind only).
    noise : float
        Standard deviation of the noise between strength and confidence.
    slope : float
        sd of x for wrong answers, with 1 for right ones (Gaussian kind only).
    threshold : bool
        Of the threshold kind.
    """

    name: str
    accuracy: float = 0.5
    signal: float = 1.6
    noise: float = 0.0
    slope: float = 1.0
    threshold: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.accuracy < 1 or self.noise < 0 or self.slope <= 0:
            raise MetacogError("an observer needs 0 < accuracy < 1, noise >= 0 and slope > 0")

    def sample(
        self, shape: tuple[int, int], rng: np.random.Generator
    ) -> tuple[NDArray[np.bool_], FloatArray]:
        """Correctness and confidence of trials, arrays of the given shape (repetitions, trials)."""
        if self.threshold:
            x = ndtri(self.accuracy) + rng.standard_normal(shape)
            right = x > 0
        else:
            right = rng.random(shape) < self.accuracy
            x = rng.standard_normal(shape) * np.where(right, 1.0, self.slope) + self.signal * right
        return right, x + self.noise * rng.standard_normal(shape)

    def information(self, noise: float | None = None) -> float:
        """I(Y; confidence) in bits, by quadrature; ``noise=0`` gives I(Y; x)."""
        sd = self.noise if noise is None else noise
        if self.threshold and sd == 0:
            return float(binary_entropy(self.accuracy))
        y, density, share = self._mixture(sd)
        remaining = np.trapezoid(density * binary_entropy(np.clip(share, 0.0, 1.0)), y)
        return float(binary_entropy(self.accuracy) - remaining)

    def _mixture(self, sd: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Grid of y, its density, and P(right | y)."""
        if self.threshold:
            m, spread = float(ndtri(self.accuracy)), float(np.hypot(1.0, sd))
            y = m + spread * np.linspace(-10, 10, 8001)
            density = np.exp(-0.5 * ((y - m) / spread) ** 2) / (spread * np.sqrt(2 * np.pi))
            # x given y is normal: mean m + (y - m)/(1 + sd^2), variance sd^2/(1 + sd^2)
            share = ndtr((m + (y - m) / spread**2) * spread / sd)
            return y, density, share
        wide0, wide1 = float(np.hypot(self.slope, sd)), float(np.hypot(1.0, sd))
        low, high = min(-10 * wide0, self.signal - 10 * wide1), max(10 * wide0, self.signal + 10 * wide1)
        y = np.linspace(low, high, 16001)
        wrong = (1 - self.accuracy) * np.exp(-0.5 * (y / wide0) ** 2) / (wide0 * np.sqrt(2 * np.pi))
        right = self.accuracy * np.exp(-0.5 * ((y - self.signal) / wide1) ** 2) / (wide1 * np.sqrt(2 * np.pi))
        total = wrong + right
        return y, total, np.where(total > 0, right / np.maximum(total, 1e-300), 0.5)

    @property
    def available(self) -> float:
        """I(Y; x) in bits."""
        return self.information(0.0)

    @property
    def efficiency(self) -> float:
        """I(Y; confidence) / I(Y; x)."""
        return self.information() / self.available


def at_efficiency(observer: Observer, efficiency: float) -> Observer:
    """The same answerer with the noise that gives this efficiency.

    Raises
    ------
    MetacogError
        If the efficiency does not lie in (0, 1].
    """
    if not 0 < efficiency <= 1:
        raise MetacogError(f"an efficiency lies above 0 and is at most 1, not {efficiency}")
    if efficiency == 1:
        return replace(observer, noise=0.0)
    available = observer.available
    log_noise = brentq(
        lambda u: observer.information(float(np.exp(u))) / available - efficiency, -6, 6, xtol=1e-12
    )
    return replace(observer, noise=float(np.exp(log_noise)))


def same_table(observer: Observer, efficiency: float) -> Observer:
    """An answerer of this efficiency whose confidence is distributed just as `observer`'s.

    Strength and noise grow together: x separates better, confidence loses more of it, and the table
    of correctness by rating stays the same. Equal-variance Gaussian observers without noise only.
    """
    if observer.threshold or observer.slope != 1 or observer.noise:
        raise MetacogError("same_table takes an equal-variance Gaussian observer without noise")
    have = observer.available

    def gap(noise: float) -> float:
        stronger = replace(observer, signal=observer.signal * float(np.hypot(1.0, noise)))
        return have / stronger.available - efficiency

    if efficiency >= 1:
        return observer
    top = 1.0
    while gap(top) > 0:
        top *= 2
        if top > 1e3:
            raise MetacogError(f"no noise gives an efficiency of {efficiency} with this table")
    noise = float(brentq(gap, 0.0, top, xtol=1e-10))
    return replace(observer, signal=observer.signal * float(np.hypot(1.0, noise)), noise=noise)


@dataclass(frozen=True)
class Recovery:
    """What measures make of observers of known efficiency.

    Attributes
    ----------
    table : DataFrame
        One row an observer and measure: ``observer, efficiency, measure, mean, lower, upper`` (95 %
        of the repetitions), ``ratio, ratio_lower, ratio_upper`` (over the first observer's; AUROC2
        as its distance from 1/2).
    rank_correlation : DataFrame
        One row a measure: ``measure, mean, lower, upper`` of Spearman's rho with true efficiency over
        repetitions (NaN where all efficiencies are equal).
    observers : tuple of Observer
    n_trials, n_repetitions, seed : int
    n_dropped : int
        Tables whose M-ratio could not be had.
    """

    table: pd.DataFrame
    rank_correlation: pd.DataFrame
    observers: tuple[Observer, ...]
    n_trials: int
    n_repetitions: int
    seed: int
    n_dropped: int

    def of(self, measure: str) -> pd.DataFrame:
        """Rows of one measure, in the order of the observers."""
        return self.table[self.table["measure"] == measure].reset_index(drop=True)


def simulate_tables(
    observer: Observer, n_trials: int, n_repetitions: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Incorrect and correct trials by rating, ``(n_repetitions, 8)`` each; edges at sample quantiles."""
    right, y = observer.sample((n_repetitions, n_trials), rng)
    order = np.argsort(y, axis=1)
    sorted_right = np.take_along_axis(right, order, axis=1)
    # confidence is continuous, so quantile bins are equal runs of the sorted trials
    starts = np.round(np.arange(N_RATINGS) * n_trials / N_RATINGS).astype(int)
    hits = np.add.reduceat(sorted_right.astype(np.float64), starts, axis=1)
    total = np.diff(np.append(starts, n_trials)).astype(np.float64)
    return total - hits, hits


def _measures(s1: FloatArray, s2: FloatArray) -> dict[str, FloatArray]:
    fits = fit_meta_d_batch(s1 + PAD, s2 + PAD, undefined="flag")
    m = np.where(fits.converged & (np.abs(fits.m_ratio) < 10), fits.m_ratio, np.nan)
    return {
        "m_ratio": m,
        "meta_i2r": meta_i2r(s1, s2, correction="chi-square"),
        "auroc2": auroc2_from_counts(s1, s2),
        "z_slope": np.asarray(z_roc(s1, s2).slope),
    }


def recover(
    observers: Sequence[Observer], *, n_trials: int = 5000, n_repetitions: int = 200, seed: int = 42
) -> Recovery:
    """Measure simulated answerers many times over.

    Parameters
    ----------
    observers : sequence of Observer
        The first one is the yardstick of the ratios.
    n_trials : int
        Trials a repetition (5,000: one model on TriviaQA in study 1).
    n_repetitions : int
    seed : int

    Returns
    -------
    Recovery
    """
    if n_repetitions < 20 or n_trials < 100:
        raise MetacogError("a recovery needs at least 20 repetitions of at least 100 trials")
    seeds = np.random.SeedSequence(seed).spawn(len(observers))
    drawn = [
        _measures(*simulate_tables(o, n_trials, n_repetitions, np.random.default_rng(s)))
        for o, s in zip(observers, seeds, strict=True)
    ]
    rows, ranks = [], []
    efficiency = np.array([o.efficiency for o in observers])
    for measure in (*ASKED, "z_slope"):
        values = np.stack([d[measure] for d in drawn])  # (observers, repetitions)
        zero = 0.5 if measure == "auroc2" else 0.0
        ratio = (values - zero) / (values[0] - zero)
        for i, observer in enumerate(observers):
            low, high = np.nanquantile(values[i], [0.025, 0.975])
            r_low, r_high = np.nanquantile(ratio[i], [0.025, 0.975])
            rows.append(
                (
                    observer.name, efficiency[i], measure, float(np.nanmean(values[i])), low, high,
                    float(np.nanmean(ratio[i])), r_low, r_high,
                )
            )  # fmt: skip
        rho = _spearman(efficiency, values)
        ends = np.nanquantile(rho, [0.025, 0.975]) if np.isfinite(rho).any() else (np.nan, np.nan)
        ranks.append((measure, float(np.nanmean(rho)) if np.isfinite(rho).any() else np.nan, *ends))
    columns = ["observer", "efficiency", "measure", "mean", "lower", "upper", "ratio", "ratio_lower",
               "ratio_upper"]  # fmt: skip
    dropped = int(sum(np.isnan(d["m_ratio"]).sum() for d in drawn))
    return Recovery(
        pd.DataFrame(rows, columns=columns),
        pd.DataFrame(ranks, columns=["measure", "mean", "lower", "upper"]),
        tuple(observers),
        n_trials,
        n_repetitions,
        seed,
        dropped,
    )


def _spearman(efficiency: FloatArray, values: FloatArray) -> FloatArray:
    """Rank correlation of each repetition; NaN without differences to rank."""
    a = rankdata(np.round(efficiency, 9))
    a = a - a.mean()
    b = rankdata(values, axis=0)
    b = b - b.mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (a @ b) / np.sqrt((a @ a) * (b * b).sum(axis=0))


#: True efficiencies of the simulated answerers: four-fold from first to last.
EFFICIENCIES = (1.0, 0.75, 0.5, 0.35, 0.25)
SLOPES = (0.65, 0.8, 1.0, 1.2, 1.4)


def _d_a(d_a: float, slope: float) -> float:
    """Signal, in sd of right answers, that gives d_a at this slope."""
    return d_a * float(np.sqrt((1 + slope**2) / 2))


def design(name: str, accuracy: float = 0.43) -> list[Observer]:
    """Five observers of the same accuracy.

    Parameters
    ----------
    name : {'noise', 'threshold', 'shape', 'reversed', 'same table'}
        ``noise``: the same strength, ever more noise, efficiency falls four-fold. ``threshold``: the
        same, with a strength that decides correctness. ``shape``: efficiency 1 throughout, the z-ROC
        slope differs. ``reversed``: efficiency falls while the slope falls too. ``same table``:
        efficiency falls, but strength rises so that the expected table stays the same.
    accuracy : float
        0.43 is that of two of the study's four models.
    """
    if name == "noise":
        made = [at_efficiency(Observer("", accuracy, 1.6), e) for e in EFFICIENCIES]
    elif name == "threshold":
        # at efficiency 1 the table would separate completely and d' be infinite
        made = [at_efficiency(Observer("", accuracy, threshold=True), 0.8 * e) for e in EFFICIENCIES]
    elif name == "shape":
        made = [Observer("", accuracy, _d_a(1.6, s), slope=s) for s in SLOPES]
    elif name == "reversed":
        made = [
            at_efficiency(Observer("", accuracy, _d_a(1.6, s), slope=s), e)
            for s, e in zip(SLOPES[::-1], EFFICIENCIES, strict=True)
        ]
    elif name == "same table":
        made = [same_table(Observer("", accuracy, 1.0), e) for e in EFFICIENCIES]
    else:
        raise MetacogError(f"there is no design {name!r}")
    label = (
        (lambda o: f"slope {o.slope:g}") if name == "shape" else (lambda o: f"efficiency {o.efficiency:.2f}")
    )
    return [replace(o, name=label(o)) for o in made]
