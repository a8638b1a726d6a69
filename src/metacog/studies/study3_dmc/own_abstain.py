"""RQ4 on own trials: abstain below a threshold that other questions set; does MC go with what is decided?

What is gained is measured against the better constant strategy (:mod:`metacog.sdt.abstain`). The relation of
a measure with the shares takes one half of the questions for the measure and the other for the shares: from
the same answers both would carry the same luck, and rise together where all know equally much.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from metacog.core.words import listed, plural
from metacog.sdt import abstain_held_out
from metacog.sdt.abstain import AbstentionDraws, HeldOut, resample_held_out
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study3_dmc.own import MEASURES, FloatArray, Measured, units_of
from metacog.studies.study3_dmc.own_cells import Own, Questions, Way

#: Fewer points than this have no rank correlation worth an interval.
MIN_POINTS = 5
SHARES = {"a_acc": "A-Acc", "r_acc": "R-Acc"}
#: Measures whose relation with the shares is asked for.
RELATED = ("mc", "auroc2")
SAME = "cannot be told from a constant strategy"


@dataclass(frozen=True)
class Abstained:
    """``table``: a row a model and way. ``relations``: a row a measure and share."""

    table: pd.DataFrame
    relations: pd.DataFrame


@dataclass(frozen=True, eq=False)
class _Side:
    """One half of the questions: measures, and shares of decisions with their resamples."""

    cell: Measured
    shares: dict[str, float]
    draws: dict[str, FloatArray]


def abstained(own: Own, *, seed: int = 42) -> Abstained:
    """R-Acc and A-Acc of every model and way over all sets, with intervals, and their relation to measures.

    Returns
    -------
    Abstained
        ``table`` has ``model, name, n, questions, accuracy, coverage``, ``r_acc`` and ``a_acc`` with limits,
        ``constant`` (A-Acc of answering all or of abstaining from all, whichever is better on the other
        half), ``gain`` (A-Acc less that) with limits, ``mc``, ``auroc2``, ``said`` and ``why`` a way is
        undefined. ``relations`` has ``measure_name, share, n`` (models and ways), ``rho`` with limits,
        ``said``.
    """
    rows = []
    groups: dict[frozenset[tuple[str, str]], list[tuple[str, Way]]] = {}
    for model in own.models:
        for way in own.ways:
            if own.has(model, way):
                rows.append(_one(own, model, way, seed))
                if rows[-1]["said"] != "undefined":
                    asked = own.questions(model, way)
                    pairs = frozenset((name, one) for name, ids in asked.items() for one in ids)
                    groups.setdefault(pairs, []).append((model, way))
    group = max(groups.values(), key=len, default=[])
    return Abstained(pd.DataFrame(rows), _relations(own, group, seed))


def _one(own: Own, model: str, way: Way, seed: int) -> dict[str, object]:
    cell, trials = own.cell(model, way), own.of(model, way)
    nothing = float("nan")
    row: dict[str, object] = {"model": model, "name": way.name, "n": cell.n, "questions": cell.questions}
    row |= dict.fromkeys(("accuracy", "coverage", "constant", *RELATED), nothing)
    for name in (*SHARES, "gain"):
        row |= {name: nothing, f"{name}_lower": nothing, f"{name}_upper": nothing}
    row |= {"said": "undefined", "why": cell.why.get("auroc2", "")}
    if row["why"]:
        return row
    held, again = _decided(own, trials, seed)
    for name, value in {"a_acc": held.pooled.a_acc, "r_acc": held.pooled.r_acc, "gain": held.gain}.items():
        low, high = percentile_limits(getattr(again, name))
        row |= {name: value, f"{name}_lower": low, f"{name}_upper": high}
    low, high = percentile_limits(again.gain)
    said = "gains" if low > 0 else ("loses" if high < 0 else SAME)
    row |= {"accuracy": held.pooled.accuracy, "coverage": held.pooled.coverage, "constant": held.constant}
    return row | {"said": said} | {name: cell.values.get(name, nothing) for name in RELATED}


def _decided(own: Own, trials: pd.DataFrame, seed: int) -> tuple[HeldOut, AbstentionDraws]:
    """Decisions of some trials, each half by the other's threshold, and those of resampled questions."""
    used = trials[trials["parse_status"] == "ok"]
    unit, all_units = units_of(used), np.unique(units_of(trials))
    weights = own.resamples.of(trials)[1:, np.isin(all_units, unit)]
    arrays = used["correct"].to_numpy(bool), used["confidence"].to_numpy(np.float64)
    return abstain_held_out(*arrays, clusters=unit, seed=seed), resample_held_out(
        *arrays, unit, weights, seed=seed
    )


