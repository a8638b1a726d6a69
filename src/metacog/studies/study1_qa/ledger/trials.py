"""Figures of study 1 that its analyses give for the author's trials."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from metacog.ledger.entry import Settings, Value
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.auroc2 import ranks
from metacog.studies.study1_qa.cells import REFERENCE, Cells, estimate, rate_trials
from metacog.studies.study1_qa.h2 import by_domain, domain_cells
from metacog.studies.study1_qa.h3 import TEMPERATURES, by_temperature, range_and_rank
from metacog.studies.study1_qa.ledger.cells import (
    estimated,
    fits,
    rank_values,
    records,
    recounted,
    v2_values,
)
from metacog.studies.study1_qa.ledger.consistency import H3
from metacog.studies.study1_qa.ledger.rows import Values
from metacog.studies.study1_qa.robustness_variants import rerated
from metacog.studies.study1_qa.version2 import temperature_cells

FROM_TRIALS = "the author's trials"


def triviaqa(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials of the four models on the main question set."""
    return trials[(trials["dataset"] == paper.MAIN) & trials["model"].isin(list(paper.MODELS))]


@dataclass(frozen=True)
class OnTrials:
    """The study's analyses of the author's trials on the main question set, each made once.

    Attributes
    ----------
    trials : DataFrame
    counts : Cells
        At T = 1, both question sets.
    ranks : DataFrame
    h2, pairs : DataFrame
    domains, own_edges : Cells
        By domain, and by temperature with each temperature's own edges (both usable groups only).
    temperatures : DataFrame
        Estimates by temperature with the edges of T = 1.
    h3 : DataFrame
        H3's range and ranks, of the models that have all of its temperatures.
    sides : dict of int to DataFrame
        R1's estimates by ratings a side.
    wide : DataFrame
        R3's estimates.
    """

    trials: pd.DataFrame
    counts: Cells
    ranks: pd.DataFrame
    h2: pd.DataFrame
    pairs: pd.DataFrame
    domains: Cells
    own_edges: Cells
    temperatures: pd.DataFrame
    h3: pd.DataFrame
    sides: dict[int, pd.DataFrame]
    wide: pd.DataFrame


def on_trials(trials: pd.DataFrame, settings: Settings) -> OnTrials | None:
    """Run the analyses on the author's trials; None where they hold no trial at T = 1."""
    main = triviaqa(trials)
    if not (main["temperature"] == REFERENCE).any():
        return None
    rated = rate_trials(main)
    sides, wide = rerated(main)
    h2, pairs = by_domain(rated, n_resamples=settings.n_resamples, seed=settings.seed)
    at = by_temperature(rated)
    judged = [{"model": m, **range_and_rank(own)} for m, own in at.groupby("model", sort=False)]
    return OnTrials(
        trials=main,
        counts=rate_trials(trials).cells(),
        ranks=ranks(rated),
        h2=h2,
        pairs=pairs,
        domains=_usable(domain_cells(rated)),
        own_edges=_usable(temperature_cells(main)),
        temperatures=at,
        h3=pd.DataFrame([row for row in judged if row["tost_pass"] is not None]),
        sides={k: estimate(cells) for k, cells in sides.items()},
        wide=estimate(wide),
    )


def _usable(cells: Cells) -> Cells:
    return cells.select(cells.measurable)


def trial_values(found: OnTrials, settings: Settings) -> Values:
    """Every figure that the trials give, as far as models, temperatures and domains are there."""
    values: Values = {**_counts(found.counts), **_ranks(found.ranks), **_domains(found, settings)}
    questions = found.trials.drop_duplicates(["dataset", "question_index"])
    for domain, n in questions["domain"].value_counts().items():
        values["v1_domain_trials", (str(domain),), "n"] = recounted(float(n), FROM_TRIALS)
    for k, table in found.sides.items():
        for model, value in _m_ratios(table).items():
            values["v1_table4_r1_binning", (model, str(k)), "m_ratio"] = value
    return values | _temperatures(found, settings)


def _m_ratios(table: pd.DataFrame) -> dict[str, Value]:
    fitted = {row["model"]: fits(row, FROM_TRIALS) for row in records(table[table["converged"]])}
    return {model: values["m_ratio"] for model, values in fitted.items() if values}


def _counts(cells: Cells) -> Values:
    found: Values = {}
    for i, row in enumerate(records(cells.frame)):
        for r in range(cells.nR_S1.shape[1]):
            keys = (row["model"], row["dataset"], "1.0", str(r + 1))
            found["counts_T1", keys, "n_correct"] = recounted(float(cells.nR_S2[i, r]), FROM_TRIALS)
            found["counts_T1", keys, "n_incorrect"] = recounted(float(cells.nR_S1[i, r]), FROM_TRIALS)
    return found


def _ranks(table: pd.DataFrame) -> Values:
    found = rank_values(table, "auroc2", FROM_TRIALS)
    for row in records(table[table["auroc2"].notna()]):
        found["v1_table3_auroc2", (row["model"],), "auroc2"] = estimated(row["auroc2"], FROM_TRIALS)
    return found


def _domains(found: OnTrials, settings: Settings) -> Values:
    values: Values = {}
    listed = {f.keys for f in paper.figures("v2_domain")}
    for row in records(found.h2[found.h2["converged"]]):
        for quantity, value in fits(row, FROM_TRIALS).items():
            if quantity == "m_ratio":
                values["v1_table6_domain_m_ratio", (row["model"], row["domain"]), quantity] = value
    for i, row in enumerate(records(found.domains.frame)):
        keys = (row["model"], row["domain"])
        if keys in listed:
            values |= v2_values(found.domains, i, "v2_domain", keys, settings, FROM_TRIALS)
    return values


def _temperatures(found: OnTrials, settings: Settings) -> Values:
    values: Values = {}
    at = found.temperatures
    for row in records(at[at["temperature"].isin(TEMPERATURES) & at["converged"]]):
        for quantity, value in fits(row, FROM_TRIALS).items():
            values["v1_table7_temperature", (row["model"], f"{row['temperature']:.1f}"), quantity] = value
    for row in records(found.h3):
        for quantity in H3:
            values["v1_h3_verdicts", (row["model"],), quantity] = estimated(float(row[quantity]), FROM_TRIALS)
    for i, row in enumerate(records(found.own_edges.frame)):
        if row["temperature"] in TEMPERATURES:
            keys = (row["model"], f"{row['temperature']:.1f}")
            values |= v2_values(found.own_edges, i, "v2_temperature", keys, settings, FROM_TRIALS)
    return values


def equal_width_m_ratio(found: OnTrials) -> dict[str, Value]:
    """R3: M-ratio at T = 1 on TriviaQA with eight equal-width bins, by model."""
    return _m_ratios(found.wide)
