"""How accurate is a model on the answers it is most confident of?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import ended, rows_of, with_ends
from metacog.report.views import Views
from metacog.sdt.checks import FloatArray
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.selective import accuracy_coverage_from_counts
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import cells
from metacog.studies.study1_qa.cells import PUBLISHED_FILES, REFERENCE, Cells, Flag, cell_names, open_trials
from metacog.studies.study1_qa.paper import MAIN, NAMES, as_numbers, published_cells
from metacog.trials import SCORE, scored
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import ZERO, Unit, unit

RULES = {
    "half": Rule(
        "In every model, answering only the more confident half raises accuracy (95 % interval of the gain above "
        "zero).",
        "Selective prediction",
        null=("no knowledge", "no knowledge, accuracy 0.02", "no knowledge, accuracy 0.98"),
        worst="one knows nothing",
    )
}
COVERAGES = (0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


@analysis(needs=("open",), files=PUBLISHED_FILES)
def selective(
    inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True
) -> dict[str, Any]:
    """How accurate is a model on the answers it is most confident of?"""
    trials = open_trials(inputs)
    run = by_coverage(trials, n_resamples=n_resamples, seed=seed)
    theirs, at_half = selective_from_cells(published_cells(MAIN)), run[run["coverage"] == 0.5]
    halves = {cells.RECOMPUTED: with_print(theirs[theirs["coverage"] == 0.5]), cells.RUN: at_half}
    half = cells.stacked(
        **{source: table[table.columns.difference(["flag"])] for source, table in halves.items()}
    )
    return {
        "coverages": cells.stacked(**{cells.RECOMPUTED: theirs, cells.RUN: run}),
        "comparison": half.assign(of_all=half["accuracy"] - half["gain"]),
        "halves": by_temperature(trials, at_half, n_resamples=n_resamples, seed=seed),
        "outcomes": judge(run) if verdicts and len(run) else None,
    }


def judge(table: pd.DataFrame) -> pd.DataFrame:
    """The rule, from the gains at half coverage; undecided where an interval contains zero."""
    half = table[table["coverage"] == 0.5]
    units = []
    for name, row in zip(cell_names(half), rows_of(half), strict=True):
        flag = getattr(row, "flag", "")
        known = unit(name, row.gain_lower > 0, known=np.isfinite(row.gain_lower), flag=flag)
        units.append(Unit(name, None, ZERO) if row.gain_lower <= 0 <= row.gain_upper else known)
    return outcomes("half", units)


def by_coverage(
    trials: pd.DataFrame,
    *,
    coverages: Sequence[float] = COVERAGES,
    temperature: float = REFERENCE,
    n_resamples: int = 2000,
    seed: int = 42,
) -> pd.DataFrame:
    """Accuracy of the most confident answers, and its ``gain`` over that of all; limits by resampling questions."""
    trials = scored(trials)
    one = trials[trials["temperature"] == temperature]
    rows: list[dict[str, object]] = []
    for (model, dataset), asked in one.groupby(["model", "dataset"], sort=False):
        labels = {"model": model, "dataset": dataset}
        group = asked[asked[SCORE].notna()]
        if group.empty:
            nothing = dict.fromkeys(with_ends("accuracy", "gain"), np.nan) | {"flag": Flag.SILENT.value}
            rows += [{**labels, "coverage": share, **nothing} for share in coverages]
            continue
        values, draws = _coverage_draws(group, np.array(coverages), n_resamples, seed)
        for i, share in enumerate(coverages):
            row = {**labels, "coverage": share, **_limits("accuracy", values[i], draws[:, i])}
            gain = _limits("gain", values[i] - values[-1], draws[:, i] - draws[:, -1])
            rows.append(row | gain | {"flag": ""})
    return pd.DataFrame(rows)


def selective_from_cells(cells: Cells, *, coverages: Sequence[float] = COVERAGES) -> pd.DataFrame:
    """The same from counts by rating: ties within a rating count at their mean accuracy; no limits."""
    values = accuracy_coverage_from_counts(cells.nR_S1, cells.nR_S2, np.array(coverages))
    keys = cells.frame[["model", "dataset"]]
    parts = [
        keys.assign(coverage=share, accuracy=values[:, j], gain=values[:, j] - values[:, -1])
        for j, share in enumerate(coverages)
    ]
    return pd.concat(parts).sort_index(kind="stable", ignore_index=True)


def _limits(name: str, value: float, draws: FloatArray) -> dict[str, float]:
    low, high = np.quantile(draws, [0.025, 0.975])
    return ended(name, value, float(low), float(high))


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


def by_temperature(
    trials: pd.DataFrame, at_half: pd.DataFrame, *, n_resamples: int, seed: int
) -> pd.DataFrame:
    """Rows at half coverage, each model's at the lowest temperature above that at T = 1.

    A gain at T = 1 starts from answers that sampling has made wrong, and part of it is the luck of the draw.
    """
    lowest = float(trials["temperature"].min())
    rows = [at_half.assign(temperature=REFERENCE)]
    if lowest < REFERENCE:
        drawn = {"n_resamples": n_resamples, "seed": seed}
        cool = by_coverage(trials, coverages=(0.5,), temperature=lowest, **drawn)
        rows.insert(0, cool.assign(temperature=lowest))
    table = pd.concat(rows, ignore_index=True)
    by_model = table.groupby(["model", "dataset"], sort=False).ngroup().sort_values(kind="stable")
    return table.loc[by_model.index].reset_index(drop=True)


def with_print(half: pd.DataFrame) -> pd.DataFrame:
    """Rows at half coverage with what version 1 prints of two of the models, and both measures as it prints them."""
    printed = as_numbers("v1_selective_prediction").rename(columns={"accuracy_at_50pct_coverage": "printed"})
    measures = as_numbers("v1_table3_auroc2")[["model", "auroc2", "m_ratio"]]
    return half.merge(printed, on="model", how="left").merge(measures, on="model", how="left")


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the two models of which half coverage is printed, in per cent: what they start from, what answering
    less gains and could gain at most, and what is printed; and both measures.
    """
    rows = result.comparison[result.comparison["printed"].notna()].sort_values("printed", ascending=False)
    found: dict[str, Any] = {}
    for name, row in zip(("first", "second"), rows.to_dict("records"), strict=True):
        found |= {f"{name}_{what}": row[what] for what in ("model", "auroc2", "m_ratio")}
        found |= {f"{name}_{what}": 100 * row[what] for what in ("of_all", "accuracy", "printed", "gain")}
        found[f"{name}_room"] = min(found[f"{name}_of_all"], 100 - found[f"{name}_of_all"])
    return found


VIEWS = Views("selective", names=NAMES, numbers=figures)
