"""What each signal is worth for open answers: rows for the page that sets studies and tasks beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.frames import rows_of
from metacog.sdt import auroc2_interval
from metacog.studies.contributions import SignalAreas, signal_areas_of
from metacog.studies.study import analysis
from metacog.studies.study1_qa.asking.marking import MARKING
from metacog.studies.study1_qa.cells.counts import REFERENCE, primary
from metacog.studies.study1_qa.cells.inputs import open_trials
from metacog.studies.study1_qa.use.names import NAMES
from metacog.studies.study1_qa.use.reliability import temperatures
from metacog.studies.study1_qa.use.thresholds import gains
from metacog.trials.signals import AGREEMENT, SCORE, SIGNAL, signals_of

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


def task(temperature: float) -> str:
    """What was asked, as readers know it."""
    return f"open question, temperature {temperature:g}"


@analysis(name="signal_areas", needs=("open", "draws", "compared_signals"), returns=SignalAreas)
def signal_areas(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> SignalAreas:
    """How well does each signal tell right answers from wrong ones, and what does abstaining by it gain?"""
    trials = primary(open_trials(inputs))
    compared = inputs.result("compared_signals").table
    rows = [*_of_run(trials), *_of_draws(trials, inputs.trials("draws")), *_compared(compared)]
    decided = gains(trials, n_resamples=n_resamples, seed=seed)
    read = signals_of(trials)
    told = decided.assign(
        task=decided["temperature"].map(task), signal=[NAMES[read[model]] for model in decided["model"]]
    )
    return signal_areas_of(rows, told)


def _row(model: object, temperature: float, signal: str, own: pd.DataFrame, score: str) -> dict[str, object]:
    row: dict[str, object] = {
        "model": str(model),
        "task": task(temperature),
        "signal": NAMES[signal],
        "n": len(own),
    }
    if own["correct"].nunique() < 2 or own[score].nunique() < 2:
        return row | {"why": "too few answers, or always the same confidence"}
    found = auroc2_interval(own["correct"], own[score])
    return row | {"auroc2": found.estimate, "auroc2_lower": found.lower, "auroc2_upper": found.upper}


def _of_run(trials: pd.DataFrame) -> list[dict[str, object]]:
    """The run's own signal of each model, at the lowest temperature and at 1."""
    known, read = trials[trials[SCORE].notna()], signals_of(trials)
    return [
        _row(model, t, read[str(model)], own[own["temperature"] == t], SCORE)
        for model, own in known.groupby("model", sort=False)
        for t in temperatures(trials)
    ]


def _of_draws(trials: pd.DataFrame, more: pd.DataFrame) -> list[dict[str, object]]:
    """Agreement: the share of a question's further draws that are the same answer as its first."""
    first = trials[(trials["temperature"] == REFERENCE) & (trials["answer"].str.strip() != "")]
    others = (
        more[more["dataset"] == trials["dataset"].iloc[0]]
        .groupby(["model", "question_id"])["answer"]
        .agg(list)
    )
    rows = []
    for model, own in first.groupby("model", sort=False):
        asked = own[[(model, one) in others.index for one in own["question_id"]]]
        same = [
            sum(MARKING.same(one.answer, other) for other in others[model, one.question_id])
            / len(others[model, one.question_id])
            for one in rows_of(asked)
        ]
        if len(asked):
            rows.append(_row(model, REFERENCE, AGREEMENT, asked.assign(same=same), "same"))
    return rows


def _compared(table: pd.DataFrame) -> list[dict[str, object]]:
    """The signals that were asked for on one set of questions, each by itself, at temperature 1."""
    kept = ["model", "n", "auroc2", "auroc2_lower", "auroc2_upper"]
    return [
        {
            **{name: row[name] for name in kept},
            "task": task(REFERENCE),
            "signal": NAMES[row[SIGNAL]],
            "why": row["flag"],
        }
        for row in table.to_dict("records")
    ]
