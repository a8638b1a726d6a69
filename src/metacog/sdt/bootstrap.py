"""Bootstrap intervals for d', meta-d' and M-ratio from one table or many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metacog.sdt.checks import FloatArray, InputError, check_batch, check_counts, check_s
from metacog.sdt.intervals import bca_tails
from metacog.sdt.meta_d import MetaDFit, fit_meta_d_batch, prepare, solve_prepared
from metacog.sdt.resampling import resample_tables
from metacog.sdt.type1 import rms_scale

DROP_REASONS = ("undefined", "not converged", "extreme")

SCHEMES = ("trials", "stratified")

INTERVALS = ("percentile", "bca")

_BLOCK = 40_000  # tables resampled and fitted at a time


@dataclass(frozen=True, eq=False)
class MetaDBootstrap:
    """Bootstrap of one table.

    Attributes
    ----------
    estimate : MetaDFit
    d_prime, meta_d, m_ratio : arrays, shape ``(n_resamples,)``
        Draws. d' is NaN where a rate was 0 or 1; dropped draws of the others are NaN and enter no interval.
    ci_d_prime, ci_meta_d, ci_m_ratio : tuple of float
        Lower and upper end.
    n_resamples, n_valid : int
    dropped : mapping of str to int
        Draws by reason (`DROP_REASONS`), the first that applies.
    scheme, interval : str
    level, pad : float
    """

    estimate: MetaDFit
    d_prime: FloatArray
    meta_d: FloatArray
    m_ratio: FloatArray
    ci_d_prime: tuple[float, float]
    ci_meta_d: tuple[float, float]
    ci_m_ratio: tuple[float, float]
    n_resamples: int
    n_valid: int
    dropped: Mapping[str, int]
    scheme: str
    interval: str
    level: float
    pad: float


def bootstrap_meta_d(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    n_resamples: int = 10_000,
    seed: int | np.random.SeedSequence = 42,
    pad: float = 0.5,
    s: float = 1.0,
    scheme: str = "trials",
    interval: str = "percentile",
    level: float = 0.95,
    m_ratio_limit: float = 10.0,
) -> MetaDBootstrap:
    """Bootstrap meta-d' from whole counts.

    Drawing N trials with replacement gives the 4K cells a multinomial distribution with the observed
    proportions, so cells are drawn directly; the base rate varies with them.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like of whole numbers, shape (2K,), K >= 2
        The raw table, before any cell correction.
    n_resamples : int
    seed : int or numpy.random.SeedSequence
    pad : float
        Added to every cell of every resample and of the table itself before the fit.
    s : float
        sd(S1)/sd(S2), held fixed.
    scheme : {"trials", "stratified"}
        `"trials"` resamples all trials; `"stratified"` resamples within each stimulus class.
    interval : {"percentile", "bca"}
        BCa (Efron 1987) takes its acceleration from the jackknife over trials, one fit per cell.
    level : float
        Coverage of the intervals, between 0 and 1.
    m_ratio_limit : float
        A resample with an M-ratio as far from 0 or farther is dropped.

    Returns
    -------
    MetaDBootstrap
        A resample is dropped from meta-d' and M-ratio, and counted, when its rates leave d' undefined,
        its fit did not converge, or its M-ratio is at the limit.

    Raises
    ------
    InputError
        Bad counts or options; a table that `fit_meta_d` refuses.

    Examples
    --------
    >>> from metacog.sdt import bootstrap_meta_d
    >>> nR_S1 = [36, 24, 17, 20, 10, 12, 9, 2]  # surest "S1" ... surest "S2"
    >>> nR_S2 = [1, 4, 10, 11, 19, 18, 28, 39]
    >>> found = bootstrap_meta_d(nR_S1, nR_S2, n_resamples=500, seed=1)
    >>> low, high = found.ci_m_ratio
    >>> print(f"M-ratio {found.estimate.m_ratio:.2f} [{low:.2f}, {high:.2f}]")
    M-ratio 0.96 [0.61, 1.40]
    >>> found.n_valid
    500
    """
    a, b = check_counts(nR_S1, nR_S2, integer=True, min_ratings=2)
    options = (n_resamples, pad, scheme, interval, level, m_ratio_limit)
    return _bootstrap(a[None], b[None], [_sequence(seed)], check_s(s, 1), *options)[0]


def bootstrap_meta_d_many(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    n_resamples: int = 10_000,
    seed: int | np.random.SeedSequence = 42,
    pad: float = 0.5,
    s: ArrayLike = 1.0,
    scheme: str = "trials",
    interval: str = "percentile",
    level: float = 0.95,
    m_ratio_limit: float = 10.0,
) -> list[MetaDBootstrap]:
    """Bootstrap many tables, `(B, 2K)` each, in shared batches.

    Table i is resampled from `SeedSequence(seed).spawn(B)[i]`, so it equals `bootstrap_meta_d` called
    with that child.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays, shape ``(B, 2K)``
    n_resamples, seed, pad, s, scheme, interval, level, m_ratio_limit
        As for :func:`bootstrap_meta_d`; ``s`` may hold a value for each table.

    Returns
    -------
    list of MetaDBootstrap
        One a table, in their order.

    References
    ----------
    Efron (1987) for ``interval="bca"``.

    Examples
    --------
    >>> from metacog.sdt import bootstrap_meta_d_many
    >>> nR_S1 = [[36, 24, 17, 20, 10, 12, 9, 2], [9, 8, 6, 4, 3, 2, 1, 1]]
    >>> nR_S2 = [[1, 4, 10, 11, 19, 18, 28, 39], [1, 1, 2, 4, 4, 6, 7, 9]]
    >>> for found in bootstrap_meta_d_many(nR_S1, nR_S2, n_resamples=300, seed=1):
    ...     low, high = found.ci_m_ratio
    ...     print(f"{found.estimate.m_ratio:.2f} [{low:.2f}, {high:.2f}]")
    ...
    0.96 [0.65, 1.40]
    0.86 [0.18, 1.93]
    """
    a, b = check_batch(nR_S1, nR_S2, min_ratings=2)
    for x, y in zip(a, b, strict=True):
        check_counts(x, y, integer=True)
    seeds = _sequence(seed).spawn(len(a))
    options = (n_resamples, pad, scheme, interval, level, m_ratio_limit)
    return _bootstrap(a, b, seeds, check_s(s, len(a)), *options)


def _sequence(seed: int | np.random.SeedSequence) -> np.random.SeedSequence:
    return seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)


def _bootstrap(
    a: FloatArray,
    b: FloatArray,
    seeds: list[np.random.SeedSequence],
    s: FloatArray,
    n: int,
    pad: float,
    scheme: str,
    interval: str,
    level: float,
    limit: float,
) -> list[MetaDBootstrap]:
    if n < 1:
        raise InputError(f"n_resamples must be at least 1, not {n}.")
    if scheme not in SCHEMES:
        raise InputError(f"Unknown scheme {scheme!r}; choose one of: {', '.join(SCHEMES)}.")
    if interval not in INTERVALS:
        raise InputError(f"Unknown interval {interval!r}; choose one of: {', '.join(INTERVALS)}.")
    if not 0 < level < 1 or not pad >= 0:
        raise InputError("level must lie between 0 and 1, and pad must be at least 0.")
    estimates = list(fit_meta_d_batch(a + pad, b + pad, s=s))
    together = max(1, _BLOCK // n)
    out = []
    for first in range(0, len(a), together):
        block = range(first, min(first + together, len(a)))
        tables = [
            resample_tables(a[i], b[i], n, np.random.default_rng(seeds[i]), stratify=scheme == "stratified")
            for i in block
        ]
        draws = _fit_draws(
            np.concatenate([t[0] for t in tables]) + pad,
            np.concatenate([t[1] for t in tables]) + pad,
            np.repeat(s[block.start : block.stop], n),
            limit,
        )
        for j, i in enumerate(block):
            rows = slice(j * n, (j + 1) * n)
            d, meta, m, reason = (x[rows] for x in draws)
            jackknife = (
                _jackknife(a[i], b[i], pad, float(s[i]), scheme, limit) if interval == "bca" else [None] * 3
            )
            kept = (estimates[i].d_prime, estimates[i].meta_d, estimates[i].m_ratio)
            ci = [_interval(x, level, kept[q], jackknife[q]) for q, x in enumerate((d, meta, m))]
            out.append(
                MetaDBootstrap(
                    estimates[i],
                    *(d, meta, m),
                    *(ci[0], ci[1], ci[2]),
                    n_resamples=n,
                    n_valid=int((reason < 0).sum()),
                    dropped={name: int((reason == k).sum()) for k, name in enumerate(DROP_REASONS)},
                    scheme=scheme,
                    interval=interval,
                    level=level,
                    pad=pad,
                )
            )
    return out


def _fit_draws(a: FloatArray, b: FloatArray, s: FloatArray, limit: float) -> tuple[FloatArray, ...]:
    """d', meta-d', M-ratio (NaN where dropped) and the index of the reason for dropping, or -1."""
    p = prepare(a, b, s, undefined="flag")
    fit = solve_prepared(p, side=None)
    scale = rms_scale(p.s)
    d = np.where(np.isfinite(p.d1), scale * p.d1, np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        meta, m = scale * fit.meta_d1, fit.meta_d1 / p.d1
    tests = (p.reason != 0, ~fit.converged, ~(np.abs(m) < limit))
    reason = np.select(tests, range(len(tests)), default=-1)
    keep = reason < 0
    return d, np.where(keep, meta, np.nan), np.where(keep, m, np.nan), reason


def _jackknife(
    a: FloatArray, b: FloatArray, pad: float, s: float, scheme: str, limit: float
) -> list[tuple[FloatArray, FloatArray]]:
    """Influence of one trial of each cell on d', meta-d' and M-ratio, with the number of such trials."""
    cells = np.concatenate([a, b])
    fewer = cells - np.eye(len(cells))
    used = cells > 0
    k = len(a)
    fewer = fewer[used] + pad
    weight = cells[used]
    values = _fit_draws(fewer[:, :k], fewer[:, k:], np.full(len(fewer), s), limit)[:3]
    in_a = (np.arange(2 * k) < k)[used]
    strata = (in_a, ~in_a) if scheme == "stratified" else (np.ones_like(in_a),)
    out = []
    for value in values:
        influence = np.empty_like(value)
        for members in strata:
            mean = np.average(value[members], weights=weight[members])
            influence[members] = mean - value[members]
        out.append((influence, weight))
    return out


def _interval(
    draws: FloatArray, level: float, estimate: float, jackknife: tuple[FloatArray, FloatArray] | None
) -> tuple[float, float]:
    x = draws[np.isfinite(draws)]
    if len(x) == 0:
        return (float("nan"), float("nan"))
    tails = np.array([0.5 * (1 - level), 0.5 * (1 + level)])
    if jackknife is not None:
        tails = bca_tails(x, estimate, *jackknife, level=level)
        if np.isnan(tails).any():
            return (float("nan"), float("nan"))
    low, high = np.quantile(x, tails)
    return (float(low), float(high))
