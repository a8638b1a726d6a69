"""What do the first paper's counts show for the same models?

H3 asks for rating edges that stay where they are as temperature moves, and the counts of the author's first paper
have them. Equal widths, though, put the middle of the range where hardly an answer lies, and d' rests on the middle
cut; so the same edges are read twice: as 20 ratings, ten on either side of the middle of the range, and as fewer
ratings cut at the edge nearest the median of T = 1. R3 and the marking threshold are read from them, too.

Counts do not say which questions were answered at two temperatures, so temperatures are resampled independently:
intervals of differences are wider than paired ones if anything, and a TOST errs towards "not shown".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.measures.cell import Measured
from metacog.studies.study import analysis
from metacog.studies.study1_qa import cells, paper
from metacog.studies.study1_qa.cells import REFERENCE, Cells
from metacog.studies.study1_qa.h3 import equivalence, flagged_at, range_and_rank, temperature_pairs
from metacog.studies.study1_qa.ledger.first_paper import THRESHOLD, binned_cells, cut_near_median, scoring

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Ways of reading the bins: the column ``variant``.
TWENTY, NEAR_MEDIAN = "20 equal widths", "cut near the median"
QUANTILES = "8 quantiles"


@analysis(files=cells.PUBLISHED_FILES)
def first_paper(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> dict[str, Any]:
    """What do the first paper's counts show for the same models?"""
    temperatures, summary = from_bins(n_resamples=n_resamples, seed=seed)
    return {
        "temperatures": temperatures,
        "summary": summary,
        "widths": equal_widths(),
        "marking": marking(),
    }


def from_bins(*, n_resamples: int = 2_000, seed: int = 42) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Estimates by way of reading the bins, model and temperature; and H3's statistics by way and model.

    Of the counts cut near the median alone there are resamples.
    """
    every, tables, rows = binned_cells(paper.MAIN), [], []
    for model in dict.fromkeys(every.frame["model"]):
        group = every.select(every.frame["model"] == model)
        few = cut_near_median(group)
        drawn, made = cells.fits(few, n_resamples=n_resamples, seed=seed)
        for variant, counts, table, draws in (
            (TWENTY, group, cells.estimate(group), None),
            (NEAR_MEDIAN, few, drawn, made),
        ):
            tables.append(_flagged(table, counts, variant))
            about = {"variant": variant, "model": paper.MODELS[model], "dataset": paper.MAIN}
            rows.append({**about, **_summary(tables[-1], draws)})
    order = [*range(0, len(rows), 2), *range(1, len(rows), 2)]
    table = pd.concat([tables[i] for i in order], ignore_index=True)
    return table, pd.DataFrame([rows[i] for i in order])


def _flagged(table: pd.DataFrame, counts: Cells, variant: str) -> pd.DataFrame:
    """Estimates with what is unsound about them now that the ratings are others."""
    flags = cells.table_flags(counts.nR_S1, counts.nR_S2)
    return table.assign(variant=variant, model=table["model"].map(paper.MODELS), flag=flags)


def _summary(table: pd.DataFrame, made: list[Measured] | None) -> dict[str, object]:
    """H3's statistics of one model; no decision where a cell of its temperatures is flagged."""
    found = {**range_and_rank(table), "flagged": flagged_at(table)}
    if made is None:
        return {**found, "smallest_bound": np.nan, "tost_p": np.nan, "equivalent": None, "different": False}
    by_temperature = dict(zip(table["temperature"], made, strict=True))
    return {**found, **equivalence(temperature_pairs(by_temperature, paired=False))}


def equal_widths() -> pd.DataFrame:
    """R3's question at T = 1: the fits of quantile ratings and of equal widths, by ``variant``."""
    parts = [(QUANTILES, paper.published_cells())]
    binned = binned_cells()
    for _, own in binned.frame.groupby(["model", "dataset"], sort=False):
        group = binned.select(binned.frame.index.isin(own.index))
        parts += [(TWENTY, group), (NEAR_MEDIAN, cut_near_median(group))]
    tables = []
    for variant, counts in parts:
        at_one = (
            counts.select(counts.frame["temperature"] == REFERENCE) if "temperature" in counts.by else counts
        )
        tables.append(_flagged(cells.estimate(at_one), at_one, variant))
    table = pd.concat(tables, ignore_index=True)
    return table.assign(dataset=table["dataset"].map(paper.DATASETS)).sort_values(
        "dataset", kind="stable", ascending=False, ignore_index=True
    )


def marking() -> pd.DataFrame:
    """Accuracy at T = 1 under other thresholds of similarity: ``model, dataset`` and one column a threshold."""
    table = scoring()
    table = table[table["temperature"] == REFERENCE]
    marks = {0.80: "accuracy_loose", THRESHOLD: "accuracy_used", 0.90: "accuracy_strict"}
    share = table["n_correct"] / (table["n_correct"] + table["n_incorrect"])
    wide = table.assign(share=share).pivot_table(
        index=["model", "dataset"], columns="similarity_threshold", values="share", sort=False
    )
    found = wide.rename(columns=marks)[list(marks.values())].reset_index().rename_axis(columns=None)
    return found.replace({"model": paper.MODELS, "dataset": paper.DATASETS})
