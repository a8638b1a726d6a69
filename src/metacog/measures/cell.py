"""Trials of one row of the table of measures, and why they may not be judged."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.sdt.tables import as_integer_tables

FloatArray = NDArray[np.float64]

#: Fewest trials from which confidence is judged.
MIN_TRIALS = 30
#: Fewest right and wrong answers from which intervals are made: a resample of fewer says little. (What a
#: study asks of its cells beforehand is that study's own.)
MIN_FOR_INTERVALS = 10
#: Share of trials that must have given a confidence for it to be judged: those that did are not like the others.
MIN_PARSED = 0.8
#: Fewest questions from which clustered intervals are trusted.
MIN_UNITS = 20


class Flag(StrEnum):
    """Why numbers of a cell are missing or rough."""

    FEW_TRIALS = "few trials"
    ONE_CLASS = "one class"
    CONSTANT = "constant confidence"
    FEW_OF_A_CLASS = "few of a class"
    FEW_QUESTIONS = "few questions"
    FIXED_QUESTIONS = "questions without their like"
    NO_SPREAD = "no spread"
    PADDED = "padding decides"

    @property
    def unmeasurable(self) -> bool:
        """Whether nothing but accuracy can be measured."""
        return self in (Flag.FEW_TRIALS, Flag.ONE_CLASS, Flag.CONSTANT)


@dataclass(frozen=True)
class Remark:
    """A flag and the words that say it, which no code reads."""

    flag: Flag
    text: str


@dataclass(frozen=True)
class Cell:
    """Trials of one row of the table of measures, as arrays.

    Attributes
    ----------
    correct : bool array, shape ``(n,)``
    score : array, shape ``(n,)``
        Confidence on any scale; only the order is used.
    level : int array, shape ``(n,)``
        Rating, 0 ... n_levels - 1.
    n_levels : int
    probability : array, shape ``(n,)``
        Confidence as a probability; NaN where its scale is not one.
    unit : int array, shape ``(n,)``
        What is resampled: 0 ... n_units - 1.
    choice : int array, shape ``(n,)``, or None
        Two-choice trials: stimulus (0 or 1) x 2K + cell in the order of Maniscalco & Lau.
    k : int
        Ratings a side of the two-choice table.
    condition : array, shape ``(n,)``, or None
        What each trial was asked under, such as its temperature; it aligns the trials of a unit where
        units are permuted. Without it they are aligned in the order in which they stand.
    questions : tuple of (str, str), or None
        The set and the name of each unit, sorted: every question that was asked, also those none of whose
        trials is here. Each set is then resampled by itself (:mod:`metacog.measures.resamples`).
    times : int array, shape ``(n,)``, or None
        How many trials each entry stands for, where a table of counts is all there is (:meth:`of_table`).
    coarse : bool
        Confidence takes too few values for ratings of about equal frequency: each rating is one value, and
        nothing is fitted to them.
    """

    correct: NDArray[np.bool_]
    score: FloatArray
    level: NDArray[np.int64]
    n_levels: int
    probability: FloatArray
    unit: NDArray[np.int64]
    choice: NDArray[np.int64] | None = None
    k: int = 0
    condition: NDArray | None = None
    questions: tuple[tuple[str, str], ...] | None = None
    times: NDArray[np.int64] | None = None
    coarse: bool = False

    @classmethod
    def of_table(cls, nR_S1: ArrayLike, nR_S2: ArrayLike, *, coarse: bool = False) -> Cell:
        """A cell of which only the incorrect and the correct trials by rating are known.

        It has one unit for each count, and is for estimators alone (:func:`metacog.measures.estimates.made_by`).

        Parameters
        ----------
        nR_S1, nR_S2 : whole-number arrays, shape ``(L,)``
        """
        wrong, right = as_integer_tables(nR_S1, nR_S2)
        n = wrong.size
        level = np.tile(np.arange(n), 2)
        return cls(
            np.repeat([False, True], n),
            level.astype(np.float64),
            level,
            n,
            np.full(2 * n, np.nan),
            np.arange(2 * n),
            times=np.concatenate([wrong, right]),
            coarse=coarse,
        )

    @property
    def whole(self) -> FloatArray:
        """Weights of the units that give the cell itself, shape ``(1, n_units)``."""
        return np.ones((1, self.n_units)) if self.times is None else self.times[None].astype(np.float64)

    @property
    def n_units(self) -> int:
        """Number of units that are resampled."""
        return int(self.unit.max()) + 1 if self.questions is None else len(self.questions)

    @property
    def n_answered(self) -> int:
        """Number of units that hold trials."""
        return np.unique(self.unit).size

    @property
    def clustered(self) -> bool:
        """True if some unit holds several trials."""
        return self.n_answered < self.correct.size


def remarks_on(cell: Cell) -> tuple[Remark, ...]:
    """Why a cell cannot be measured, or only roughly."""
    n, right = cell.correct.size, int(cell.correct.sum())
    wrong = n - right
    if n < MIN_TRIALS:
        return (Remark(Flag.FEW_TRIALS, f"only {n} trials: at least {MIN_TRIALS} are needed"),)
    if not right or not wrong:
        side = "right" if right else "wrong"
        return (Remark(Flag.ONE_CLASS, f"all {n} answers are {side}: confidence cannot be judged"),)
    if np.ptp(cell.score) == 0:
        text = f"confidence is constant ({cell.score[0]:g}): it cannot tell right from wrong"
        return (Remark(Flag.CONSTANT, text),)
    remarks = []
    if min(right, wrong) < MIN_FOR_INTERVALS:
        side = "right" if right < wrong else "wrong"
        remarks.append(Remark(Flag.FEW_OF_A_CLASS, f"only {min(right, wrong)} {side} answers: no intervals"))
    if cell.clustered and cell.n_units < MIN_UNITS:
        remarks.append(Remark(Flag.FEW_QUESTIONS, f"only {cell.n_units} questions: intervals are rough"))
    return tuple(remarks)


def measurable(cell: Cell) -> bool:
    """Whether confidence can be judged at all."""
    return not any(remark.flag.unmeasurable for remark in remarks_on(cell))


def fitted_tables(
    cell: Cell, open_m_ratio: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """S1 and S2 trials by rating, as meta-d' is fitted to them; None where it is not fitted."""
    if cell.choice is not None:
        counts = np.bincount(cell.choice, minlength=4 * cell.k)
        return counts[: 2 * cell.k], counts[2 * cell.k :]
    if open_m_ratio and cell.n_levels % 2 == 0 and cell.n_levels >= 4:
        return tables_of(cell)
    return None


def tables_of(cell: Cell) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Incorrect and correct trials of a cell by rating."""
    if cell.times is not None:
        return cell.times[: cell.n_levels], cell.times[cell.n_levels :]
    right = np.bincount(cell.level[cell.correct], minlength=cell.n_levels)
    return np.bincount(cell.level[~cell.correct], minlength=cell.n_levels), right
