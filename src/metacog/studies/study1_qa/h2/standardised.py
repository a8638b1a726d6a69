"""meta-I2r at an accuracy that is not the table's own.

meta-I2r depends on accuracy: the same separation of right and wrong answers takes away more of
the uncertainty where both are equally frequent than where one is rare. To compare groups of unequal
accuracy, each table's two distributions of ratings, those of wrong and of right answers, are kept and
their mixture is set to a common accuracy (direct standardisation). That is what the group would show
if accuracy changed and confidence given correctness did not: a model, not an observation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from metacog.sdt.checks import InputError
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.simulate import confidence_population
from metacog.sdt.tables import FloatArray, as_tables


def plugin_meta_i2r_at(nR_S1: ArrayLike, nR_S2: ArrayLike, accuracy: float) -> FloatArray:
    """Plug-in meta-I2r at a common accuracy, for tables of shape ``(..., L)``; NaN where a class is empty.

    Raises
    ------
    InputError
        If the accuracy does not lie between 0 and 1.
    """
    if not 0 < accuracy < 1:
        raise InputError(f"the common accuracy must lie between 0 and 1, got {accuracy}")
    wrong, right = as_tables(nR_S1, nR_S2)
    n0, n1 = (x.sum(axis=-1, keepdims=True) for x in (wrong, right))
    with np.errstate(invalid="ignore", divide="ignore"):
        mixed = np.nan_to_num((1 - accuracy) * wrong / n0), np.nan_to_num(accuracy * right / n1)
    both = (n0[..., 0] > 0) & (n1[..., 0] > 0)
    return np.where(both, plugin_meta_i2r(*mixed), np.nan)


def meta_i2r_at(nR_S1: ArrayLike, nR_S2: ArrayLike, accuracy: float) -> FloatArray:
    """meta-I2r at a common accuracy, less its jackknife bias, for tables of shape ``(..., L)``.

    Notes
    -----
    The classes are independent samples here, so each is jackknifed by itself: the bias is the sum over
    classes of (n_c - 1)(mean leave-one-out value - plug-in). NaN with under two trials of a class.
    """
    wrong, right = as_tables(nR_S1, nR_S2)
    plain = plugin_meta_i2r_at(wrong, right, accuracy)
    eye = np.eye(wrong.shape[-1])
    bias = np.zeros(plain.shape)
    for which, counts in enumerate((wrong, right)):
        n = counts.sum(axis=-1)
        less = np.maximum(counts[..., None, :] - eye, 0.0)
        other = np.broadcast_to((right, wrong)[which][..., None, :], less.shape)
        first, second = (less, other) if which == 0 else (other, less)
        leave = plugin_meta_i2r_at(first, second, accuracy)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.nansum(np.where(counts > 0, counts * leave, 0.0), axis=-1) / n
            bias = bias + np.where(n > 1, (n - 1) * (mean - plain), np.nan)
    return np.asarray(plain - bias)


def meta_i2r_over_accuracy(d_a: float, accuracies: ArrayLike, *, n_levels: int = 8) -> FloatArray:
    """meta-I2r of equal-variance Gaussian confidence of one d_a at several accuracies.

    The population is :func:`.populations.confidence_population`: ratings are equally frequent.
    """
    found = []
    for accuracy in np.atleast_1d(np.asarray(accuracies, dtype=np.float64)):
        population = confidence_population(d_a, accuracy=float(accuracy), n_ratings=n_levels)
        found.append(float(plugin_meta_i2r(population.s1, population.s2)))
    return np.array(found)
