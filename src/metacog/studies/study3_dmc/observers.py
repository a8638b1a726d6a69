"""Simulated observers whose ability varies while efficiency is held fixed, and what is measured of them.

"Efficiency held fixed" has no one meaning: it is a parameter of a model. So there are three kinds of
observer. The first is the very model behind M-ratio and DMC, and these measures must be flat there;
the other two state in another way how much of what the decision knew reaches the rating.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from metacog.sdt import InputError, fit_meta_d_batch, meta_d_observer, type2_table
from metacog.sdt.dmc import fit_dmc_batch
from metacog.sdt.information import meta_i2r
from metacog.sdt.simulate import NoisyConfidenceObserver
from metacog.sdt.type2 import auroc2_from_counts

FloatArray = NDArray[np.float64]

#: Abilities d', one a simulated data set.
ABILITIES: tuple[float, ...] = (0.6, 0.85, 1.1, 1.35, 1.6, 1.85, 2.1, 2.35)
#: The probability that each rating states, whatever the ability.
STATED = np.array([0.5625, 0.6875, 0.8125, 0.9375])
M_RATIO, NOISE, SCATTER = 0.7, 1.0, 0.3
#: Kinds beside these: ratings at random, and ratings that use all that the decision used.
NOTHING, ALL = "nothing", "all"
#: Padding of both estimators: DMC's.
PAD = 1.0 / (2 * STATED.size)

KINDS: dict[str, str] = {
    "model": f"an M-ratio of {M_RATIO:g}",
    "noise": f"confidence noise of {NOISE:g}",
    "scatter": f"{SCATTER:.0%} of ratings at random",
}
MEASURES: dict[str, str] = {
    "mc": "DMC's MC",
    "m_ratio": "M-ratio (ML)",
    "meta_i2r": "meta-I2r",
    "auroc2": "AUROC2",
    "ece": "ECE",
    "brier": "Brier",
}


def probabilities(kind: str, d_prime: float) -> tuple[FloatArray, FloatArray]:
    """P(rating | S1) and P(rating | S2) of one observer, shape ``(8,)`` each."""
    if kind == "model":
        return meta_d_observer(d_prime, m_ratio=M_RATIO).probabilities()
    if kind == "noise":
        return NoisyConfidenceObserver(d_prime, noise=NOISE).probabilities()
    if kind == "scatter":
        return _scattered(d_prime, SCATTER)
    if kind in (NOTHING, ALL):
        return _scattered(d_prime, float(kind == NOTHING))
    raise InputError(f"no kind of observer {kind!r}; use one of: {', '.join(KINDS)}")


def _scattered(d_prime: float, share: float) -> tuple[FloatArray, FloatArray]:
    """A share of an ideal observer's ratings drawn evenly from those of the answer given."""
    made = []
    for p in meta_d_observer(d_prime).probabilities():
        k = p.size // 2
        made.append((1 - share) * p + share * np.repeat([p[:k].sum(), p[k:].sum()], k) / k)
    return made[0], made[1]


def exact(kind: str, d_prime: float) -> tuple[FloatArray, FloatArray]:
    """The table of endlessly many trials, as a million fractional ones."""
    p1, p2 = probabilities(kind, d_prime)
    return 5e5 * p1[None], 5e5 * p2[None]


def measure(name: str, s1: FloatArray, s2: FloatArray, *, pad: float = PAD) -> FloatArray:
    """One measure of tables of shape ``(B, 8)``: NaN where a fit is undefined or does not converge."""
    return _FUNCTIONS[name](s1, s2, pad)


def _mc(s1: FloatArray, s2: FloatArray, pad: float) -> FloatArray:
    fit = fit_dmc_batch(s1, s2, pad=pad)
    return np.where(fit.converged, fit.mc, np.nan)


def _m_ratio(s1: FloatArray, s2: FloatArray, pad: float) -> FloatArray:
    fit = fit_meta_d_batch(s1 + pad, s2 + pad, undefined="flag")
    return np.where(fit.converged, fit.m_ratio, np.nan)


def _folded(f: Callable[[FloatArray, FloatArray], FloatArray]) -> Callable[..., FloatArray]:
    """A measure of wrong and right answers by rating, without padding."""

    def of(s1: FloatArray, s2: FloatArray, pad: float) -> FloatArray:
        return f(*type2_table(s1, s2))

    return of


def _ece(wrong: FloatArray, right: FloatArray) -> FloatArray:
    """Mean gap between stated probability and share right, one bin a rating."""
    total = wrong + right
    return np.abs(right - STATED * total).sum(axis=-1) / total.sum(axis=-1)


def _brier(wrong: FloatArray, right: FloatArray) -> FloatArray:
    """Mean squared difference of stated probability and correctness."""
    lost = wrong * STATED**2 + right * (1 - STATED) ** 2
    return lost.sum(axis=-1) / (wrong + right).sum(axis=-1)


_FUNCTIONS: dict[str, Callable[[FloatArray, FloatArray, float], FloatArray]] = {
    "mc": _mc,
    "m_ratio": _m_ratio,
    "meta_i2r": _folded(lambda a, b: meta_i2r(a, b, correction="chi-square")),
    "auroc2": _folded(auroc2_from_counts),
    "ece": _folded(_ece),
    "brier": _folded(_brier),
}
