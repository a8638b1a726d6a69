"""Can the confidence of a model be used? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.frames import rows_of
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.counts import primary
from metacog.studies.study1_qa.cells.inputs import open_trials
from metacog.studies.study1_qa.use import reliability as stated
from metacog.studies.study1_qa.use.apart import contradictions
from metacog.studies.study1_qa.use.names import NAMES
from metacog.studies.study1_qa.use.thresholds import thresholds
from metacog.trials.signals import SIGNAL

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Use:
    """What somebody who wants to use a confidence asks.

    Attributes
    ----------
    reliability, bins, sure : DataFrame
        :func:`~metacog.studies.study1_qa.use.reliability.reliability`, its bins of the first model
        (:func:`~metacog.studies.study1_qa.use.reliability.side_by_side`), and
        :func:`~metacog.studies.study1_qa.use.reliability.sure`.
    thresholds, picked : DataFrame
        :func:`~metacog.studies.study1_qa.use.thresholds.thresholds`, and the rows that were picked.
    areas, gains : DataFrame
        As in :class:`metacog.studies.contributions.SignalAreas`, of all studies that have them; areas with ``asked``
        (model and task) and ``told`` (what stands behind the number).
    lost, costs : DataFrame
        What signals lose against log-probability, and the tokens they take, by ``asked`` (model and signal).
    apart : DataFrame
        :func:`~metacog.studies.study1_qa.use.apart.contradictions`.
    lowest : float
        The lowest temperature.
    n_compared, split_seed : int
        Questions that were asked with each signal; and the seed of the halves.
    """

    reliability: pd.DataFrame
    bins: pd.DataFrame
    sure: pd.DataFrame
    thresholds: pd.DataFrame
    picked: pd.DataFrame
    areas: pd.DataFrame
    gains: pd.DataFrame
    lost: pd.DataFrame
    costs: pd.DataFrame
    apart: pd.DataFrame
    lowest: float
    n_compared: int
    split_seed: int


@analysis(needs=("open", "selective", "compared_signals"), returns=Use, across="signal_areas", both_runs=True)
def use(inputs: Inputs, *, seed: int = 42) -> Use:
    """When it says .9, how often is it right, and what can be done with that?"""
    trials = primary(open_trials(inputs))
    bins = stated.reliability(trials)
    sure = stated.sure(trials)
    every = thresholds(trials, seed=seed)
    found = list(inputs.across().values())
    areas, gains = (
        _in_order(pd.concat([getattr(one, name) for one in found], ignore_index=True))
        for name in ("areas", "gains")
    )
    compared = inputs.result("compared_signals")
    return Use(
        bins,
        stated.side_by_side(bins),
        sure,
        every,
        every[every["picked"]].reset_index(drop=True) if len(every) else every,
        areas.assign(told=[_told(row) for row in rows_of(areas)]),
        gains,
        _by_signal(compared.losses),
        _by_signal(compared.table),
        contradictions(areas, gains, inputs.result("selective").halves, sure),
        float(trials["temperature"].min()),
        compared.n_questions,
        seed,
    )


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of one model together, and in them of one task, each in the order in which they come."""
    places = [table.groupby(name, sort=False).ngroup() for name in ("model", "task")]
    order = (
        pd.concat(places, axis=1, keys=["model", "task"]).sort_values(["model", "task"], kind="stable").index
    )
    ordered = table.loc[order].reset_index(drop=True)
    return ordered.assign(asked=ordered["model"] + ": " + ordered["task"])


def _by_signal(table: pd.DataFrame) -> pd.DataFrame:
    names = table[SIGNAL].map(NAMES)
    return table.assign(signal=names, asked=table["model"] + ": " + names)


def _told(row: object) -> str:
    """What stands behind one AUROC2: its interval and answers, or why there is none."""
    why, value = str(getattr(row, "why", "")), float(getattr(row, "auroc2", float("nan")))
    if value != value:
        return why or "not measured"
    low, high = float(getattr(row, "auroc2_lower", 0)), float(getattr(row, "auroc2_upper", 0))
    ends = f", 95 % interval {low:.2f} to {high:.2f}" if low == low else ""
    return f"{value:.2f}{ends}, {int(getattr(row, 'n', 0)):,} answers"
