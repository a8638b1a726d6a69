"""DMC of trials with intervals over base questions, by the parts that study 3 puts together itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from metacog.sdt import Interval, fit_dmc, percentile_interval
from metacog.sdt.checks import FloatArray
from metacog.sdt.dmc import DMCCounts, DMCFit, dmc_cluster_cells, dmc_counts, fit_dmc_batch, tables_of_matrix
from metacog.sdt.resampling import weight_chunks


@dataclass(frozen=True, eq=False)
class DMCEstimate:
    """The fit, its intervals, the counts, and how many questions were resampled."""

    fit: DMCFit
    mc: Interval
    d_star: Interval
    d_hat: Interval
    counts: DMCCounts
    n_clusters: int


def resample_dmc(cells: sparse.csr_array, n_resamples: int, *, seed: int | None = 42) -> FloatArray:
    """Counts matrices of resampled clusters, shape ``(n_resamples, 4, K)``."""
    n, width = cells.shape
    parts = [(cells.T @ w.T).T for w in weight_chunks(n, n_resamples, seed, n + width)]
    return np.concatenate(parts).reshape(n_resamples, 4, -1)


def bootstrap_dmc(
    answer, correct, confidence, clusters, *, n_resamples=10_000, seed=42, pad=None
) -> DMCEstimate:
    """Percentile intervals; a question's pairings and orders are drawn together."""
    counts = dmc_counts(answer, correct, confidence)
    cells = dmc_cluster_cells(answer, correct, counts, clusters)
    draws = fit_dmc_batch(*tables_of_matrix(resample_dmc(cells, n_resamples, seed=seed)), pad=pad)
    fit = fit_dmc(*counts.tables, pad=pad)

    def interval(name):
        return percentile_interval(
            np.where(draws.converged, getattr(draws, name), np.nan), getattr(fit, name)
        )

    return DMCEstimate(
        fit, interval("mc"), interval("d_star"), interval("d_hat"), counts, int(cells.shape[0])
    )
