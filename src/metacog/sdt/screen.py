"""The validity screen: what right or wrong by high or low confidence says of a confidence signal.

A protocol of 2026 (arXiv:2604.17714) puts it before every other measure, in analogy to the validity scales of
clinical questionnaires. All functions take many tables at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from metacog.sdt.checks import FloatArray, InputError, check_level, cluster_index
from metacog.sdt.intervals import effective_trials, wilson

BoolArray = NDArray[np.bool_]

#: From here on a signal breaks a rule; TRIN's is a warning.
MOST_L, MOST_FP, MOST_TRIN = 0.95, 0.50, 0.95

#: The protocol calls a broken rule for L or Fp invalid where the lower limit of the index lies above this.
SURE_L, SURE_FP = 0.90, 0.40

#: The protocol judges no table with a smaller cell.
SMALLEST_CELL = 5

#: What the protocol can call a signal.
TIERS = ("valid", "indeterminate", "invalid", "insufficient data")


@dataclass(frozen=True)
class Screen:
    """Indices of ``B`` tables, with limits of their intervals; all arrays of shape ``(B,)``.

    Attributes
    ----------
    counts : array, shape ``(B, 4)``
        Right and high, wrong and high, right and low, wrong and low.
    L, L_lower, L_upper : arrays
        P(high | wrong); NaN where no answer is wrong.
    Fp, Fp_lower, Fp_upper : arrays
        P(low | right); NaN where no answer is right.
    RBS, RBS_lower, RBS_upper : arrays
        Fp - (1 - L), that is P(low | right) - P(low | wrong): above 0, right answers have low confidence more
        often than wrong ones. NaN where Fp or L is.
    TRIN, TRIN_lower, TRIN_upper : arrays
        The larger share of high or low; NaN without trials.
    r, r_lower, r_upper : arrays
        Correlation (phi) of being right with high confidence; NaN where either does not vary.
    level : float
    """

    counts: FloatArray
    L: FloatArray
    L_lower: FloatArray
    L_upper: FloatArray
    Fp: FloatArray
    Fp_lower: FloatArray
    Fp_upper: FloatArray
    RBS: FloatArray
    RBS_lower: FloatArray
    RBS_upper: FloatArray
    TRIN: FloatArray
    TRIN_lower: FloatArray
    TRIN_upper: FloatArray
    r: FloatArray
    r_lower: FloatArray
    r_upper: FloatArray
    level: float

    @property
    def broken(self) -> dict[str, BoolArray]:
        """Which rules the tables break: L >= .95, Fp >= .50, RBS > 0 with an interval without 0.

        An index that is undefined breaks none.
        """
        return {"L": self.L >= MOST_L, "Fp": self.Fp >= MOST_FP, "RBS": self.RBS_lower > 0}

    @property
    def invalid(self) -> BoolArray:
        """Tables that break any rule."""
        return np.asarray(np.logical_or.reduce(list(self.broken.values())), dtype=np.bool_)

    @property
    def undefined(self) -> BoolArray:
        """Tables without a wrong or without a right answer, on which some rule cannot be judged."""
        return ~np.isfinite(self.RBS)

    @property
    def warning(self) -> BoolArray:
        """Tables in which nearly all answers have the same confidence: TRIN >= .95."""
        return self.TRIN >= MOST_TRIN

    @property
    def tier(self) -> NDArray[np.str_]:
        """What the published protocol calls the tables, one of `TIERS`.

        It differs from :attr:`invalid` in three ways. A table with a cell below five is not judged. A signal
        with L >= .95 or Fp >= .50 is invalid only where the lower limit of the index is above .90 or .40, and
        else indeterminate. RBS above 0 is indeterminate where its interval contains 0.
        """
        L, Fp, RBS = self.L >= MOST_L, self.Fp >= MOST_FP, self.RBS > 0
        sure = (L & (self.L_lower > SURE_L)) | (Fp & (self.Fp_lower > SURE_FP)) | (RBS & (self.RBS_lower > 0))
        few = self.counts.min(axis=1) < SMALLEST_CELL
        return np.select([few, sure, L | Fp | RBS], [TIERS[3], TIERS[2], TIERS[1]], TIERS[0])


def screen_counts(
    right_high: ArrayLike,
    wrong_high: ArrayLike,
    right_low: ArrayLike,
    wrong_low: ArrayLike,
    *,
    level: float = 0.95,
) -> Screen:
    """Indices of tables of counts, answers counted as independent; each cell is a number or ``(B,)``.

    After arXiv:2604.17714 (2026), as in the package validity-screen 0.1.0. Intervals of L, Fp and TRIN are
    Wilson's; that of TRIN is the interval of the share that is larger. That of RBS is Newcombe's (1998, method
    10) where the package takes Wald's, which is too narrow for shares near 0 and 1. That of r is by Fisher's z,
    which for a table of two by two is an approximation.
    """
    try:
        cells = np.stack(
            np.broadcast_arrays(
                *(
                    np.atleast_1d(np.asarray(v, np.float64))
                    for v in (right_high, wrong_high, right_low, wrong_low)
                )
            ),
            axis=-1,
        )
    except ValueError as error:
        raise InputError(f"the four counts must be numbers of one shape ({error})") from None
    if cells.ndim != 2 or not np.isfinite(cells).all() or (cells < 0).any() or (cells % 1).any():
        raise InputError("counts must be whole numbers of at least 0, one per table")
    right, wrong, n = cells[:, 0] + cells[:, 2], cells[:, 1] + cells[:, 3], cells.sum(axis=1)
    return _indices(cells, (right, wrong, n, n), level)


def screen(
    correct: ArrayLike, high: ArrayLike, *, clusters: ArrayLike | None = None, level: float = 0.95
) -> Screen:
    """Indices of one signal, from its trials; a :class:`Screen` of one table.

    Parameters
    ----------
    correct, high : arrays of 0/1 or bool, shape ``(n,)``
        Whether each answer is right, and whether its confidence is high.
    clusters : array, shape ``(n,)``, optional
        What trials belong together, such as the question that was asked several times.
    level : float

    Returns
    -------
    Screen
        Arrays of one entry.

    Raises
    ------
    InputError
        Lists of different lengths, or values other than 0 and 1.

    Notes
    -----
    With ``clusters`` Wilson's limits take the effective number of trials, n/deff, with deff the variance of
    the share as a ratio over clusters by that of independent trials (Kish 1965, ch. 6), never below 1; where
    no trial or every trial has the property, deff is the mean number of trials in a cluster weighted by
    trials. The interval of r then takes each cluster for one trial, which is never too narrow.

    Examples
    --------
    >>> from metacog.sdt import screen
    >>> correct = [1] * 60 + [0] * 40
    >>> high = [1] * 50 + [0] * 10 + [1] * 20 + [0] * 20
    >>> found = screen(correct, high)
    >>> print(f"L {found.L[0]:.2f}, Fp {found.Fp[0]:.2f}, RBS {found.RBS[0]:.2f}")
    L 0.50, Fp 0.17, RBS -0.33
    >>> print(found.tier[0])
    valid
    """
    right, sure = _binary(correct, "correct"), _binary(high, "high")
    if right.shape != sure.shape:
        raise InputError("correct and high must be lists of one length")
    pairs = (right & sure, ~right & sure, right & ~sure, ~right & ~sure)
    cells = np.array([[float(p.sum()) for p in pairs]])
    if clusters is None:
        return screen_counts(*cells.T, level=level)
    at = cluster_index(clusters, right.size)
    n_units = int(at.max(initial=-1)) + 1
    by = np.stack([np.bincount(at[p], minlength=n_units) for p in pairs], axis=1).astype(np.float64)
    whole = by.sum(axis=1)
    worth = (
        np.array([effective_trials(by[:, 2], by[:, 0] + by[:, 2])]),
        np.array([effective_trials(by[:, 1], by[:, 1] + by[:, 3])]),
        np.array([effective_trials(by[:, 0] + by[:, 1], whole)]),
        np.array([float(n_units)]),
    )
    return _indices(cells, worth, level)


def _indices(
    cells: FloatArray, worth: tuple[FloatArray, FloatArray, FloatArray, FloatArray], level: float
) -> Screen:
    """All indices; ``worth`` is on how many trials the intervals of Fp, L, TRIN and r rest."""
    check_level(level)
    z = float(ndtri((1 + level) / 2))
    n_right, n_wrong, n, n_r = worth
    a, b, c, d = cells.T
    with np.errstate(invalid="ignore", divide="ignore"):
        L, Fp = b / (b + d), c / (a + c)
        TRIN = np.maximum(a + b, c + d) / cells.sum(axis=1)
        r = (a * d - b * c) / np.sqrt((a + b) * (c + d) * (a + c) * (b + d))
        limits = [wilson(share, size, z=z) for share, size in ((L, n_wrong), (Fp, n_right), (TRIN, n))]
        RBS = (b * c - a * d) / ((a + c) * (b + d))  # 0 where it is 0, unlike Fp - (1 - L) in floats
        (L_low, L_high), (Fp_low, Fp_high), (T_low, T_high) = limits
        below, above = np.hypot(Fp - Fp_low, L - L_low), np.hypot(Fp_high - Fp, L_high - L)
        spread = np.where(n_r > 3, z / np.sqrt(np.maximum(n_r - 3, 1)), np.nan)
        r_low, r_high = np.tanh(np.arctanh(r) - spread), np.tanh(np.arctanh(r) + spread)
    return Screen(
        cells,
        *(L, L_low, L_high),
        *(Fp, Fp_low, Fp_high),
        *(RBS, RBS - below, RBS + above),
        *(TRIN, T_low, T_high),
        *(r, r_low, r_high),
        level,
    )


def _binary(values: ArrayLike, name: str) -> BoolArray:
    x = np.asarray(values)
    if x.ndim != 1 or not np.isin(x, (0, 1)).all():
        raise InputError(f"{name} must be a list of 0 and 1")
    return x.astype(bool)
