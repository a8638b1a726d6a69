"""Information about accuracy in bits, uncorrected, and the observers it is measured against."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, xlogy

from .checks import InputError
from .tables import FloatArray, as_tables

LN2 = float(np.log(2.0))


def binary_entropy(p: ArrayLike) -> FloatArray:
    """h(p) = -p log2 p - (1-p) log2 (1-p), in bits."""
    q = np.asarray(p, dtype=np.float64)
    return -(xlogy(q, q) + xlogy(1 - q, 1 - q)) / LN2


def plugin_meta_i(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """Plug-in I(accuracy; rating) in bits for tables of shape ``(..., L)``; NaN for empty tables."""
    incorrect, correct = as_tables(nR_S1, nR_S2)
    rating = incorrect + correct
    n = rating.sum(axis=-1)
    n0, n1 = incorrect.sum(axis=-1), correct.sum(axis=-1)
    cells = (xlogy(incorrect, incorrect) + xlogy(correct, correct) - xlogy(rating, rating)).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        bits = (cells + xlogy(n, n) - xlogy(n0, n0) - xlogy(n1, n1)) / (n * LN2)
    return np.where(n > 0, np.maximum(bits, 0.0), np.nan)


def plugin_meta_i2r(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """Plug-in meta-I2r = I(accuracy; rating)/H(accuracy), batched; NaN where a class is empty.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays, shape ``(..., L)``
        Incorrect and correct trials by rating, lowest rating first.
    """
    incorrect, correct = as_tables(nR_S1, nR_S2)
    n0, n1 = incorrect.sum(axis=-1), correct.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        entropy = binary_entropy(n1 / (n0 + n1))
        return np.where((n0 > 0) & (n1 > 0), plugin_meta_i(incorrect, correct) / entropy, np.nan)


def normal_meta_information(d_prime: ArrayLike) -> FloatArray:
    """meta-I in bits of the ideal equal-variance Gaussian observer with sensitivity d'.

    Two equally likely stimuli at -d'/2 and d'/2, response by the sign of x and confidence the
    posterior P(correct | x) = 1/(1 + exp(-d'|x|)): meta-I(d') = h(Phi(d'/2)) - E[h(P(correct|x))].
    Integrated by the trapezoidal rule on a grid that reaches 10 sd beyond the mean, which is exact
    to rounding for a smooth density. Only |d'| matters.
    """
    d = np.abs(np.asarray(d_prime, dtype=np.float64))[..., None]
    x = np.linspace(0.0, 1.0, 4001) * (d / 2 + 10)
    density = (np.exp(-0.5 * (x - d / 2) ** 2) + np.exp(-0.5 * (x + d / 2) ** 2)) / np.sqrt(2 * np.pi)
    remaining = density * binary_entropy(1 / (1 + np.exp(-d * x)))
    integral = np.trapezoid(remaining, x, axis=-1)
    # End correction of Euler-Maclaurin is zero: the integrand is even, so its slope at 0 vanishes.
    return np.maximum(binary_entropy(ndtr(d[..., 0] / 2)) - integral, 0.0)


def max_meta_information(accuracy: ArrayLike, *, guess_rate: float = 0.5) -> FloatArray:
    """Largest meta-I in bits at an accuracy; NaN below the guess rate."""
    if not 0 <= guess_rate < 1:
        raise InputError(f"guess_rate must be in [0, 1), got {guess_rate}")
    a = np.asarray(accuracy, dtype=np.float64)
    bits = binary_entropy(a) - (1 - a) / (1 - guess_rate) * binary_entropy(guess_rate)
    return np.where(a >= guess_rate, np.maximum(bits, 0.0), np.nan)
