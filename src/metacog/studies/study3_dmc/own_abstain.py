"""RQ4 on own trials: abstain below a threshold that other questions set; does MC go with what is gained?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from metacog.report.verdicts import listed, plural
from metacog.sdt import abstain_held_out
from metacog.sdt.abstain import resample_held_out
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study3_dmc.own import MEASURES, FloatArray, Measured, units_of
from metacog.studies.study3_dmc.own_cells import Own, Way

#: Fewer points than this have no rank correlation worth an interval.
MIN_POINTS = 5
SHARES = {"a_acc": "A-Acc", "r_acc": "R-Acc"}


@dataclass(frozen=True)
class Abstained:
    """``table``: a row a model and way. ``relations``: a row a measure and share."""

    table: pd.DataFrame
    relations: pd.DataFrame


@dataclass(frozen=True, eq=False)
class _Point:
    questions: frozenset[tuple[str, str]]
    cell: Measured
    shares: dict[str, float]
    draws: dict[str, FloatArray]


def abstained(own: Own, *, seed: int = 42) -> Abstained:
    """R-Acc and A-Acc of every model and way over all sets, with intervals, and their relation to measures.

    Returns
    -------
    Abstained
        ``table`` has ``model, name, n, questions, accuracy, coverage``, ``r_acc`` and ``a_acc`` with limits,
        ``gain`` (A-Acc less accuracy, what abstaining wins over answering all) with limits, ``mc``,
        ``auroc2``, ``said`` and ``why`` a way is undefined. ``relations`` has ``measure_name, share, n``
        (models and ways), ``rho`` with limits, ``said``.
    """
    rows, points = [], []
    for model in own.models:
        for way in own.ways:
            if own.has(model, way):
                row, point = _one(own, model, way, seed)
                rows.append(row)
                points += [point] if point else []
    return Abstained(pd.DataFrame(rows), _relations(points))


def _one(own: Own, model: str, way: Way, seed: int) -> tuple[dict[str, object], _Point | None]:
    cell, trials = own.cell(model, way), own.of(model, way)
    nothing = float("nan")
    row: dict[str, object] = {"model": model, "name": way.name, "n": cell.n, "questions": cell.questions}
    row |= dict.fromkeys(("accuracy", "coverage", "mc", "auroc2"), nothing)
    for name in (*SHARES, "gain"):
        row |= {name: nothing, f"{name}_lower": nothing, f"{name}_upper": nothing}
    row |= {"said": "undefined", "why": cell.why.get("auroc2", "")}
    if row["why"]:
        return row, None
    used = trials[trials["parse_status"] == "ok"]
    unit, all_units = units_of(used), np.unique(units_of(trials))
    weights = own.resamples.of(trials)[1:, np.isin(all_units, unit)]
    arrays = used["correct"].to_numpy(bool), used["confidence"].to_numpy(np.float64), unit
    held = abstain_held_out(*arrays, seed=seed).pooled
    again = resample_held_out(*arrays, weights, seed=seed)
    draws = {"a_acc": again.a_acc, "r_acc": again.r_acc, "gain": again.a_acc - again.accuracy}
    values = {"a_acc": held.a_acc, "r_acc": held.r_acc, "gain": held.a_acc - held.accuracy}
    for name, value in values.items():
        low, high = percentile_limits(draws[name])
        row |= {name: value, f"{name}_lower": low, f"{name}_upper": high}
    low, high = percentile_limits(draws["gain"])
    said = "gains" if low > 0 else ("loses" if high < 0 else "cannot be told from answering all")
    row |= {"accuracy": held.accuracy, "coverage": held.coverage, "said": said}
    row |= {name: cell.values.get(name, nothing) for name in ("mc", "auroc2")}
    asked = frozenset(zip(trials["dataset"], trials["base_id"], strict=True))
    return row, _Point(asked, cell, values, draws)


def _relations(points: list[_Point]) -> pd.DataFrame:
    """Over the models and ways that were asked the same questions, the largest such group."""
    groups: dict[frozenset[tuple[str, str]], list[_Point]] = {}
    for one in points:
        groups.setdefault(one.questions, []).append(one)
    group = max(groups.values(), key=len, default=[])
    return pd.DataFrame(
        [
            {"measure": m, "measure_name": MEASURES[m], "share": title, **_relation(group, m, share)}
            for m in ("mc", "auroc2")
            for share, title in SHARES.items()
        ]
    )


def _relation(group: list[_Point], measure: str, share: str) -> dict[str, object]:
    used = [p for p in group if measure in p.cell.values and np.isfinite(p.shares[share])]
    row: dict[str, object] = {"n": len(used), "of": len(group)}
    row |= dict.fromkeys(("rho", "lower", "upper"), float("nan"))
    if len(used) < MIN_POINTS:
        return {**row, "said": f"undefined: {plural(len(used), 'point')}, {MIN_POINTS} are needed"}
    rho = rank_correlations(
        np.array([[p.cell.values[measure] for p in used]]), np.array([[p.shares[share] for p in used]])
    )[0]
    drawn = rank_correlations(
        np.stack([p.cell.draws[measure] for p in used], axis=1),
        np.stack([p.draws[share] for p in used], axis=1),
    )
    low, high = percentile_limits(drawn)
    if not np.isfinite(rho):
        return {**row, "said": "undefined: one of the two is constant"}
    said = (
        "rises with it" if low > 0 else ("falls with it" if high < 0 else "cannot be told from no relation")
    )
    return {**row, "rho": float(rho), "lower": low, "upper": high, "said": said}


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
        parts += [f"cannot be told from answering everything with {plural(rest, 'way')}"] if rest else []
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
