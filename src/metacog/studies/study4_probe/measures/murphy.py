"""T4-CR's Brier score taken apart: how much is miscalibration, how much is not knowing right from wrong?

brier = reliability - resolution + uncertainty + remainder (Murphy 1973), here in points of the score, so that
100 less the sum is T4-CR without penalties. The remainder is what bins hide; with a bin for each stated value
there is none.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.sdt.calibration import brier_decomposition
from metacog.sdt.type2 import auroc2
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.published import FLASH
from metacog.studies.study4_probe.measures.scores import columns, scored

#: Bins of equal width.
BINS = 10
BINNINGS = {"unique": "each value stated", "width": f"{BINS} of equal width"}


def decompositions(model: str, correct: np.ndarray, confidence: np.ndarray) -> pd.DataFrame:
    """Murphy's terms of one model, one row per binning, in points of 100.

    Parameters
    ----------
    correct : array of 0/1, shape (n,)
    confidence : array, shape (n,)
        In percent.

    Returns
    -------
    DataFrame
        ``model, binning, bins`` (in use), ``n, right`` (percent), ``loss`` (100 times the Brier score),
        ``reliability, resolution, uncertainty, remainder`` (variance less covariance within bins), ``score``
        (100 less these, put together again), ``reliability_0, resolution_0`` (less the bias of few items;
        Ferro & Fricker 2012), ``skill`` and ``auroc2``, which has the direction that resolution lacks (NaN where
        all answers are alike).
    """
    area = auroc2(correct, confidence) if 0 < np.mean(correct) < 1 else float("nan")
    rows = []
    for binning, name in BINNINGS.items():
        p = np.asarray(confidence, dtype=np.float64) / 100
        own = brier_decomposition(correct, p, n_bins=BINS, binning=binning)
        bare = brier_decomposition(correct, p, n_bins=BINS, binning=binning, debiased=True)
        remainder = own.within_bin_variance - own.within_bin_covariance
        rows.append(
            {
                "model": model,
                "binning": name,
                "bins": own.n_bins,
                "n": len(p),
                "right": 100 * float(np.mean(correct)),
                "loss": 100 * own.brier,
                "reliability": 100 * own.reliability,
                "resolution": 100 * own.resolution,
                "uncertainty": 100 * own.uncertainty,
                "remainder": 100 * remainder,
                "score": 100 - 100 * (own.reliability - own.resolution + own.uncertainty + remainder),
                "reliability_0": 100 * bare.reliability,
                "resolution_0": 100 * bare.resolution,
                "skill": own.skill,
                "auroc2": area,
            }
        )
    return pd.DataFrame(rows)


def of_run(trials: pd.DataFrame) -> pd.DataFrame:
    """The terms of each model of a run; a confidence that was not stated counts as 50."""
    parts = []
    for model, rows in scored(trials).groupby("model", sort=False):
        right, sure = columns(rows, "T4_CR")
        if right.size >= 2:
            parts.append(decompositions(str(model), right, sure))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def of_flash() -> pd.DataFrame:
    """The terms of Flash's twelve printed items."""
    return decompositions(FLASH, *published.flash_items())
