"""Do AUROC2 of the four states and the withdraw delta order the models alike, on different answers?

From the same answers they must: of KEEP alone, AUROC2 is a function of the delta. So one is taken from one
half of the items and the other from the other half, and their correlation is set next to that of each with
itself.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.sdt.correlation import correlation
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study5_battery.regulation.item_halves import answers_of, rates_by_track, split
from metacog.studies.study5_battery.regulation.reliability import FEWEST

#: What is compared with what.
PAIRS = ("AUROC2 with the delta", "the delta with itself", "AUROC2 with itself")
COLUMNS = ("pair", "models", "rho", "lower", "upper")
Floats = NDArray[np.float64]


def half_against_half(responses: pd.DataFrame, n_splits: int, seed: int) -> pd.DataFrame:
    """Spearman's correlation over models of a measure of one half of the items with one of the other.

    Items of each kind are split into two halves at random, ``n_splits`` times; T1 to T5. Models without
    right and wrong answers in both halves, or with deltas on fewer than two tracks in one, are left out of
    a split.

    Returns
    -------
    DataFrame
        One row for each of :data:`PAIRS`: ``pair, models`` (fewest of any split), ``rho`` (median of the
        splits, both directions of the first pair averaged), ``lower, upper`` (2.5 and 97.5 % of the splits:
        how much depends on the split, not a confidence interval).
    """
    rng = np.random.default_rng(seed)
    answers, kind, track = answers_of(responses)
    results: list[tuple[float, float, float]] = []
    models = []
    for _ in range(n_splits):
        half = split(kind, rng)
        (a1, d1), (a2, d2) = (_measured(answers, track, part) for part in (half, ~half))
        both = np.isfinite(np.stack([a1, d1, a2, d2])).all(axis=0)
        models.append(int(both.sum()))
        if both.sum() > 2:
            a1, d1, a2, d2 = (x[both] for x in (a1, d1, a2, d2))
            crossed = (_rho(a1, d2) + _rho(d1, a2)) / 2
            results.append((crossed, _rho(d1, d2), _rho(a1, a2)))
    rows = []
    for i, name in enumerate(PAIRS):
        values = [one[i] for one in results if np.isfinite(one[i])]
        low, mid, high = np.quantile(values, (0.025, 0.5, 0.975)) if values else [np.nan] * 3
        rows.append((name, min(models, default=0), mid, low, high))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _rho(x: Floats, y: Floats) -> float:
    return correlation(x, y, kind="spearman").r


def _measured(
    answers: dict[str, NDArray[np.bool_]], track: NDArray[np.int64], part: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """AUROC2 and mean delta of each model on some of the items; NaN where undefined."""
    right, state = answers["right"], 2 * answers["KEEP"].astype(int) + answers["BET"]
    counts = [
        np.stack([((state == k) & side & part).sum(axis=1) for k in range(4)], axis=1)
        for side in (~right, right)
    ]
    defined = np.minimum(counts[0].sum(axis=1), counts[1].sum(axis=1)) > 0
    area = np.full(len(right), np.nan)
    area[defined] = auroc2_from_counts(counts[0][defined], counts[1][defined])
    delta = rates_by_track(answers, track, part)["withdraw delta"]
    known = np.isfinite(delta)
    enough = known.sum(axis=1) >= FEWEST
    mean = np.where(known, delta, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    return area, np.where(enough, mean, np.nan)
