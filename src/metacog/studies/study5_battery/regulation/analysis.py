"""Looking back and looking ahead, pairs and families, reliability, and commitment as confidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study5_battery.ledger.published import FILES, printed_profiles
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures.commitment import measured
from metacog.studies.study5_battery.measures.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.measures.integrity import identical
from metacog.studies.study5_battery.measures.profiles import NAMES
from metacog.studies.study5_battery.regulation import contrasts as compared
from metacog.studies.study5_battery.regulation import reliability
from metacog.studies.study5_battery.regulation.commitment import accuracy_by_state, commitment_verdicts
from metacog.studies.study5_battery.regulation.item_halves import half_against_half, item_halves

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Regulation:
    """``pairs`` has each model's mean withdraw delta and its paths on T6."""

    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(returns=Regulation, files=FILES)
def regulation(inputs: Inputs) -> Regulation:
    """Does a model that judges its answers well also know when to ask for help?"""
    every, complete = reliability.dissociation(load()), reliability.dissociation(load(), complete_only=True)
    pairs = every.pairs.assign(profile=every.pairs["model"].map(printed_profiles()).map(NAMES))
    return Regulation(
        pairs=pairs.sort_values("direct").reset_index(drop=True),
        verdicts=(reliability.dissociation_verdict(every, complete),),
    )


@dataclass(frozen=True)
class Contrasts:
    """``pairs`` has models that differ in reasoning at length, ``scaling`` families over size."""

    pairs: pd.DataFrame
    scaling: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(returns=Contrasts, files=FILES)
def contrasts(inputs: Inputs) -> Contrasts:
    """What do thinking and size change?"""
    rows = load()
    twins = identical(rows)
    return Contrasts(
        pairs=compared.pair_table(rows),
        scaling=compared.scaling(rows),
        verdicts=compared.scaling_verdicts(rows, twins[twins["copied"]]),
    )


@dataclass(frozen=True)
class Robustness:
    """``halves`` has mean deltas of two halves of the tracks; the numbers show how they agree.

    ``items`` shows how well two halves of the items agree, assigned kind by kind.
    """

    halves: pd.DataFrame
    items: pd.DataFrame
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
    d_at_cut: float
    d_without_kinds: float


@analysis(returns=Robustness, files=FILES)
def robustness(inputs: Inputs, *, n_splits: int = 1_000, seed: int = 42) -> Robustness:
    """How far does the battery agree with itself?"""
    rows = load()
    halves, means = reliability.split_half(rows), mean_deltas(deltas(rows))
    apart = reliability.profiles_apart(means)
    lower, upper = halves.whole_limits
    at_cut, bell = reliability.split_d(means)
    return Robustness(
        halves=halves.pairs.assign(profile=halves.pairs["model"].map(printed_profiles()).map(NAMES)),
        items=item_halves(rows, n_splits, seed),
        splits=n_splits,
        n=halves.pearson.n,
        r=halves.pearson.r,
        lower=halves.pearson.lower,
        upper=halves.pearson.upper,
        whole=halves.whole,
        whole_lower=lower,
        whole_upper=upper,
        d=apart.d,
        d_lower=apart.lower,
        d_upper=apart.upper,
        d_at_cut=at_cut,
        d_without_kinds=bell,
    )


@dataclass(frozen=True)
class Commitment:
    """``measures`` has type-2 measures of each model, ``states`` how often each state is right.

    ``halves`` compares AUROC2 of one half of the items with the delta of the other half.
    """

    measures: pd.DataFrame
    states: pd.DataFrame
    halves: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(returns=Commitment, files=FILES)
def commitment(inputs: Inputs, *, n_splits: int = 400, seed: int = 42) -> Commitment:
    """Do both probes together tell right from wrong?"""
    rows = load()
    table = measured(rows)
    return Commitment(
        measures=table.sort_values("auroc2", ascending=False).reset_index(drop=True),
        states=accuracy_by_state(rows),
        halves=half_against_half(rows, n_splits, seed),
        verdicts=commitment_verdicts(table),
    )


ANALYSES = (regulation, contrasts, robustness, commitment)
