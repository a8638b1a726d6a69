"""Do the ratings behave as ratings should? Do they order accuracy, are the cells large enough, and are marks right?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.report.views import Views
from metacog.sdt.type1 import z_roc
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import marks_by_eye, paper
from metacog.studies.study1_qa.cells import (
    GROUP,
    MIN_CLASS,
    PUBLISHED_FILES,
    RECOMPUTED,
    RUN,
    Cells,
    Flag,
    estimate,
    open_trials,
    rate_trials,
    stacked,
)
from metacog.studies.study1_qa.h2 import domain_cells
from metacog.trials import SCORE

COMPARED = ["model", "dataset", "q1", "q2", "q3", "q4", "monotone", "d_prime", "d_a"]


@analysis(needs=("open",), files=(*PUBLISHED_FILES, marks_by_eye.FILE, marks_by_eye.SIMILAR))
def validation(inputs: Inputs) -> dict[str, Any]:
    """Do ratings order accuracy, and are the cells large enough?"""
    trials = open_trials(inputs)
    rated = rate_trials(trials)
    sources = {RECOMPUTED: paper.published_cells(), RUN: rated.cells()}
    compared = {
        source: quartile_accuracy(cells).merge(sensitivity(cells), on=list(GROUP))[COMPARED]
        for source, cells in sources.items()
    }
    theirs = compared[RECOMPUTED]
    earlier = theirs["model"].map(paper.EARLIER_D_A).where(theirs["dataset"] == paper.MAIN)
    compared[RECOMPUTED] = theirs.assign(earlier=earlier)
    return {
        "minimums": domain_minimums(domain_cells(rated)),
        "answers": answer_table(trials),
        "comparison": stacked(**compared),
        "by_eye": marks_by_eye.mismarked(trials),
        "rules": marks_by_eye.rules_compared(trials),
        "changes": marks_by_eye.changes(trials),
        "empty": int(trials[SCORE].isna().sum()),
    }


def quartile_accuracy(cells: Cells) -> pd.DataFrame:
    """Accuracy by quartile of NLP at T = 1, and whether it rises: None where there are no quartiles, or one is empty.

    With quantile edges the quartiles' edges are among the ratings' edges, so counts of eight (or 4m) ratings are
    enough. A coarse signal has no quartiles.
    """
    s1, s2 = (x.reshape(len(cells), 4, -1).sum(axis=2) for x in (cells.nR_S1, cells.nR_S2))
    n = s1 + s2
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = np.where((n > 0) & ~cells.coarse[:, None], s2 / n, np.nan)
    known = pd.Series(np.isfinite(accuracy).all(axis=1), cells.frame.index)
    rises = pd.Series((np.diff(accuracy, axis=1) > 0).all(axis=1), cells.frame.index)
    table = cells.frame[list(cells.by)].assign(**{f"q{q + 1}": accuracy[:, q] for q in range(4)})
    return table.assign(monotone=rises if known.all() else rises.astype(object).where(known, None))


def domain_minimums(cells: Cells) -> pd.DataFrame:
    """Counts by domain, the smaller class, and whether it is enough: None where no confidence could be read."""
    fewest = cells.frame[["n_correct", "n_incorrect"]].min(axis=1)
    enough = fewest >= MIN_CLASS
    silent = cells.frame["flag"] == Flag.SILENT
    return cells.frame[list(cells.by)].assign(
        fewest=fewest.astype("float64").mask(silent),
        enough=enough.astype(object).where(~silent, None) if silent.any() else enough,
    )


def sensitivity(cells: Cells) -> pd.DataFrame:
    """Type-1 d' (with 0.5 a cell, as everywhere) beside d_a of the z-ROC (no correction)."""
    table, d_a, good = estimate(cells)[[*cells.by, "d_prime"]], np.full(len(cells), np.nan), cells.measurable
    if good.any():
        d_a[good] = z_roc(cells.nR_S1[good], cells.nR_S2[good]).d_a
    return table.assign(d_a=d_a)


def answer_table(trials: pd.DataFrame) -> pd.DataFrame:
    grouped = trials.assign(empty=trials[SCORE].isna()).groupby([*GROUP, "temperature"], sort=False)
    return grouped[["truncated", "empty"]].mean().reset_index()


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand; see :func:`.marks_by_eye.figures`."""
    enough = result.minimums["enough"].astype(bool)
    return {"n_small": int((~enough).sum()), "n_subjects": len(enough), **marks_by_eye.figures(result)}


VIEWS = Views("validation", names=paper.NAMES, numbers=figures)
