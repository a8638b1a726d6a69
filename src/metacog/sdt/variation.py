r"""Coefficient of variation over groups, with the sampling variance taken off.

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

import numpy as np
from numpy.typing import ArrayLike

from .checks import FloatArray, InputError
from .intervals import Interval, percentile_interval, percentile_limits


@dataclass(frozen=True)
class Variation:
    """Coefficient of variation of a measure over groups.

    Attributes
    ----------
    cv, lower, upper : float
        sd/\\|mean\\| of the estimates as they stand, and its interval.
    corrected, corrected_lower, corrected_upper : float
        The same of the true values: sampling variance taken off, 0 where it explains everything.
    mean, sd : float
        Of the estimates.
    sampling_sd : float
        The deviation over groups that sampling alone would give.
    explained : float
        Share of the squared deviation that sampling explains, at most 1.
    mean_lower, mean_upper : float
    defined : bool
        False where the interval of the mean contains 0: a ratio to it says nothing then.
    n_groups, n_draws, n_dropped : int
        ``n_dropped`` counts draws in which some group's value is undefined.
    level : float
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


def coefficient_of_variation(values: ArrayLike, *, ddof: int = 0) -> float:
    """sd/\\|mean\\| of some values; NaN where the mean is 0.

    Parameters
    ----------
    values : array, shape ``(m,)``, m >= 2
    ddof : {0, 1}
        0: population deviation.

    Raises
    ------
    InputError
        Fewer than two values, or one that is not finite.
    """
    x = _values(values, ddof)
    mean = abs(float(x.mean()))
    return float(x.std(ddof=ddof)) / mean if mean > 0 else float("nan")


def variation(estimates: ArrayLike, draws: ArrayLike, *, ddof: int = 0, level: float = 0.95) -> Variation:
    """Coefficient of variation of estimates over groups, as it stands and without sampling variance.

    Parameters
    ----------
    estimates : array, shape ``(m,)``
        One value per group.
    draws : array, shape ``(B, m)``
        Resampled values of each group; resample whole questions. Groups that share questions must be
        resampled together, so that a row is one resample of everything.
    ddof : {0, 1}
    level : float

    Raises
    ------
    InputError
        Shapes that do not fit, an estimate that is not finite, or fewer than two usable draws.
    """
    x = _values(estimates, ddof)
    if not 0 < level < 1:
        raise InputError(f"level must be between 0 and 1, got {level}")
    d = np.asarray(draws, dtype=np.float64)
    if d.ndim != 2 or d.shape[1] != x.size:
        raise InputError(f"draws must have shape (B, {x.size}), one column per group; got {d.shape}")
    usable = np.isfinite(d).all(axis=1)
    if usable.sum() < 2:
        raise InputError("fewer than two draws in which every group has a value")
    noise = d[usable] - d[usable].mean(axis=0)
    sampling = float(noise.var(axis=1, ddof=ddof).mean())
    moved = x + noise
    means, squares = np.abs(moved.mean(axis=1)), moved.var(axis=1, ddof=ddof)
    mean, square = float(x.mean()), float(x.var(ddof=ddof))
    mean_low, mean_high = percentile_limits(moved.mean(axis=1), level=level)
    low, high = percentile_limits(_ratio(squares - sampling, means), level=level)
    corrected_low, corrected_high = percentile_limits(_ratio(squares - 2 * sampling, means), level=level)
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


def variation_difference(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    *,
    ddof: int = 0,
    level: float = 0.95,
) -> Interval:
    """CV of one measure minus that of another over the same groups, sampling variance taken off both.

    Parameters
    ----------
    first, second : pairs of estimates, shape ``(m,)``, and draws, shape ``(B, m)``
        As for :func:`variation`; row b of both draws is one resample of the same questions.
    ddof : int
    level : float

    Returns
    -------
    Interval
        Of the draws' differences; draws in which some group's value of either is undefined are left out.

    Raises
    ------
    InputError
        As for :func:`variation`, or numbers of groups or draws that differ.
    """
    found = [variation(*one, ddof=ddof, level=level) for one in (first, second)]
    values = [_values(x, ddof) for x, _ in (first, second)]
    draws = [np.asarray(d, dtype=np.float64) for _, d in (first, second)]
    if draws[0].shape != draws[1].shape:
        raise InputError(f"both measures need draws of one shape, got {draws[0].shape} and {draws[1].shape}")
    usable = np.isfinite(draws[0]).all(axis=1) & np.isfinite(draws[1]).all(axis=1)
    cvs = []
    for x, d in zip(values, draws, strict=True):
        noise = d[usable] - d[usable].mean(axis=0)
        square = (x + noise).var(axis=1, ddof=ddof) - 2 * float(noise.var(axis=1, ddof=ddof).mean())
        cvs.append(_ratio(square, np.abs((x + noise).mean(axis=1))))
    gaps = np.full(usable.size, np.nan)
    gaps[usable] = cvs[0] - cvs[1]
    return percentile_interval(gaps, found[0].corrected - found[1].corrected, level=level)


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
