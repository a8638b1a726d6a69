"""RQ4: abstain below a threshold that other questions set; does MC go with what is decided?

What is gained is measured against the better constant strategy (:mod:`metacog.sdt.selective`). The relation of
a measure with the shares takes one half of the questions for the measure and the other for the shares: from
the same answers both would carry the same luck, and rise together where all know equally much.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from metacog.measures.cell import FloatArray
from metacog.measures.estimates import Measured
from metacog.measures.resamples import question_resamples
from metacog.sdt import abstain_held_out
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.selective import AbstentionDraws, HeldOut, resample_held_out
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.measures.cells import questions_of, units_of
from metacog.studies.study3_dmc.replication.cells import MEASURES, Cells, Questions, Way

#: Fewer points than this have no rank correlation worth an interval.
MIN_POINTS = 5
SHARES = {"a_acc": "A-Acc", "r_acc": "R-Acc"}
#: Measures whose relation with the shares is asked for.
RELATED = ("mc", "auroc2")
#: What the interval of a gain shows.
GAINS, LOSES, SAME, UNDEFINED = "gains", "loses", "same", "undefined"
#: What the interval of a relation shows.
RISES, FALLS, NONE, CONSTANT, FEW = "rises", "falls", "none", "constant", "few points"


@dataclass(frozen=True, eq=False)
class _Side:
    """One half of the questions: measures, and shares of decisions with their resamples."""

    made: Measured
    shares: dict[str, float]
    draws: dict[str, FloatArray]


def abstained(cells: Cells) -> pd.DataFrame:
    """R-Acc and A-Acc of every model and way of asking over all sets, with intervals.

    Returns
    -------
    DataFrame
        ``model, name, n, questions, accuracy, coverage``, ``r_acc`` and ``a_acc`` with limits, ``constant``
        (A-Acc of answering all or of abstaining from all, whichever is better on the other half), ``gain``
        (A-Acc minus that) with limits, ``mc``, ``auroc2``, ``outcome`` and ``why`` a way is undefined.
    """
    return pd.DataFrame([_row(cells, model, way) for model, way in cells.asked])


def _row(cells: Cells, model: str, way: Way) -> dict[str, object]:
    cell, nothing = cells.cell(model, way), float("nan")
    row: dict[str, object] = {"model": model, "name": way.name, "n": cell.n, "questions": cell.questions}
    row |= dict.fromkeys(("accuracy", "coverage", "constant", *RELATED), nothing)
    for name in (*SHARES, "gain"):
        row |= {name: nothing, f"{name}_lower": nothing, f"{name}_upper": nothing}
    row |= {"outcome": UNDEFINED, "why": cell.made.why.get("auroc2", "")}
    if row["why"]:
        return row
    held, again = _decided(cells, cells.of(model, way))
    for name, value in {"a_acc": held.pooled.a_acc, "r_acc": held.pooled.r_acc, "gain": held.gain}.items():
        low, high = percentile_limits(getattr(again, name))
        row |= {name: value, f"{name}_lower": low, f"{name}_upper": high}
    row["outcome"] = GAINS if low > 0 else LOSES if high < 0 else SAME
    row |= {"accuracy": held.pooled.accuracy, "coverage": held.pooled.coverage, "constant": held.constant}
    return row | {name: cell.made.values.get(name, nothing) for name in RELATED}


def _decided(cells: Cells, trials: pd.DataFrame) -> tuple[HeldOut, AbstentionDraws]:
    """Decisions of some trials, each half by the other's threshold, and those of resampled questions."""
    used = trials[trials["parse_status"] == "ok"]
    unit, all_units = units_of(used), np.unique(units_of(trials))
    n, seed = cells.draws.n_resamples, cells.draws.seed
    weights = np.concatenate([*question_resamples(questions_of(trials), n, seed)])
    arrays = used["correct"].to_numpy(bool), used["confidence"].to_numpy(np.float64)
    again = resample_held_out(*arrays, unit, weights[:, np.isin(all_units, unit)], seed=seed)
    return abstain_held_out(*arrays, clusters=unit, seed=seed), again


