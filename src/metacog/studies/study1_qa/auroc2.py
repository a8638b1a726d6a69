"""Do two measures rank the models alike?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.measures.fits import of_ratings
from metacog.sdt.information import meta_i2r
from metacog.sdt.ranking import bootstrap_ranks
from metacog.sdt.type2 import auroc2 as area_of_trials
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study import analysis
from metacog.studies.study1_qa import cells
from metacog.studies.study1_qa.cells import (
    COVERAGE,
    GROUP,
    PUBLISHED_FILES,
    REFERENCE,
    Cells,
    Rated,
    estimate,
    exact_spearman,
    flagged,
    measured,
    place,
    rated_primary,
)
from metacog.studies.study1_qa.h2 import domain_cells
from metacog.studies.study1_qa.paper import MAIN, as_numbers, published_cells
from metacog.studies.study1_qa.version2 import measure_table
from metacog.trials import SCORE
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# Whether two measures put the models in the same order, and which domains could be first or last.

#: Pairs of measures whose orders are correlated.
PAIRS = (("auroc2", "m_ratio"), ("auroc2", "meta_i2r"), ("meta_i2r", "m_ratio"))
NAMES = {"auroc2": "AUROC2", "m_ratio": "M-ratio", "meta_i2r": "meta-I2r"}
#: Level of the exact test of two orders.
ALPHA = 0.05
RULE_RANKS = (
    "AUROC2 and M-ratio put the models in the same order (Spearman's rho of the two, at T = 1), where "
    f"unrelated measures would do so with a probability of at most {ALPHA}; refuted by a rho below 0 with an "
    f"exact p of at most {ALPHA}."
)
RULE_DOMAINS = (
    "Highest and lowest domain by meta-I2r among domains with enough trials, with 95 % confidence sets "
    "of their ranks."
)


def pair_name(a: str, b: str) -> str:
    """Name of a pair of measures: the column ``pair``."""
    return f"{NAMES[a]} and {NAMES[b]}"


def judge(rows: pd.DataFrame) -> Verdict:
    """Whether AUROC2 and M-ratio order the models alike, from the correlations of one question set."""
    one = rows[rows["pair"] == pair_name("auroc2", "m_ratio")].iloc[0]
    n, of, rho = int(one["n_models"]), int(one["of"]), float(one["rho"])
    passed = None
    if n > 1 and rho < 0 and one["p_exact"] <= ALPHA:
        passed = False
    elif rho > 1 - 1e-9 and one["smallest_p"] / 2 <= ALPHA and n == of:
        passed = True
    values = {"n_models": n, "of": of, "rho": rho, "dataset": str(one["dataset"])}
    values |= {name: float(one[name]) for name in ("p_exact", "smallest_p")}
    return Verdict("AUROC2", Kind.EXPLORATORY, RULE_RANKS, passed, name="order", values=values)


def describe_domains(models: Sequence[dict[str, object]]) -> Verdict:
    """Which domain is highest and lowest in each model; undecided by its rule."""
    values = {"models": list(models)}
    return Verdict(
        "Domains", Kind.EXPLORATORY, RULE_DOMAINS, None, topic="domains", name="domains", values=values
    )


def compare(printed: pd.DataFrame, recomputed: pd.DataFrame, run: pd.DataFrame) -> Verdict:
    """Rank correlation of AUROC2 and M-ratio: printed, from the counts, and of the run's models.

    The printed M-ratios tie two models, so the full-precision ones of the author's file are ranked.
    """
    full = as_numbers("v1_h1_full_precision").set_index("model")["m_ratio"]
    printed = printed.assign(m_ratio=printed["model"].map(full))
    rho = {
        name: exact_spearman(frame["auroc2"].tolist(), frame["m_ratio"].tolist())[0]
        for name, frame in (("printed", printed), ("recomputed", recomputed), ("run", run))
    }
    return Verdict(
        "AUROC2",
        Kind.PUBLISHED,
        "Rank correlation.",
        None,
        name="published",
        values={**rho, "n_run": len(run)},
    )


# Ranks of models by AUROC2, M-ratio and meta-I2r, and version 2's measures by domain.


@dataclass(frozen=True)
class Ranks:
    """AUROC2 against M-ratio.

    Attributes
    ----------
    table : DataFrame
        ``model, dataset, auroc2`` (raw NLP where trials are known), ``auroc2_ratings, m_ratio,
        meta_i2r`` and their ranks (``*_rank``, 1 is best).
    correlations : DataFrame
        ``dataset, pair, rho, p_exact, n_models, of, smallest_p``: Spearman's rho with its exact two-sided
        p over all orders, models placed by both, of how many, and the smallest p that so many can ever reach.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    correlations: pd.DataFrame
    verdicts: tuple[Verdict, ...]

    def rho(self, a: str, b: str, dataset: str) -> float:
        """Correlation of two of :data:`PAIRS` on one question set."""
        rows = self.correlations
        one = rows[(rows["pair"] == pair_name(a, b)) & (rows["dataset"] == dataset)]
        return float(one["rho"].iloc[0])


