"""Figures of study 1 that the counts of the author's first paper (arXiv 2603.14893) give, or hem in.

These are correct and incorrect answers in 20 equal-width bins of NLP, whose edges are the same at every temperature
of a model and question set; correct answers by domain; and correct answers under other thresholds of similarity. A
cell may lack or double a single trial against the study's own.

Accuracy and n are theirs exactly, or within that single trial. AUROC2 and meta-I2r of eight ratings with each
temperature's own edges are not known from 20 bins, but the ratings are equally filled, so both are bounded
(:mod:`metacog.forensics.tables`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd

from metacog.forensics.tables import (
    auroc2_bounds,
    rating_auroc2_bounds,
    rating_information_bounds,
    with_one_trial,
)
from metacog.ledger.entry import Value
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import REFERENCE, Cells, Flag, IntArray, cells_from_counts
from metacog.studies.study1_qa.h3 import TEMPERATURES
from metacog.studies.study1_qa.ledger.cells import estimated, printed, records, recounted
from metacog.studies.study1_qa.ledger.rows import Values

#: Equally filled ratings that the first paper's figures are of.
RATINGS = 8

FROM_FIRST_PAPER = "counts of the author's first paper"
BY = ("model", "dataset", "temperature")
#: Threshold of similarity that both papers mark with.
THRESHOLD = 0.85


@cache
def bins() -> pd.DataFrame:
    """``model, dataset, temperature, bin, nlp_from, nlp_to, n_correct, n_incorrect``, one row per bin."""
    return paper.as_numbers(paper.FIRST_PAPER["bins"])


@cache
def domains() -> pd.DataFrame:
    """``model, domain, n, n_correct, n_incorrect`` at T = 1."""
    return paper.as_numbers(paper.FIRST_PAPER["domains"])


@cache
def scoring() -> pd.DataFrame:
    """``model, dataset, temperature, similarity_threshold, n_correct, n_incorrect``, of three models."""
    return paper.as_numbers(paper.FIRST_PAPER["scoring"])


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


Bounds = tuple[float, float]


def first_paper_values() -> Values:
    """Every printed figure that the first paper's counts give or hem in."""
    return {**_temperatures(), **_domains(), **_raw_auroc2()}


def accuracy_falls() -> Value:
    """In how many models accuracy falls as temperature rises."""
    cells = binned_cells(paper.MAIN)
    asked = cells.frame[cells.frame["temperature"].isin(TEMPERATURES)].sort_values(
        "temperature", kind="stable"
    )
    falls = [bool((np.diff(own["accuracy"]) < 0).all()) for _, own in asked.groupby("model")]
    return recounted(float(sum(falls)), FROM_FIRST_PAPER)


def trials_counted() -> Value:
    """All trials of the study, each of whose cells may lack or double one in these counts."""
    found = [binned_cells(name).frame for name in paper.DATASETS]
    n, cells = sum(int(frame["n"].sum()) for frame in found), sum(map(len, found))
    note = f"{cells} cells of a model, a question set and a temperature; one trial a cell is allowed for"
    return recounted(float(n), FROM_FIRST_PAPER, note=note, reach=float(cells))


def cells_above(least: int) -> Value:
    """Cells of a model and a domain with more than ``least`` right and more than ``least`` wrong answers."""
    named = {f.keys for f in paper.figures("v2_domain")}
    rarer = [
        min(row["n_correct"], row["n_incorrect"])
        for row in records(domains())
        if (row["model"], row["domain"]) in named
    ]
    note = f"of {len(rarer)} cells; the rarer outcome has {min(rarer)} answers or more"
    return recounted(float(sum(n > least for n in rarer)), FROM_FIRST_PAPER, note=note)


def share_and_size(n_correct: int, n: int, n_printed: int) -> dict[str, Value]:
    """Accuracy and n of a cell, with the reach of one trial where it lacks or doubles one.

    Parameters
    ----------
    n_correct, n : int
        Of the first paper.
    n_printed : int
        Answers that the study prints. Only a difference of one trial is made allowance for: then n may lie
        off by one, and accuracy by what adding or taking away one answer, right or wrong, can do.
    """
    change = n_printed - n
    reach, note = 0.0, ""
    if abs(change) == 1:
        either = [(n_correct + k) / n_printed for k in (0, change)]
        reach = max(abs(a - n_correct / n) for a in either)
        note = f"its cell {'lacks' if change > 0 else 'doubles'} one trial"
    size = recounted(float(n), FROM_FIRST_PAPER, note=note, reach=float(abs(change) == 1))
    return {"acc": recounted(n_correct / n, FROM_FIRST_PAPER, note=note, reach=reach), "n": size}


