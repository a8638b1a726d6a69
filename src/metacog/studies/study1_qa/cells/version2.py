"""Version 2's measures of one correctness-by-rating table: what its printed tables hold.

meta-I2r is printed less the mean of a permutation null; AUROC2 is that of the ratings. The chapter on the
correction, the tables by domain and temperature and the ledger all read them here. The printed limits of
version 2 are percentiles of ``information`` less the null's mean, which lie too high, and of ``areas``,
which lie too close where a class is small; only the ledger makes them. Pages take the intervals of
:meth:`Version2.information_limits` and :attr:`Version2.area`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.measures.coverage import coverage_notes
from metacog.sdt.bootstrap import resample_counts
from metacog.sdt.information import (
    binary_entropy,
    meta_i2r_interval,
    meta_i2r_se,
    null_meta_i2r,
    permutation_null_meta_i,
    plugin_meta_i2r,
)
from metacog.sdt.intervals import Interval
from metacog.sdt.permutation import permutation_p
from metacog.sdt.type2 import auroc2_from_counts, auroc2_interval_from_counts

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
    resamples : two arrays, shape ``(n_resamples, L)``
        Incorrect and correct trials of bootstrap tables.
    information, areas : arrays, shape ``(n_resamples,)``
        Their plug-in meta-I2r and AUROC2.
    """

    n: int
    table: tuple[NDArray[np.int64], NDArray[np.int64]]
    accuracy: float
    auroc2: float
    plugin: float
    exact_null: float
    p_value: float
    null: FloatArray = field(repr=False)
    resamples: tuple[FloatArray, FloatArray] = field(repr=False)
    information: FloatArray = field(repr=False)
    areas: FloatArray = field(repr=False)

    @property
    def null_mean(self) -> float:
        """Mean of the permutation null, as version 2 takes it off."""
        return float(self.null.mean())

    @property
    def area(self) -> Interval:
        """AUROC2 with its interval from placement values."""
        return auroc2_interval_from_counts(*self.table)

    def information_limits(self, estimate: float) -> tuple[float, float]:
        """95 % interval of a corrected meta-I2r, as everywhere in the book."""
        se, draw_se = float(meta_i2r_se(*self.table)), meta_i2r_se(*self.resamples)
        return meta_i2r_interval(estimate, self.information, se=se, draw_se=draw_se).ends

    def coverage(self, estimate: float) -> str:
        """Simulated coverage of both intervals where it is not 93-97 %."""
        n_correct = int(self.table[1].sum())
        return coverage_notes({"auroc2": self.auroc2, "meta_i2r": estimate}, self.n, n_correct)


def version2(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, n_permutations: int, n_resamples: int, seed: int = 42
) -> Version2:
    """Measure one table that holds correct and incorrect trials.

    Parameters
    ----------
    nR_S1, nR_S2 : whole-number arrays, shape ``(L,)``
        Incorrect and correct trials by rating.
    """
    wrong, right = np.asarray(nR_S1), np.asarray(nR_S2)
    n = int(wrong.sum() + right.sum())
    entropy = float(binary_entropy(right.sum() / n))
    plugin = float(plugin_meta_i2r(wrong, right))
    null = permutation_null_meta_i(wrong, right, n_permutations=n_permutations, seed=seed) / entropy
    drawn = resample_counts(wrong, right, n_resamples, seed=seed)
    return Version2(
        n=n,
        table=(wrong, right),
        accuracy=float(right.sum() / n),
        auroc2=float(auroc2_from_counts(wrong, right)),
        plugin=plugin,
        exact_null=float(null_meta_i2r(wrong, right)),
        p_value=permutation_p(plugin, null, alternative="greater").p_value,
        null=null,
        resamples=drawn,
        information=plugin_meta_i2r(*drawn),
        areas=auroc2_from_counts(*drawn),
    )
