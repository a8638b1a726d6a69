"""Bayesian meta-d' of single tables: the model of HMeta-d (Fleming 2017) sampled with NumPyro."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from metacog.sdt import _meta_d_batch as engine
from metacog.sdt.bayes.record import BayesFit, build_record
from metacog.sdt.checks import FloatArray, InputError, check_batch, check_counts, check_level

Position = dict[str, FloatArray]


def fit_bayes(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    n_chains: int = 4,
    n_draws: int = 2000,
    n_warmup: int = 1000,
    seed: int = 42,
    level: float = 0.95,
) -> BayesFit:
    """Posterior of d', c, meta-d' and M-ratio, with d' estimated jointly (HMeta-d, Fleming 2017).

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape (2K,) or (B, 2K)
        Counts of each rating, highest-confidence "S1" first (Maniscalco & Lau 2012), one table or many of
        one K >= 2. Nothing is added to empty cells: the priors do what padding does elsewhere.
    n_chains, n_draws, n_warmup : int
        Chains of each table, kept draws of each chain, and adapting draws before them, which are dropped.
    seed : int
    level : float
        Of the equal-tailed intervals.

    Returns
    -------
    BayesFit

    Raises
    ------
    InputError
        Bad counts, as in `fit_meta_d`; too few draws; a level outside (0, 1).

    Notes
    -----
    Priors, the second number a precision: d' ~ N(0, 0.5), c ~ N(0, 2), meta-d' ~ N(d', 0.5), criteria
    ~ N(0, 2) truncated at c -/+ 1e-5 and sorted. The type-1 criterion is not scaled in the type-2 part, as
    it is in `fit_meta_d`, so the two estimates differ slightly where c is not 0. Tables of one shape share
    one compiled program.

    Examples
    --------
    >>> from metacog.sdt.bayes import fit_bayes
    >>> nR_S1 = [[40, 35, 30, 20, 10, 5], [38, 30, 32, 22, 12, 6], [20, 15, 15, 15, 15, 20]]
    >>> nR_S2 = [[6, 10, 26, 34, 36, 28], [2, 5, 23, 33, 37, 40], [15, 20, 15, 15, 20, 15]]
    >>> fit = fit_bayes(nR_S1, nR_S2, n_chains=2, n_draws=1000, n_warmup=500)
    >>> fit.judged.tolist()  # d' of the third is near 0
    [True, True, False]
    >>> [low < 1 < high for low, high in zip(fit.m_ratio.lower.tolist()[:2], fit.m_ratio.upper.tolist()[:2])]
    [True, True]
    """
    a, b = check_tables(nR_S1, nR_S2)
    check_sizes(n_chains, n_draws, n_warmup, level)
    from metacog.sdt.bayes import _sampler, _single  # here, so that importing the package stays quick

    counts = np.stack([engine._fold(a), engine._fold(b)])
    start = starts(a, b, n_chains, seed)
    with engine._float64():
        run = _sampler.sampler(_single.table_log_posterior, n_warmup, n_draws, True, 0.8)
        chains = run(_sampler.keys(seed, len(a), n_chains), np.moveaxis(counts, -1, 0), start)
        position = {name: np.asarray(x) for name, x in chains.position.items()}
        diverging = np.asarray(chains.diverging)
    return build_record(unconstrained_to_posterior(position), diverging, np.stack([a, b], 1), level, seed)


def check_tables(nR_S1: ArrayLike, nR_S2: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """One table or many as `(B, 2K)`, each with both stimuli and more than one rating used."""
    if np.ndim(nR_S1) == 1 and np.ndim(nR_S2) == 1:
        a, b = check_counts(nR_S1, nR_S2, integer=True, min_ratings=2)
        return a[None], b[None]
    a, b = check_batch(nR_S1, nR_S2, min_ratings=2)
    if len(a) == 0:
        raise InputError("There are no tables: pass at least one.")
    for i in range(len(a)):
        try:
            check_counts(a[i], b[i], integer=True, min_ratings=2)
        except InputError as error:
            raise InputError(f"Table {i}: {error}") from None
    return a, b


def check_sizes(n_chains: int, n_draws: int, n_warmup: int, level: float) -> None:
    """Refuse a sampling plan that cannot be summarised."""
    if n_chains < 1 or n_draws < 4 or n_warmup < 1:
        raise InputError("At least 1 chain, 4 draws and 1 warm-up draw are needed.")
    check_level(level)


def starts(nR_S1: FloatArray, nR_S2: FloatArray, n_chains: int, seed: int) -> Position:
    """Dispersed starts about the type-1 estimates, `(B, chains, ...)`, in the model's coordinates.

    Half a trial in every cell keeps the start finite; it enters nowhere else.
    """
    size, k = len(nR_S1), nR_S1.shape[1] // 2
    a, b = nR_S1 + 0.5, nR_S2 + 0.5
    z_hit, z_fa = (ndtri(x[:, k:].sum(axis=1) / x.sum(axis=1)) for x in (b, a))
    d, c = z_hit - z_fa, -0.5 * (z_hit + z_fa)
    u = engine._start(nR_S1, nR_S2, np.ones(size))
    gaps = np.maximum(np.diff(u, axis=1, prepend=0.0), 0.01)
    rng = np.random.default_rng(seed)

    def about(x: FloatArray, spread: float) -> FloatArray:
        return x[:, None] + spread * rng.standard_normal((size, n_chains, *x.shape[1:]))

    return {
        "d1": about(d, 0.2),
        "c1": about(c, 0.2),
        "meta_d": about(d, 0.3),
        "log_gaps": about(np.log(np.moveaxis(gaps, -1, 0)), 0.3),
    }


def unconstrained_to_posterior(position: Position) -> FloatArray:
    """Sampler's coordinates to the layout of `BayesFit.posterior`, with criteria on the evidence axis."""
    c = position["c1"][..., None]
    u = 1e-5 + np.cumsum(np.exp(position["log_gaps"]), axis=-1)  # (..., side, K-1)
    left, right = c - u[..., 1, ::-1], c + u[..., 0, :]
    plain = np.stack([position["d1"], position["c1"], position["meta_d"]], axis=-1)
    return np.concatenate([plain, left, right], axis=-1)
