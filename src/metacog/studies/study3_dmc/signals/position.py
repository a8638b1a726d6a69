"""Position bias of a binary choice: how far the place of an option decides, whatever it says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metacog.sdt.checks import InputError
from metacog.sdt.intervals import Interval, percentile_interval
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.tables import FloatArray


@dataclass(frozen=True)
class PositionBias:
    """How often the first option is chosen beyond what its being right explains.

    Attributes
    ----------
    bias : float
        From -1 (always the second) to 1 (always the first); 0 without preference. NaN where the right
        option never stands first, or never last.
    lower, upper : float
        Percentile interval, clusters resampled; NaN with fewer than two clusters.
    first : float
        Share of trials in which the first option was chosen.
    n_trials, n_clusters : int
    """

    bias: float
    lower: float
    upper: float
    first: float
    n_trials: int
    n_clusters: int


def position_bias(
    stimulus: ArrayLike,
    response: ArrayLike,
    clusters: ArrayLike,
    *,
    n_resamples: int = 2000,
    seed: int | None = 42,
    level: float = 0.95,
) -> PositionBias:
    """Position bias with an interval that resamples base questions.

    Parameters
    ----------
    stimulus, response : array of 0/1, shape ``(n,)``
        Which option is right and which was chosen, 0 for the first.
    clusters : array of labels, shape ``(n,)``
        The base question, which its pairings and orders repeat.
    n_resamples, seed, level

    Returns
    -------
    PositionBias

    Raises
    ------
    InputError
        Empty arrays, arrays of different length, or values other than 0 and 1.

    Notes
    -----
    With a = P(first chosen | first right) and b = P(first chosen | second right) the bias is a + b - 1:
    accuracy moves a up and b down alike and cancels, so orders need not be balanced.
    """
    right, chosen, unit = np.asarray(stimulus), np.asarray(response), np.asarray(clusters)
    if right.ndim != 1 or right.size == 0 or not right.shape == chosen.shape == unit.shape:
        raise InputError("stimulus, response and clusters must hold one value for each of some trials")
    if not (np.isin(right, (0, 1)).all() and np.isin(chosen, (0, 1)).all()):
        raise InputError("stimulus and response must be 0 or 1: leave out trials without an answer")
    index = np.unique(unit, return_inverse=True)[1]
    n_clusters = int(index.max()) + 1
    cells = np.zeros((n_clusters, 4))
    np.add.at(cells, (index, 2 * right.astype(int) + chosen.astype(int)), 1)
    bias = float(_bias(cells.sum(axis=0)[None])[0])
    interval: Interval | None = None
    if n_clusters > 1 and np.isfinite(bias):
        chunks = weight_chunks(n_clusters, n_resamples, seed, n_clusters)
        draws = np.concatenate([_bias(weights @ cells) for weights in chunks])
        interval = percentile_interval(draws, bias, level=level)
    return PositionBias(
        bias,
        interval.lower if interval else float("nan"),
        interval.upper if interval else float("nan"),
        float(np.mean(chosen == 0)),
        int(right.size),
        n_clusters,
    )


def _bias(cells: FloatArray) -> FloatArray:
    """From counts of (right, chosen) as 00, 01, 10, 11."""
    with np.errstate(invalid="ignore", divide="ignore"):
        first_right = cells[:, 0] / (cells[:, 0] + cells[:, 1])
        second_right = cells[:, 2] / (cells[:, 2] + cells[:, 3])
    found: FloatArray = first_right + second_right - 1
    return found
