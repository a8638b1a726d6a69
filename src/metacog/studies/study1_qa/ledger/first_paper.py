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
from functools import cache, partial

import numpy as np
import pandas as pd

from metacog.forensics.tables import (
    auroc2_bounds,
    rating_auroc2_bounds,
    rating_information_bounds,
    with_one_trial,
)
from metacog.ledger.entry import Kind, Value
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import REFERENCE, Cells, IntArray, cells_from_counts, cells_of, counted
from metacog.studies.study1_qa.h3 import TEMPERATURES
from metacog.studies.study1_qa.ledger.rows import estimated, recounted

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
    """Counts in the 20 bins of every model and temperature, of one question set or of both; without flags."""
    table = bins() if dataset is None else bins()[bins()["dataset"] == dataset]
    return cells_from_counts(table.rename(columns={"bin": "rating"}), BY, counted)


def cut_near_median(cells: Cells) -> Cells:
    """The same trials in fewer ratings, cut in two at the edge nearest the median of T = 1.

    Equal widths cut the range of NLP in the middle, where hardly a trial lies below. Here the middle cut
    is the edge that halves the trials of T = 1 best among those with two or more bins above; every bin
    above it is a rating, and as many lie below it, of which the lowest holds all the rest. Edges still
    do not move with temperature.
    The cells are those of one model and question set.
    """
    totals = cells.nR_S1 + cells.nR_S2
    at_one = totals[(cells.frame["temperature"] == REFERENCE).to_numpy()][0]
    below = np.cumsum(at_one)[:-1] / at_one.sum()
    n = at_one.size
    edges = np.arange(n // 2, n - 1)  # first bin above: at most half of the bins, at least two
    cut = int(edges[np.argmin(np.abs(below[edges - 1] - 0.5))])
    first = cut - (n - cut) + 1  # the lowest rating holds everything below this bin
    wrong, right = (
        np.concatenate([x[:, :first].sum(axis=1, keepdims=True), x[:, first:]], axis=1)
        for x in (cells.nR_S1, cells.nR_S2)
    )
    return cells_of(cells.frame[list(cells.by)], wrong, right)


Bounds = tuple[float, float]


def first_paper_figures() -> pd.DataFrame:
    table = domains()
    sizes = table.groupby("domain").filter(lambda own: own["n"].nunique() == 1).drop_duplicates("domain")
    listed = set(paper.figures("v2_domain")["keys"])
    named = table[[keys in listed for keys in zip(table["model"], table["domain"], strict=True)]]
    parts = [*_temperatures(), *share_and_size("v2_domain", named), *_raw_auroc2()]
    return pd.concat(
        [*parts, recounted("v1_domain_trials", sizes, source=FROM_FIRST_PAPER)], ignore_index=True
    )


def claims() -> dict[str, Value]:
    """Claims of the text that the counts settle, by id: how many models fall, trials, and cells above fifty."""
    main = binned_cells(paper.MAIN).frame
    asked = main[main["temperature"].isin(TEMPERATURES)].sort_values("temperature", kind="stable")
    falls = [bool((np.diff(own["accuracy"]) < 0).all()) for _, own in asked.groupby("model")]
    every = pd.concat([binned_cells(name).frame for name in paper.DATASETS])
    note = f"{len(every)} cells of a model, a question set and a temperature; one trial a cell is allowed for"
    counted = partial(Value, source=FROM_FIRST_PAPER, kind=Kind.RECOUNTED)
    return {
        "v2_accuracy_falls": counted(float(sum(falls))),
        "v1_trials": counted(float(every["n"].sum()), note=note, reach=float(len(every))),
        "v1_cells_above_50": cells_above(50),
    }


def cells_above(least: int) -> Value:
    """Cells of a model and a domain with more than ``least`` right and more than ``least`` wrong answers."""
    table, named = domains(), set(paper.figures("v2_domain")["keys"])
    listed = [keys in named for keys in zip(table["model"], table["domain"], strict=True)]
    rarer = table.loc[listed, ["n_correct", "n_incorrect"]].min(axis=1)
    note = f"of {len(rarer)} cells; the rarer outcome has {rarer.min()} answers or more"
    return Value(float((rarer > least).sum()), FROM_FIRST_PAPER, note=note, kind=Kind.RECOUNTED)


def share_and_size(table: str, counts: pd.DataFrame) -> list[pd.DataFrame]:
    """Accuracy and n of cells, with the reach of one trial where one lacks or doubles one.

    Only a difference of one trial from the printed size is made allowance for: then n may lie off by one, and
    accuracy by what adding or taking away one answer, right or wrong, can do.
    """
    n, right = counts["n"].to_numpy(), counts["n_correct"].to_numpy()
    frame = counts.assign(acc=right / n)
    keys = recounted(table, frame, ("n",))["keys"]
    shown = np.array([paper.printed(table)[key, "n"] for key in keys])
    change = shown - n
    either = np.abs([right / shown - right / n, (right + change) / shown - right / n]).max(axis=0)
    one = np.abs(change) == 1
    words = {1: "its cell lacks one trial", -1: "its cell doubles one trial"}
    notes = [words.get(int(by), "") for by in change]
    about = {"source": FROM_FIRST_PAPER, "note": notes}
    return [
        recounted(table, frame, ("acc",), reach=list(np.where(one, either, 0.0)), **about),
        recounted(table, frame, ("n",), reach=list(one.astype(float)), **about),
    ]


def _temperatures() -> list[pd.DataFrame]:
    cells = binned_cells(paper.MAIN)
    cells = cells.select(cells.frame["temperature"].isin(TEMPERATURES))
    frame, printed = cells.frame.rename(columns={"temperature": "T"}), paper.printed("v2_temperature")
    areas, infos, kept, off = [], [], [], []
    for i, keys in enumerate(recounted("v2_temperature", frame, ("n",))["keys"]):
        n, null_mean = int(printed[keys, "n"]), printed[keys, "null_mean"]
        if abs(n - frame["n"][i]) > 1 or n % RATINGS:
            continue
        # eight equally filled ratings, over any of these tables of bins
        sizes, tables = np.full(RATINGS, n // RATINGS), with_one_trial(cells.nR_S1[i], cells.nR_S2[i], n)
        areas.append(_union(tables, rating_auroc2_bounds, sizes))
        info = _union(tables, rating_information_bounds, sizes)
        infos.append((info[0] - null_mean, info[1] - null_mean))
        kept.append(i)
        off.append(f"plug-in bounds less the published null mean {null_mean:.6f}")
    own = frame.loc[kept].assign(auroc2=np.nan, meta_i2r=np.nan)
    return [
        *share_and_size("v2_temperature", frame),
        estimated("v2_temperature", own, ("auroc2",), source=FROM_FIRST_PAPER, bounds=areas),
        estimated("v2_temperature", own, ("meta_i2r",), source=FROM_FIRST_PAPER, bounds=infos, note=off),
    ]


def _union(tables: tuple[IntArray, IntArray], ends: Callable[..., Bounds], sizes: IntArray) -> Bounds:
    found = [ends(a, b, sizes) for a, b in zip(*tables, strict=True)]
    return min(low for low, _ in found), max(high for _, high in found)


def _raw_auroc2() -> list[pd.DataFrame]:
    """AUROC2 of raw NLP at T = 1: within the ends of the 20 bins and within those of the eight ratings."""
    cells = binned_cells(paper.MAIN)
    ends: dict[str, Bounds] = {}
    for model in paper.MODELS:
        cell = paper.counts()[model, paper.MAIN]
        binned = cells.table(model=model, dataset=paper.MAIN, temperature=1.0)
        found = [auroc2_bounds(*binned), auroc2_bounds(cell.nR_S1, cell.nR_S2)]
        ends[model] = float(max(low for low, _ in found)), float(min(high for _, high in found))
    frame = pd.DataFrame({"model": list(ends), "auroc2": np.nan, "auroc2_rank": np.nan})
    places = place_bounds(pd.DataFrame(ends, index=["low", "high"]).T)
    source = f"{FROM_FIRST_PAPER}, and the eight ratings at T = 1"
    return [
        estimated("v1_table3_auroc2", frame, (name,), source=source, bounds=list(bounds.values()))
        for name, bounds in (("auroc2", ends), ("auroc2_rank", places))
    ]


def place_bounds(ends: pd.DataFrame) -> dict[str, Bounds]:
    """First and last place, the highest being 1, that figures known only by ``low`` and ``high`` can take."""
    found = {}
    for name, row in ends.iterrows():
        others = ends.drop(index=name)
        first = 1 + int((others["low"] > row["high"]).sum())
        last = 1 + int((others["high"] > row["low"]).sum())
        found[str(name)] = (float(first), float(last))
    return found
