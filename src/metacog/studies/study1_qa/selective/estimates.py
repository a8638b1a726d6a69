"""Selective prediction: how accurate is a model on the answers it is most confident of?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.selective import (
    RiskCoverage,
    accuracy_coverage_from_counts,
    risk_coverage,
    risk_coverage_from_counts,
)
from metacog.studies.study1_qa.cells.counts import REFERENCE, Cells, FloatArray
from metacog.studies.study1_qa.cells.flags import Flag
from metacog.studies.study1_qa.selective.judging import judge
from metacog.trials.signals import SCORE, scored

COVERAGES = (0.25, 0.5, 0.75, 1.0)
MEASURES = ("accuracy", "accuracy_lower", "accuracy_upper", "gain", "gain_lower", "gain_upper")
AREAS = ("full_risk", "aurc", "e_aurc", "oracle_aurc")


@dataclass(frozen=True)
class Selective:
    """Selective prediction at one temperature.

    Attributes
    ----------
    table : DataFrame
        ``model, dataset, coverage, accuracy, accuracy_lower, accuracy_upper, gain, gain_lower,
        gain_upper``: the gain is over answering everything; and ``flag``, why there is none.
    areas : DataFrame
        ``model, dataset, n, full_risk, aurc, e_aurc, oracle_aurc``.
    curves : dict from (model, dataset) to RiskCoverage
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    areas: pd.DataFrame
    curves: dict[tuple[str, str], RiskCoverage]
    verdicts: tuple[Verdict, ...]


def selective(
    trials: pd.DataFrame,
    *,
    coverages: Sequence[float] = COVERAGES,
    temperature: float = REFERENCE,
    n_resamples: int = 2000,
    seed: int = 42,
    verdicts: bool = True,
) -> Selective:
    """Accuracy and risk against coverage from raw NLP, or the signal in its place; limits by resampling questions."""
    trials = scored(trials)
    one = trials[trials["temperature"] == temperature]
    shares = np.array(coverages, dtype=np.float64)
    rows, areas = [], []
    curves: dict[tuple[str, str], RiskCoverage] = {}
    for (model, dataset), asked in one.groupby(["model", "dataset"], sort=False):
        group = asked[asked[SCORE].notna()]
        if group.empty:
            areas.append({"model": model, "dataset": dataset, "n": 0, **dict.fromkeys(AREAS, np.nan)})
            nothing = dict.fromkeys(MEASURES, np.nan) | {"flag": Flag.SILENT.value}
            rows += [{"model": model, "dataset": dataset, "coverage": share, **nothing} for share in shares]
            continue
        curve = risk_coverage(group["correct"], group[SCORE])
        curves[str(model), str(dataset)] = curve
        areas.append({"model": model, "dataset": dataset, "n": len(group), **_areas(curve)})
        values, draws = _coverage_draws(group, shares, n_resamples, seed)
        for i, share in enumerate(shares):
            gain = draws[:, i] - draws[:, -1]
            rows.append(
                {
                    "model": model,
                    "dataset": dataset,
                    "coverage": share,
                    "accuracy": values[i],
                    **_limits("accuracy", draws[:, i]),
                    "gain": values[i] - values[-1],
                    **_limits("gain", gain),
                    "flag": "",
                }
            )
    table = pd.DataFrame(rows)
    return Selective(table, pd.DataFrame(areas), curves, (judge(table),) if verdicts and len(table) else ())


def selective_from_cells(cells: Cells, *, coverages: Sequence[float] = COVERAGES) -> Selective:
    """The same from counts by rating: ties within a rating count at their mean accuracy; no limits."""
    shares = np.array(coverages, dtype=np.float64)
    values = accuracy_coverage_from_counts(cells.nR_S1, cells.nR_S2, shares)
    rows, areas, curves = [], [], {}
    for i, (model, dataset) in enumerate(zip(cells.frame["model"], cells.frame["dataset"], strict=True)):
        curve = risk_coverage_from_counts(cells.nR_S1[i], cells.nR_S2[i])
        curves[model, dataset] = curve
        areas.append({"model": model, "dataset": dataset, "n": int(cells.frame["n"][i]), **_areas(curve)})
        rows += [
            {
                "model": model,
                "dataset": dataset,
                "coverage": share,
                "accuracy": values[i, j],
                "gain": values[i, j] - values[i, -1],
            }
            for j, share in enumerate(shares)
        ]
    return Selective(pd.DataFrame(rows), pd.DataFrame(areas), curves, ())


def _areas(curve: RiskCoverage) -> dict[str, float]:
    return {name: getattr(curve, name) for name in AREAS}


def _limits(name: str, draws: FloatArray) -> dict[str, float]:
    low, high = np.quantile(draws, [0.025, 0.975])
    return {f"{name}_lower": float(low), f"{name}_upper": float(high)}


def _coverage_draws(
    trials: pd.DataFrame, shares: FloatArray, n_resamples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Accuracy at each coverage (full coverage last) and its draws ``(B, m + 1)``."""
    used = trials.sort_values(SCORE, kind="stable")
    levels = used[SCORE].to_numpy(dtype=np.float64)
    starts = np.flatnonzero(np.concatenate([[True], np.diff(levels) > 0]))
    correct = used["correct"].to_numpy(dtype=np.float64)
    question = pd.factorize(used["question_id"])[0]
    wanted = np.append(shares, 1.0)

    def accuracy(weights: FloatArray) -> FloatArray:
        total = np.add.reduceat(weights, starts, axis=1)
        right = np.add.reduceat(weights * correct, starts, axis=1)
        return accuracy_coverage_from_counts(total - right, right, wanted)

    n = int(question.max()) + 1
    weights = weight_chunks(n, n_resamples, seed, 8 * levels.size)
    draws = [accuracy(drawn[:, question]) for drawn in weights]
    return accuracy(np.ones((1, levels.size)))[0], np.concatenate(draws)
