"""Standard errors of M-ratio from the fit alone: how far chance moves it, without resampling."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from metacog.sdt.checks import FloatArray, check_batch
from metacog.sdt.meta_d import fit_meta_d_batch

_STEP = 1e-4
#: Cells less likely than this tell nothing.
_LEAST = 1e-12


def cell_probabilities(
    d_prime: ArrayLike, c: ArrayLike, meta_d: ArrayLike, criteria: ArrayLike
) -> FloatArray:
    """P(rating | stimulus) of observers of meta-d' with equal variances, shape ``(..., 2, 2K)``.

    Parameters
    ----------
    d_prime, c, meta_d : array_like, shape ``(...)``
    criteria : array_like, shape ``(..., 2K-2)``
        Of the ratings, increasing: below, then above meta_d c/d_prime.
    """
    d, c, meta = (np.asarray(x, dtype=np.float64)[..., None] for x in (d_prime, c, meta_d))
    cuts = np.asarray(criteria, dtype=np.float64)
    k = cuts.shape[-1] // 2 + 1
    middle = meta * c / d
    low, high = (
        np.concatenate([cuts[..., : k - 1], middle], -1),
        np.concatenate([middle, cuts[..., k - 1 :]], -1),
    )
    sides = []
    for sign in (-0.5, 0.5):
        below, above = ndtr(low - sign * meta), ndtr(sign * meta - high)
        s1 = np.diff(below, axis=-1, prepend=0.0) * ndtr(c - sign * d) / below[..., -1:]
        s2 = -np.diff(above, axis=-1, append=0.0) * ndtr(sign * d - c) / above[..., :1]
        sides.append(np.concatenate([s1, s2], axis=-1))
    return np.stack(sides, axis=-2)


def m_ratio_errors(
    nR_S1: ArrayLike, nR_S2: ArrayLike, given: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """M-ratios of many tables ``(B, 2K)`` and their standard errors, by the delta method.

    d' and c are those of the responses, and meta-d' and its criteria the most likely ones given these, so the errors of
    the two steps are put together (the information of the ratings is that given the response). Both are NaN where there
    is no fit; the error is infinite or NaN where the ratings do not tell all criteria apart.

    Examples
    --------
    >>> nR_S1 = [[36, 24, 17, 20, 10, 12, 9, 2]]  # surest "S1" ... surest "S2"
    >>> nR_S2 = [[1, 4, 10, 11, 19, 18, 28, 39]]
    >>> ratio, error = m_ratio_errors(nR_S1, nR_S2)
    >>> print(f"{ratio[0]:.2f} +- {error[0]:.2f}")
    0.97 +- 0.20
    """
    a, b = check_batch(nR_S1, nR_S2, min_ratings=2)
    fit = fit_meta_d_batch(a, b, undefined="flag")
    good = np.flatnonzero(fit.converged & np.isfinite(fit.m_ratio))
    error = np.full(len(a), np.nan)
    cuts = np.concatenate([fit.t2_criteria_rS1, fit.t2_criteria_rS2], axis=1)[good]
    at = np.column_stack([fit.d_prime[good], fit.c[good], fit.meta_d[good], cuts])
    if given is not None:
        ratio = np.broadcast_to(np.asarray(given, dtype=np.float64), len(a))[good]
        at[:, 3:] += ((ratio - fit.m_ratio[good]) * fit.c[good])[:, None]
        at[:, 2] = ratio * at[:, 0]
    error[good] = np.sqrt(_variance(at, a[good].sum(axis=1), b[good].sum(axis=1)))
    return fit.m_ratio, error


def _variance(at: FloatArray, n1: FloatArray, n2: FloatArray) -> FloatArray:
    """Of M-ratio, at parameters (d', c, meta-d', criteria) of tables of so many trials of each stimulus."""

    def parts(x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """P(response) (B, 2, 2) and P(rating | response) (B, 2, 2K)."""
        cells = cell_probabilities(x[:, 0], x[:, 1], x[:, 2], x[:, 3:])
        k = cells.shape[-1] // 2
        said = np.stack([cells[..., :k].sum(axis=-1), cells[..., k:].sum(axis=-1)], axis=-1)
        return said, cells / np.repeat(said, k, axis=-1)

    with np.errstate(all="ignore"):
        said, given = parts(at)
    n = np.stack([n1, n2], axis=1)[..., None]
    k = given.shape[-1] // 2
    weight = (n * np.repeat(said, k, axis=-1) * given).reshape(len(at), -1)
    slopes = []
    for j in range(at.shape[1]):
        more, less = at.copy(), at.copy()
        more[:, j] += _STEP
        less[:, j] -= _STEP
        with np.errstate(all="ignore"):
            slopes.append([(x - y) / (2 * _STEP) for x, y in zip(parts(more), parts(less), strict=True)])
    of_said = np.stack([s for s, _ in slopes], axis=-1).reshape(len(at), -1, at.shape[1])[..., :2]
    flat = np.maximum(given.reshape(len(at), -1, 1), _LEAST)
    of_given = np.stack([g for _, g in slopes], axis=-1).reshape(len(at), -1, at.shape[1]) / flat
    first = np.einsum("bip,biq->bpq", of_said * (n / said).reshape(len(at), -1, 1), of_said)
    both = np.einsum("bip,bi,biq->bpq", of_given, weight, of_given)
    known = np.isfinite(first).all(axis=(1, 2)) & np.isfinite(both).all(axis=(1, 2))
    first, both, d = first[known], both[known], at[known, :1]
    of_type1, of_ratings = np.linalg.pinv(first), np.linalg.pinv(both[:, 2:, 2:], hermitian=True)
    slope = (-of_ratings[:, :1] @ both[:, 2:, :2])[:, 0] / d  # how meta-d' follows d' and c
    slope[:, 0] -= at[known, 2] / d[:, 0] ** 2
    made = np.full(len(at), np.nan)
    made[known] = of_ratings[:, 0, 0] / d[:, 0] ** 2 + np.einsum("bp,bpq,bq->b", slope, of_type1, slope)
    return made
