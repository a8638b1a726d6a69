"""Reliability over items: two half forms with the same kinds of item, compared over models.

The study splits its six tracks into two sets of three, which measure different things. Here the items of each
kind are split into two halves at random, as a generator with two seeds would make them: an
alternate-form reliability of half the length, which the published responses can give without being collected
again.

Do AUROC2 of the four states and the withdraw delta order the models alike, on different answers?

From the same answers they must: of KEEP alone, AUROC2 is a function of the delta. So one is taken from one
half of the items and the other from the other half, and their correlation is set next to that of each with
itself.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.sdt.correlation import correlation, spearman_brown
from metacog.sdt.type2 import auroc2_from_counts
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
