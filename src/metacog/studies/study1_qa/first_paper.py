"""What do the first paper's counts show for the same models?

H3 asks for rating edges that stay where they are as temperature moves, and the counts of the author's first paper
have them. Equal widths, though, put the middle of the range where hardly an answer lies, and d' rests on the middle
cut; so the same edges are read twice: as 20 ratings, ten on either side of the middle of the range, and as fewer
ratings cut at the edge nearest the median of T = 1. R3 and the marking threshold are read from them, too.

Counts do not say which questions were answered at two temperatures, so temperatures are resampled independently:
intervals of differences are wider than paired ones if anything, and a TOST errs towards "not shown".
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import cells, paper
from metacog.studies.study1_qa.cells import REFERENCE
from metacog.studies.study1_qa.h3 import equivalence, flagged_at, range_and_rank, temperature_pairs
from metacog.studies.study1_qa.ledger.first_paper import THRESHOLD, binned_cells, cut_near_median, scoring

#: Ways of reading the bins: the column ``variant``.
TWENTY, NEAR_MEDIAN = "20 equal widths", "cut near the median"
QUANTILES = "8 quantiles"


@analysis(files=cells.PUBLISHED_FILES)
def first_paper(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> dict[str, Any]:
    """What do the first paper's counts show for the same models?"""
    temperatures, summary = from_bins(n_resamples=n_resamples, seed=seed)
    return {"temperatures": temperatures, "summary": summary, "widths": equal_widths(), "marking": marking()}


def from_bins(*, n_resamples: int = 2_000, seed: int = 42) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Estimates by way of reading the bins, model and temperature; and H3's statistics by way and model.

    Of the counts cut near the median alone there are resamples.
    """
    every = binned_cells(paper.MAIN)
    tables: dict[str, list[pd.DataFrame]] = {TWENTY: [], NEAR_MEDIAN: []}
    rows: dict[str, list[dict[str, object]]] = {TWENTY: [], NEAR_MEDIAN: []}
    for model in dict.fromkeys(every.frame["model"]):
        group = every.select(every.frame["model"] == model)
        few = cut_near_median(group)
        drawn, made = cells.fits(few, n_resamples=n_resamples, seed=seed)
        made_at = dict(zip(few.frame["temperature"], made, strict=True))
        equal: dict[str, object] = {"smallest_bound": np.nan, "equivalent": None, "different": False}
        told = {TWENTY: equal, NEAR_MEDIAN: equivalence(temperature_pairs(made_at, paired=False))}
        for variant, table in ((TWENTY, cells.estimate(group)), (NEAR_MEDIAN, drawn)):
            table = table.assign(variant=variant, model=paper.MODELS[model])
            about = {"variant": variant, "model": paper.MODELS[model], "dataset": paper.MAIN}
            tables[variant].append(table)
            rows[variant].append(
                {**about, **range_and_rank(table), "flagged": flagged_at(table), **told[variant]}
            )
    return (
        pd.concat([one for own in tables.values() for one in own], ignore_index=True),
        pd.DataFrame([row for own in rows.values() for row in own]),
    )


def equal_widths() -> pd.DataFrame:
    """R3's question at T = 1: the fits of quantile ratings and of equal widths, by ``variant``."""
    binned = binned_cells()
    parts = [(QUANTILES, paper.published_cells())]
    for _, rows in binned.frame.groupby(["model", "dataset"], sort=False):
        group = binned.select(binned.frame.index.isin(rows.index))
        for variant, counts in ((TWENTY, group), (NEAR_MEDIAN, cut_near_median(group))):
            parts.append((variant, counts.select(counts.frame["temperature"] == REFERENCE)))
    table = pd.concat([cells.estimate(counts).assign(variant=variant) for variant, counts in parts])
    table = table.assign(model=table["model"].map(paper.MODELS), dataset=table["dataset"].map(paper.DATASETS))
    return table.sort_values("dataset", kind="stable", ascending=False, ignore_index=True)


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
