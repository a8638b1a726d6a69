"""Expected calibration error with an interval that agrees with a test of calibration."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from metacog.measures.cell import Cell, FloatArray
from metacog.measures.estimates import ECE_BINS, Measured
from metacog.sdt.calibration import calibration_edges, debiased_ece, if_calibrated
from metacog.sdt.intervals import centred, percentile_limits


def calibration_error(cell: Cell, weights: FloatArray) -> Measured:
    """Debiased ECE of a cell (an :data:`metacog.measures.estimates.Estimator`).

    Returns
    -------
    Measured
        ``ece_debiased`` with limits, and ``ece_calibrated``, its mean were every answer right as often as
        stated.

    Notes
    -----
    Resampled absolute gaps hardly reach 0, so the interval contains 0 exactly where calibration is not
    rejected (:func:`metacog.sdt.calibration.if_calibrated`), and always contains the estimate.
    """
    p, hit = cell.probability, cell.correct.astype(np.float64)
    place = np.searchsorted(calibration_edges(p, n_bins=ECE_BINS), p, side="right")
    bins = []
    for value in (np.ones(p.size), hit, p):
        cells = sparse.coo_array((value, (cell.unit, place)), shape=(cell.n_units, ECE_BINS))
        bins.append(np.asarray((sparse.csr_array(cells).T @ weights.T).T))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = debiased_ece(*bins)
    estimate, draws = float(values[0]), centred(values[1:], float(values[0]))
    low, high = percentile_limits(draws)
    null = if_calibrated(cell.correct, p, clusters=cell.unit, n_bins=ECE_BINS)
    if null.p_value >= 1 - null.level:
        low = min(0.0, estimate)
    else:
        low = min(max(0.0, low), estimate)
    return Measured(
        {"ece_debiased": estimate, "ece_calibrated": null.mean},
        {"ece_debiased": (low, max(high, estimate))},
        (),
        {"ece_debiased": draws},
    )
