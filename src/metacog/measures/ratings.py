"""Counts by rating of a cell and its resamples, and the measures of them that take no padding."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from metacog.measures.cell import Cell, FloatArray
from metacog.measures.measured import Measured, information_draws
from metacog.sdt.information import meta_i2r_se, null_meta_i2r, plugin_meta_i2r
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.type2 import auroc2_from_counts, auroc2_interval_from_counts
from metacog.sdt.zroc import z_roc


def rating_tables(cell: Cell, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Incorrect and correct trials by rating for B weightings of the units, ``(B, n_levels)`` each."""
    place = (cell.unit, cell.level + cell.n_levels * cell.correct)
    shape = (cell.n_units, 2 * cell.n_levels)
    each = sparse.csr_array(sparse.coo_array((np.ones(cell.unit.size), place), shape=shape))
    tables = np.asarray((each.T @ weights.T).T, dtype=np.float64)
    return tables[:, : cell.n_levels], tables[:, cell.n_levels :]


def of_ratings(cell: Cell, weights: FloatArray) -> Measured:
    """AUROC2, meta-I2r and the slope of the z-ROC (an :data:`metacog.measures.measured.Estimator`).

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
