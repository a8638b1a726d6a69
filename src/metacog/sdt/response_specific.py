"""Response-specific meta-d': one sensitivity for "S1" responses, one for "S2" (Maniscalco & Lau 2014)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import FloatArray, check_counts
from .meta_d import boundary_names, prepare, solve_prepared
from .type1 import rms_scale


@dataclass(frozen=True, eq=False)
class SideFits:
    """Fits of one response, arrays of shape (B,)."""

    meta_d: FloatArray
    m_ratio: FloatArray
    m_diff: FloatArray
    log_likelihood: FloatArray  # of this response's ratings
    gradient_norm: FloatArray  # of the mean over this response's trials
    converged: NDArray[np.bool_]
    boundary: NDArray[np.str_]
    multimodal: NDArray[np.bool_]
    n_trials: FloatArray


@dataclass(frozen=True, eq=False)
class ResponseSpecificBatch:
    """Response-specific fits of B tables.

    Attributes
    ----------
    d_prime, c : arrays, shape ``(B,)``
    rS1, rS2 : SideFits
        Of the "S1" and of the "S2" responses.
    """

    d_prime: FloatArray
    c: FloatArray
    rS1: SideFits
    rS2: SideFits


@dataclass(frozen=True)
class ResponseSpecificFit:
    """Response-specific fit of one table, in root-mean-square units of the two sds.

    Attributes
    ----------
    d_prime, c, s : float
    meta_d_rS1, m_ratio_rS1, m_diff_rS1, log_likelihood_rS1, gradient_norm_rS1 : float
        Of the "S1" responses.
    meta_d_rS2, m_ratio_rS2, m_diff_rS2, log_likelihood_rS2, gradient_norm_rS2 : float
        Of the "S2" responses.
    converged_rS1, converged_rS2, multimodal_rS1, multimodal_rS2 : bool
    boundary_rS1, boundary_rS2 : str
        As in :class:`~.meta_d.MetaDFit`.
    """

    d_prime: float
    c: float
    meta_d_rS1: float
    meta_d_rS2: float
    m_ratio_rS1: float
    m_ratio_rS2: float
    m_diff_rS1: float
    m_diff_rS2: float
    log_likelihood_rS1: float
    log_likelihood_rS2: float
    gradient_norm_rS1: float
    gradient_norm_rS2: float
    converged_rS1: bool
    converged_rS2: bool
    boundary_rS1: str
    boundary_rS2: str
    multimodal_rS1: bool
    multimodal_rS2: bool
    s: float


def fit_rs_meta_d(nR_S1: ArrayLike, nR_S2: ArrayLike, *, s: float = 1.0) -> ResponseSpecificFit:
    """Fit meta-d' to the ratings of "S1" and of "S2" responses apart.

    The likelihood, units and held criterion ratio are those of `fit_meta_d`; each fit uses one half of
    the table (Maniscalco & Lau 2014, section 3.8). The two log-likelihoods add up to at least that of the
    common fit.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape (2K,), K >= 2
        Counts in the order of Maniscalco & Lau; fractional counts are welcome.
    s : float
        sd(S1)/sd(S2).

    Returns
    -------
    ResponseSpecificFit

    Raises
    ------
    InputError
        As `fit_meta_d`.

    Examples
    --------
    >>> from metacog.sdt import fit_rs_meta_d
    >>> nR_S1 = [36, 24, 17, 20, 10, 12, 9, 2]  # surest "S1" ... surest "S2"
    >>> nR_S2 = [1, 4, 10, 11, 19, 18, 28, 39]
    >>> fit = fit_rs_meta_d(nR_S1, nR_S2)
    >>> print(f"meta-d' of S1 responses {fit.meta_d_rS1:.2f}, of S2 responses {fit.meta_d_rS2:.2f}")
    meta-d' of S1 responses 1.70, of S2 responses 1.31
    """
    a, b = check_counts(nR_S1, nR_S2, min_ratings=2)
    fits = fit_rs_meta_d_batch(a[None], b[None], s=s)
    sides = {
        f"{name}_{side}": getattr(getattr(fits, side), name)[0].item()
        for name in SideFits.__dataclass_fields__
        if name != "n_trials"
        for side in ("rS1", "rS2")
    }
    return ResponseSpecificFit(d_prime=fits.d_prime[0].item(), c=fits.c[0].item(), s=float(s), **sides)


def fit_rs_meta_d_batch(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, s: ArrayLike = 1.0, undefined: str = "raise"
) -> ResponseSpecificBatch:
    """Response-specific meta-d' of many tables.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays, shape ``(B, 2K)``
    s, undefined
        As for :func:`~.meta_d.fit_meta_d_batch`.
    """
    p = prepare(nR_S1, nR_S2, s, undefined=undefined)
    k = p.nR_S1.shape[1] // 2
    scale = rms_scale(p.s)
    d_prime = scale * p.d1
    total = p.nR_S1 + p.nR_S2
    sides = []
    for side, cells in ((1, slice(0, k)), (0, slice(k, 2 * k))):
        fit = solve_prepared(p, side=side)
        boundary = boundary_names(p, fit, cells)
        meta_d = scale * fit.meta_d1
        with np.errstate(divide="ignore", invalid="ignore"):
            m_ratio = meta_d / d_prime
        sides.append(
            SideFits(
                meta_d=meta_d,
                m_ratio=m_ratio,
                m_diff=meta_d - d_prime,
                log_likelihood=fit.log_likelihood,
                gradient_norm=fit.gradient_norm,
                converged=fit.converged,
                boundary=boundary,
                multimodal=fit.multimodal,
                n_trials=total[:, cells].sum(axis=1),
            )
        )
    return ResponseSpecificBatch(d_prime=d_prime, c=scale * p.c1, rS1=sides[0], rS2=sides[1])
