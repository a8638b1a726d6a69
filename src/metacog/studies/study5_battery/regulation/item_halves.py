"""Reliability over items: two half forms with the same kinds of item, compared over models.

The study splits its six tracks into two sets of three, which measure different things. Here the items of each
kind are split into two halves at random, as a generator with two seeds would make them: an
alternate-form reliability of half the length, which the published responses can give without being collected
again.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.sdt.correlation import correlation, spearman_brown
from metacog.studies.study5_battery.ledger.published import RETROSPECTIVE
from metacog.studies.study5_battery.regulation.reliability import FEWEST

#: What the halves are compared on.
MEASURES = ("right", "KEEP", "BET", "withdraw delta", "bet delta")
_COLUMNS = {"right": "correct", "KEEP": "keep", "BET": "bet"}
_PROBES = {"withdraw delta": "KEEP", "bet delta": "BET"}


def item_halves(responses: pd.DataFrame, n_splits: int, seed: int) -> pd.DataFrame:
    """How well one half of the items predicts the other, models compared; T1 to T5.

    A rate is the mean over tracks. A delta is the mean over the tracks in which both halves have one, of the
    models with at least :data:`.reliability.FEWEST` such tracks. Models without a track are left out.

    Returns
    -------
    DataFrame
        One row per measure: ``measure, models`` (fewest of any split), ``r`` (median Pearson's over the
        splits), ``lower, upper`` (2.5 and 97.5 % of the splits: how much depends on the split, not a
        confidence interval), ``whole`` (Spearman-Brown of ``r``: forms of full length).
    """
    rng = np.random.default_rng(seed)
    answers, kind, track = answers_of(responses)
    results = [_compared(answers, track, split(kind, rng)) for _ in range(n_splits)]
    rows = []
    for i, name in enumerate(MEASURES):
        r = [one[i][0] for one in results if np.isfinite(one[i][0])]
        low, mid, high = np.quantile(r, (0.025, 0.5, 0.975)) if r else [np.nan] * 3
        rows.append(
            {
                "measure": name,
                "models": min(one[i][1] for one in results),
                "r": mid,
                "lower": low,
                "upper": high,
                "whole": spearman_brown(float(mid)),
            }
        )
    return pd.DataFrame(rows)


def answers_of(
    responses: pd.DataFrame,
) -> tuple[dict[str, NDArray[np.bool_]], NDArray[np.int64], NDArray[np.int64]]:
    """What each model (row) did with each item (column), and the kind and track of the items."""
    subset = responses[responses["track"].isin(RETROSPECTIVE)]
    tables = {
        name: subset.pivot(index="model", columns=["track", "item_type", "item"], values=column).dropna()
        for name, column in _COLUMNS.items()
    }
    items = tables["right"].columns.to_frame(index=False)
    kind, track = (
        np.asarray(items.groupby(by).ngroup(), dtype=np.int64) for by in (["track", "item_type"], ["track"])
    )
    return {n: t.to_numpy(dtype=bool) for n, t in tables.items()}, kind, track


def split(kind: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.bool_]:
    """Split items into two halves at random, kind by kind; of an odd number chance decides who gets one more.

    Parameters
    ----------
    kind : ndarray of int, shape ``(n,)``
        From 0, each number used.
    """
    order = np.lexsort((rng.random(len(kind)), kind))
    sizes = np.bincount(kind)
    place = np.arange(len(kind)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    half = np.empty(len(kind), dtype=bool)
    half[order] = (place + np.repeat(rng.integers(0, 2, len(sizes)), sizes)) % 2 == 0
    return half


def _compared(
    answers: dict[str, NDArray[np.bool_]], track: NDArray[np.int64], half: NDArray[np.bool_]
) -> list[tuple[float, int]]:
    """Correlation of the halves over models, and how many these are, for each of :data:`MEASURES`."""
    one, other = (rates_by_track(answers, track, part) for part in (half, ~half))
    results = []
    for name in MEASURES:
        both = np.isfinite(one[name]) & np.isfinite(other[name])
        enough = both.sum(axis=1) >= FEWEST
        x, y = (
            np.where(both, side[name], 0).sum(axis=1)[enough] / both.sum(axis=1)[enough]
            for side in (one, other)
        )
        results.append((correlation(x, y).r if len(x) > 2 else np.nan, int(enough.sum())))
    return results


def rates_by_track(
    answers: dict[str, NDArray[np.bool_]], track: NDArray[np.int64], part: NDArray[np.bool_]
) -> dict[str, NDArray[np.float64]]:
    """Rates and deltas on some of the items: arrays of models by tracks, NaN where there is none."""
    to_track = (track[:, None] == np.arange(track.max() + 1)) & part[:, None]

    def total(flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        return flags.astype(float) @ to_track

    right = answers["right"]
    with np.errstate(invalid="ignore"):
        results = {name: total(flags) / to_track.sum(axis=0) for name, flags in answers.items()}
        for name, probe in _PROBES.items():
            stood = answers[probe]
            results[name] = total(right & stood) / total(right) - total(~right & stood) / total(~right)
    return results
