"""What meta-I2r comes to when ratings know nothing: of trials, or of whole questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metacog.measures.cell import Cell, Flag, Remark, tables_of
from metacog.sdt.information import meta_i2r_p, null_meta_i2r, plugin_meta_i2r
from metacog.sdt.permutation import permute_clusters

#: Share of questions that may stay in a permutation before the row says so.
FIXED_SHARE = 0.05


@dataclass(frozen=True)
class Null:
    """What meta-I2r comes to when ratings know nothing.

    Attributes
    ----------
    mean : float
        Of the plug-in value.
    p_value : float
        Of the observed one; NaN if nothing could change places.
    n_fixed : int
        Questions that stayed because no other has their conditions.
    """

    mean: float
    p_value: float
    n_fixed: int = 0


def null_of(cell: Cell, n_permutations: int = 2000, seed: int = 42) -> Null:
    """The permutation null of a cell's meta-I2r: of trials, or of whole questions where they repeat.

    If no question can change places the mean is that over single trials, which is too small.
    """
    wrong, right = tables_of(cell)
    if not cell.clustered:
        return Null(
            float(null_meta_i2r(wrong, right)),
            meta_i2r_p(wrong, right, n_permutations=n_permutations, seed=seed),
        )
    condition = cell.condition if cell.condition is not None else np.zeros(cell.correct.size)
    test = permute_clusters(
        cell.correct,
        cell.level,
        cell.unit,
        condition,
        n_ratings=cell.n_levels,
        statistic=plugin_meta_i2r,
        n_permutations=n_permutations,
        seed=seed,
    )
    if not test.n_moved:
        return Null(float(null_meta_i2r(wrong, right)), float("nan"), test.n_fixed)
    return Null(test.null_mean, test.p_value, test.n_fixed)


def null_mean(cell: Cell) -> float:
    """Mean of the plug-in meta-I2r under its null (:func:`null_of`)."""
    return null_of(cell, 500).mean if cell.clustered else float(null_meta_i2r(*tables_of(cell)))


def on_null(null: Null, cell: Cell) -> tuple[Remark, ...]:
    """Says so if many questions stayed."""
    if null.n_fixed <= FIXED_SHARE * cell.n_units:
        return ()
    text = (
        f"{null.n_fixed} of {cell.n_units} questions share their conditions with no other and stayed in the "
        "permutations"
    )
    return (Remark(Flag.FIXED_QUESTIONS, text),)