def ranks_from_cells(cells: Cells, raw: pd.Series | None = None, *, verdicts: bool = True) -> Ranks:
    """AUROC2, M-ratio and meta-I2r ranks from counts at T = 1.

    Parameters
    ----------
    raw : Series, optional
        AUROC2 of raw NLP on the index of ``cells.frame``; that of the ratings without it.
    """
    table = estimate(cells)[[*GROUP, "accuracy", "m_ratio", "flag"]].copy()
    table["auroc2_ratings"] = auroc2_from_counts(cells.nR_S1, cells.nR_S2)
    table["auroc2"] = table["auroc2_ratings"] if raw is None else raw.to_numpy(dtype=np.float64)
    table["meta_i2r"] = meta_i2r(cells.nR_S1, cells.nR_S2)
    for name in ("auroc2", "m_ratio", "meta_i2r"):
        table[f"{name}_rank"] = place(table[name], table["dataset"])
    rows = []
    for dataset, group in table.groupby("dataset", sort=False):
        for a, b in PAIRS:
            rho, p = exact_spearman(group[a].tolist(), group[b].tolist())
            n = int((group[a].notna() & group[b].notna()).sum())
            rows.append(
                {
                    "dataset": dataset,
                    "pair": pair_name(a, b),
                    "rho": rho,
                    "p_exact": p,
                    "n_models": n,
                    "of": len(group),
                    "smallest_p": min(1.0, 2 / math.factorial(n)) if n > 1 else float("nan"),
                }
            )
    correlations = pd.DataFrame(rows)
    found = tuple(judge(rows) for _, rows in correlations.groupby("dataset", sort=False)) if verdicts else ()
    return Ranks(table, correlations, found)


def ranks(rated: Rated, *, verdicts: bool = True) -> Ranks:
    """AUROC2 (raw NLP, or the signal in its place), M-ratio and meta-I2r at T = 1, with ranks and rank correlations."""
    cells = rated.cells()
    one = rated.trials[(rated.trials["temperature"] == REFERENCE) & rated.trials[SCORE].notna()]
    values = []
    for _, row in cells.frame.iterrows():
        group = one[(one["model"] == row["model"]) & (one["dataset"] == row["dataset"])]
        values.append(
            area_of_trials(group["correct"], group[SCORE]) if group["correct"].nunique() == 2 else np.nan
        )
    return ranks_from_cells(cells, pd.Series(values, index=cells.frame.index), verdicts=verdicts)


def domain_measures(rated: Rated, *, n_permutations: int, n_resamples: int, seed: int = 42) -> pd.DataFrame:
    """The corrected measures by domain at T = 1, with each model's edges of T = 1."""
    return measure_table(
        domain_cells(rated), n_permutations=n_permutations, n_resamples=n_resamples, seed=seed
    )


def domain_ranks(rated: Rated, *, n_resamples: int = 2000, seed: int = 42) -> list[dict[str, object]]:
    """Highest and lowest domain by meta-I2r of each model with two sound domains or more.

    Ranks have confidence sets (:func:`metacog.sdt.ranking.bootstrap_ranks`): ``may_be_highest`` and
    ``may_be_lowest`` count the domains whose set contains the first and the last place.
    """
    cells = domain_cells(rated)
    cells = cells.select(~flagged(cells.frame, padded=False) & cells.measurable)
    made = measured(cells, [[of_ratings]] * len(cells), n_resamples=n_resamples, seed=seed)
    values = np.array([one.values["meta_i2r"] for one in made])
    names, models = cells.frame["domain"].to_numpy(), []
    for model, rows in cells.frame.groupby("model", sort=False).indices.items():
        if len(rows) > 1:
            ranks = bootstrap_ranks(values[rows], [made[i].draws["meta_i2r"] for i in rows])
            high, low = (int(rows[int(pick(values[rows]))]) for pick in (np.argmax, np.argmin))
            one = {
                "model": str(model),
                "domains": len(rows),
                "highest": str(names[high]),
                "highest_value": float(values[high]),
                "lowest": str(names[low]),
                "lowest_value": float(values[low]),
                "may_be_highest": int((ranks.set_lower == 1).sum()),
                "may_be_lowest": int((ranks.set_upper == len(rows)).sum()),
            }
            models.append(one)
    return models


# Do two measures rank the models alike? What is computed.

#: Columns of the comparison with the published models.
COMPARED = ["model", "auroc2", "m_ratio", "meta_i2r", "auroc2_rank", "m_ratio_rank", "meta_i2r_rank"]


@dataclass(frozen=True)
class Auroc2:
    """AUROC2 next to M-ratio and meta-I2r: of the run, by domain, and of the published models.

    ``ranks`` and ``correlations`` as in :class:`metacog.studies.study1_qa.auroc2.Ranks`.
    """

    ranks: pd.DataFrame
    correlations: pd.DataFrame
    domains: pd.DataFrame
    comparison: pd.DataFrame
    published_ranks: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(needs=("open",), returns=Auroc2, files=(*PUBLISHED_FILES, *COVERAGE))
def auroc2(
    inputs: Inputs,
    *,
    n_resamples: int = 2_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Auroc2:
    """Do two measures rank the models alike?"""
    rated = rated_primary(inputs)
    run = ranks(rated, verdicts=verdicts)
    published = ranks_from_cells(published_cells(), verdicts=verdicts)
    domains = domain_measures(rated, n_permutations=n_permutations, n_resamples=n_resamples, seed=seed)
    printed = as_numbers("v1_table3_auroc2")
    recomputed = ranks_from_cells(published_cells(MAIN), verdicts=False).table
    parts = {
        cells.PUBLISHED: printed[[c for c in COMPARED if c in printed]],
        cells.RECOMPUTED: recomputed[COMPARED],
        cells.RUN: run.table[COMPARED],
    }
    drawn: tuple[Verdict, ...] = ()
    if verdicts:
        ordered = domain_ranks(rated, n_resamples=n_resamples, seed=seed)
        drawn = (
            *(v.under("run") for v in run.verdicts),
            describe_domains(ordered),
            *(v.under("published") for v in published.verdicts),
            compare(printed, recomputed, run.table),
        )
    return Auroc2(
        run.table,
        run.correlations,
        domains,
        cells.stacked(**parts),
        published.table,
        drawn,
    )