def halves(questions: Questions, seed: int) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """The questions of each set in two random halves, the same for the same questions and seed."""
    first = {}
    for dataset, ids in questions.items():
        rng = np.random.default_rng([seed, zlib.crc32(dataset.encode())])
        order = rng.permutation(sorted(ids))
        first[dataset] = frozenset(order[: len(ids) // 2].tolist())
    return first, {dataset: ids - first[dataset] for dataset, ids in questions.items()}


def relations(cells: Cells, table: pd.DataFrame) -> pd.DataFrame:
    """Whether measures go with the shares, over the largest group of models and ways with the same questions.

    Parameters
    ----------
    table : DataFrame
        Of :func:`abstained`.

    Returns
    -------
    DataFrame
        ``measure, measure_name, share, n`` (models and ways), ``of`` (as many are in the group), ``rho`` with
        limits, ``outcome``.
    """
    groups: dict[frozenset[tuple[str, str]], list[tuple[str, Way]]] = {}
    for (model, way), outcome in zip(cells.asked, table["outcome"], strict=True):
        if outcome != UNDEFINED:
            asked = cells.questions(model, way)
            key = frozenset((name, one) for name, ids in asked.items() for one in ids)
            groups.setdefault(key, []).append((model, way))
    group = max(groups.values(), key=len, default=[])
    sides = [
        [_side(cells, model, way, half) for half in halves(cells.questions(model, way), cells.draws.seed)]
        for model, way in group
    ]
    rows = [
        {"measure": m, "measure_name": MEASURES[m], "share": title, **_relation(sides, m, share)}
        for m in RELATED
        for share, title in SHARES.items()
    ]
    return pd.DataFrame(rows)


def _side(cells: Cells, model: str, way: Way, questions: Questions) -> _Side:
    made = cells.cell(model, way, questions=questions).made
    if "auroc2" in made.why:
        return _Side(made, {}, {})
    held, again = _decided(cells, cells.of(model, way, ALL, questions))
    shares = {name: getattr(held.pooled, name) for name in SHARES}
    return _Side(made, shares, {name: getattr(again, name) for name in SHARES})


def _relation(points: list[list[_Side]], measure: str, share: str) -> dict[str, object]:
    """Mean of the two rank correlations: either half's measure with the other half's shares."""
    used = [
        sides
        for sides in points
        if all(s.made.defined(measure) and np.isfinite(s.shares.get(share, np.nan)) for s in sides)
    ]
    row: dict[str, object] = {"n": len(used), "of": len(points)}
    row |= dict.fromkeys(("rho", "lower", "upper"), float("nan"))
    if len(used) < MIN_POINTS:
        return {**row, "outcome": FEW}
    values, draws = [], []
    for one, other in ((0, 1), (1, 0)):
        x = np.array([[sides[one].made.values[measure] for sides in used]])
        y = np.array([[sides[other].shares[share] for sides in used]])
        values.append(rank_correlations(x, y)[0])
        x = np.stack([sides[one].made.paired(measure) for sides in used], axis=1)
        draws.append(rank_correlations(x, np.stack([s[other].draws[share] for s in used], axis=1)))
    rho = float(np.mean(values))
    if not np.isfinite(rho):
        return {**row, "outcome": CONSTANT}
    low, high = percentile_limits(np.mean(draws, axis=0))
    outcome = RISES if low > 0 else FALLS if high < 0 else NONE
    return {**row, "rho": rho, "lower": low, "upper": high, "outcome": outcome}


def rank_correlations(x: FloatArray, y: FloatArray) -> FloatArray:
    """Spearman's rho of each row; NaN where a value is missing or a row is constant.

    Parameters
    ----------
    x, y : arrays, shape ``(B, m)``
    """
    good = np.isfinite(x).all(axis=1) & np.isfinite(y).all(axis=1)
    rho = np.full(len(x), np.nan)
    if good.any():
        a, b = (rankdata(v[good], axis=1) for v in (x, y))
        a, b = (v - v.mean(axis=1, keepdims=True) for v in (a, b))
        with np.errstate(invalid="ignore", divide="ignore"):
            rho[good] = (a * b).sum(axis=1) / np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    return rho
