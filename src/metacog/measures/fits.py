"""Maximum-likelihood fits of counts by rating: one rule for what is kept of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from metacog.measures.cell import Cell, FloatArray, Measured, information_draws
from metacog.sdt.area_intervals import auroc2_interval_from_counts
from metacog.sdt.information import null_meta_i2r, plugin_meta_i2r
from metacog.sdt.information_interval import meta_i2r_se
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.meta_d import MetaDBatch, fit_meta_d_batch
from metacog.sdt.type1 import z_roc
from metacog.sdt.type2 import auroc2_from_counts

# Counts by rating of a cell and its resamples, and the measures of them that take no padding.


def rating_tables(cell: Cell, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Incorrect and correct trials by rating for B weightings of the units, ``(B, n_levels)`` each."""
    place = (cell.unit, cell.level + cell.n_levels * cell.correct)
    shape = (cell.n_units, 2 * cell.n_levels)
    each = sparse.csr_array(sparse.coo_array((np.ones(cell.unit.size), place), shape=shape))
    tables = np.asarray((each.T @ weights.T).T, dtype=np.float64)
    return tables[:, : cell.n_levels], tables[:, cell.n_levels :]


def of_ratings(cell: Cell, weights: FloatArray) -> Measured:
    """AUROC2, meta-I2r and the slope of the z-ROC (an :data:`metacog.measures.cell.Estimator`).

    For independent trials, of whatever number. Estimates and intervals are made as by
    :func:`metacog.measures.estimates.measure`.
    """
    wrong, right = rating_tables(cell, weights)
    made = Measured.drawn(
        auroc2=auroc2_from_counts(wrong, right), z_slope=np.asarray(z_roc(wrong, right).slope)
    )
    made.bounds["auroc2"] = auroc2_interval_from_counts(wrong[0], right[0]).ends
    plugin, errors = plugin_meta_i2r(wrong, right), meta_i2r_se(wrong, right)
    made.values["meta_i2r"] = float(plugin[0] - null_meta_i2r(wrong[0], right[0]))
    made.draws.update(information_draws(plugin[1:], errors[1:], made.values["meta_i2r"], float(errors[0])))
    made.bounds["meta_i2r"] = percentile_limits(made.draws["meta_i2r"])
    return made


#: Added to every cell before a fit (Hautus 1995).
PAD = 0.5
#: What :func:`fitted` gives.
FITTED = ("d_prime", "criterion", "meta_d", "m_ratio", "low_criterion", "high_criterion")
#: Fits with an M-ratio this far out are dropped.
M_RATIO_LIMIT = 10.0


def pads(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """What is added to the cells ``(..., 2K)`` of tables: :data:`PAD` where a cell is empty, else nothing.

    A rating that nobody gave to either stimulus leaves two cells empty and says nothing: the fit is that without it,
    so it gets nothing and calls for nothing. Where a response was never given, all cells get it.
    """
    a, b = (np.asarray(x, dtype=np.float64) for x in (nR_S1, nR_S2))
    used, half = np.asarray((a + b) > 0), a.shape[-1] // 2
    one_sided = np.asarray(~(used[..., :half].any(axis=-1) & used[..., half:].any(axis=-1)))
    used |= one_sided[..., None]
    empty = (used & ((a == 0) | (b == 0))).any(axis=-1)
    return np.where(used & empty[..., None], PAD, 0.0)


def fitted(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, pad: ArrayLike = PAD, s: ArrayLike = 1.0
) -> dict[str, FloatArray]:
    """d', criterion, meta-d', M-ratio and mean type-2 criteria of many tables ``(..., 2K)``, as arrays ``(...)``.

    ``pad`` is added to every cell, or to each (:func:`pads`); ``s`` is sd(S1)/sd(S2). All are NaN where a class has no
    trials, which padding would invent; all but the first two where the fit did not converge or its M-ratio reaches
    :data:`M_RATIO_LIMIT`.
    """
    a, b = (np.asarray(x, dtype=np.float64) for x in (nR_S1, nR_S2))
    shape, levels = a.shape[:-1], a.shape[-1]
    a, b = a.reshape(-1, levels), b.reshape(-1, levels)
    more = np.asarray(pad, dtype=np.float64)
    more = more.reshape(-1, levels) if more.ndim else more
    fit = fit_meta_d_batch(a + more, b + more, s=s, undefined="flag")
    both = (a.sum(axis=1) > 0) & (b.sum(axis=1) > 0)
    kept = both & fit.converged & (np.abs(np.nan_to_num(fit.m_ratio, nan=np.inf)) < M_RATIO_LIMIT)
    return {
        name: np.where(both if name in ("d_prime", "criterion") else kept, x, np.nan).reshape(shape)
        for name, x in values_of(fit).items()
    }


def fitted_of(cell: Cell, weights: FloatArray, *, s: float = 1.0) -> dict[str, FloatArray]:
    """:func:`fitted` of a cell and its resamples, arrays of shape ``(B,)``; NaN where confidence is too coarse."""
    if cell.coarse:
        return dict.fromkeys(FITTED, np.full(len(weights), np.nan))
    return fitted(*rating_tables(cell, weights), s=s)


def values_of(fit: MetaDBatch) -> dict[str, FloatArray]:
    """What :func:`fitted` keeps of fits, all of it."""
    return {
        "d_prime": fit.d_prime,
        "criterion": fit.c,
        "meta_d": fit.meta_d,
        "m_ratio": fit.m_ratio,
        "low_criterion": fit.t2_criteria_rS1.mean(axis=1),
        "high_criterion": fit.t2_criteria_rS2.mean(axis=1),
    }


@dataclass(frozen=True)
class Fits:
    """:func:`fitted` of a cell, incorrect trials for S1 (a :data:`metacog.measures.cell.Estimator`); ``s`` =
    sd(S1)/sd(S2).
    """

    s: float = 1.0

    def __call__(self, cell: Cell, weights: FloatArray) -> Measured:
        """Estimates of the cell and of its resamples."""
        return Measured.drawn(**fitted_of(cell, weights, s=self.s))
