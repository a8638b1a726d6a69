"""Analyses that belong to no one study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.ledger.entry import Kind, Settings, Status
from metacog.ledger.judging import available_files, make_ledger
from metacog.ledger.page import kinds, ledger_html, roles, statuses, tally
from metacog.ledger.summary import summarise, write_ledger
from metacog.ledger.tolerances import ALPHA, z_bound
from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.measures.coverage import TABLE, simulations
from metacog.report import coverage_page, rater_page, recovery_page
from metacog.report import speed as benchmarks
from metacog.report.verdicts import Verdict
from metacog.studies.ledgers import ledgers
from metacog.studies.study import analysis

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Recovered:
    """What the estimator makes of simulated deciders whose values are known.

    ``designs`` holds every design, ``core`` those with a target, ``intervals`` the coverage of the intervals
    of meta-I2r and AUROC2 (verdicts under ``intervals``), ``floor`` the fewest trials of a class from which
    they are made.
    """

    designs: pd.DataFrame
    core: pd.DataFrame
    intervals: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    factors: str
    widths: str
    simulations: int
    resamples: int
    floor: int


@analysis(returns=Recovered, files=("data/simulations/*",))
def recovery(inputs: Inputs) -> Recovered:
    """Does the estimator find what was put in?"""
    results, _ = recovery_page.load_recovery()
    covered = simulations()
    if covered.empty:
        raise MetacogError(f"{TABLE} is missing: make it with `python benchmarks/interval_coverage.py`")
    sentences = [f"- {s}" for s in recovery_page.sweep_sentences(results)]
    return Recovered(
        results,
        recovery_page.core(results),
        coverage_page.summary(covered),
        (
            *(v.under("core") for v in recovery_page.core_verdicts(results)),
            *(v.under("intervals") for v in coverage_page.verdicts(covered)),
        ),
        "\n".join(sentences),
        "\n".join(recovery_page.width_sentences(results)),
        int(results["n_simulations"].max()),
        int(results["n_resamples"].max()),
        MIN_FOR_INTERVALS,
    )


@dataclass(frozen=True)
class Raters:
    """How sure agreement of raters is, from simulated panels whose alpha is known.

    ``designs`` holds every design, ``needed`` the raters that a half-width takes, ``bars`` what a bar of
    agreement and one of alpha ask of the same raters.
    """

    designs: pd.DataFrame
    needed: pd.DataFrame
    bars: pd.DataFrame
    trade_said: str
    coverage_said: str
    alpha: float
    agreement: float
    half_width: float
    simulations: int


@analysis(returns=Raters)
def raters(
    inputs: Inputs,
    *,
    rater_alpha: float = 0.25,
    rater_agreement: float = 0.90,
    half_width: float = 0.15,
    n_panels: int = 500,
    seed: int = 42,
) -> Raters:
    """How many raters, and how many items, does a reliability take?"""
    table = rater_page.designs(rater_alpha, n_panels, seed)
    return Raters(
        table,
        rater_page.needed(table, half_width),
        rater_page.bars(rater_agreement, rater_alpha),
        rater_page.raters_or_items(table),
        rater_page.coverage_said(table),
        rater_alpha,
        rater_agreement,
        half_width,
        n_panels,
    )


@dataclass(frozen=True)
class Speed:
    """What the scripts in ``benchmarks/`` measured."""

    fits: pd.DataFrame
    growth: pd.DataFrame
    sampled: pd.DataFrame
    collected: pd.DataFrame
    times: pd.DataFrame
    served: pd.DataFrame
    forced: pd.DataFrame
    bias: str
    server: str
    numbers: Mapping[str, float]


@analysis(returns=Speed, files=("data/benchmarks/*.json",))
def speed(inputs: Inputs) -> Speed:
    """How fast, and beside whom?"""
    fits, sampled, collected, served, forced = (
        benchmarks.result(n) for n in ("meta_d", "bayes", "collect", "endpoint", "nlp_check")
    )
    checked = benchmarks.forced_table(forced)
    numbers = {
        "compile": fits["against_metadpy"]["compile_s"],
        "bootstrap": fits["bootstrap_one_cell"]["seconds"],
        "v1_seconds": fits["v1"]["seconds_with_compile"],
        "v1_fits": fits["v1"]["fits"],
        "v1_memory": fits["v1"]["peak_memory_gib"],
        "cores": fits["machine"]["cores"],
        "sampled_first": sampled["ratio_first_call"],
        "sampled_load": sampled["machine"]["load_before"],
    }
    return Speed(
        benchmarks.fits_table(fits),
        benchmarks.growth_table(fits),
        benchmarks.sampled_table(sampled),
        benchmarks.collection_table(collected),
        benchmarks.time_table(collected),
        benchmarks.server_table(served),
        checked,
        benchmarks.bias_sentence(checked),
        benchmarks.server_sentence(collected),
        numbers,
    )


@dataclass(frozen=True)
class Ledger:
    """Every published figure beside the recomputed one.

    ``page`` is the table that can be searched, as HTML; ``summary`` says the tally in a sentence. ``judged``
    counts the rows that could have failed, ``tested`` those of them that chance could have failed,
    and ``family`` is the number that shares the level among these. ``kinds`` holds the judged rows by study
    and kind, and each kind has its numbers apart: those ``estimated``, ``recounted`` and ``printed`` that
    match and that differ.
    """

    kinds: pd.DataFrame
    tally: pd.DataFrame
    statuses: pd.DataFrame
    roles: pd.DataFrame
    differing: pd.DataFrame
    page: str
    summary: str
    rows: int
    judged: int
    match: int
    differs: int
    estimated_match: int
    estimated_differs: int
    recounted_match: int
    recounted_differs: int
    printed_match: int
    printed_differs: int
    waiting: int
    tested: int
    family: int
    z: float
    alpha: float


@analysis(returns=Ledger, files=("data/published/*", "data/simulations/*_chains.csv"), ledgers=True)
def ledger(inputs: Inputs, *, ledger_resamples: int = 10_000, seed: int = 42) -> Ledger:
    """Which printed figures are reproduced?"""
    asked = ledgers()
    settings = Settings(ledger_resamples, seed, available_files(asked), inputs.ledger_results())
    rows = make_ledger(settings, asked)
    write_ledger(rows, settings)
    found = summarise(rows)
    shown = ["table", "item", "quantity", "kind", "published", "reproduced", "note"]
    family = int(rows["family"].max()) if len(rows) else 0
    return Ledger(
        kinds(rows),
        tally(rows),
        statuses(rows),
        roles(rows, [role for study in asked for role in study.roles]),
        rows[rows["status"] == Status.DIFFERS][shown].reset_index(drop=True),
        ledger_html(rows),
        found.sentence,
        found.rows,
        found.judged,
        found.by_status[Status.MATCH],
        found.by_status[Status.DIFFERS],
        found.by_kind[Kind.ESTIMATED].match,
        found.by_kind[Kind.ESTIMATED].differs,
        found.by_kind[Kind.RECOUNTED].match,
        found.by_kind[Kind.RECOUNTED].differs,
        found.by_kind[Kind.PRINTED].match,
        found.by_kind[Kind.PRINTED].differs,
        found.by_status[Status.NEEDS],
        found.tested,
        family,
        float(z_bound(family)),
        ALPHA,
    )
