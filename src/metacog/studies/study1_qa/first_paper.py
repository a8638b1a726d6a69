"""What do the first paper's counts show for the same models over temperature?

H3 asks for rating edges that stay where they are as temperature moves, and the counts of the author's first paper
have them. Equal widths, though, put the middle of the range where hardly an answer lies, and d' rests on the middle
cut; so they are read as fewer ratings, cut at the edge nearest the median of T = 1. The marking threshold and R3
(:mod:`.robustness`) are read from them, too.

Counts do not say which questions were answered at two temperatures, so temperatures are resampled independently:
intervals of differences are wider than paired ones if anything, and a TOST errs towards "not shown".
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import cells, paper
from metacog.studies.study1_qa.cells import REFERENCE
from metacog.studies.study1_qa.h3 import BOUND, equivalence, flagged_at, range_and_rank, temperature_pairs
from metacog.studies.study1_qa.ledger.first_paper import THRESHOLD, binned_cells, cut_near_median, scoring

#: Where values come from: the column ``variant``.
NEAR_MEDIAN, AS_PRINTED = "counts cut near the median", "as printed, with other edges"


@analysis(files=cells.PUBLISHED_FILES)
def first_paper(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> dict[str, Any]:
    """What do the first paper's counts show for the same models?"""
    temperatures, summary = from_bins(n_resamples=n_resamples, seed=seed)
    printed = paper.as_numbers("v1_table7_temperature").assign(variant=AS_PRINTED)
    table = pd.concat([temperatures, printed.replace({"model": paper.MODELS})], ignore_index=True)
    return {"temperatures": table, "summary": summary, "marking": marking()}


def from_bins(*, n_resamples: int = 2_000, seed: int = 42) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Estimates by model and temperature, with limits; and H3's statistics by model."""
    every = binned_cells(paper.MAIN)
    tables, rows = [], []
    for model in dict.fromkeys(every.frame["model"]):
        few = cut_near_median(every.select(every.frame["model"] == model))
        table, made = cells.fits(few, n_resamples=n_resamples, seed=seed)
        table = table.assign(variant=NEAR_MEDIAN, model=paper.MODELS[model])
        made_at = dict(zip(few.frame["temperature"], made, strict=True))
        about = {"model": paper.MODELS[model], "dataset": paper.MAIN}
        equal = equivalence(temperature_pairs(made_at, paired=False))
        tables.append(table)
        rows.append({**about, **range_and_rank(table), **flagged_at(table), **equal})
    return pd.concat(tables, ignore_index=True), pd.DataFrame(rows)


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


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand: how far meta-d' moves, and in how many models both
    registered conditions hold.
    """
    rows = result.summary.sort_values("meta_d_range")
    below = rows["meta_d_range"] < BOUND
    first, second = (rows[name].astype(bool) for name in ("tost_pass", "relative_robust"))
    return {
        "n_theirs": len(rows),
        "n_sound": int((rows["flagged"] == "").sum()),
        "n_still": int(below.sum()),
        "still": listed(rows.loc[below, "model"]),
        "moving": listed(rows.loc[~below, "model"]),
        "still_most": float(rows.loc[below, "meta_d_range"].max()),
        "moving_least": float(rows.loc[~below, "meta_d_range"].min()),
        "moving_most": float(rows["meta_d_range"].max()),
        "n_both": int((first & second).sum()),
    }


VIEWS = Views("first_paper", names=paper.NAMES, numbers=figures)
