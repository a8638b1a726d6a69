"""Measures of a cell with their draws, and estimators that make them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np

from metacog.measures.cell import Cell, Flag, FloatArray, Remark
from metacog.sdt.information import studentised
from metacog.sdt.intervals import centred, percentile_limits

#: Quantities that carry an interval, in the order of the columns.
INTERVALS = (
    "accuracy",
    "auroc2",
    "meta_i2r",
    "d_a",
    "z_slope",
    "overconfidence",
    "brier",
    "accuracy_at_half",
    "d_prime",
    "criterion",
    "meta_d",
    "m_ratio",
)


@dataclass(frozen=True)
class Measured:
    """Measures of a cell.

    Attributes
    ----------
    values : dict
        Estimates by name; NaN where a measure is undefined.
    bounds : dict of (lower, upper)
    draws : dict of arrays, shape ``(n_resamples,)``
        Bootstrap draws by name, on the estimate's scale.
    remarks : tuple of Remark
        Why numbers are missing or rough; empty if neither.
    why : dict
        Why a measure of a study's estimator is undefined, by name.
    """

    values: dict[str, float]
    bounds: dict[str, tuple[float, float]]
    remarks: tuple[Remark, ...]
    draws: dict[str, FloatArray] = field(repr=False)
    why: dict[str, str] = field(default_factory=dict)

    @classmethod
    def drawn(cls, **values: FloatArray) -> Measured:
        """Measures from arrays of shape ``(1 + n_resamples,)``: the estimate, then its draws; 95 % percentiles."""
        return cls(
            {name: float(x[0]) for name, x in values.items()},
            {name: percentile_limits(x[1:]) for name, x in values.items()},
            (),
            {name: x[1:] for name, x in values.items()},
        )

    def plus(self, more: Measured) -> Measured:
        """These measures and more of the same cell."""
        return Measured(
            {**self.values, **more.values},
            {**self.bounds, **more.bounds},
            (*self.remarks, *more.remarks),
            {**self.draws, **more.draws},
            {**self.why, **more.why},
        )

    @property
    def flags(self) -> tuple[Flag, ...]:
        """Why numbers are missing or rough."""
        return tuple(remark.flag for remark in self.remarks)

    def row(self) -> dict[str, Any]:
        """One flat record: each estimate, its bounds (NAME_lower, NAME_upper) and its remarks as ``flag``."""
        flat: dict[str, Any] = {}
        for name, value in self.values.items():
            flat[name] = value
            if name in INTERVALS:
                flat[f"{name}_lower"], flat[f"{name}_upper"] = self.bounds.get(name, (np.nan, np.nan))
        return {**flat, "flag": "; ".join(remark.text for remark in self.remarks)}

    def defined(self, name: str) -> bool:
        """Whether a measure has a value."""
        return bool(np.isfinite(self.values.get(name, np.nan)))

    def paired(self, name: str) -> FloatArray:
        """Draws of a measure for differences and variances, moved so that they carry a bias once."""
        return self.draws.get(f"plugin_{name}", self.draws[name])


#: An estimator that a study adds: from a cell and weights of its units, the first row ones and a resample in
#: each further row, to values, bounds, draws and why a measure is undefined.
Estimator = Callable[[Cell, FloatArray], Measured]


def made_by(estimators: Iterable[Estimator], cell: Cell, weights: FloatArray) -> Measured:
    """What estimators make of a cell and its resamples (:func:`metacog.measures.resamples.whole_and_resamples`)."""
    return reduce(Measured.plus, (one(cell, weights) for one in estimators), Measured({}, {}, (), {}))


def information_draws(
    plugin: FloatArray, errors: FloatArray, estimate: float, se: float
) -> dict[str, FloatArray]:
    """Draws of meta-I2r for its interval, and for differences of cells on the same questions.

    Parameters
    ----------
    plugin, errors : arrays, shape ``(n_resamples,)``
        Plug-in values of the resamples and their standard errors.
    estimate, se : float
        Of the cell, the estimate corrected.
    """
    return {
        "plugin_meta_i2r": centred(plugin, estimate),
        "meta_i2r": studentised(plugin, errors, estimate, se),
    }
