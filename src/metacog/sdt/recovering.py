"""How well meta-d' is recovered: bias, spread and interval coverage for a known observer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metacog.sdt.bootstrap import bootstrap_meta_d_many
from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.meta_d import UNDEFINED, fit_meta_d_batch
from metacog.sdt.simulate import MetaDObserver


@dataclass(frozen=True)
class Recovery:
    """Bias, spread and coverage over simulated experiments. Standard errors are Monte-Carlo ones.

    Attributes
    ----------
    n_trials, n_simulations, n_resamples : int
    n_used : int
        Simulations whose fit converged, with d' defined and an M-ratio within -10 and 10.
    bias_d_prime, bias_meta_d, bias_meta_d_se, bias_m_ratio, sd_meta_d, sd_m_ratio : float
    coverage_meta_d, coverage_m_ratio, coverage_se : float
        Share of bootstrap intervals that hold the true value; NaN if not asked for.
    miss_below, miss_above : float
        Share of meta-d' intervals that lie wholly below and above the true value.
    width_m_ratio : float
        Mean width of the interval.
    dropped_share : float
        Share of resamples dropped.
    """

    n_trials: int
    n_simulations: int
    n_used: int
    n_resamples: int
    bias_d_prime: float
    bias_meta_d: float
    bias_meta_d_se: float
    bias_m_ratio: float
    sd_meta_d: float
    sd_m_ratio: float
    coverage_meta_d: float
    coverage_m_ratio: float
    coverage_se: float
    miss_below: float
    miss_above: float
    width_m_ratio: float
    dropped_share: float


def recovery(
    observer: MetaDObserver,
    n_trials: int,
    *,
    n_simulations: int = 1_000,
    n_resamples: int = 1_000,
    seed: int = 42,
    pad: float = 0.5,
    level: float = 0.95,
    interval: str = "percentile",
) -> Recovery:
    """Simulate experiments of one observer, fit them, and bootstrap each.

    Parameters
    ----------
    observer : MetaDObserver
        The truth. Its base rate makes the number of S2 trials binomial, as the trial-level bootstrap
        assumes.
    n_trials, n_simulations : int
    n_resamples : int
        0 leaves coverage out (NaN), for bias and spread alone.
    seed : int
        One child of `SeedSequence(seed)` draws the experiments, another the resamples.
    pad, level, interval
        As in `bootstrap_meta_d`.

    Returns
    -------
    Recovery

    Raises
    ------
    InputError
        Too few simulations, or an observer or options that cannot be simulated.

    Examples
    --------
    >>> from metacog.sdt import meta_d_observer, recovery
    >>> observer = meta_d_observer(1.5, m_ratio=0.8)
    >>> found = recovery(observer, 400, n_simulations=200, n_resamples=0)
    >>> print(f"bias {found.bias_m_ratio:.2f}, spread {found.sd_m_ratio:.2f}")
    bias -0.01, spread 0.15
    """
    if n_simulations < 2:
        raise InputError("n_simulations must be at least 2.")
    draw, resample = np.random.SeedSequence(seed).spawn(2)
    a, b = observer.counts(n_trials, n_simulations, draw)
    fit = fit_meta_d_batch(a + pad, b + pad, s=observer.s, undefined="flag")
    used = fit.converged & (np.abs(fit.m_ratio) < 10)
    meta_error, ratio_error = fit.meta_d[used] - observer.meta_d, fit.m_ratio[used] - observer.m_ratio
    n = int(used.sum())
    miss = np.full(2, np.nan)
    coverage_ratio = width = dropped = float("nan")
    if n_resamples > 0:
        able = fit.boundary != UNDEFINED
        runs = bootstrap_meta_d_many(
            a[able],
            b[able],
            n_resamples=n_resamples,
            seed=resample,
            pad=pad,
            s=observer.s,
            level=level,
            interval=interval,
        )
        of_meta = np.array([r.ci_meta_d for r in runs])
        of_ratio = np.array([r.ci_m_ratio for r in runs])
        miss = _misses(of_meta, observer.meta_d)
        coverage_ratio = 1.0 - float(_misses(of_ratio, observer.m_ratio).sum())
        width = float(np.mean(of_ratio[:, 1] - of_ratio[:, 0]))
        dropped = 1.0 - float(np.mean([r.n_valid / r.n_resamples for r in runs]))
    coverage = 1.0 - float(miss.sum())
    return Recovery(
        n_trials=n_trials,
        n_simulations=n_simulations,
        n_used=n,
        n_resamples=n_resamples,
        bias_d_prime=float(fit.d_prime[used].mean() - observer.d_prime),
        bias_meta_d=float(meta_error.mean()),
        bias_meta_d_se=float(meta_error.std(ddof=1) / np.sqrt(n)),
        bias_m_ratio=float(ratio_error.mean()),
        sd_meta_d=float(meta_error.std(ddof=1)),
        sd_m_ratio=float(ratio_error.std(ddof=1)),
        coverage_meta_d=coverage,
        coverage_m_ratio=coverage_ratio,
        coverage_se=float(np.sqrt(coverage * (1 - coverage) / n_simulations)),
        miss_below=float(miss[0]),
        miss_above=float(miss[1]),
        width_m_ratio=width,
        dropped_share=dropped,
    )


def _misses(intervals: FloatArray, truth: float) -> FloatArray:
    """Shares of intervals wholly below and wholly above the truth; an interval of NaN misses above."""
    below = intervals[:, 1] < truth
    above = ~below & ~(intervals[:, 0] <= truth)
    return np.array([below.mean(), above.mean()])
