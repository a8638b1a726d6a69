"""DMC and maximum likelihood on the counts matrix of a cell, as further estimators of a measured cell.

d^ is the denominator of MC and of M-ratio. Where its interval reaches 0 both are undefined, and the cell says
why.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from metacog.measures.cell import Cell, FloatArray
from metacog.measures.estimates import Measured
from metacog.sdt import fit_dmc_batch, fit_meta_d_batch
from metacog.sdt.dmc import cognitive_ability, tables_of_matrix
from metacog.sdt.intervals import percentile_limits

#: Ratings: equal widths over the range that the cell shows, closed on the right.
N_RATINGS = 4
#: Added to every cell of both fits: DMC's padding.
PAD = 1.0 / (2 * N_RATINGS)
#: d^ as readers see it.
D_HAT = "d\N{COMBINING CIRCUMFLEX ACCENT}"
#: Measures over d^.
RATIOS = ("mc", "m_ratio")
#: Rows of the counts matrix, and what an empty one means.
ROWS = {
    "TA": "no answer A was right",
    "FA": "no answer A was wrong",
    "TB": "no answer B was right",
    "FB": "no answer B was wrong",
}
#: Why there is no ratio to an ability whose interval lies, or does not lie, below 0.
NO_ABILITY = {True: "is below 0", False: "cannot be distinguished from 0"}
#: Why a ratio is undefined where padding decides.
PADDED = f"what is added to every cell determines {D_HAT} or M-ratio"
#: A ratio is undefined if more than this share of resamples has no fit.
MOST_LOST = 0.1


@dataclass(frozen=True, eq=False)
class DMC:
    """d^, d*, MC and M-ratio (an :data:`metacog.measures.estimates.Estimator`).

    Attributes
    ----------
    per_unit : sparse array, shape ``(n_units, 4 K)``
        What each question adds to the counts matrix (:func:`metacog.sdt.dmc_trials.dmc_cluster_cells`).
    padded : bool
        d^ or M-ratio is determined by what is added to every cell (:mod:`metacog.sdt.bootstrap`): d^ has no
        interval then, and there is no ratio.
    """

    per_unit: sparse.csr_array
    padded: bool

    def __call__(self, cell: Cell, weights: FloatArray) -> Measured:
        """Estimates of the cell and of its resamples."""
        tables = np.asarray((self.per_unit.T @ weights.T).T).reshape(len(weights), 4, -1)
        made = Measured({}, {}, (), {}, {})
        d_hat, _ = cognitive_ability(tables + PAD)
        _keep(made, "d_hat", d_hat)
        reason = no_ratio(tables[0], made.values["d_hat"], *made.bounds["d_hat"])
        if self.padded:
            del made.bounds["d_hat"]
            reason = reason or PADDED
        if reason:
            made.why.update(dict.fromkeys((*RATIOS, "d_star"), reason))
        else:
            _fit(made, tables)
        return made


def _keep(made: Measured, name: str, values: FloatArray) -> None:
    """Estimate first, resamples after it."""
    made.values[name], made.draws[name] = float(values[0]), values[1:]
    made.bounds[name] = percentile_limits(values[1:])


def _fit(made: Measured, tables: FloatArray) -> None:
    s1, s2 = tables_of_matrix(tables)
    dmc = fit_dmc_batch(s1, s2, pad=PAD, undefined="flag")
    likely = fit_meta_d_batch(s1 + PAD, s2 + PAD, undefined="flag")
    for name, values, good in (
        ("mc", dmc.mc, dmc.converged),
        ("d_star", dmc.d_star, dmc.converged),
        ("m_ratio", likely.m_ratio, likely.converged),
    ):
        kept = np.where(good, values, np.nan)
        lost = float(np.isnan(kept[1:]).mean())
        if np.isnan(kept[0]):
            made.why[name] = "the fit did not converge"
        elif lost > MOST_LOST:
            made.why[name] = f"{lost:.0%} of resamples have no fit"
        else:
            _keep(made, name, kept)


def no_ratio(matrix: NDArray, d_hat: float, lower: float, upper: float) -> str:
    """Why a ratio to d^ is undefined; empty if it is not.

    Parameters
    ----------
    matrix : array, shape ``(4, K)``
        Without padding.
    d_hat, lower, upper : float
        d^ and its interval.
    """
    empty = [text for text, total in zip(ROWS.values(), matrix.sum(axis=1), strict=True) if not total]
    if empty:
        return ", ".join(empty)
    if lower > 0:
        return ""
    return f"{D_HAT} {NO_ABILITY[upper < 0]} ({d_hat:.2f}, {lower:.2f} to {upper:.2f})"
