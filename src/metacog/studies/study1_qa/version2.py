"""Version 2's measures of one correctness-by-rating table, and of many groups: what its printed tables hold.

meta-I2r is printed less the mean of a permutation null; AUROC2 is that of the ratings. The chapter on the
correction, the tables by domain and temperature and the ledger all read them here. The printed limits of version 2
are percentiles of ``information`` less the null's mean, which lie too high, and of draws of AUROC2, which lie too
close where a class is small; only the ledger makes them. Pages take the intervals of
:meth:`Version2.information_limits` and of ``made``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.measures.cell import Cell, Estimator, Measured, Seed, made_by, tables_of, whole_and_resamples
from metacog.measures.fits import of_ratings, rating_tables
from metacog.measures.table import coverage_notes
from metacog.sdt.information import binary_entropy, permutation_null_meta_i, plugin_meta_i2r
from metacog.sdt.resampling import permutation_p
from metacog.studies.study1_qa.cells import GROUP, Cells, rate_trials

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Version2:
    """Version 2's measures of one table, with everything that their limits rest on.

    Attributes
    ----------
    n : int
    table : two int arrays, shape ``(L,)``
        Incorrect and correct trials by rating.
    accuracy, auroc2 : float
    plugin : float
        meta-I2r without a correction.
    exact_null : float
        Its mean over all re-pairings of correctness and rating.
    null : array, shape ``(n_permutations,)``
        Its values in random ones; version 2 takes off their mean, ``null_mean``.
    p_value : float
        Of the permutation test.
    made : Measured
        Of the table and its resamples: AUROC2, the slope of the z-ROC and meta-I2r less ``exact_null``, with
        the intervals of the whole book, and what further estimators made.
    information : array, shape ``(n_resamples,)``
        Plug-in meta-I2r of the resamples.
    """

    n: int
    table: tuple[NDArray[np.int64], NDArray[np.int64]]
    accuracy: float
    auroc2: float
    plugin: float
    exact_null: float
    p_value: float
    null: FloatArray = field(repr=False)
    made: Measured = field(repr=False)
    information: FloatArray = field(repr=False)

    @property
    def null_mean(self) -> float:
        """Mean of the permutation null, as version 2 takes it off."""
        return float(self.null.mean())

    def coverage(self, estimate: float) -> str:
        """Simulated coverage of both intervals where it is not 93-97 %."""
        n_correct = int(self.table[1].sum())
        return coverage_notes({"auroc2": self.auroc2, "meta_i2r": estimate}, self.n, n_correct)


def version2(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    n_permutations: int,
    n_resamples: int,
    seed: int = 42,
    resample_seed: Seed | None = None,
    estimators: Sequence[Estimator] = (),
    coarse: bool = False,
) -> Version2:
    """Measure one table that holds correct and incorrect trials.

    Parameters
    ----------
    nR_S1, nR_S2 : whole-number arrays, shape ``(L,)``
        Incorrect and correct trials by rating.
    n_permutations, n_resamples : int
    seed : int
    resample_seed : int or SeedSequence, optional
        That of the table's place among others; otherwise ``seed``.
    estimators : sequence of Estimator
        Further ones, on the same resamples.
    coarse : bool
        Each rating is one value of a coarse signal.
    """
    cell = Cell.of_table(nR_S1, nR_S2, coarse=coarse)
    wrong, right = tables_of(cell)
    n = int(wrong.sum() + right.sum())
    null = permutation_null_meta_i(wrong, right, n_permutations=n_permutations, seed=seed)
    null = null / float(binary_entropy(right.sum() / n))
    weights = whole_and_resamples(cell, n_resamples, seed if resample_seed is None else resample_seed)
    made = made_by((of_ratings, *estimators), cell, weights)
    information = plugin_meta_i2r(*rating_tables(cell, weights))
    plugin = float(information[0])
    return Version2(
        n=n,
        table=(wrong, right),
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
