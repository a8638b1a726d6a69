"""Information about accuracy in bits, uncorrected, the observers it is measured against, and its bias.

What a plug-in estimate is too high by is counted, drawn or had by formula; the mean of the plug-in information
under independence is exact to rounding at any number of trials.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, xlogy

from metacog.sdt.checks import FloatArray, InputError, as_integer_tables, as_tables, need_both_classes
from metacog.sdt.ideal import ideal_counts
from metacog.sdt.resampling import shuffled_tables

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
    with np.errstate(invalid="ignore"):
        bits = (cells + xlogy(n, n) - xlogy(n0, n0) - xlogy(n1, n1)) / (n * LN2)
    return np.where(n > 0, np.maximum(bits, 0.0), np.nan)


def plugin_meta_i2r(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """Plug-in meta-I2r = I(accuracy; rating)/H(accuracy), batched; NaN where a class is empty."""
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
    d = np.abs(np.asarray(d_prime))[..., None]
    x = np.linspace(0.0, 1.0, 4001) * (d / 2 + 10)
    density = (np.exp(-0.5 * (x - d / 2) ** 2) + np.exp(-0.5 * (x + d / 2) ** 2)) / np.sqrt(2 * np.pi)
    remaining = density * binary_entropy(1 / (1 + np.exp(-d * x)))
    integral = np.trapezoid(remaining, x, axis=-1)
    # End correction of Euler-Maclaurin is zero: the integrand is even, so its slope at 0 vanishes.
    return np.maximum(binary_entropy(ndtr(d[..., 0] / 2)) - integral, 0.0)


def rated_meta_information(d_prime: float, shares: ArrayLike) -> float:
    """meta-I in bits of the same observer, if each rating, least confident first, has this share of its answers."""
    used = np.broadcast_to(np.asarray(shares, dtype=np.float64), (2, 2, np.size(shares)))
    ideal = ideal_counts(d_prime, 0.0, used)
    return float(plugin_meta_i(ideal[0, 1] + ideal[1, 0], ideal[0, 0] + ideal[1, 1]))


def max_meta_information(accuracy: ArrayLike, *, guess_rate: float = 0.5) -> FloatArray:
    """Largest meta-I in bits at an accuracy; NaN below the guess rate."""
    if not 0 <= guess_rate < 1:
        raise InputError(f"guess_rate must be in [0, 1), got {guess_rate}")
    a = np.asarray(accuracy, dtype=np.float64)
    bits = binary_entropy(a) - (1 - a) / (1 - guess_rate) * binary_entropy(guess_rate)
    return np.where(a >= guess_rate, np.maximum(bits, 0.0), np.nan)


#: Standard deviations on either side of the mean that are summed; what lies beyond is below exp(-700).
_BULK = 40
#: Trials added on either side, for cells so small that their spread is a fraction of a trial.
_LEAST = 60
#: Most trials of a table; beyond it whole-number products leave 64 bits.
MOST_TRIALS = 2_000_000_000


def _of_rating(r: int, n1: int, n: int) -> float:
    """Mean deviance of one rating with ``r`` of ``n`` trials."""
    k, p = hypergeometric_bulk(r, n1, n)
    gap = (k * n - r * n1).astype(np.float64) / n  # exact before the division
    return float(p @ (deviance(gap, r * n1 / n) + deviance(-gap, r * (n - n1) / n)))


def hypergeometric_bulk(r: int, n1: int, n: int) -> tuple[NDArray[np.int64], FloatArray]:
    """Values and probabilities of a hypergeometric count around its mean, probabilities summing to 1.

    Log-probabilities are summed outwards from the mean by ratios of neighbours, so that they are exact
    where they matter.
    """
    n0 = n - n1
    low, high = max(0, r - n0), min(r, n1)
    middle = r * n1 // n  # never beyond the ends
    sd = np.sqrt(r * (n1 / n) * (n0 / n))  # a binomial count's, which is no less
    reach = int(np.ceil(_BULK * sd)) + _LEAST
    k = np.arange(max(low, middle - reach), min(high, middle + reach) + 1, dtype=np.int64)
    a = k[:-1].astype(np.float64)
    ratio = np.log((n1 - a) * (r - a)) - np.log((a + 1) * (n0 - r + a + 1))  # log p(k + 1) - log p(k)
    at = middle - int(k[0])
    log_p = np.zeros(k.size)
    log_p[at + 1 :] = np.cumsum(ratio[at:])
    log_p[:at] = -np.cumsum(ratio[:at][::-1])[::-1]
    p = np.exp(log_p)
    return k, p / p.sum()


def deviance(gap: FloatArray, mean: float) -> FloatArray:
    """x log(x/m) - x + m for x = m + gap, never negative and exact for small gaps (Loader 2000)."""
    t = gap / mean
    small = np.abs(t) < 0.01
    series = np.where(small, t, 0.0)
    # (1 + t) log(1 + t) - t = sum over j >= 2 of (-t)^j / (j (j - 1)); ten terms reach 1e-24 here
    power, total = series * series, np.zeros_like(series)
    for j in range(2, 12):
        total += power / (j * (j - 1))
        power = -power * series
    rest = np.where(small, 0.0, t)
    near = np.maximum(1.0 + rest, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        plain = np.where(near > 0, near * np.log1p(np.maximum(rest, -1.0)), 0.0) - rest
    return mean * np.where(small, total, plain)


CORRECTIONS = ("permutation", "exact", "miller-madow", "chi-square", "jackknife", "none")


def expected_null_meta_i(nR_S1: ArrayLike, nR_S2: ArrayLike) -> float:
    """Exact mean of the plug-in meta-I over all re-pairings of accuracy and rating, in bits.

    N I in nats is the sum over ratings of D(k, r p) + D(r - k, r (1 - p)), with k the correct trials of r, p = n1/N
    and D the Poisson deviance of :func:`deviance`. Every term is at least 0, so nothing cancels; k is hypergeometric
    given the margins. (Sums of k log k less N log N, as in Vinh, Epps & Bailey 2010, expected mutual information, lose
    a digit for each tenfold of N.) One whole-number table; the relative error stays below 1e-9 up to
    :data:`~metacog.sdt.information_bits.MOST_TRIALS` trials.
    """
    incorrect, correct = as_integer_tables(nR_S1, nR_S2, one=True)
    need_both_classes(incorrect.astype(np.float64), correct.astype(np.float64))
    rating, n1 = incorrect + correct, int(correct.sum())
    n = int(rating.sum())
    if n > MOST_TRIALS:
        raise InputError(f"at most {MOST_TRIALS:,} trials; use correction='chi-square' for more")
    values, times = np.unique(rating[rating > 0], return_counts=True)
    nats = sum(int(t) * _of_rating(int(r), n1, n) for r, t in zip(values, times, strict=True)) / n
    return nats / LN2


def permutation_null_meta_i(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, n_permutations: int = 2000, seed: int | None = 42
) -> FloatArray:
    """Plug-in meta-I of ``n_permutations`` random re-pairings of accuracy and rating, in bits.

    See :func:`metacog.sdt.resampling.shuffled_tables`.
    """
    if n_permutations < 1:
        raise InputError("n_permutations must be at least 1")
    return plugin_meta_i(*shuffled_tables(nR_S1, nR_S2, n_permutations, seed=seed))


def analytic_bias(nR_S1: ArrayLike, nR_S2: ArrayLike, correction: str) -> FloatArray:
    """Bias of the plug-in meta-I in bits by a formula, for tables of shape ``(..., L)``.

    ``miller-madow``: (m_AR - m_A - m_R + 1)/(2 N ln 2), m = cells in use (Miller 1955; the
    same first-order term as Panzeri & Treves 1996 with occupied cells as relevant ones).
    ``chi-square``: (m_A - 1)(m_R - 1)/(2 N ln 2), the mean of G/(2 N ln 2) under independence.
    ``jackknife``: (N - 1)(mean leave-one-out - plug-in) with its sign turned to a bias.
    """
    incorrect, correct = as_tables(nR_S1, nR_S2)
    n = (incorrect + correct).sum(axis=-1)
    m_a = (incorrect.sum(-1) > 0).astype(float) + (correct.sum(-1) > 0)
    m_r = ((incorrect + correct) > 0).sum(axis=-1)
    if correction == "chi-square":
        return (m_a - 1) * (m_r - 1) / (2 * n * LN2)
    if correction == "miller-madow":
        m_ar = (incorrect > 0).sum(axis=-1) + (correct > 0).sum(axis=-1)
        return (m_ar - m_a - m_r + 1) / (2 * n * LN2)
    if correction != "jackknife":
        raise InputError(f"no analytic correction named {correction!r}; use one of {CORRECTIONS}")
    levels = incorrect.shape[-1]
    less0, less1 = (np.maximum(x[..., None, :] - np.eye(levels), 0.0) for x in (incorrect, correct))
    same0, same1 = (np.broadcast_to(x[..., None, :], less0.shape) for x in (incorrect, correct))
    leave = incorrect * plugin_meta_i(less0, same1) + correct * plugin_meta_i(same0, less1)
    return (n - 1) * (leave.sum(axis=-1) / n - plugin_meta_i(incorrect, correct))


def null_meta_i2r(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    correction: str = "exact",
    n_permutations: int = 2000,
    seed: int | None = 42,
) -> FloatArray:
    """What a correction takes off the plug-in meta-I2r of tables ``(..., L)``, in units of H(accuracy).

    Parameters are those of :func:`~.information.meta_i2r`.
    """
    incorrect, correct = as_tables(nR_S1, nR_S2)
    n0, n1 = incorrect.sum(axis=-1), correct.sum(axis=-1)
    both = (n0 > 0) & (n1 > 0)
    if correction == "none":
        return np.where(both, 0.0, np.nan)
    if correction in ("exact", "permutation"):
        bits = np.full(both.shape, np.nan)
        for i in np.ndindex(both.shape):
            if both[i] and correction == "exact":
                bits[i] = expected_null_meta_i(incorrect[i], correct[i])
            elif both[i]:
                bits[i] = permutation_null_meta_i(
                    incorrect[i], correct[i], n_permutations=n_permutations, seed=seed
                ).mean()
    else:
        with np.errstate(invalid="ignore", divide="ignore"):
            bits = analytic_bias(incorrect, correct, correction)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(both, bits / binary_entropy(n1 / (n0 + n1)), np.nan))
