"""Every measure that can be compared, resampled or planned for, as a function of a table.

A table has one row of cells for each class over L ratings, lowest first. For type-2 measures the
classes are incorrect and correct; for ``d_prime``, ``meta_d`` and ``m_ratio`` they are S1 and S2
over 2K ratings (incorrect and correct may be put in their place). A name without more says which estimator
it is: ``meta_i2r`` alone is the exactly corrected one, which takes a table at a time, so what is resampled
and planned for here is ``meta_i2r_chi_square``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from .calibration import calibration_edges
from .checks import InputError
from .information import analytic_bias, meta_i2r, plugin_meta_i
from .resampling import TableStatistic
from .selective import accuracy_coverage_from_counts, aurc_from_counts
from .tables import FloatArray
from .type2 import auroc2_from_counts
from .zroc import z_roc

MAX_RATING_LEVELS = 64


@dataclass(frozen=True)
class Measure:
    """A measure by name.

    Attributes
    ----------
    name, description : str
    compute : callable
        From S1 and S2 tables of shape ``(B, L)`` and the value of each rating ``(L,)`` to ``(B,)``,
        NaN where undefined.
    scale : str
        What ratings must be: ``any`` (only their order counts), ``ratings`` (few of them),
        ``even ratings`` (2K of them) or ``probability``.
    """

    name: str
    description: str
    compute: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    scale: str = "any"

    def on_tables(self, ratings: FloatArray) -> TableStatistic:
        """The measure of cells of shape ``(B, 2 L)``, checked against the ratings."""
        check_ratings(self, ratings)
        width = ratings.size
        return lambda cells: self.compute(cells[..., :width], cells[..., width:], ratings)


def check_ratings(measure: Measure, ratings: FloatArray) -> None:
    """Refuse ratings a measure cannot use."""
    if measure.scale == "probability" and ((ratings < 0).any() or (ratings > 1).any()):
        raise InputError(
            f"{measure.name} needs confidence in [0, 1]; got {ratings.min():g} to {ratings.max():g}"
        )
    if "ratings" in measure.scale and ratings.size > MAX_RATING_LEVELS:
        raise InputError(f"{measure.name} needs ratings, got {ratings.size} distinct values; bin them first")
    if measure.scale == "even ratings" and ratings.size % 2:
        raise InputError(
            f"{measure.name} needs an even number of ratings (2K), got {ratings.size}; pass ratings"
        )


def _accuracy(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return s2.sum(axis=-1) / (s1.sum(axis=-1) + s2.sum(axis=-1))


def _meta_i_chi_square(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return plugin_meta_i(s1, s2) - analytic_bias(s1, s2, "chi-square")


def _z_roc(field: str) -> Callable[[FloatArray, FloatArray, FloatArray], FloatArray]:
    return lambda s1, s2, ratings: np.asarray(getattr(z_roc(np.atleast_2d(s1), np.atleast_2d(s2)), field))


def _brier(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return (s1 @ ratings**2 + s2 @ (1 - ratings) ** 2) / (s1.sum(axis=-1) + s2.sum(axis=-1))


def _ece(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
    edges = calibration_edges(ratings, n_bins=10, binning="width")
    inside = np.eye(edges.size + 1)[np.searchsorted(edges, ratings, side="right")]
    stated = (s1 + s2) @ (inside * ratings[:, None])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.abs(s2 @ inside - stated).sum(axis=-1) / (s1 + s2).sum(axis=-1)


def _d_prime(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
    half = ratings.size // 2
    a, b = s1 + 0.5, s2 + 0.5
    far, hr = (x[..., half:].sum(axis=-1) / x.sum(axis=-1) for x in (a, b))
    return ndtri(hr) - ndtri(far)


def _meta_d(field: str, pad: float = 0.5) -> Callable[[FloatArray, FloatArray, FloatArray], FloatArray]:
    def compute(s1: FloatArray, s2: FloatArray, ratings: FloatArray) -> FloatArray:
        from .meta_d import fit_meta_d_batch

        fits = fit_meta_d_batch(np.atleast_2d(s1) + pad, np.atleast_2d(s2) + pad, undefined="flag")
        values = np.where(fits.converged, getattr(fits, field), np.nan)
        return np.where(np.abs(values) < 10, values, np.nan)

    return compute


MEASURES: dict[str, Measure] = {
    m.name: m
    for m in (
        Measure("accuracy", "share correct", _accuracy),
        Measure("auroc2", "area under the type-2 ROC", lambda a, b, _: auroc2_from_counts(a, b)),
        Measure(
            "meta_i_chi_square", "meta-I in bits, less its chi-square bias", _meta_i_chi_square, "ratings"
        ),
        Measure(
            "meta_i2r_chi_square",
            "meta-I2r, less its chi-square bias",
            lambda a, b, _: meta_i2r(a, b, correction="chi-square"),
            "ratings",
        ),
        Measure("d_a", "d_a of the regression z-ROC", _z_roc("d_a"), "ratings"),
        Measure("z_slope", "slope of the regression z-ROC", _z_roc("slope"), "ratings"),
        Measure("d_prime", "d' at the middle rating, 0.5 in every cell", _d_prime, "even ratings"),
        Measure("meta_d", "meta-d', 0.5 in every cell", _meta_d("meta_d"), "even ratings"),
        Measure(
            "m_ratio", "meta-d'/d', 0.5 in every cell, |M| >= 10 dropped", _meta_d("m_ratio"), "even ratings"
        ),
        Measure("ece", "expected calibration error, 10 equal widths", _ece, "probability"),
        Measure("brier", "Brier score", _brier, "probability"),
        Measure("aurc", "area under the risk-coverage curve", lambda a, b, _: aurc_from_counts(a, b)),
        Measure(
            "accuracy_at_50",
            "accuracy at 50 % coverage",
            lambda a, b, _: accuracy_coverage_from_counts(a, b, 0.5),
        ),
    )
}


def m_ratio_measure(pad: float) -> Measure:
    """M-ratio with another constant than 0.5 in every cell; 0 fits tables as they are."""
    what = f"{pad:g} in every cell" if pad else "no cell padded"
    return Measure(
        "m_ratio", f"meta-d'/d', {what}, |M| >= 10 dropped", _meta_d("m_ratio", pad), "even ratings"
    )


def get_measure(measure: str | Measure) -> Measure:
    """A measure by name, or the one passed."""
    if isinstance(measure, Measure):
        return measure
    if measure not in MEASURES:
        raise InputError(f"no measure named {measure!r}; use one of {', '.join(MEASURES)}")
    return MEASURES[measure]
