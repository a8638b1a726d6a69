"""Maximum-likelihood meta-d' of one table or thousands, of all responses or of each (Maniscalco & Lau 2012, 2014)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.sdt import _meta_d_batch as engine
from metacog.sdt.checks import FloatArray, InputError, check_batch, check_counts, check_s
from metacog.sdt.type1 import rms_scale

EMPTY_RATING = "empty rating"
META_D_LIMIT = "meta-d' limit"
UNDEFINED = "undefined"
_ZERO_D = 1e-10
_REASONS = (
    "",
    "d' is 0, so the criterion ratio c/d' that meta-d' is held to does not exist; fit a larger table.",
    "A hit or false-alarm rate is 0 or 1, so d' is infinite: add a cell correction.",
    "One stimulus class has no trials: both are needed.",
)


@dataclass(frozen=True, eq=False)
class MetaDFit:
    """One fit. Distances are in root-mean-square units of the two sds (plain d' units when s = 1).

    Attributes
    ----------
    d_prime, meta_d, c, meta_c : float
    m_ratio, m_diff : float
        meta_d / d_prime and meta_d - d_prime.
    c_prime : float
        c / d_prime; meta_c / meta_d is held equal to it.
    t2_criteria_rS1, t2_criteria_rS2 : arrays, shape ``(K-1,)``
        Increasing, below and above meta_c.
    log_likelihood : float
        Sum over cells of count x log P(rating | stimulus, response).
    gradient_norm : float
        Of the mean log-likelihood per trial, in meta_d1 and log gaps between criteria.
    converged : bool
    boundary : str
        Empty inside; "empty rating": criteria touch; "meta-d' limit": meta_d1 ran to 10.
    multimodal : bool
        The likelihood has several maxima, and this is the highest found.
    zero_cells, iterations : int
    n_trials, s : float
    """

    d_prime: float
    meta_d: float
    m_ratio: float
    m_diff: float
    c: float
    c_prime: float
    meta_c: float
    t2_criteria_rS1: FloatArray
    t2_criteria_rS2: FloatArray
    log_likelihood: float
    gradient_norm: float
    converged: bool
    boundary: str
    multimodal: bool
    zero_cells: int
    iterations: int
    n_trials: float
    s: float


@dataclass(frozen=True, eq=False)
class MetaDBatch:
    """Many fits: the fields of `MetaDFit` as arrays of shape (B,); criteria are (B, K-1).

    Attributes
    ----------
    d_prime, meta_d, m_ratio, m_diff, c, c_prime, meta_c, log_likelihood, gradient_norm : float arrays
        NaN in rows that cannot be fitted (only with `undefined="flag"`), `converged` False and `boundary`
        "undefined".
    t2_criteria_rS1, t2_criteria_rS2 : float arrays, shape ``(B, K-1)``
    converged, boundary, multimodal, zero_cells, iterations, n_trials, s : arrays
    """

    d_prime: FloatArray
    meta_d: FloatArray
    m_ratio: FloatArray
    m_diff: FloatArray
    c: FloatArray
    c_prime: FloatArray
    meta_c: FloatArray
    t2_criteria_rS1: FloatArray
    t2_criteria_rS2: FloatArray
    log_likelihood: FloatArray
    gradient_norm: FloatArray
    converged: NDArray[np.bool_]
    boundary: NDArray[np.str_]
    multimodal: NDArray[np.bool_]
    zero_cells: NDArray[np.int64]
    iterations: NDArray[np.int64]
    n_trials: FloatArray
    s: FloatArray

    def __len__(self) -> int:
        return len(self.d_prime)

    def __getitem__(self, row: int) -> MetaDFit:
        values = {f.name: getattr(self, f.name)[row] for f in fields(self)}
        return MetaDFit(**{k: v.item() if np.ndim(v) == 0 else v for k, v in values.items()})

    def __iter__(self) -> Iterator[MetaDFit]:
        return (self[i] for i in range(len(self)))


@dataclass(frozen=True, eq=False)
class Prepared:
    """Checked tables with their type-1 values in units of sd(S1); `reason` is 0 for tables to fit."""

    nR_S1: FloatArray
    nR_S2: FloatArray
    s: FloatArray
    d1: FloatArray
    c1: FloatArray
    reason: NDArray[np.int8]  # index of `_REASONS`


def fit_meta_d(nR_S1: ArrayLike, nR_S2: ArrayLike, *, s: float = 1.0) -> MetaDFit:
    """Fit meta-d' to one table by maximum likelihood.

    The likelihood is that of the ratings given stimulus and response, with the criterion ratio
    meta_c/meta_d' held at c/d' (Maniscalco & Lau 2012, eqs. 1-6; 2014, section 3.4), as metadpy's
    `fit_metad` has it. Solved by damped Newton to a gradient norm of 1e-10.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape (2K,), K >= 2
        Counts for each stimulus: highest-confidence "S1" ... highest-confidence "S2". Fractional counts
        are welcome: any cell correction is the caller's, e.g. `nR_S1 + 0.5`.
    s : float
        sd(S1)/sd(S2).

    Returns
    -------
    MetaDFit
        Zero cells are fitted as they are. A rating that no trial used has no area at the maximum:
        its two criteria touch (or the outermost is infinite) and `boundary` is "empty rating".

    Raises
    ------
    InputError
        Bad counts; a hit or false-alarm rate of 0 or 1, or d' of exactly 0 (nothing defines the
        criterion ratio then).

    Notes
    -----
    For s != 1 the customary c1 = -(z(H) + z(F))/(1 + s) counts from the point where hit and
    correct-rejection rates are equal, while the likelihood counts meta_c from midway between the means.
    The ratio is held all the same, as in the original code and in metadpy; so an observer whose ratings
    read the decision evidence perfectly has an M-ratio near but not at 1 (0.983 at s = 0.8, d_a = 1.33).

    Examples
    --------
    >>> from metacog.sdt import fit_meta_d
    >>> nR_S1 = [36, 24, 17, 20, 10, 12, 9, 2]  # surest "S1" ... surest "S2"
    >>> nR_S2 = [1, 4, 10, 11, 19, 18, 28, 39]
    >>> fit = fit_meta_d(nR_S1, nR_S2)
    >>> print(f"d' {fit.d_prime:.2f}, meta-d' {fit.meta_d:.2f}, M-ratio {fit.m_ratio:.2f}")
    d' 1.50, meta-d' 1.46, M-ratio 0.97
    >>> fit.converged
    True
    """
    a, b = check_counts(nR_S1, nR_S2, min_ratings=2)
    return fit_meta_d_batch(a[None], b[None], s=s)[0]


def fit_meta_d_batch(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, s: ArrayLike = 1.0, undefined: str = "raise"
) -> MetaDBatch:
    """Fit meta-d' to many tables at once; see `fit_meta_d` for the model.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape (B, 2K), K >= 2
    s : float or array_like, shape (B,)
    undefined : {"raise", "flag"}
        What to do with tables for which d' is infinite or zero: name the first one in an error, or
        return NaN for them with `boundary` "undefined".

    Returns
    -------
    MetaDBatch
        Arrays of shape (B,). Memory beyond input and output is that of a few thousand tables.

    Raises
    ------
    InputError
        Bad shapes or counts in any table.

    References
    ----------
    Maniscalco & Lau (2012), eqs. 1-6.

    Examples
    --------
    >>> from metacog.sdt import fit_meta_d_batch
    >>> nR_S1 = [[36, 24, 17, 20, 10, 12, 9, 2], [9, 8, 6, 4, 3, 2, 1, 1]]
    >>> nR_S2 = [[1, 4, 10, 11, 19, 18, 28, 39], [1, 1, 2, 4, 4, 6, 7, 9]]
    >>> fits = fit_meta_d_batch(nR_S1, nR_S2)
    >>> fits.m_ratio.round(2)
    array([0.97, 0.92])
    >>> len(fits), fits[0].converged
    (2, True)
    """
    p = prepare(nR_S1, nR_S2, s, undefined=undefined)
    size, k = len(p.d1), p.nR_S1.shape[1] // 2
    fit = solve_prepared(p, side=None)
    scale = rms_scale(p.s)
    with np.errstate(divide="ignore", invalid="ignore"):
        c_prime = p.c1 / p.d1
        d_prime = scale * p.d1
        meta_d = scale * fit.meta_d1
        meta_c1 = fit.meta_d1 * c_prime
        m_ratio = meta_d / d_prime
        criteria = scale[:, None, None] * np.moveaxis(fit.criteria, -1, 0)  # (B, 2, K-1)
    meta_c = scale * meta_c1
    return MetaDBatch(
        d_prime=d_prime,
        meta_d=meta_d,
        m_ratio=m_ratio,
        m_diff=meta_d - d_prime,
        c=scale * p.c1,
        c_prime=c_prime,
        meta_c=meta_c,
        t2_criteria_rS1=(meta_c[:, None] - criteria[:, 1])[:, ::-1].reshape(size, k - 1),
        t2_criteria_rS2=meta_c[:, None] + criteria[:, 0],
        log_likelihood=fit.log_likelihood,
        gradient_norm=fit.gradient_norm,
        converged=fit.converged,
        boundary=boundary_names(p, fit, slice(None)),
        multimodal=fit.multimodal,
        zero_cells=((p.nR_S1 == 0).sum(axis=1) + (p.nR_S2 == 0).sum(axis=1)),
        iterations=fit.iterations,
        n_trials=p.nR_S1.sum(axis=1) + p.nR_S2.sum(axis=1),
        s=p.s,
    )


def fittable(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, s: ArrayLike = 1.0, pad: float = 0.0
) -> NDArray[np.bool_]:
    """Which of many tables ``(B, 2K)`` meta-d' can be fitted to: d' is finite and, but for rounding, not 0."""
    a, b = check_batch(nR_S1, nR_S2, min_ratings=2)
    return prepare(a + pad, b + pad, s, undefined="flag").reason == 0


def prepare(nR_S1: ArrayLike, nR_S2: ArrayLike, s: ArrayLike, *, undefined: str = "raise") -> Prepared:
    """Check tables and compute d1 and c1; name what makes a table impossible to fit."""
    if undefined not in ("raise", "flag"):
        raise InputError(f'undefined must be "raise" or "flag", not {undefined!r}.')
    a, b = check_batch(nR_S1, nR_S2, min_ratings=2)
    ratio = check_s(s, len(a))
    k = a.shape[1] // 2
    n = np.stack([a.sum(axis=1), b.sum(axis=1)])
    with np.errstate(divide="ignore", invalid="ignore"):
        z_fa, z_hit = (engine.ndtri(x[:, k:].sum(axis=1) / m) for x, m in zip((a, b), n, strict=True))
        d1 = z_hit / ratio - z_fa
        c1 = -(z_hit + z_fa) / (1.0 + ratio)
    reason = np.zeros(len(a), dtype=np.int8)
    reason[np.abs(d1) < _ZERO_D] = 1
    reason[~(np.isfinite(z_hit) & np.isfinite(z_fa))] = 2
    reason[(n == 0).any(axis=0)] = 3
    if undefined == "raise" and reason.any():
        row = int(np.argmax(reason != 0))
        raise InputError((f"Table {row}: " if len(a) > 1 else "") + _REASONS[reason[row]])
    return Prepared(a, b, ratio, d1, c1, reason)


def solve_prepared(p: Prepared, *, side: int | None) -> engine.RawFits:
    """Fit the tables that can be fitted; the others keep NaN."""
    good = p.reason == 0
    if good.all() and len(good):
        return engine.solve(p.nR_S1, p.nR_S2, p.s, p.d1, p.c1, side=side)
    out = engine.RawFits.empty(len(good), p.nR_S1.shape[1] // 2)
    if good.any():
        fit = engine.solve(p.nR_S1[good], p.nR_S2[good], p.s[good], p.d1[good], p.c1[good], side=side)
        for f in fields(fit):
            getattr(out, f.name)[..., good] = getattr(fit, f.name)
    return out


def boundary_names(p: Prepared, fit: engine.RawFits, cells: slice) -> NDArray[np.str_]:
    """Name what holds each fit at the edge of its parameters, from the ratings in `cells`."""
    empty = ((p.nR_S1 + p.nR_S2)[:, cells] == 0).any(axis=1)
    tests = (p.reason != 0, fit.at_limit, empty)
    return np.select(tests, (UNDEFINED, META_D_LIMIT, EMPTY_RATING), default="")


# Response-specific meta-d': one sensitivity for "S1" responses, one for "S2" (Maniscalco & Lau 2014).


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


@dataclass(frozen=True, eq=False)
class ResponseSpecificBatch:
    """Response-specific fits of B tables, of the "S1" and of the "S2" responses."""

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
        for side in ("rS1", "rS2")
    }
    return ResponseSpecificFit(d_prime=fits.d_prime[0].item(), c=fits.c[0].item(), s=float(s), **sides)


def fit_rs_meta_d_batch(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, s: ArrayLike = 1.0, undefined: str = "raise"
) -> ResponseSpecificBatch:
    """Response-specific meta-d' of many tables; parameters as for :func:`~.meta_d.fit_meta_d_batch`."""
    p = prepare(nR_S1, nR_S2, s, undefined=undefined)
    k = p.nR_S1.shape[1] // 2
    scale = rms_scale(p.s)
    d_prime = scale * p.d1
    sides = []
    for side, cells in ((1, slice(0, k)), (0, slice(k, 2 * k))):
        fit = solve_prepared(p, side=side)
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
                boundary=boundary_names(p, fit, cells),
                multimodal=fit.multimodal,
            )
        )
    return ResponseSpecificBatch(d_prime=d_prime, c=scale * p.c1, rS1=sides[0], rS2=sides[1])
