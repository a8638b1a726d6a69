"""H1 to H4, each beside the published numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report import levels
from metacog.report.verdicts import Verdict, drawn
from metacog.studies.study import analysis
from metacog.studies.study1_qa import beside, exploratory
from metacog.studies.study1_qa.cells.counts import primary, rate_trials
from metacog.studies.study1_qa.cells.inputs import COVERAGE, PUBLISHED, open_trials, rated_primary
from metacog.studies.study1_qa.h1 import estimates as first
from metacog.studies.study1_qa.h2 import estimates as second
from metacog.studies.study1_qa.h2 import judging as h2_verdicts
from metacog.studies.study1_qa.h3 import estimates as third
from metacog.studies.study1_qa.h3 import judging as h3_verdicts
from metacog.studies.study1_qa.h4 import estimates as fourth

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class H1:
    """H1: ``measures`` and ``intervals`` as in :class:`metacog.studies.study1_qa.h1.estimates.H1`."""

    measures: pd.DataFrame
    intervals: pd.DataFrame
    beside: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]
    resamples: int
    dropped_draws: int


@analysis(needs=("open",), returns=H1, files=PUBLISHED)
def h1(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H1:
    """Is M-ratio below 1 in every model?"""
    found = first.h1(rated_primary(inputs), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    theirs = beside.beside_h1(found.table, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    dropped = int(found.table["n_draws_dropped"].sum())
    rules = {"limit": first.RULE}
    return H1(
        found.table,
        found.intervals,
        theirs.table,
        drawn(*found.verdicts, theirs.verdict),
        rules,
        n_resamples,
        dropped,
    )


@dataclass(frozen=True)
class H2:
    """H2: tables as in :class:`metacog.studies.study1_qa.h2.estimates.H2`."""

    domains: pd.DataFrame
    pairs: pd.DataFrame
    by_accuracy: pd.DataFrame
    beside: pd.DataFrame
    levels: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]
    n_pairs: int
    flagged: int


@analysis(needs=("open",), returns=H2, files=(*PUBLISHED, levels.FILE))
def h2(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H2:
    """Does M-ratio differ between domains?"""
    found = second.h2(rated_primary(inputs), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    theirs = beside.beside_h2(found.table, verdicts=verdicts)
    ratio = found.pairs[found.pairs["measure"] == "m_ratio"]
    verdict = drawn(*found.verdicts, theirs.verdict)
    flagged = int(ratio["flagged"].sum())
    return H2(
        found.table,
        found.pairs,
        found.by_accuracy,
        theirs.table,
        levels.verdict_levels("H2, meta"),
        verdict,
        {"pair": h2_verdicts.RULE},
        len(ratio),
        flagged,
    )


@dataclass(frozen=True)
class H3:
    """H3: ``temperatures`` (edges of T = 1), ``own_edges``, ``summary`` and ``pairs`` as in
    :class:`metacog.studies.study1_qa.h3.estimates.H3`.

    ``corrected`` holds version 2's measures by temperature.
    """

    temperatures: pd.DataFrame
    own_edges: pd.DataFrame
    summary: pd.DataFrame
    pairs: pd.DataFrame
    corrected: pd.DataFrame
    beside: pd.DataFrame
    levels: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]
    bound: float


@analysis(needs=("open",), returns=H3, files=(*PUBLISHED, *COVERAGE, levels.FILE))
def h3(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> H3:
    """Does meta-d' stay put when the temperature moves?"""
    trials = primary(open_trials(inputs))
    own = rate_trials(exploratory.with_confidence(trials), own_edges=True)
    found = third.h3(rate_trials(trials), own, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    corrected = exploratory.temperature_measures(
        trials, n_permutations=n_permutations, n_resamples=n_permutations, seed=seed
    )
    registered = found.summary
    if len(registered):
        registered = registered[registered["edges"] == h3_verdicts.FIXED]
    theirs = beside.beside_h3(registered, verdicts=verdicts)
    rules = {
        "range": h3_verdicts.RULE_RANGE,
        "rho": h3_verdicts.RULE_RHO,
        "tost": h3_verdicts.RULE_TOST,
        "criterion": h3_verdicts.RULE_CRITERION,
    }
    return H3(
        found.table,
        found.own,
        found.summary,
        found.pairs,
        corrected,
        theirs.table,
        levels.verdict_levels("H3"),
        drawn(*found.verdicts, theirs.verdict),
        rules,
        h3_verdicts.BOUND,
    )


@dataclass(frozen=True)
class H4:
    """H4: ``measures`` and ``pairs`` as in :class:`metacog.studies.study1_qa.h4.estimates.H4`."""

    measures: pd.DataFrame
    pairs: pd.DataFrame
    beside: pd.DataFrame
    levels: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]
    n_pairs: int
    bound: float


@analysis(needs=("open",), returns=H4, files=(*PUBLISHED, levels.FILE))
def h4(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H4:
    """Do models of like d' differ in M-ratio?"""
    found = fourth.h4(rated_primary(inputs), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    theirs = beside.beside_h4(found.pairs, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    rules = {"code": fourth.RULE_CODE, "text": fourth.RULE_TEXT, "sound": fourth.RULE_SOUND}
    verdict = drawn(*found.verdicts, theirs.verdict)
    bound = fourth.D_PRIME_BOUND
    level = levels.verdict_levels("H4")
    return H4(found.table, found.pairs, theirs.table, level, verdict, rules, len(found.pairs), bound)
