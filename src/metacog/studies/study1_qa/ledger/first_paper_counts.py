"""Counts of the author's first paper (arXiv 2603.14893), in which the study's trials were first used.

Correct and incorrect answers in 20 equal-width bins of NLP, whose edges are the same at every
temperature of a model and question set; correct answers by domain; and correct answers under other
thresholds of similarity. A cell may lack or double a single trial against the study's own.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from metacog.studies.study1_qa.cells.counts import REFERENCE, Cells, cells_from_counts
from metacog.studies.study1_qa.cells.flags import Flag
from metacog.studies.study1_qa.ledger import published

FROM_FIRST_PAPER = "counts of the author's first paper"
BY = ("model", "dataset", "temperature")
#: Threshold of similarity that both papers mark with.
THRESHOLD = 0.85


@cache
def bins() -> pd.DataFrame:
    """``model, dataset, temperature, bin, nlp_from, nlp_to, n_correct, n_incorrect``, one row per bin."""
    return published.as_numbers(published.FIRST_PAPER["bins"])


@cache
def domains() -> pd.DataFrame:
    """``model, domain, n, n_correct, n_incorrect`` at T = 1."""
    return published.as_numbers(published.FIRST_PAPER["domains"])


@cache
def scoring() -> pd.DataFrame:
    """``model, dataset, temperature, similarity_threshold, n_correct, n_incorrect``, of three models."""
    return published.as_numbers(published.FIRST_PAPER["scoring"])


@cache
def binned_cells(dataset: str | None = None) -> Cells:
    """Counts in the 20 bins of every model and temperature, of one question set or of both.

    No flag is set: what is sound depends on how the bins are read.
    """
    table = bins() if dataset is None else bins()[bins()["dataset"] == dataset]
    wide = table.pivot_table(index=list(BY), columns="bin", values=["n_incorrect", "n_correct"], sort=False)
    wrong, right = (wide[name].to_numpy(dtype=np.int64) for name in ("n_incorrect", "n_correct"))
    frame = wide.index.to_frame(index=False)
    n_correct, n = right.sum(axis=1), (wrong + right).sum(axis=1)
    frame = frame.assign(
        n_correct=n_correct,
        n_incorrect=n - n_correct,
        n=n,
        n_dropped=0,
        accuracy=n_correct / n,
        flag=Flag.NONE.value,
    )
    return Cells(frame, wrong, right, BY)


def cut_near_median(cells: Cells) -> Cells:
    """The same trials in fewer ratings, cut in two at the edge nearest the median of T = 1.

    Equal widths cut the range of NLP in the middle, where hardly a trial lies below. Here the middle cut
    is the edge that halves the trials of T = 1 best among those with two or more bins above; every bin
    above it is a rating, and as many lie below it, of which the lowest holds all the rest. Edges still
    do not move with temperature.

    Parameters
    ----------
    cells : Cells
        Of one model and question set, at T = 1 and other temperatures.
    """
    totals = cells.nR_S1 + cells.nR_S2
    at_one = totals[(cells.frame["temperature"] == REFERENCE).to_numpy()][0]
    below = np.cumsum(at_one)[:-1] / at_one.sum()
    n = at_one.size
    edges = np.arange(n // 2, n - 1)  # first bin above: at most half of the bins, at least two
    cut = int(edges[np.argmin(np.abs(below[edges - 1] - 0.5))])
    first = cut - (n - cut) + 1  # the lowest rating holds everything below this bin
    parts = [
        np.concatenate([x[:, :first].sum(axis=1, keepdims=True), x[:, first:]], axis=1)
        for x in (cells.nR_S1, cells.nR_S2)
    ]
    keys = cells.frame[list(cells.by)]
    long = [
        keys.assign(rating=r + 1, n_incorrect=parts[0][:, r], n_correct=parts[1][:, r])
        for r in range(parts[0].shape[1])
    ]
    return cells_from_counts(pd.concat(long, ignore_index=True), by=cells.by)
