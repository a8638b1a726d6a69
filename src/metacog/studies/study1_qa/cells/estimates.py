"""Estimates of every cell, and their trial-level bootstrap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.sdt.bootstrap import bootstrap_meta_d_many
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.studies.study1_qa.cells.counts import Cells, FloatArray
from metacog.studies.study1_qa.cells.flags import PAD

#: Resamples with |M-ratio| at or above this are dropped and counted.
M_RATIO_LIMIT = 10.0


def estimate(cells: Cells, *, s: ArrayLike = 1.0, pad: float = PAD) -> pd.DataFrame:
    """Point estimates of every group.

    Parameters
    ----------
    cells : Cells
    s : float or array, shape ``(G,)``
        sd(S1)/sd(S2), the slope of the z-ROC.
    pad : float
        Added to every cell.

    Returns
    -------
    DataFrame
        ``cells.frame`` with ``d_prime, c, meta_d, m_ratio, low_criterion, high_criterion`` (means of
        the type-2 criteria on either side), ``converged`` and ``boundary``; NaN for groups that lack
        a class.
    """
    frame = cells.frame.copy()
    names = ("d_prime", "c", "meta_d", "m_ratio")
    if not len(cells):
        return frame.assign(**{name: np.nan for name in (*names, "low_criterion", "high_criterion")})
    fit = fit_meta_d_batch(cells.nR_S1 + pad, cells.nR_S2 + pad, s=s, undefined="flag")
    good = cells.measurable
    for name in names:
        frame[name] = np.where(good, getattr(fit, name), np.nan)
    frame["low_criterion"] = np.where(good, fit.t2_criteria_rS1.mean(axis=1), np.nan)
    frame["high_criterion"] = np.where(good, fit.t2_criteria_rS2.mean(axis=1), np.nan)
    frame["converged"] = fit.converged & good
    frame["boundary"] = fit.boundary
    return frame


def below_one(table: pd.DataFrame) -> pd.Series:
    """Whether each row's upper limit ``ci_hi`` of M-ratio is below 1; None where there is no interval."""
    known = table["ci_hi"].notna()
    below = table["ci_hi"] < 1
    return below if known.all() else below.astype(object).where(known, None)


@dataclass(frozen=True)
class CellDraws:
    """Estimates and bootstrap draws of every group.

    Attributes
    ----------
    table : DataFrame
        As :func:`estimate`, with ``ci_lo, ci_hi`` (M-ratio), ``meta_d_lo, meta_d_hi``,
        ``d_prime_lo, d_prime_hi``, ``n_valid`` and ``n_draws_dropped``.
    d_prime, meta_d, m_ratio : arrays, shape ``(G, B)``
        NaN for dropped draws and for groups that cannot be fitted.
    """

    table: pd.DataFrame
    d_prime: FloatArray
    meta_d: FloatArray
    m_ratio: FloatArray


def bootstrap_cells(
    cells: Cells,
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
    s: ArrayLike = 1.0,
    pad: float = PAD,
    level: float = 0.95,
) -> CellDraws:
    """Trial-level percentile bootstrap of every group, edges fixed.

    Groups are drawn independently of one another; groups that lack a class get NaN.
    """
    table = estimate(cells, s=s, pad=pad)
    size = len(cells)
    slopes = np.broadcast_to(np.asarray(s, dtype=np.float64), (size,))
    draws = {name: np.full((size, n_resamples), np.nan) for name in ("d_prime", "meta_d", "m_ratio")}
    good = np.flatnonzero(np.isfinite(table["m_ratio"].to_numpy(dtype=np.float64)) & cells.measurable)
    limits = np.full((size, 6), np.nan)
    valid = np.zeros(size, dtype=np.int64)
    if good.size:
        done = bootstrap_meta_d_many(
            cells.nR_S1[good],
            cells.nR_S2[good],
            n_resamples=n_resamples,
            seed=seed,
            pad=pad,
            s=slopes[good],
            level=level,
            m_ratio_limit=M_RATIO_LIMIT,
        )
        for row, one in zip(good, done, strict=True):
            for name, values in draws.items():
                values[row] = getattr(one, name)
            limits[row] = [*one.ci_m_ratio, *one.ci_meta_d, *one.ci_d_prime]
            valid[row] = one.n_valid
    for j, name in enumerate(("ci_lo", "ci_hi", "meta_d_lo", "meta_d_hi", "d_prime_lo", "d_prime_hi")):
        table[name] = limits[:, j]
    table["n_valid"] = valid
    table["n_draws_dropped"] = np.where(valid > 0, n_resamples - valid, 0)
    return CellDraws(table, draws["d_prime"], draws["meta_d"], draws["m_ratio"])
