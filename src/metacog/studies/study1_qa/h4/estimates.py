"""H4: do models of similar type-1 sensitivity differ in M-ratio?

Three readings are shown. The author's code asks for one pair of models whose 95 % intervals of
M-ratio do not overlap; the text asks for one pairwise difference whose interval excludes zero;
neither tests that d' is similar. The sound counterpart resamples the questions both models share and
asks of a pair that M-ratio differ *and* that d' be shown similar by a TOST with a bound of our own
choice (0.3, the bound of H3). A pair must pass both tests, so its p is the larger of the two (Berger
1982, intersection-union), and it is that p which Holm's method adjusts for the number of pairs:
adjusting the difference alone leaves every pair a free chance at similarity.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.sdt.decisions import bootstrap_p, tost_draws
from metacog.studies.study1_qa.cells.contrasts import (
    holm,
    interval,
    paired_draws,
    question_cells,
)
from metacog.studies.study1_qa.cells.counts import REFERENCE, Cells, FloatArray, Rated
from metacog.studies.study1_qa.cells.estimates import CellDraws, bootstrap_cells
from metacog.studies.study1_qa.h4.judging import D_PRIME_BOUND, judge, judge_shared


@dataclass(frozen=True)
class H4:
    """Result of H4.

    Attributes
    ----------
    table : DataFrame
        One row per model: d', meta-d' and M-ratio with 95 % limits.
    pairs : DataFrame
        One row per pair within a question set: ``overlap`` (of the intervals), the independent
        difference with limits ``lower, upper``, the paired one ``paired, paired_lower, paired_upper, paired_p``,
        the d' difference with 90 % limits and TOST's ``d_p``, ``d_similar``, ``p_holm`` (the larger of
        ``paired_p`` and ``d_p``, adjusted over unflagged pairs), ``n_shared`` questions and ``flagged``.
    verdicts : tuple of Verdict
    draws : CellDraws
    """

    table: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    draws: CellDraws


def h4_from_cells(cells: Cells, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H4:
    """H4's two pre-registered readings from counts at T = 1, models drawn independently."""
    draws = bootstrap_cells(cells, n_resamples=n_resamples, seed=seed)
    table = draws.table
    rows = []
    for dataset, index in table.groupby("dataset", sort=False).indices.items():
        for i, j in combinations(index, 2):
            gap = draws.m_ratio[i] - draws.m_ratio[j]
            low, high = interval(gap)
            d_gap = draws.d_prime[i] - draws.d_prime[j]
            d_low, d_high = interval(d_gap, level=0.90)
            a, b = table.iloc[i], table.iloc[j]
            rows.append(
                {
                    "dataset": dataset,
                    "model_a": a["model"],
                    "model_b": b["model"],
                    "overlap": bool(
                        a["m_ratio_lower"] <= b["m_ratio_upper"] and b["m_ratio_lower"] <= a["m_ratio_upper"]
                    ),
                    "difference": a["m_ratio"] - b["m_ratio"],
                    "lower": low,
                    "upper": high,
                    "p": bootstrap_p(gap),
                    "d_difference": a["d_prime"] - b["d_prime"],
                    "d_lower": d_low,
                    "d_upper": d_high,
                    "d_similar": bool(max(abs(d_low), abs(d_high)) < D_PRIME_BOUND),
                    "flagged": bool(a["flag"] or b["flag"]),
                }
            )
    columns = [
        "dataset",
        "model_a",
        "model_b",
        "overlap",
        "difference",
        "lower",
        "upper",
        "p",
        "d_difference",
        "d_lower",
        "d_upper",
        "d_similar",
        "flagged",
    ]
    pairs = pd.DataFrame(rows, columns=columns)
    found = judge(pairs) if verdicts else ()
    return H4(table, pairs, found, draws)


def h4(rated: Rated, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H4:
    """H4 in its three readings; see the module's docstring.

    The d' limits of ``pairs`` are the paired ones where models share questions.
    """
    first = h4_from_cells(rated.cells(), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    pairs = first.pairs.assign(
        paired=np.nan, paired_lower=np.nan, paired_upper=np.nan, paired_p=np.nan, d_p=np.nan, n_shared=0
    )
    at_one = rated.trials[rated.trials["temperature"] == REFERENCE]
    for dataset, own in at_one.groupby("dataset", sort=False):
        if own["model"].nunique() < 2:
            continue
        for index, row in pairs[pairs["dataset"] == dataset].iterrows():
            both = own[own["model"].isin([row["model_a"], row["model_b"]])]
            cells = question_cells(both, "model", rated.n_ratings)
            if cells.matrix.shape[0] < 2:
                continue
            point, draws = paired_draws(cells, n_resamples=n_resamples, seed=seed)
            i, j = cells.conditions.index(row["model_a"]), cells.conditions.index(row["model_b"])
            gap = draws["m_ratio"][i] - draws["m_ratio"][j]
            d_gap = draws["d_prime"][i] - draws["d_prime"][j]
            d_low, d_high = interval(d_gap, level=0.90)
            low, high = interval(gap)
            pairs.loc[
                index, ["paired", "paired_lower", "paired_upper", "paired_p", "d_lower", "d_upper", "d_p"]
            ] = [
                point["m_ratio"][i] - point["m_ratio"][j],
                low,
                high,
                bootstrap_p(gap),
                d_low,
                d_high,
                similarity_p(d_gap),
            ]
            pairs.loc[index, "n_shared"] = cells.matrix.shape[0]
            pairs.loc[index, "d_similar"] = bool(max(abs(d_low), abs(d_high)) < D_PRIME_BOUND)
    pairs["p_holm"] = both_holm(pairs["paired_p"], pairs["d_p"], pairs["flagged"])
    found = first.verdicts
    if verdicts:
        found = (*found, judge_shared(pairs))
    return H4(first.table, pairs, found, first.draws)


def similarity_p(gap: FloatArray) -> float:
    """TOST's p of draws of a d' difference against ±:data:`D_PRIME_BOUND`; NaN with fewer than two."""
    usable = gap[np.isfinite(gap)]
    if usable.size < 2:
        return float("nan")
    return tost_draws(usable, np.nan, -D_PRIME_BOUND, D_PRIME_BOUND).p_value


def both_holm(p_different: pd.Series, p_similar: pd.Series, flags: pd.Series) -> FloatArray:
    """Holm-adjusted p of "different and similar" over the unflagged pairs: the larger p of each pair."""
    larger = p_different.where(p_different >= p_similar, p_similar)
    both = p_different.notna() & p_similar.notna() & ~flags.astype(bool)
    return holm(larger.where(both))
