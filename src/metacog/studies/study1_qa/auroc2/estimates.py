"""Ranks of models by AUROC2, M-ratio and meta-I2r, and version 2's measures by domain."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.measures.ratings import of_ratings
from metacog.report.verdicts import Verdict
from metacog.sdt.information import meta_i2r
from metacog.sdt.ranking import bootstrap_ranks
from metacog.sdt.type2 import auroc2, auroc2_from_counts
from metacog.studies.study1_qa.auroc2.judging import PAIRS, judge, pair_name
from metacog.studies.study1_qa.cells.counts import GROUP, REFERENCE, Cells, Rated
from metacog.studies.study1_qa.cells.estimates import estimate, measured
from metacog.studies.study1_qa.cells.flags import flagged
from metacog.studies.study1_qa.cells.ranking import exact_spearman, place
from metacog.studies.study1_qa.cells.version2 import measure_table
from metacog.studies.study1_qa.h2.estimates import domain_cells
from metacog.trials.signals import SCORE


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
        values.append(auroc2(group["correct"], group[SCORE]) if group["correct"].nunique() == 2 else np.nan)
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