def halves(questions: Questions, seed: int) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """The questions of each set in two random halves, the same for the same questions and seed."""
    first = {}
    for dataset, ids in questions.items():
        rng = np.random.default_rng([seed, zlib.crc32(dataset.encode())])
        order = rng.permutation(sorted(ids))
        first[dataset] = frozenset(order[: len(ids) // 2].tolist())
    return first, {dataset: ids - first[dataset] for dataset, ids in questions.items()}


def _relations(own: Own, group: list[tuple[str, Way]], seed: int) -> pd.DataFrame:
    """Over the models and ways that were asked the same questions, the largest such group."""
    sides = [
        [_side(own, model, way, half, seed) for half in halves(own.questions(model, way), seed)]
        for model, way in group
    ]
    return pd.DataFrame(
        [
            {"measure": m, "measure_name": MEASURES[m], "share": title, **_relation(sides, m, share)}
            for m in RELATED
            for share, title in SHARES.items()
        ]
    )


def _side(own: Own, model: str, way: Way, questions: Questions, seed: int) -> _Side:
    trials = own.of(model, way)
    pairs = pd.MultiIndex.from_frame(trials[["dataset", "base_id"]])
    part = trials[pairs.isin([(name, one) for name, ids in questions.items() for one in ids])]
    cell = own.cell(model, way, questions=questions)
    if "auroc2" in cell.why:
        return _Side(cell, {}, {})
    held, again = _decided(own, part, seed)
    shares = {name: getattr(held.pooled, name) for name in SHARES}
    return _Side(cell, shares, {name: getattr(again, name) for name in SHARES})


def _relation(points: list[list[_Side]], measure: str, share: str) -> dict[str, object]:
    """Mean of the two rank correlations: either half's measure with the other half's shares."""
    used = [
        sides
        for sides in points
        if all(measure in s.cell.values and np.isfinite(s.shares.get(share, np.nan)) for s in sides)
    ]
    row: dict[str, object] = {"n": len(used), "of": len(points)}
    row |= dict.fromkeys(("rho", "lower", "upper"), float("nan"))
    if len(used) < MIN_POINTS:
        few = f"{plural(len(used), 'point')} with both halves defined, {MIN_POINTS} are needed"
        return {**row, "said": f"undefined: {few}"}
    found, drawn = [], []
    for one, other in ((0, 1), (1, 0)):
        x = np.array([[sides[one].cell.values[measure] for sides in used]])
        y = np.array([[sides[other].shares[share] for sides in used]])
        found.append(rank_correlations(x, y)[0])
        x = np.stack([sides[one].cell.draws[measure] for sides in used], axis=1)
        drawn.append(rank_correlations(x, np.stack([s[other].draws[share] for s in used], axis=1)))
    rho = float(np.mean(found))
    if not np.isfinite(rho):
        return {**row, "said": "undefined: one of the two is constant"}
    low, high = percentile_limits(np.mean(drawn, axis=0))
    said = (
        "rises with it" if low > 0 else ("falls with it" if high < 0 else "cannot be told from no relation")
    )
    return {**row, "rho": rho, "lower": low, "upper": high, "said": said}


def rank_correlations(x: FloatArray, y: FloatArray) -> FloatArray:
    """Spearman's rho of each row; NaN where a value is missing or a row is constant.

    Parameters
    ----------
    x, y : arrays, shape ``(B, m)``
    """
    good = np.isfinite(x).all(axis=1) & np.isfinite(y).all(axis=1)
    found = np.full(len(x), np.nan)
    if good.any():
        a, b = (rankdata(v[good], axis=1) for v in (x, y))
        a, b = (v - v.mean(axis=1, keepdims=True) for v in (a, b))
        with np.errstate(invalid="ignore", divide="ignore"):
            found[good] = (a * b).sum(axis=1) / np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    return found


def abstain_said(table: pd.DataFrame) -> str:
    """Where abstaining gains."""
    said = []
    for model, own in table.groupby("model", sort=False):
        known = own[own["said"] != "undefined"]
        better, worse = (known[known["said"] == word] for word in ("gains", "loses"))
        rest = len(known) - len(better) - len(worse)
        parts = [f"gains with {listed(better['name'])}"] if len(better) else []
        parts += [f"loses with {listed(worse['name'])}"] if len(worse) else []
        parts += [f"{SAME} with {plural(rest, 'way')}"] if rest else []
        said.append(f"{model}: abstaining {listed(parts)}." if parts else f"{model}: every way is undefined.")
    return " ".join(said)


def relation_said(relations: pd.DataFrame) -> str:
    """Whether MC and AUROC2 go with what abstaining gives."""
    said = []
    for row in relations.to_dict("records"):
        start = f"{row['share']} and {row['measure_name']}"
        if np.isfinite(row["rho"]):
            said.append(
                f"{start}, over {row['n']} of {row['of']} pairs of model and way: Spearman's rho "
                f"{row['rho']:.2f} ({row['lower']:.2f} to {row['upper']:.2f}), {row['said']}."
            )
        else:
            said.append(f"{start}: {row['said']}.")
    return " ".join(said)
