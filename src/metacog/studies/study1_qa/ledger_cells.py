"""Figures of study 1 that one correctness-by-rating table gives, with their Monte-Carlo errors."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from metacog.ledger.entry import Settings, Value
from metacog.ledger.tolerances import mean_error, proportion_error, quantile_error
from metacog.sdt import auroc2_from_counts, bootstrap_meta_d, fit_meta_d
from metacog.sdt.information import (
    binary_entropy,
    expected_null_meta_i,
    permutation_null_meta_i,
    plugin_meta_i2r,
)
from metacog.sdt.resampling import bootstrap_counts
from metacog.studies.study1_qa import published

#: Resamples behind the published intervals (v1 table 2 and its result file).
V1_RESAMPLES = 10_000
#: Resamples and permutations of version 2 by table.
V2_DRAWS = {"v2_aggregate": 2000, "v2_domain": 1000, "v2_temperature": 800}
PAD = 0.5
TAILS = (0.025, 0.975)

Values = dict[tuple[str, tuple[str, ...], str], Value]
"""Recomputed figures by (table, keys, quantity), as in :class:`metacog.studies.study1_qa.published.Figure`."""


@cache
def printed(table: str) -> dict[tuple[tuple[str, ...], str], float]:
    """Printed figures of a table by (keys, quantity)."""
    return {(f.keys, f.quantity): f.value for f in published.figures(table)}


def meta_d_values(s1: ArrayLike, s2: ArrayLike, source: str) -> dict[str, Value]:
    """d', meta-d' and M-ratio of one table, 0.5 added to every cell."""
    fit = fit_meta_d(np.asarray(s1) + PAD, np.asarray(s2) + PAD)
    note = "" if fit.converged else "our fit did not converge"
    return {q: Value(getattr(fit, q), source, note=note) for q in ("d_prime", "meta_d", "m_ratio")}


def m_ratio_interval(
    s1: ArrayLike, s2: ArrayLike, n_valid_published: float, settings: Settings, source: str
) -> dict[str, Value]:
    """Percentile interval of the M-ratio and the number of resamples it rests on."""
    boot = bootstrap_meta_d(s1, s2, settings.n_resamples, settings.seed, PAD)
    draws = boot.m_ratio[np.isfinite(boot.m_ratio)]
    dropped = ", ".join(f"{n} {why}" for why, n in boot.dropped.items() if n)
    note = f"{boot.n_resamples:,} resamples, {boot.n_resamples - boot.n_valid} dropped" + (
        f" ({dropped})" if dropped else ""
    )
    found = {
        name: Value(end, source, quantile_error(draws, p, V1_RESAMPLES), note)
        for name, end, p in zip(("ci_lo", "ci_hi"), boot.ci_m_ratio, TAILS, strict=True)
    }
    share = boot.n_valid / boot.n_resamples
    error = proportion_error(share, boot.n_resamples, n_valid_published / V1_RESAMPLES, V1_RESAMPLES)
    found["n_valid_bootstrap"] = Value(share * V1_RESAMPLES, source, error * V1_RESAMPLES, note)
    return found


def v2_values(
    s1: ArrayLike, s2: ArrayLike, table: str, keys: tuple[str, ...], settings: Settings, source: str
) -> Values:
    """All figures of one row of a v2 table.

    meta-I2r is the plug-in value less the *published* mean of the permutation null, so that it can
    be compared exactly; the null mean itself is compared with the exact mean over all permutations.
    """
    incorrect, correct = np.asarray(s1), np.asarray(s2)
    n = int(incorrect.sum() + correct.sum())
    entropy = float(binary_entropy(correct.sum() / n))
    plugin = float(plugin_meta_i2r(incorrect, correct))
    null_published = printed(table)[keys, "null_mean"]
    n_draws = V2_DRAWS[table]
    null = permutation_null_meta_i(incorrect, correct, n_draws, settings.seed) / entropy
    exact_null = expected_null_meta_i(incorrect, correct) / entropy
    p = (1 + int((null >= plugin - 1e-12).sum())) / (1 + n_draws)
    found = {
        "acc": Value(float(correct.sum() / n), source),
        "n": Value(float(n), source),
        "meta_i2r": Value(
            plugin - null_published, source, note=f"plug-in {plugin:.10f} less the published null mean"
        ),
        "null_mean": Value(exact_null, source, mean_error(null, n_draws), "exact mean over all permutations"),
        "p_perm": Value(p, source, proportion_error(p, n_draws, printed(table)[keys, "p_perm"], n_draws)),
        "auroc2": Value(float(auroc2_from_counts(incorrect, correct)), source),
    }
    for names, statistic, shift in (
        (("mi_lo", "mi_hi"), plugin_meta_i2r, null_published),
        (("a_lo", "a_hi"), auroc2_from_counts, 0.0),
    ):
        boot = bootstrap_counts(
            incorrect, correct, statistic, n_resamples=settings.n_resamples, seed=settings.seed
        )
        for name, end, tail in zip(names, (boot.lower, boot.upper), TAILS, strict=True):
            error = quantile_error(boot.draws, tail, n_draws)
            found[name] = Value(end - shift, source, error, f"{settings.n_resamples:,} resamples")
    return {(table, keys, q): v for q, v in found.items()}
