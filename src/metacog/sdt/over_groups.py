r"""Measures of many groups: how much they vary, and what their row and column say of a cell of a table.

A measure that stays flat over data sets has a small coefficient of variation (CV), the standard deviation
of its values over their mean. But values that are estimated differ by chance alone: with :math:`v` the mean
sampling variance of an estimate, the squared deviation over m groups has expectation

.. math:: E[s^2] = \tau^2 + \frac{m - 1}{m - \mathrm{ddof}} v

where :math:`\tau` is the deviation of the true values. A noisy measure thus looks less stable than it is,
and one with few questions less than one with many. So the CV is given twice: as it stands, and with that
share taken off.

Draws carry the sampling variance twice, once from the data and once from resampling. Intervals therefore
rest on each draw's squared deviation minus that of resampling (CV as it stands) or minus both (corrected),
and on draws moved to the estimates. Groups are taken as given: intervals say what other questions would
have changed, not other data sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from metacog.sdt.checks import FloatArray, InputError, check_level
from metacog.sdt.intervals import Interval, percentile_interval, percentile_limits


@dataclass(frozen=True)
class Variation:
    """Coefficient of variation sd/\\|mean\\| of the estimates of a measure over groups, as it stands and ``corrected``.

    The corrected one is of the true values: sampling variance is taken off, 0 where it explains everything.
    ``sampling_sd`` is the deviation over groups that sampling alone would give, ``explained`` its share of the
    squared one, at most 1. ``defined`` is False where the interval of the mean contains 0: a ratio to it says nothing
    then.
    ``n_dropped`` counts draws in which some group's value is undefined.
    """

    cv: float
    lower: float
    upper: float
    corrected: float
    corrected_lower: float
    corrected_upper: float
    mean: float
    sd: float
    sampling_sd: float
    explained: float
    mean_lower: float
    mean_upper: float
    defined: bool
    n_groups: int
    n_draws: int
    n_dropped: int
    level: float

    @property
    def told(self) -> bool:
        """Whether it is defined and below the interval's upper end; few extreme draws can push that to 0."""
        return self.defined and (self.cv <= self.upper or bool(np.isclose(self.cv, self.upper)))


def coefficient_of_variation(values: ArrayLike, *, ddof: int = 0) -> float:
    """sd/\\|mean\\| of two values or more; NaN where the mean is 0. ``ddof`` 0: population deviation."""
    x = _values(values, ddof)
    mean = abs(float(x.mean()))
    return float(x.std(ddof=ddof)) / mean if mean > 0 else float("nan")


def variation(estimates: ArrayLike, draws: ArrayLike, *, ddof: int = 0, level: float = 0.95) -> Variation:
    """Coefficient of variation of estimates ``(m,)`` over groups, as it stands and without sampling variance.

    ``draws`` ``(B, m)`` resample whole questions. Groups that share questions must be resampled together, so
    that a row is one resample of everything.
    """
    x = _values(estimates, ddof)
    check_level(level)
    d = np.asarray(draws, dtype=np.float64)
    if d.ndim != 2 or d.shape[1] != x.size:
        raise InputError(f"draws must have shape (B, {x.size}), one column per group; got {d.shape}")
    usable = np.isfinite(d).all(axis=1)
    if usable.sum() < 2:
        raise InputError("fewer than two draws in which every group has a value")
    sampling, means, squares = _moved(x, d[usable], ddof)
    mean, square = float(x.mean()), float(x.var(ddof=ddof))
    mean_low, mean_high = percentile_limits(means, level=level)
    low, high = percentile_limits(_ratio(squares - sampling, np.abs(means)), level=level)
    corrected = _ratio(squares - 2 * sampling, np.abs(means))
    corrected_low, corrected_high = percentile_limits(corrected, level=level)
    return Variation(
        cv=float(_ratio(square, abs(mean))),
        lower=low,
        upper=high,
        corrected=float(_ratio(square - sampling, abs(mean))),
        corrected_lower=corrected_low,
        corrected_upper=corrected_high,
        mean=mean,
        sd=float(np.sqrt(square)),
        sampling_sd=float(np.sqrt(sampling)),
        explained=min(1.0, sampling / square) if square > 0 else 1.0,
        mean_lower=mean_low,
        mean_upper=mean_high,
        defined=not mean_low <= 0 <= mean_high,
        n_groups=int(x.size),
        n_draws=int(usable.sum()),
        n_dropped=int((~usable).sum()),
        level=level,
    )


def _moved(x: FloatArray, draws: FloatArray, ddof: int) -> tuple[float, FloatArray, FloatArray]:
    """Sampling variance of estimates, and means and squared deviations of draws that were moved to them."""
    noise = draws - draws.mean(axis=0)
    moved = x + noise
    return float(noise.var(axis=1, ddof=ddof).mean()), moved.mean(axis=1), moved.var(axis=1, ddof=ddof)


def variation_difference(first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike]) -> Interval:
    """CV of one measure minus that of another over the same groups, sampling variance taken off both.

    Each is a pair of estimates and draws, as for :func:`variation`; row b of both draws is one resample of the
    same questions. Draws in which some group's value of either is undefined are left out.
    """
    found = [variation(*one) for one in (first, second)]
    draws = [np.asarray(d, dtype=np.float64) for _, d in (first, second)]
    if draws[0].shape != draws[1].shape:
        raise InputError(f"both measures need draws of one shape, got {draws[0].shape} and {draws[1].shape}")
    usable = np.isfinite(draws[0]).all(axis=1) & np.isfinite(draws[1]).all(axis=1)
    cvs = []
    for x, d in zip((first[0], second[0]), draws, strict=True):
        sampling, means, squares = _moved(np.asarray(x, dtype=np.float64), d[usable], 0)
        cvs.append(_ratio(squares - 2 * sampling, np.abs(means)))
    gaps = np.full(usable.size, np.nan)
    gaps[usable] = cvs[0] - cvs[1]
    return percentile_interval(gaps, found[0].corrected - found[1].corrected)


