"""Version 2's measures of one correctness-by-rating table: what its printed tables hold.

meta-I2r is printed less the mean of a permutation null; AUROC2 is that of the ratings. The printed limits of version 2
are percentiles of ``information`` less the null's mean, which lie too high, and of draws of AUROC2, which lie too
close where a class is small; only the ledger makes them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.measures.cell import Cell, Measured, made_by, tables_of, whole_and_resamples
from metacog.measures.fits import of_ratings, rating_tables
from metacog.sdt.information import binary_entropy, permutation_null_meta_i, plugin_meta_i2r
from metacog.sdt.resampling import permutation_p
from metacog.studies.study1_qa.cells import GROUP, Cells, rate_trials

FloatArray = NDArray[np.float64]


class Version2(NamedTuple):
    """Version 2's measures of one table, with everything that their limits rest on.

    ``plugin`` is meta-I2r without a correction, ``exact_null`` its mean over all re-pairings of correctness and rating,
    ``null`` its values in random ones; ``made`` is of the table and its resamples, with the intervals of the whole
    book, and ``information`` the plug-in meta-I2r of the resamples.
    """

    n: int
    accuracy: float
    auroc2: float
    plugin: float
    exact_null: float
    p_value: float
    null: FloatArray
    made: Measured
    information: FloatArray


def version2(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, n_permutations: int, n_resamples: int, seed: int = 42
) -> Version2:
    cell = Cell.of_table(nR_S1, nR_S2)
    wrong, right = tables_of(cell)
    n = int(wrong.sum() + right.sum())
    null = permutation_null_meta_i(wrong, right, n_permutations=n_permutations, seed=seed)
    null = null / float(binary_entropy(right.sum() / n))
    weights = whole_and_resamples(cell, n_resamples, seed)
    made = made_by((of_ratings,), cell, weights)
    information = plugin_meta_i2r(*rating_tables(cell, weights))
    plugin = float(information[0])
    return Version2(
        n=n,
        accuracy=float(right.sum() / n),
        auroc2=made.values["auroc2"],
        plugin=plugin,
        exact_null=plugin - made.values["meta_i2r"],
        p_value=permutation_p(plugin, null, alternative="greater").p_value,
        null=null,
        made=made,
        information=information[1:],
    )


def temperature_cells(trials: pd.DataFrame) -> Cells:
    """Counts by temperature, each temperature with its own edges, as version 2 rates them."""
    rated = rate_trials(trials, own_edges=True)
    return rated.cells((*GROUP, "temperature"), temperature=None)
