"""Looking back and looking ahead, pairs and families, reliability, and commitment as confidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study5_battery import commitment as states
from metacog.studies.study5_battery import contrasts as pairs_of
from metacog.studies.study5_battery import reliability
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.half_against_half import half_against_half, half_against_half_said
from metacog.studies.study5_battery.integrity import identical
from metacog.studies.study5_battery.item_halves import halves_said, item_halves
from metacog.studies.study5_battery.profiles import NAMES, by_rule
from metacog.studies.study5_battery.published import FILES, printed_profiles
from metacog.studies.study5_battery.responses import load

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Regulation:
    """``pairs`` has each model's mean withdraw delta and its paths on T6."""

    pairs: pd.DataFrame
    r: float
    verdicts: tuple[Verdict, ...]


@analysis(returns=Regulation, files=FILES)
def regulation(inputs: Inputs) -> Regulation:
    """Does a model that judges its answers well also know when to ask for help?"""
    found, whole = reliability.dissociation(load()), reliability.dissociation(load(), complete_only=True)
    pairs = found.pairs.assign(profile=found.pairs["model"].map(printed_profiles()).map(NAMES))
    return Regulation(
        pairs=pairs.sort_values("direct").reset_index(drop=True),
        r=found.pearson.r,
        verdicts=(reliability.dissociation_verdict(found, whole),),
    )


@dataclass(frozen=True)
class Contrasts:
    """``pairs`` has models that differ in reasoning at length, ``scaling`` families over size."""

    pairs: pd.DataFrame
    scaling: pd.DataFrame
    pairs_said: str
    verdicts: tuple[Verdict, ...]


@analysis(returns=Contrasts, files=FILES)
def contrasts(inputs: Inputs) -> Contrasts:
    """What do thinking and size change?"""
    rows = load()
    twins = identical(rows)
    pairs = pairs_of.pair_table(rows)
    return Contrasts(
        pairs=pairs,
        pairs_said=pairs_of.pairs_said(pairs),
        scaling=pairs_of.scaling(rows),
        verdicts=pairs_of.scaling_verdicts(rows, twins[twins["copied"]]),
    )


@dataclass(frozen=True)
class Robustness:
    """``halves`` has mean deltas of two halves of the tracks; the figures say how they agree.

    ``items`` says how well two halves of the items agree, dealt kind by kind.
    """

    halves: pd.DataFrame
    items: pd.DataFrame
    items_said: str
    splits: int
    n: int
    r: float
    lower: float
    upper: float
    whole: float
    whole_lower: float
    whole_upper: float
    d: float
    d_lower: float
    d_upper: float
    d_by_rule: float
    d_at_cut: float
    d_without_kinds: float


@analysis(returns=Robustness, files=FILES)
def robustness(inputs: Inputs, *, n_splits: int = 1_000, seed: int = 42) -> Robustness:
    """How far does the battery agree with itself?"""
    rows = load()
    halves, means = reliability.split_half(rows), mean_deltas(deltas(rows))
    printed = reliability.profiles_apart(means)
    low, high = halves.whole_limits
    at_cut, bell = reliability.split_d(means)
    items = item_halves(rows, n_splits, seed)
    return Robustness(
        halves=halves.pairs.assign(profile=halves.pairs["model"].map(printed_profiles()).map(NAMES)),
        items=items,
        items_said=halves_said(items),
        splits=n_splits,
        n=halves.pearson.n,
        r=halves.pearson.r,
        lower=halves.pearson.lower,
        upper=halves.pearson.upper,
        whole=halves.whole,
        whole_lower=low,
        whole_upper=high,
        d=printed.d,
        d_lower=printed.lower,
        d_upper=printed.upper,
        d_by_rule=reliability.profiles_apart(means, by_rule(means), n_resamples=0).d,
        d_at_cut=at_cut,
        d_without_kinds=bell,
    )


@dataclass(frozen=True)
class Commitment:
    """``measures`` has type-2 measures of each model, ``states`` how often each state is right.

    ``halves`` sets AUROC2 of one half of the items against the delta of the other.
    """

    measures: pd.DataFrame
    states: pd.DataFrame
    halves: pd.DataFrame
    halves_said: str
    verdicts: tuple[Verdict, ...]


@analysis(returns=Commitment, files=FILES)
def commitment(inputs: Inputs, *, n_splits: int = 400, seed: int = 42) -> Commitment:
    """Do both probes together tell right from wrong?"""
    rows = load()
    table = states.measured(rows)
    halves = half_against_half(rows, n_splits, seed)
    return Commitment(
        measures=table.sort_values("auroc2", ascending=False).reset_index(drop=True),
        states=states.accuracy_by_state(rows),
        halves=halves,
        halves_said=half_against_half_said(halves),
        verdicts=states.commitment_verdicts(table),
    )
