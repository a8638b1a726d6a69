"""One worked table for the chapter on measures, and what becomes of it when one thing is changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.sdt import auroc2_from_counts, type1, z_roc
from metacog.sdt.information import binary_entropy, plugin_meta_i
from metacog.sdt.selective import accuracy_coverage_from_counts, aurc_from_counts

FloatArray = NDArray[np.float64]

#: Columns of :func:`what_moves` and what readers call them.
SHOWN = {
    "accuracy": "share right",
    "d_prime": "d'",
    "c": "c",
    "auroc2": "AUROC2",
    "z_slope": "z-ROC slope",
    "d_a": "dₐ",
    "meta_i": "meta-I (bits)",
    "meta_i2r": "meta-I2r",
    "ece": "ECE",
    "brier": "Brier",
    "aurc": "area under risk-coverage",
    "half": "right in the surer half",
}
#: Of :data:`SHOWN`, those that are no distance from chance.
UNSCALED = ("share right", "c", "ECE")


@dataclass(frozen=True)
class Worked:
    """Right and wrong answers by rating, lowest first, and the probability of being right that is stated at each."""

    wrong: FloatArray
    right: FloatArray
    stated: FloatArray

    @property
    def n(self) -> FloatArray:
        """Trials of each rating."""
        return self.wrong + self.right

    @property
    def share(self) -> FloatArray:
        """Share right of each rating."""
        return self.right / self.n

    @property
    def accuracy(self) -> float:
        """Share right of all trials."""
        return float(self.right.sum() / self.n.sum())


def spoken_honestly(wrong: ArrayLike, right: ArrayLike) -> Worked:
    """Counts by rating whose speaker states, at each rating, its own share of right answers."""
    s1, s2 = np.asarray(wrong, dtype=np.float64), np.asarray(right, dtype=np.float64)
    return Worked(s1, s2, s2 / (s2 + s1))


def overstated(probability: ArrayLike) -> FloatArray:
    """Probabilities moved up by a constant on the log-odds scale."""
    p = np.clip(np.asarray(probability, dtype=np.float64), 1e-9, 1 - 1e-9)
    return 1 / (1 + np.exp(-(np.log(p / (1 - p)) + 1.5)))


def ways_of_speaking(table: Worked) -> dict[str, Worked]:
    """The same answers with three ways of stating confidence."""
    wrong, right = table.wrong, table.right
    constant = np.full(right.size, table.accuracy)
    stated = {"honest": table.share, "boastful": overstated(table.share), "always the average": constant}
    return {way: Worked(wrong, right, said) for way, said in stated.items()}


def expected_calibration(table: Worked) -> float:
    """ECE over the ratings: mean distance of stated probability and share right."""
    return float(table.n @ np.abs(table.stated - table.share) / table.n.sum())


def brier(table: Worked) -> float:
    """Mean squared distance of stated probability and outcome."""
    misses = table.right @ (1 - table.stated) ** 2 + table.wrong @ table.stated**2
    return float(misses / table.n.sum())


def by_statement(table: Worked) -> Worked:
    """Ratings that state the same probability put together: what a listener can distinguish."""
    stated, index = np.unique(table.stated, return_inverse=True)
    joined = np.zeros((2, stated.size))
    for row, counts in zip(joined, (table.wrong, table.right), strict=True):
        np.add.at(row, index, counts)
    return Worked(joined[0], joined[1], stated)


def measures_of(table: Worked) -> dict[str, float]:
    """Every measure of the chapter that one table has, uncorrected for chance.

    ``d_prime`` and ``c`` are those of the cut in the middle; NaN with an odd number of ratings, and
    the z-ROC with fewer than three. Ratings that nobody gave count for the middle only.
    """
    middle = type1(table.wrong, table.right) if table.n.size % 2 == 0 else None
    given = table.n > 0
    table = Worked(table.wrong[given], table.right[given], table.stated[given])
    wrong, right = table.wrong, table.right
    bits = float(plugin_meta_i(wrong, right))
    line = z_roc(wrong, right) if given.sum() > 2 else None
    return {
        "accuracy": table.accuracy,
        "d_prime": middle.d_prime if middle else np.nan,
        "c": middle.c if middle else np.nan,
        "auroc2": float(auroc2_from_counts(wrong, right)),
        "z_slope": float(line.slope) if line else np.nan,
        "d_a": float(line.d_a) if line else np.nan,
        "meta_i": bits,
        "meta_i2r": bits / float(binary_entropy(table.accuracy)),
        "ece": expected_calibration(table),
        "brier": brier(table),
        "aurc": float(aurc_from_counts(wrong, right)),
        "half": float(accuracy_coverage_from_counts(wrong, right, 0.5)),
    }


def alterations(table: Worked) -> dict[str, Worked]:
    """The table after one change at a time, as expected counts.

    "more right answers" multiplies right answers at every rating so that 80 % are right; "half at
    random" deals half of the ratings out again at random; "fewer ratings" joins neighbours in pairs;
    "a rating higher" gives each answer one rating more (the top two are joined, the lowest is left
    empty); "spoken boldly" changes what is stated and nothing else.
    """
    wrong, right, stated = table.wrong, table.right, table.stated
    n = table.n
    factor = 0.8 / 0.2 * wrong.sum() / right.sum()
    mixed_right = 0.5 * right + 0.5 * right.sum() * n / n.sum()
    mixed_wrong = 0.5 * wrong + 0.5 * wrong.sum() * n / n.sum()
    pairs = np.arange(0, n.size, 2)
    joined_wrong, joined_right = np.add.reduceat(wrong, pairs), np.add.reduceat(right, pairs)
    up = [np.concatenate([[0.0], x[:-2], [x[-2] + x[-1]]]) for x in (wrong, right)]
    return {
        "as it is": table,
        "spoken boldly": Worked(wrong, right, overstated(stated)),
        "more right answers": Worked(wrong, right * factor, stated),
        "half at random": Worked(mixed_wrong, mixed_right, stated),
        "fewer ratings": Worked(joined_wrong, joined_right, joined_right / (joined_wrong + joined_right)),
        "a rating higher": Worked(up[0], up[1], stated),
    }


def what_moves(table: Worked) -> pd.DataFrame:
    """Measures of the table and of each alteration: one row a measure, one column an alteration."""
    found = {name: measures_of(altered) for name, altered in alterations(table).items()}
    frame = pd.DataFrame(found).rename(index=SHOWN)
    return frame.rename_axis("measure").reset_index()


def knowing_nothing(table: Worked) -> dict[str, float]:
    """Every measure, as readers call it, if all ratings were dealt out at random and only the average stated."""
    wrong, right = (part.sum() * table.n / table.n.sum() for part in (table.wrong, table.right))
    found = measures_of(Worked(wrong, right, np.full(right.size, table.accuracy)))
    return {SHOWN[name]: value for name, value in found.items()}


def moves_by(frame: pd.DataFrame, nothing: Mapping[str, float]) -> pd.DataFrame:
    """How far each alteration moves each measure, as a share of the measure's distance from ``nothing``.

    Those of :data:`UNSCALED` are no such distance, and move by so much in their own units.
    """
    base = frame.set_index("measure")
    start = base.pop("as it is")
    scale = pd.Series({m: 1.0 if m in UNSCALED else abs(start[m] - nothing[m]) for m in base.index})
    return base.sub(start, axis=0).div(scale, axis=0)


def moved(by: pd.DataFrame, least: float = 0.05) -> dict[str, list[str]]:
    """For each alteration, the measures that it moves by more than this; see :func:`moves_by`."""
    return {str(name): list(by.index[by[name].abs() > least]) for name in by.columns}
