r"""Information that confidence carries about accuracy: the meta-information family.

With A = correct or not and R = rating, in bits (Dayan 2023, Open Mind 7, 392-411):

* meta-I = I(A; R) = H(A) + H(R) - H(A, R);
* meta-I1r = meta-I / meta-I of an ideal equal-variance Gaussian observer of the same d', whose
  confidence is the whole posterior (:func:`normal_meta_information`);
* meta-I2r = meta-I / H(A): the share of the uncertainty about accuracy that ratings take away;
* RMI = meta-I / max meta-I at that accuracy, the relative meta-information of the statConfR
  package (Meyen): H(A | R) is concave in P(correct | R), so at accuracy a with every rating at
  least as good as the guess rate g, the most informative observer is sure on some trials and
  guesses on the rest, max = h(a) - (1 - a)/(1 - g) h(g). For two choices g = 1/2; for open
  answers g = 0 and RMI = meta-I2r.

None of the units frees meta-I of accuracy: one and the same distance of the two confidence
distributions (d_a 1) gives meta-I2r .10 at accuracy .05 and .15 at .43. Groups of unlike accuracy are
compared matched or with accuracy modelled, or in AUROC2, which does not move with it.

A plug-in estimate is too high by about (L - 1)/(2 N ln 2) bits. ``correction`` names how that is
taken off: ``permutation`` (mean over random re-pairings of accuracy and rating), ``exact`` (that
mean without Monte-Carlo error), ``miller-madow``, ``chi-square``, ``jackknife`` or ``none``.

:func:`meta_i2r` is the one estimator of meta-I2r. A column named ``meta_i2r`` holds its default, the
exact correction; every other correction stands in the column's name (``meta_i2r_permutation``,
``meta_i2r_chi_square``, ``meta_i2r_plugin``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri, xlogy

from ._checks import InputError
from ._information_interval import (
    clustered_meta_i2r_se,
    meta_i2r_interval,
    meta_i2r_se,
    studentised,
)
from ._null_mean import MOST_TRIALS, null_mean_nats
from ._tables import FloatArray, as_integer_tables, as_tables, need_both_classes, table_from_trials
from .permutation import permutation_p, shuffled_tables

__all__ = [
    "CORRECTIONS",
    "MetaInformation",
    "analytic_bias",
    "binary_entropy",
    "clustered_meta_i2r_se",
    "expected_null_meta_i",
    "max_meta_information",
    "meta_i2r",
    "meta_i2r_interval",
    "meta_i2r_p",
    "meta_i2r_se",
    "meta_information",
    "meta_information_from_counts",
    "normal_meta_information",
    "null_meta_i2r",
    "permutation_null_meta_i",
    "plugin_meta_i",
    "plugin_meta_i2r",
    "studentised",
]

CORRECTIONS = ("permutation", "exact", "miller-madow", "chi-square", "jackknife", "none")
LN2 = float(np.log(2.0))


@dataclass(frozen=True)
class MetaInformation:
    """Meta-information of one table.

    Attributes
    ----------
    meta_i : float
        Bits, corrected as ``correction`` says. ``plugin_meta_i`` is the raw value.
    meta_i1r, meta_i2r, rmi : float
        ``meta_i`` in the three units of the module's docstring; NaN where the unit is undefined
        (``notes`` says why). ``plugin_meta_i2r`` is uncorrected.
    bias : float
        Bits taken off the plug-in value. ``null_mean_i2r`` is the same in units of H(accuracy).
    p_value : float
        (1 + #null >= observed) / (1 + permutations); NaN unless ``correction`` is permutation.
    accuracy, entropy, d_prime : float
        Accuracy, its entropy in bits, and the d' that meta-I1r rests on.
    n_trials, n_levels, n_permutations, seed : int
        ``n_levels`` counts the ratings used by any trial.
    correction : str
    notes : tuple of str
    """

    meta_i: float
    meta_i1r: float
    meta_i2r: float
    rmi: float
    plugin_meta_i: float
    plugin_meta_i2r: float
    bias: float
    null_mean_i2r: float
    p_value: float
    accuracy: float
    entropy: float
    d_prime: float
    n_trials: float
    n_levels: int
    n_permutations: int
    seed: int | None
    correction: str
    notes: tuple[str, ...] = ()


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
    d = np.abs(np.asarray(d_prime, dtype=np.float64))[..., None]
    x = np.linspace(0.0, 1.0, 4001) * (d / 2 + 10)
    density = (np.exp(-0.5 * (x - d / 2) ** 2) + np.exp(-0.5 * (x + d / 2) ** 2)) / np.sqrt(2 * np.pi)
    remaining = density * binary_entropy(1 / (1 + np.exp(-d * x)))
    integral = np.trapezoid(remaining, x, axis=-1)
    # End correction of Euler-Maclaurin is zero: the integrand is even, so its slope at 0 vanishes.
    return np.maximum(binary_entropy(ndtr(d[..., 0] / 2)) - integral, 0.0)


def max_meta_information(accuracy: ArrayLike, guess_rate: float = 0.5) -> FloatArray:
    """Largest meta-I in bits at an accuracy; NaN below the guess rate."""
    if not 0 <= guess_rate < 1:
        raise InputError(f"guess_rate must be in [0, 1), got {guess_rate}")
    a = np.asarray(accuracy, dtype=np.float64)
    bits = binary_entropy(a) - (1 - a) / (1 - guess_rate) * binary_entropy(guess_rate)
    return np.where(a >= guess_rate, np.maximum(bits, 0.0), np.nan)


def expected_null_meta_i(nR_S1: ArrayLike, nR_S2: ArrayLike) -> float:
    """Exact mean of the plug-in meta-I over all re-pairings of accuracy and rating, in bits.

    Each correct cell is hypergeometric given the margins, so the mean is a finite sum over its
    values (Vinh, Epps & Bailey 2010, expected mutual information). One whole-number table; the relative
    error stays below 1e-9 up to :data:`~metacog.sdt._null_mean.MOST_TRIALS` trials.

    Raises
    ------
    InputError
        Not one table of whole numbers with both classes, or more trials than that.
    """
    incorrect, correct = as_integer_tables(nR_S1, nR_S2)
    if incorrect.ndim != 1:
        raise InputError(f"one table of shape (L,) is wanted, got {incorrect.shape}")
    need_both_classes(incorrect.astype(np.float64), correct.astype(np.float64))
    rating = incorrect + correct
    if int(rating.sum()) > MOST_TRIALS:
        raise InputError(f"at most {MOST_TRIALS:,} trials; use correction='chi-square' for more")
    return null_mean_nats(rating, int(correct.sum())) / LN2


def permutation_null_meta_i(
    nR_S1: ArrayLike, nR_S2: ArrayLike, n_permutations: int = 2000, seed: int | None = 42
) -> FloatArray:
    """Plug-in meta-I of ``n_permutations`` random re-pairings of accuracy and rating, in bits.

    See :func:`metacog.sdt.permutation.shuffled_tables`.
    """
    if n_permutations < 1:
        raise InputError("n_permutations must be at least 1")
    return plugin_meta_i(*shuffled_tables(nR_S1, nR_S2, n_permutations, seed))


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
    eye = np.eye(levels)
    less0 = np.maximum(incorrect[..., None, :] - eye, 0.0)
    less1 = np.maximum(correct[..., None, :] - eye, 0.0)
    same0 = np.broadcast_to(incorrect[..., None, :], less0.shape)
    same1 = np.broadcast_to(correct[..., None, :], less1.shape)
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
    """What a correction takes off the plug-in meta-I2r, in units of H(accuracy); see :func:`meta_i2r`."""
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
                bits[i] = permutation_null_meta_i(incorrect[i], correct[i], n_permutations, seed).mean()
    else:
        with np.errstate(invalid="ignore", divide="ignore"):
            bits = analytic_bias(incorrect, correct, correction)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(both, bits / binary_entropy(n1 / (n0 + n1)), np.nan))


def meta_i2r(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    correction: str = "exact",
    n_permutations: int = 2000,
    seed: int | None = 42,
) -> FloatArray:
    """Meta-I2r, batched: I(accuracy; rating)/H(accuracy) less what its ``correction`` names.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays, shape ``(..., L)``
        Incorrect and correct trials by rating; whole numbers for ``exact`` and ``permutation``.
    correction : {'exact', 'permutation', 'chi-square', 'miller-madow', 'jackknife', 'none'}
        ``exact``: the mean over all re-pairings of accuracy and rating, one table at a time;
        ``chi-square``: for thousands of tables at once; ``none``: the plug-in value.
    n_permutations, seed
        Of ``permutation``.

    Returns
    -------
    array, shape ``(...)``; NaN where a class is empty
    """
    taken_off = null_meta_i2r(
        nR_S1, nR_S2, correction=correction, n_permutations=n_permutations, seed=seed
    )  # fmt: skip
    return plugin_meta_i2r(nR_S1, nR_S2) - taken_off


def meta_i2r_p(
    nR_S1: ArrayLike, nR_S2: ArrayLike, n_permutations: int = 2000, seed: int | None = 42
) -> float:
    """Permutation p-value of one table's meta-I2r: do ratings know anything of accuracy?

    Phipson & Smyth's (1 + #null >= observed)/(1 + permutations). H(accuracy) is the same in every
    permutation, so meta-I, meta-I2r and RMI share it.
    """
    null = permutation_null_meta_i(nR_S1, nR_S2, n_permutations, seed)
    return permutation_p(float(plugin_meta_i(nR_S1, nR_S2)), null, "greater").p_value


def meta_information_from_counts(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    correction: str = "permutation",
    n_permutations: int = 2000,
    seed: int | None = 42,
    d_prime: float | None = None,
    guess_rate: float = 0.5,
) -> MetaInformation:
    """Meta-information of one table of incorrect and correct trials by rating.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays of shape ``(L,)``
        Incorrect and correct trials by rating (fold two-choice counts with ``type2_table``).
        Whole numbers for the ``permutation`` and ``exact`` corrections.
    correction : {'permutation', 'exact', 'miller-madow', 'chi-square', 'jackknife', 'none'}
    n_permutations, seed
        Of the permutation null.
    d_prime : float, optional
        Sensitivity for meta-I1r. Without it d' = 2 Phi^-1(accuracy), the unbiased two-choice
        observer of that accuracy; at accuracy <= 1/2 there is none and meta-I1r is NaN. Open
        answers have no two-choice d', and just above 1/2 the ratio grows without bound: report
        meta-I2r there.
    guess_rate : float
        Of RMI: 0.5 for two choices, 1/m for m, 0 for open answers.

    Raises
    ------
    InputError
        One class only, bad counts, unknown correction.
    """
    incorrect, correct = as_tables(nR_S1, nR_S2)
    if incorrect.ndim != 1:
        raise InputError(f"one table of shape (L,) is wanted, got {incorrect.shape}")
    need_both_classes(incorrect, correct)
    if correction not in CORRECTIONS:
        raise InputError(f"no correction named {correction!r}; use one of {', '.join(CORRECTIONS)}")
    plugin = float(plugin_meta_i(incorrect, correct))
    p_value, used = float("nan"), 0
    if correction == "permutation":
        null = permutation_null_meta_i(incorrect, correct, n_permutations, seed)
        bias, used = float(null.mean()), n_permutations
        p_value = permutation_p(plugin, null, "greater").p_value
    elif correction == "exact":
        bias = expected_null_meta_i(incorrect, correct)
    elif correction == "none":
        bias = 0.0
    else:
        bias = float(analytic_bias(incorrect, correct, correction))
    n = float(incorrect.sum() + correct.sum())
    accuracy = float(correct.sum() / n)
    entropy = float(binary_entropy(accuracy))
    notes: list[str] = []
    if d_prime is None:
        d_prime = float(2 * ndtri(accuracy)) if accuracy > 0.5 else float("nan")
        if accuracy <= 0.5:
            notes.append("meta_i1r undefined: accuracy <= 1/2 has no two-choice d'; pass d_prime")
    unit1 = float(normal_meta_information(d_prime)) if np.isfinite(d_prime) else float("nan")
    if unit1 <= 0:
        notes.append("meta_i1r undefined: d' = 0 carries no information")
        unit1 = float("nan")
    unit3 = float(max_meta_information(accuracy, guess_rate))
    if not unit3 > 0:
        notes.append(f"rmi undefined: accuracy {accuracy:.4g} is not above guess_rate {guess_rate:g}")
        unit3 = float("nan")
    meta_i = plugin - bias
    if meta_i / unit3 > 1:
        notes.append(f"rmi above 1: some ratings are worse than guessing at {guess_rate:g}; set guess_rate")
    return MetaInformation(
        meta_i=meta_i,
        meta_i1r=meta_i / unit1,
        meta_i2r=meta_i / entropy,
        rmi=meta_i / unit3,
        plugin_meta_i=plugin,
        plugin_meta_i2r=plugin / entropy,
        bias=bias,
        null_mean_i2r=bias / entropy,
        p_value=p_value,
        accuracy=accuracy,
        entropy=entropy,
        d_prime=float(d_prime),
        n_trials=n,
        n_levels=int(((incorrect + correct) > 0).sum()),
        n_permutations=used,
        seed=seed if used else None,
        correction=correction,
        notes=tuple(notes),
    )


def meta_information(
    correct: ArrayLike,
    rating: ArrayLike,
    *,
    correction: str = "permutation",
    n_permutations: int = 2000,
    seed: int | None = 42,
    d_prime: float | None = None,
    guess_rate: float = 0.5,
) -> MetaInformation:
    """Meta-information from trials; see :func:`meta_information_from_counts`.

    ``rating`` must be discrete: every distinct value is a level, so raw confidence would give
    each trial a level of its own and a plug-in value near H(accuracy). Bin it first.
    """
    incorrect, hits, _ = table_from_trials(correct, rating)
    if incorrect.size > 0.5 * (incorrect.sum() + hits.sum()) and incorrect.size > 20:
        raise InputError(f"rating has {incorrect.size} distinct values; bin raw confidence into levels first")
    return meta_information_from_counts(
        incorrect,
        hits,
        correction=correction,
        n_permutations=n_permutations,
        seed=seed,
        d_prime=d_prime,
        guess_rate=guess_rate,
    )