def _ratio(square: FloatArray | float, mean: FloatArray | float) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(mean) > 0, np.sqrt(np.maximum(square, 0.0)) / mean, np.nan)


def _values(values: ArrayLike, ddof: int) -> FloatArray:
    x = np.asarray(values, dtype=np.float64)
    if x.ndim != 1 or x.size < 2:
        raise InputError(f"at least two groups are needed, got shape {x.shape}")
    if not np.isfinite(x).all():
        raise InputError("a group has no finite value: leave it out, and say so")
    if ddof not in (0, 1):
        raise InputError(f"ddof must be 0 or 1, got {ddof}")
    return x


#: Weight of a cell that is not used, next to 1 of a used one.
_HELD = 0.1
#: Rounds of alternating least squares at most, and the share of the largest row effect whose change ends them.
_ROUNDS, _TOLERANCE = 100, 1e-7


def additive_fit(tables: ArrayLike, used: ArrayLike) -> FloatArray:
    """Least-squares row + column over the used cells ``(M, K)`` of many tables ``(..., M, K)``.

    Predictions of all cells; NaN where no chain of used cells joins row and column, since nothing then says how
    high they stand to each other, and in a table that lacks a used cell.
    """
    values, mask, solve = _prepared(tables, used)
    row, column = np.split(values[..., mask] @ solve, [len(mask)], axis=-1)
    return np.where(joined(mask), row[..., :, None] + column[..., None, :], np.nan)


def multiplicative_fit(tables: ArrayLike, used: ArrayLike) -> FloatArray:
    """Least-squares row times column over the used cells of many tables; as :func:`additive_fit`.

    By alternating least squares from row means. The more rows and columns, the fewer rounds are needed: five at
    33, some dozens at 5. Where all cells are nearly 0, a product of two factors fits their noise with any value
    of the cells that are not used. Those therefore enter with a tenth of a used cell's weight, at the additive
    prediction or at 0 if that is negative: of 33 rows and columns this moves a prediction by less than a
    hundredth of its distance from the additive one, and nothing can run away.
    """
    values, mask, _ = _prepared(tables, used)
    held = additive_fit(values, mask)
    joins = joined(mask)
    weight = np.where(mask, 1.0, np.where(joins, _HELD, 0.0))
    filled = np.where(mask, values, np.maximum(np.where(joins, held, 0.0), 0.0))
    unknown = np.isnan(filled).any(axis=(-2, -1))
    filled = np.where(np.asarray(unknown)[..., None, None], 0.0, filled) * weight
    with np.errstate(invalid="ignore", divide="ignore"):
        row = filled.sum(axis=-1) / weight.sum(axis=1)
        row = np.where(np.isfinite(row), row, 0.0)
        for _ in range(_ROUNDS):
            column = np.einsum("...mk,...m->...k", filled, row) / (row**2 @ weight)
            column = np.where(np.isfinite(column), column, 0.0)
            before, row = row, np.einsum("...mk,...k->...m", filled, column) / (column**2 @ weight.T)
            row = np.where(np.isfinite(row), row, 0.0)
            if np.abs(row - before).max() <= _TOLERANCE * np.abs(row).max():
                break
    known = joins & ~np.asarray(unknown)[..., None, None]
    return np.where(known, row[..., :, None] * column[..., None, :], np.nan)


def joined(used: ArrayLike) -> NDArray[np.bool_]:
    """Whether a chain of used cells joins a cell's row and its column, shape ``(M, K)``."""
    mask = _mask(used)
    n_rows, size = mask.shape[0], sum(mask.shape)
    rows, columns = np.nonzero(mask)
    edges = sparse.coo_array((np.ones(rows.size), (rows, n_rows + columns)), shape=(size, size))
    part = connected_components(edges.tocsr(), directed=False)[1]
    return np.asarray(part[:n_rows, None] == part[None, n_rows:])


def _prepared(tables: ArrayLike, used: ArrayLike) -> tuple[FloatArray, NDArray[np.bool_], FloatArray]:
    """Tables, the used cells, and what solves for row and column effects, ``(U, M + K)``."""
    mask = _mask(used)
    values = np.asarray(tables, dtype=np.float64)
    if values.shape[-2:] != mask.shape:
        raise InputError(
            f"tables of shape (..., {mask.shape[0]}, {mask.shape[1]}) are wanted, got {values.shape}"
        )
    return values, mask, _solve(mask.tobytes(), mask.shape)


@lru_cache(maxsize=8)
def _solve(mask: bytes, shape: tuple[int, int]) -> FloatArray:
    """The pseudo-inverse of the design, transposed; a table's level can stand with rows or with columns."""
    rows, columns = np.nonzero(np.frombuffer(mask, dtype=bool).reshape(shape))
    design = np.zeros((rows.size, sum(shape)))
    design[np.arange(rows.size), rows] = 1.0
    design[np.arange(rows.size), shape[0] + columns] = 1.0
    return np.asarray(np.linalg.pinv(design, rcond=1e-10).T, dtype=np.float64)


def _mask(used: ArrayLike) -> NDArray[np.bool_]:
    mask: NDArray[np.bool_] = np.array(used, dtype=bool)
    if mask.ndim != 2 or not mask.any():
        raise InputError("a table (M, K) with at least one used cell is wanted")
    return mask
