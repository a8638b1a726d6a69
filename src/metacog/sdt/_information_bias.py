"""What a plug-in estimate of information is too high by, counted, drawn or by formula."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ._null_mean import MOST_TRIALS, null_mean_nats
from .checks import InputError
from .information_bits import LN2, binary_entropy, plugin_meta_i
from .permutation import shuffled_tables
from .tables import FloatArray, as_integer_tables, as_tables, need_both_classes

CORRECTIONS = ("permutation", "exact", "miller-madow", "chi-square", "jackknife", "none")


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
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, n_permutations: int = 2000, seed: int | None = 42
) -> FloatArray:
    """Plug-in meta-I of ``n_permutations`` random re-pairings of accuracy and rating, in bits.

    See :func:`metacog.sdt.permutation.shuffled_tables`.
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
    """What a correction takes off the plug-in meta-I2r, in units of H(accuracy).

    Parameters
    ----------
    nR_S1, nR_S2 : arrays, shape ``(..., L)``
        Incorrect and correct trials by rating, lowest rating first.
    correction, n_permutations, seed
        As for :func:`~.information.meta_i2r`.
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
