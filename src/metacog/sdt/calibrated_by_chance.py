"""Could this confidence be calibrated? The ECE that perfect calibration gives by chance alone.

ECE adds up absolute gaps, so that it lies above 0 for a perfectly calibrated signal too: the more so the
fewer trials there are and the wider confidence is spread over the bins. Debiasing
(:func:`metacog.sdt.calibration.ece`) takes off a part of that, not all. What calibration alone would show is
found by drawing correctness from the stated probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from metacog.sdt.calibration import _checked, calibration_edges, debiased_ece
from metacog.sdt.checks import InputError, cluster_index


@dataclass(frozen=True)
class Calibrated:
    """Debiased ECE next to that of a calibrated signal with the same confidences.

    Attributes
    ----------
    ece : float
        Debiased, of the trials.
    mean, upper : float
        Mean and upper quantile (at ``level``) of the debiased ECE if every answer came true as stated.
    p_value : float
        Share of calibrated draws with an ECE at least as large, (1 + #)/(1 + draws).
    level : float
    """

    ece: float
    mean: float
    upper: float
    p_value: float
    level: float


def if_calibrated(
    correct: ArrayLike,
    confidence: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    n_bins: int = 10,
    n_draws: int = 1_000,
    seed: int | None = 42,
    level: float = 0.95,
) -> Calibrated:
    """Draw correctness from the stated probabilities, and see how large the ECE becomes.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array of probabilities, shape ``(n,)``
    clusters : array of labels, shape ``(n,)``, optional
        Trials of one cluster (a question) come true together, by one uniform number, the strongest dependence
        that the stated probabilities allow; each trial by itself without it.
    n_bins, n_draws, seed : int
    level : float
        Of ``upper``.

    Returns
    -------
    Calibrated

    Raises
    ------
    InputError
        Bad arrays, a level outside (0, 1), or no draw.

    Notes
    -----
    With ``clusters`` left out the test is exact under calibration: the data are one draw among
    ``n_draws + 1`` (consistency resampling, Broecker & Smith 2007, Weather and Forecasting 22, 651-661).

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import if_calibrated
    >>> rng = np.random.default_rng(1)
    >>> confidence = rng.uniform(0.5, 1, 300)
    >>> correct = rng.random(300) < confidence - 0.1  # ten points too sure
    >>> found = if_calibrated(correct, confidence, n_draws=500)
    >>> print(f"ECE {found.ece:.3f}, calibrated at most {found.upper:.3f}, p {found.p_value:.3f}")
    ECE 0.098, calibrated at most 0.056, p 0.002
    """
    right, p = _checked(correct, confidence)
    if not 0 < level < 1 or n_draws < 1:
        raise InputError(f"level must lie between 0 and 1 and draws number at least 1: {level}, {n_draws}")
    unit = cluster_index(clusters, right.size)
    lots = np.random.default_rng(seed).random((n_draws, int(unit.max()) + 1))[:, unit]
    answers = np.concatenate([right[None], lots < p])
    place = np.searchsorted(calibration_edges(p, n_bins=n_bins), p, side="right")
    bins = np.eye(n_bins)[place]
    values = debiased_ece(bins.sum(axis=0), answers @ bins, p @ bins)
    observed, drawn = float(values[0]), values[1:]
    larger = int((drawn >= observed - 1e-12).sum())
    upper = float(np.quantile(drawn, level))
    return Calibrated(observed, float(drawn.mean()), upper, (1 + larger) / (1 + n_draws), level)
