"""How accurate is a model on the answers it is most confident of?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.sdt.checks import FloatArray
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.selective import (
    RiskCoverage,
    accuracy_coverage_from_counts,
    risk_coverage,
    risk_coverage_from_counts,
)
from metacog.studies.study import analysis
from metacog.studies.study1_qa import cells
from metacog.studies.study1_qa.cells import PUBLISHED_FILES, REFERENCE, Cells, Flag, cell_name, open_trials
from metacog.studies.study1_qa.ledger.rows import HALF, reproduced
from metacog.studies.study1_qa.paper import MAIN, as_numbers, published_cells
from metacog.trials import SCORE, scored
from metacog.verdicts.rules import ZERO, Unit, judged, those, unit
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# Whether abstaining on the less confident half raises accuracy.

RULE = (
    "In every model, answering only the more confident half raises accuracy (95 % interval of the gain above "
    "zero)."
)


def _gains(row: Any, name: str) -> Unit:
    """Whether the gain lies above zero; undecided where its interval contains zero."""
    if row.gain_lower <= 0 <= row.gain_upper:
        return Unit(name, None, ZERO)
    return unit(name, row.gain_lower > 0, known=np.isfinite(row.gain_lower), flag=getattr(row, "flag", ""))


def judge(table: pd.DataFrame) -> Verdict:
    """The rule, from the gains at half coverage.

    Its values: names of models that have one (``models``), their accuracy without abstaining (``all``) and of
    the more confident half (``half``), and in how many the gain is above zero.
    """
    half = table[table["coverage"] == 0.5]
    n_sets = table["dataset"].nunique()
    units = [_gains(r, cell_name(r.model, r.dataset, n_sets)) for r in rows_of(half)]
    names = pd.Series([one.name for one in units], half.index, dtype=object)
    known = half[half["gain"].notna()]
    return judged(
        units,
        "Selective prediction",
        Kind.EXPLORATORY,
        RULE,
        name="half",
        models=names[known.index].tolist(),
        all=(known["accuracy"] - known["gain"]).tolist(),
        half=known["accuracy"].tolist(),
        above=len(those(units, True)),
    )


def compare(published: pd.DataFrame, run: pd.DataFrame) -> Verdict:
    """Accuracy at half coverage: how many printed values the counts reproduce, and the range of gains."""
    agreed = reproduced("v1_selective_prediction", published.rename(columns={"accuracy": HALF}))
    values = {
        "agree": int(agreed.sum()),
        "of": len(agreed),
        "published": [float(published["gain"].min()), float(published["gain"].max())],
        "run": [float(run["gain"].min()), float(run["gain"].max())] if run["gain"].notna().any() else None,
    }
    return Verdict(
        "Selective prediction", Kind.PUBLISHED, "Accuracy at 50 %.", None, name="published", values=values
    )


# Selective prediction: how accurate is a model on the answers it is most confident of?

COVERAGES = (0.25, 0.5, 0.75, 1.0)
MEASURES = ("accuracy", "accuracy_lower", "accuracy_upper", "gain", "gain_lower", "gain_upper")
AREAS = ("full_risk", "aurc", "e_aurc", "oracle_aurc")


@dataclass(frozen=True)
class SelectiveEstimates:
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


def selective_estimates(
    trials: pd.DataFrame,
    *,
    coverages: Sequence[float] = COVERAGES,
    temperature: float = REFERENCE,
    n_resamples: int = 2000,
    seed: int = 42,
    verdicts: bool = True,
) -> SelectiveEstimates:
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
    return SelectiveEstimates(
        table, pd.DataFrame(areas), curves, (judge(table),) if verdicts and len(table) else ()
    )


def selective_from_cells(cells: Cells, *, coverages: Sequence[float] = COVERAGES) -> SelectiveEstimates:
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
    return SelectiveEstimates(pd.DataFrame(rows), pd.DataFrame(areas), curves, ())


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


# How accurate is a model on the answers it is most confident of? What is computed.


@dataclass(frozen=True)
class Selective:
    """Tables and curves as in :class:`metacog.studies.study1_qa.selective.SelectiveEstimates`, at T = 1.

    ``halves`` has the rows at half coverage, with their ``temperature``: of the lowest one, and of T = 1.
    """

    coverages: pd.DataFrame
    areas: pd.DataFrame
    comparison: pd.DataFrame
    curves: Mapping[tuple[str, str], RiskCoverage]
    halves: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    resamples: int


@analysis(needs=("open",), returns=Selective, files=PUBLISHED_FILES)
def selective(
    inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True
) -> Selective:
    """How accurate is a model on the answers it is most confident of?"""
    trials = open_trials(inputs)
    run = selective_estimates(trials, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    half = published_half()
    at_half = run.table[run.table["coverage"] == 0.5]
    columns = ["model", "accuracy", "gain"]
    parts = {
        cells.RECOMPUTED: half[[*columns, "printed"]],
        cells.RUN: at_half[[*columns, "accuracy_lower", "accuracy_upper"]],
    }
    return Selective(
        run.table,
        run.areas,
        cells.stacked(**parts),
        run.curves,
        by_temperature(trials, at_half, n_resamples=n_resamples, seed=seed),
        (*run.verdicts, compare(half, at_half)) if verdicts else (),
        n_resamples,
    )


def by_temperature(
    trials: pd.DataFrame, at_half: pd.DataFrame, *, n_resamples: int, seed: int
) -> pd.DataFrame:
    """Rows at half coverage, each model's at the lowest temperature above that at T = 1, with these and ``full``.

    A gain at T = 1 starts from answers that sampling has made wrong, and part of it is the luck of the draw.
    ``full`` is accuracy of all answers.
    """
    lowest = float(trials["temperature"].min())
    rows = [at_half.assign(temperature=REFERENCE)]
    if lowest < REFERENCE:
        cool = selective_estimates(
            trials,
            coverages=(0.5,),
            temperature=lowest,
            n_resamples=n_resamples,
            seed=seed,
            verdicts=False,
        )
        rows.insert(0, cool.table.assign(temperature=lowest))
    table = pd.concat(rows, ignore_index=True)
    table["full"] = table["accuracy"] - table["gain"]
    by_model = table.groupby(["model", "dataset"], sort=False).ngroup().sort_values(kind="stable")
    return table.loc[by_model.index].reset_index(drop=True)


def published_half() -> pd.DataFrame:
    """Accuracy of the published models at half coverage, from the counts, and ``printed`` where it is."""
    table = selective_from_cells(published_cells(MAIN), coverages=(0.5, 1.0)).table
    printed = as_numbers("v1_selective_prediction").rename(columns={"accuracy_at_50pct_coverage": "printed"})
    return table[table["coverage"] == 0.5].merge(printed, on="model", how="left")
