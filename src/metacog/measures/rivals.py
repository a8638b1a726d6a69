"""Does a model's confidence order its answers better than the other models' confidence or correctness do?

All on the same items. A mean over many others beats one model by averaging alone, so single others stand
beside it: their median, and the best one, chosen on one half of the items and measured on the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import expit, logit, stdtrit

from metacog.core.frames import ended, with_ends
from metacog.measures.model_items import CONSTANT, FEW, MIN_OF_CLASS, FloatArray, ModelItems, others_of, panel
from metacog.measures.remainder import LARGE
from metacog.sdt import auroc2_interval, delong_paired
from metacog.sdt.area_comparison import CrossAreas
from metacog.sdt.area_contrasts import areas_and_moves
from metacog.sdt.resampling import cluster_weights

#: Signals that are compared: own confidence, means over the others, single others.
SIGNALS = ("own", "crowd", "crowd_right", "single_median", "single_best")
RIVALS = SIGNALS[1:]
COLUMNS = (
    *("model", "family", "n", "n_wrong", "n_others", "own_levels"),
    *with_ends(*SIGNALS),
    *with_ends(*(f"own_less_{rival}" for rival in RIVALS)),
    "flag",
)
_N_SPLITS = 4
_CHUNK = 128


def rivals(items: ModelItems, *, n_resamples: int = 2000, seed: int = 42) -> pd.DataFrame:
    """AUROC2 of own and of others' confidence, and their differences, for each model.

    A model's others are of other families alone, and as many as every model can have.

    Returns
    -------
    DataFrame
        Columns :data:`COLUMNS`, one judged model a row. ``own`` is AUROC2 of a model's own confidence (which takes
        ``own_levels`` values), ``crowd`` of the mean rank share of the others' confidence, ``crowd_right`` of the share
        of the others that are right, ``single_median`` the median over the AUROC2 of each other's confidence,
        ``single_best`` that of the best other, chosen on one half of the items and measured on the other half.
        ``flag`` says why values are missing.

    Raises
    ------
    InputError
        No model of another family, no items in common; see :func:`metacog.measures.model_items.panel`.

    Notes
    -----
    Each model is judged on the items that it and all possible others answered (:func:`panel`), others' ranks
    being taken on these items. Intervals of ``own``, ``crowd``, ``crowd_right`` are those of
    :func:`metacog.sdt.auroc2_interval`, of their differences those of :func:`metacog.sdt.delong_paired`. For the
    median and the best single other the standard error is that of a bootstrap over items, with Student's t
    of (answers of the smaller class - 1) degrees of freedom, on the logit scale for an area. The halves are
    drawn four times within right and within wrong answers, and the eight values averaged; a repeated item
    stays in its half. The choice rests on half of the items, so ``single_best`` is rather too low than too
    high. Of more than :data:`metacog.measures.remainder.LARGE` items the resampled areas are those to first order.
    """
    members, n = panel(items)
    everyone = items.answered[members].all(axis=0)
    weights = cluster_weights(len(items.items), n_resamples, np.random.default_rng([seed, 0]))
    rows = []
    for i, model in enumerate(items.models):
        others = others_of(items, model, members, n, seed=seed)
        kept = everyone & items.answered[i]
        named: dict[str, Any] = {
            "model": model,
            "family": items.families[i],
            "n": int(kept.sum()),
            "n_wrong": int((items.right[i, kept] == 0).sum()),
            "n_others": others.size,
        }
        if min(named["n_wrong"], named["n"] - named["n_wrong"]) < MIN_OF_CLASS:
            rows.append({**named, "flag": FEW})
            continue
        part = items.kept(kept, [model, *(items.models[j] for j in others)])
        rows.append({**named, **_judged(part, weights[:, kept], seed)})
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    table["flag"] = table["flag"].fillna("")
    return table


def _judged(part: ModelItems, weights: FloatArray, seed: int) -> dict[str, Any]:
    """Values of the first model of ``part`` against the others; all answered all items."""
    hits = part.right[0]
    constant = bool(np.ptp(part.confidence[0]) == 0)
    signals = np.vstack(
        [
            part.confidence[:1],
            part.rank_shares()[1:].mean(axis=0),
            part.right[1:].mean(axis=0),
            part.confidence[1:],
        ]
    )
    row: dict[str, Any] = {"own_levels": np.unique(signals[0]).size, "flag": CONSTANT if constant else ""}
    for k, name in enumerate(SIGNALS[:3]):
        if name != "own" and not constant:
            gap = delong_paired(hits, signals[0], signals[k])
            row |= ended(f"own_less_{name}", gap.difference, gap.lower, gap.upper)
        if name != "own" or not constant:
            area = auroc2_interval(hits, signals[k])
            row |= ended(name, area.estimate, area.lower, area.upper)
    return row | _singles(hits, signals[[0, *range(3, len(signals))]], weights, constant, seed)


def _singles(
    hits: FloatArray, signals: FloatArray, weights: FloatArray, constant: bool, seed: int
) -> dict[str, Any]:
    """Median and best of single others, and own confidence (the first signal) less each."""
    sides = halves(hits.astype(bool), seed)
    columns = np.vstack([hits, np.where(sides, hits, np.nan)])  # all items, then halves, two of a split
    chunks = (weights[start : start + _CHUNK] for start in range(0, len(weights), _CHUNK))
    if hits.size > LARGE:
        parts = [areas_and_moves(columns, signal) for signal in signals]
        point = np.array([areas for areas, _ in parts])[None]
        moves = np.concatenate([each for _, each in parts]).astype(np.float32).T
        drawn = np.concatenate([((chunk - 1).astype(np.float32) @ moves) for chunk in chunks])
        drawn = point + drawn.reshape(-1, *point.shape[1:])
    else:
        asked = CrossAreas.of(columns, signals)
        point = asked.areas()[None]
        drawn = np.concatenate([asked.areas(chunk) for chunk in chunks])
    t = float(stdtrit(min(hits.sum(), hits.size - hits.sum()) - 1, 0.975))
    own, estimates = point[0, 0, 0], median_and_best(point)[0]
    own_draws, draws = drawn[:, 0, 0], median_and_best(drawn)
    row: dict[str, Any] = {}
    for k, name in enumerate(RIVALS[2:]):
        row |= ended(name, *_area_limits(estimates[k], draws[:, k], t))
        if not constant:
            gap = own - estimates[k]
            half = t * _sd(own_draws - draws[:, k])
            row |= ended(f"own_less_{name}", gap, gap - half, gap + half)
    return row


def median_and_best(areas: FloatArray) -> FloatArray:
    """Median of single others' areas, and of the best, chosen on one half of the items and measured on the other.

    From areas ``(B, 1 + others, 1 + 2 splits)``, own confidence first, all items before the halves, to ``(B, 2)``.
    """
    single = areas[:, 1:]
    median = np.median(single[:, :, 0], axis=1)
    first, second = single[:, :, 1::2], single[:, :, 2::2]
    across = [
        np.take_along_axis(measured, np.nan_to_num(chosen, nan=-1.0).argmax(axis=1)[:, None], axis=1)[:, 0]
        for chosen, measured in ((first, second), (second, first))
    ]
    return np.stack([median, np.mean(across, axis=(0, 2))], axis=1)


def halves(right: NDArray[np.bool_], seed: int) -> NDArray[np.bool_]:
    """Two halves a split, ``(2 splits, n)``, each with half of the right and half of the wrong answers."""
    rng = np.random.default_rng([seed, 1])
    made = np.zeros((2 * _N_SPLITS, right.size), dtype=bool)
    for split in range(_N_SPLITS):
        for side in (np.flatnonzero(right), np.flatnonzero(~right)):
            made[2 * split, rng.permutation(side)[: side.size // 2]] = True
        made[2 * split + 1] = ~made[2 * split]
    return made


def _area_limits(area: float, draws: FloatArray, t: float) -> tuple[float, float, float]:
    if not 0 < area < 1:
        return area, np.nan, np.nan
    half = t * _sd(draws) / (area * (1 - area))
    lower, upper = expit(logit(area) + np.array([-half, half]))
    return area, float(lower), float(upper)


def _sd(draws: FloatArray) -> float:
    known = draws[np.isfinite(draws)]
    return float(known.std(ddof=1)) if known.size > 1 else float("nan")