def _temperatures() -> Values:
    values: Values = {}
    cells = binned_cells(paper.MAIN)
    for i, row in enumerate(records(cells.frame)):
        if row["temperature"] not in TEMPERATURES:
            continue
        keys = (row["model"], f"{row['temperature']:.1f}")
        figures = printed("v2_temperature")
        n = int(figures[keys, "n"])
        found = share_and_size(int(row["n_correct"]), int(row["n"]), n)
        tables = with_one_trial(cells.nR_S1[i], cells.nR_S2[i], n) if abs(n - row["n"]) <= 1 else None
        if tables is not None and n % RATINGS == 0:
            found |= _hemmed(tables, n, figures[keys, "null_mean"])
        values |= {("v2_temperature", keys, quantity): value for quantity, value in found.items()}
    return values


def _hemmed(tables: tuple[IntArray, IntArray], n: int, null_mean: float) -> dict[str, Value]:
    """AUROC2 and meta-I2r of eight equally filled ratings over any of these tables of bins."""
    sizes = np.full(RATINGS, n // RATINGS)
    area = _union(tables, lambda a, b: rating_auroc2_bounds(a, b, sizes))
    info = _union(tables, lambda a, b: rating_information_bounds(a, b, sizes))
    less = f"plug-in bounds less the published null mean {null_mean:.6f}"
    shifted = (info[0] - null_mean, info[1] - null_mean)
    return {
        "auroc2": estimated(float("nan"), FROM_FIRST_PAPER, bounds=area),
        "meta_i2r": estimated(float("nan"), FROM_FIRST_PAPER, bounds=shifted, note=less),
    }


def _union(tables: tuple[IntArray, IntArray], ends: Callable[[IntArray, IntArray], Bounds]) -> Bounds:
    found = [ends(a, b) for a, b in zip(*tables, strict=True)]
    return min(low for low, _ in found), max(high for _, high in found)


def _domains() -> Values:
    values: Values = {}
    table = domains()
    listed = {f.keys for f in paper.figures("v2_domain")}
    for row in records(table):
        keys = (row["model"], row["domain"])
        if keys in listed:
            n = int(printed("v2_domain")[keys, "n"])
            for quantity, value in share_and_size(row["n_correct"], row["n"], n).items():
                values["v2_domain", keys, quantity] = value
    for domain, own in table.groupby("domain"):
        if own["n"].nunique() == 1:
            values["v1_domain_trials", (str(domain),), "n"] = recounted(
                float(own["n"].iloc[0]), FROM_FIRST_PAPER
            )
    return values


def _raw_auroc2() -> Values:
    """AUROC2 of raw NLP at T = 1: within the ends of the 20 bins and within those of the eight ratings."""
    values: Values = {}
    cells = binned_cells(paper.MAIN)
    ends: dict[str, Bounds] = {}
    for model in paper.MODELS:
        cell = paper.counts()[model, paper.MAIN]
        binned = cells.table(model=model, dataset=paper.MAIN, temperature=1.0)
        found = [auroc2_bounds(*binned), auroc2_bounds(cell.nR_S1, cell.nR_S2)]
        ends[model] = float(max(low for low, _ in found)), float(min(high for _, high in found))
        values["v1_table3_auroc2", (model,), "auroc2"] = estimated(
            float("nan"), f"{FROM_FIRST_PAPER}, and the eight ratings at T = 1", bounds=ends[model]
        )
    for model, place in place_bounds(pd.DataFrame(ends, index=["low", "high"]).T).items():
        values["v1_table3_auroc2", (model,), "auroc2_rank"] = estimated(
            float("nan"), f"{FROM_FIRST_PAPER}, and the eight ratings at T = 1", bounds=place
        )
    return values


def place_bounds(ends: pd.DataFrame) -> dict[str, Bounds]:
    """First and last place, the highest being 1, that figures known only by ``low`` and ``high`` can take."""
    found = {}
    for name, row in ends.iterrows():
        others = ends.drop(index=name)
        first = 1 + int((others["low"] > row["high"]).sum())
        last = 1 + int((others["high"] > row["low"]).sum())
        found[str(name)] = (float(first), float(last))
    return found
