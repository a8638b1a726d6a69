"""Trials of one row of the table of measures: why they may not be judged, their resamples, and what is made of them.

Questions are resampled alike for every cell that was asked the same ones. So the draws of two such cells are paired,
and a difference is that of their draws.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.sdt.checks import as_integer_tables
from metacog.sdt.information_interval import studentised
from metacog.sdt.intervals import centred, percentile_limits
from metacog.sdt.resampling import chunks, cluster_weights, weight_chunks

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
        Two-choice trials: stimulus (0 or 1) x 2K + cell in the order of Maniscalco & Lau, of K = ``k`` ratings a side.
    condition : array, shape ``(n,)``, or None
        What each trial was asked under, such as its temperature; it aligns the trials of a unit where
        units are permuted. Without it they are aligned in the order in which they stand.
    questions : tuple of (str, str), or None
        The set and the name of each unit, sorted: every question that was asked, also those none of whose
        trials is here. Each set is then resampled by itself.
    times : int array, shape ``(n,)``, or None
        How many trials each entry stands for, where a table of counts is all there is (:meth:`of_table`).
    coarse : bool
        Confidence takes too few values for ratings of about equal frequency: each rating is one value, and
        nothing is fitted to them.
    padded : bool
        0.5 is added to every cell of the tables that are fitted, whether or not one is empty, as by an author's rule.
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
    padded: bool = False

    @classmethod
    def of_table(cls, nR_S1: ArrayLike, nR_S2: ArrayLike, *, coarse: bool = False) -> Cell:
        """A cell of which only the incorrect and the correct trials by rating, ``(L,)`` each, are known.

        It has one unit for each count, and is for estimators alone (:func:`made_by`).
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


# Measures of a cell with their draws, and estimators that make them.

#: Quantities that carry an interval, in the order of the columns.
INTERVALS = (
    *("accuracy", "auroc2", "meta_i2r", "d_a", "z_slope", "overconfidence", "brier"),
    *("accuracy_at_half", "d_prime", "criterion", "meta_d", "m_ratio"),
)


@dataclass(frozen=True)
class Measured:
    """Measures of a cell.

    Attributes
    ----------
    values : dict
        Estimates by name; NaN where a measure is undefined.
    bounds : dict of (lower, upper)
    remarks : tuple of Remark
        Why numbers are missing or rough; empty if neither.
    draws : dict of arrays, shape ``(n_resamples,)``
        Bootstrap draws by name, on the estimate's scale.
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
    """What estimators make of a cell and its resamples (:func:`metacog.measures.cell.whole_and_resamples`)."""
    return reduce(Measured.plus, (one(cell, weights) for one in estimators), Measured({}, {}, (), {}))


def information_draws(
    plugin: FloatArray, errors: FloatArray, estimate: float, se: float
) -> dict[str, FloatArray]:
    """Draws of meta-I2r for its interval, and for differences of cells on the same questions, from plug-in values."""
    return {
        "plugin_meta_i2r": centred(plugin, estimate),
        "meta_i2r": studentised(plugin, errors, estimate, se),
    }


Seed = int | np.random.SeedSequence


def resamples(cell: Cell, n_resamples: int, seed: Seed) -> Iterator[FloatArray]:
    """How often each unit of a cell is drawn in each resample, in chunks ``(b, n_units)`` that fit in memory.

    The trials of a table of counts are resampled with their ratings: the edges of ratings stay.
    """
    if cell.times is not None:  # one multinomial draw over the counts each
        n, rng = int(cell.times.sum()), np.random.default_rng(seed)
        return iter([rng.multinomial(n, cell.times / n, size=n_resamples).astype(np.float64)])
    if cell.questions is None:
        return weight_chunks(cell.n_units, n_resamples, seed, cell.n_units + cell.correct.size)
    return question_resamples(cell.questions, n_resamples, seed, cell.correct.size)


def whole_and_resamples(cell: Cell, n_resamples: int, seed: Seed) -> FloatArray:
    """Weights of the cell itself, then those of its resamples: shape ``(1 + n_resamples, n_units)``."""
    weights = np.empty((1 + n_resamples, cell.n_units))
    weights[:1], done = cell.whole, 1
    for part in resamples(cell, n_resamples, seed):
        weights[done : done + len(part)] = part
        done += len(part)
    return weights


def question_resamples(
    questions: Sequence[tuple[str, str]], n_resamples: int, seed: Seed, n_trials: int = 0
) -> Iterator[FloatArray]:
    """Resamples of questions, (set, name) each, every set by itself: a design fixes how many questions a set has.

    What is drawn of a set depends on the seed and on its questions alone. ``n_trials`` that one resample needs set the
    size of a chunk, never what is drawn.
    """
    sets: dict[str, list[int]] = {}
    for column, (dataset, _) in enumerate(questions):
        sets.setdefault(dataset, []).append(column)
    words = [seed.entropy, *seed.spawn_key] if isinstance(seed, np.random.SeedSequence) else [seed]
    parts = []
    for dataset, columns in sets.items():
        key = "\n".join((dataset, *(questions[c][1] for c in columns)))
        parts.append((columns, np.random.default_rng([*words, zlib.crc32(key.encode())])))
    for size in chunks(n_resamples, len(questions) + n_trials):
        weights = np.empty((size, len(questions)))
        for columns, rng in parts:
            weights[:, columns] = cluster_weights(len(columns), size, rng)
        yield weights
