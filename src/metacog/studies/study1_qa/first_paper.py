"""What do the first paper's counts show for the same models?

H3 asks for rating edges that stay where they are as temperature moves, and the counts of the author's first paper
have them. Equal widths, though, put the middle of the range where hardly an answer lies, and d' rests on the middle
cut; so the same edges are read twice: as 20 ratings, ten on either side of the middle of the range, and as fewer
ratings cut at the edge nearest the median of T = 1. R3 and the marking threshold are read from them, too.

Counts do not say which questions were answered at two temperatures, so temperatures are resampled independently:
intervals of differences are wider than paired ones if anything, and a TOST errs towards "not shown".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.forensics.tables import relabelled_auroc2_bounds
from metacog.measures.cell import Measured
from metacog.sdt.bootstrap import padding
from metacog.sdt.checks import FloatArray
from metacog.sdt.information import meta_i2r
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study import analysis
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import PUBLISHED_FILES, REFERENCE, Cells, estimate, fits, table_flags
from metacog.studies.study1_qa.ledger.first_paper import THRESHOLD, binned_cells, cut_near_median, scoring
from metacog.studies.study1_qa.paper import MODELS
from metacog.studies.study1_qa.temperatures import (
    BOUND,
    equivalence,
    flagged_at,
    range_and_rank,
    temperature_pairs,
    tost_units,
)
from metacog.verdicts.rules import judged, those
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


TWENTY = "20 equal widths"
NEAR_MEDIAN = "cut near the median"
QUANTILES = "8 quantiles"
RULE = (
    f"Over T = 0.3, 0.5, 0.7 and 1.0 the 90 % interval of every difference of meta-d' lies within ±{BOUND} "
    "(two one-sided tests at 5 %), in every model; an interval wholly outside refutes it."
)


@dataclass(frozen=True)
class OnTemperatures:
    """H3 on the first paper's counts.

    Attributes
    ----------
    table : DataFrame
        One row per way of reading the bins, model and temperature: ``variant, model, temperature, n,
        accuracy, below`` (trials below the middle cut), ``d_prime, c, meta_d, m_ratio, high_criterion,
        auroc2, meta_i2r, padding`` (how far d' moves with it), ``flag``; limits of d', meta-d' where drawn.
    summary : DataFrame
        One row per variant and model: H3's range and ranks over its temperatures, ``smallest_bound`` a TOST
        would pass with, ``tost_p, equivalent, different``, and ``flagged``: what is unsound about its cells.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    summary: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def h3_from_bins(*, n_resamples: int = 2000, seed: int = 42, verdicts: bool = True) -> OnTemperatures:
    """H3 on the paper's own models at seven temperatures, with edges that do not move."""
    every = binned_cells(paper.MAIN)
    tables, rows = [], []
    for model in dict.fromkeys(every.frame["model"]):
        group = every.select(every.frame["model"] == model)
        few = cut_near_median(group)
        drawn, made = fits(few, n_resamples=n_resamples, seed=seed)
        for variant, cells, one, draws in (
            (TWENTY, group, estimate(group), None),
            (NEAR_MEDIAN, few, drawn, made),
        ):
            table = _measured(cells, variant, one)
            tables.append(table)
            rows.append({"variant": variant, "model": model, "dataset": paper.MAIN, **_summary(table, draws)})
    table, summary = (
        frame.assign(model=frame["model"].map(MODELS))
        for frame in (pd.concat(tables, ignore_index=True), pd.DataFrame(rows))
    )
    order = {TWENTY: 0, NEAR_MEDIAN: 1}
    table, summary = (
        frame.sort_values("variant", key=lambda c: c.map(order), kind="stable").reset_index(drop=True)
        for frame in (table, summary)
    )
    return OnTemperatures(table, summary, judge(summary) if verdicts else ())


def _measured(cells: Cells, variant: str, table: pd.DataFrame) -> pd.DataFrame:
    half = cells.nR_S1.shape[1] // 2
    return table.assign(
        variant=variant,
        k=half,
        below=(cells.nR_S1 + cells.nR_S2)[:, :half].sum(axis=1),
        auroc2=auroc2_from_counts(cells.nR_S1, cells.nR_S2),
        meta_i2r=meta_i2r(cells.nR_S1, cells.nR_S2),
        padding=_moved_by_padding(cells),
        flag=table_flags(cells.nR_S1, cells.nR_S2),
    )


def _moved_by_padding(cells: Cells) -> FloatArray:
    """How far d' moves as the constant in every cell goes from 0.1 to 1."""
    return padding(cells.nR_S1, cells.nR_S2).d_prime_move


def _summary(table: pd.DataFrame, made: list[Measured] | None) -> dict[str, object]:
    """H3's statistics of one model; no decision where a cell of its temperatures is flagged."""
    found = {**range_and_rank(table), "flagged": flagged_at(table)}
    if made is None:
        return {**found, "smallest_bound": np.nan, "tost_p": np.nan, "equivalent": None, "different": False}
    by_temperature = dict(zip(table["temperature"], made, strict=True))
    return {**found, **equivalence(temperature_pairs(by_temperature, paired=False))}


def judge(summary: pd.DataFrame) -> tuple[Verdict, ...]:
    """What the counts show for H3, one verdict per way of reading the bins."""
    drawn = []
    for variant, rows in summary.groupby("variant", sort=False):
        units = tost_units(rows)
        one = judged(
            units,
            "H3",
            Kind.PUBLISHED,
            RULE,
            name="tost",
            topic="first paper",
            variant=str(variant),
            equivalent=those(units, True),
            different=those(units, False),
            smallest_bounds=rows["smallest_bound"].dropna().tolist(),
        )
        drawn.append(one)
    return tuple(drawn)


def with_table_7(table: pd.DataFrame) -> pd.DataFrame:
    """d', meta-d' and M-ratio of the printed table 7 next to those of the counts."""
    printed = paper.as_numbers("v1_table7_temperature")
    printed["model"] = printed["model"].map(MODELS)
    shown = ["d_prime", "meta_d", "m_ratio"]
    merged = printed.rename(columns={c: f"{c}_printed" for c in shown})
    return merged.merge(side_by_side(table), on=["model", "temperature"], how="left")


def side_by_side(table: pd.DataFrame) -> pd.DataFrame:
    """Both ways of reading the bins in one row per model and temperature.

    Columns of the 20 ratings end in ``_twenty``, those cut near the median in ``_median``; ``auroc2`` and
    ``meta_i2r`` are those of the 20 ratings.
    """
    fitted = ["d_prime", "meta_d", "m_ratio", "c", "high_criterion", "below", "flag"]
    keys = ["model", "temperature"]
    twenty, near = (table[table["variant"] == v] for v in (TWENTY, NEAR_MEDIAN))
    found = twenty[[*keys, "n", "accuracy", "auroc2", "meta_i2r"]]
    for group, mark in ((near, "median"), (twenty, "twenty")):
        renamed = group[[*keys, *fitted]].rename(columns={c: f"{c}_{mark}" for c in fitted})
        found = found.merge(renamed, on=keys)
    return found


def equal_widths() -> pd.DataFrame:
    """R3's question at T = 1: M-ratio, AUROC2 and meta-I2r on quantile ratings and on equal widths."""
    parts = [_measured(cells, QUANTILES, estimate(cells)) for cells in [paper.published_cells()]]
    binned = binned_cells()
    for model, dataset in dict.fromkeys(zip(binned.frame["model"], binned.frame["dataset"], strict=True)):
        group = binned.select((binned.frame["model"] == model) & (binned.frame["dataset"] == dataset))
        for variant, cells in ((TWENTY, group), (NEAR_MEDIAN, cut_near_median(group))):
            at_one = cells.select(cells.frame["temperature"] == REFERENCE)
            parts.append(_measured(at_one, variant, estimate(at_one)))
    table = pd.concat(parts, ignore_index=True)
    return table.assign(
        model=table["model"].map(MODELS), dataset=table["dataset"].map(paper.DATASETS)
    ).sort_values("dataset", kind="stable", ascending=False, ignore_index=True)


def marking() -> pd.DataFrame:
    """Accuracy at T = 1 under other thresholds of similarity, and how far AUROC2 can move with them.

    The counts by rating are those at 0.85. Under another threshold so many more or fewer answers count as
    correct, and which ratings they lie in is not known: AUROC2 lies between both extremes.
    """
    table = scoring()
    table = table[table["temperature"] == REFERENCE]
    rows = []
    for (model, dataset), group in table.groupby(["model", "dataset"], sort=False):
        group = group.set_index("similarity_threshold")
        cell = paper.counts()[str(model), str(dataset)]
        row: dict[str, object] = {"model": MODELS[str(model)], "dataset": paper.DATASETS[str(dataset)]}
        row["auroc2"] = float(auroc2_from_counts(cell.nR_S1, cell.nR_S2))
        for threshold, mark in ((0.80, "loose"), (THRESHOLD, "used"), (0.90, "strict")):
            right = int(group["n_correct"][threshold])
            row[f"accuracy_{mark}"] = right / float(right + group["n_incorrect"][threshold])
            if mark != "used":
                change = right - int(group["n_correct"][THRESHOLD])
                ends = relabelled_auroc2_bounds(cell.nR_S1, cell.nR_S2, change)
                row[f"auroc2_{mark}_lower"], row[f"auroc2_{mark}_upper"] = ends
        rows.append(row)
    return pd.DataFrame(rows)


# What do the first paper's counts show for the same models? What is computed.


@dataclass(frozen=True)
class FirstPaper:
    """H3 in ``temperatures`` and ``summary``, as in :class:`.estimates.OnTemperatures`.

    ``together`` holds both ways of reading the bins in one row per model and temperature, ``comparison``
    the printed table 7 next to it, ``widths`` R3's question at T = 1, ``marking`` accuracy under other
    thresholds of similarity.
    """

    temperatures: pd.DataFrame
    together: pd.DataFrame
    summary: pd.DataFrame
    comparison: pd.DataFrame
    widths: pd.DataFrame
    marking: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    resamples: int


@analysis(returns=FirstPaper, files=PUBLISHED_FILES)
def first_paper(
    inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True
) -> FirstPaper:
    """What do the first paper's counts show for the same models?"""
    read = h3_from_bins(n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    return FirstPaper(
        read.table,
        side_by_side(read.table),
        read.summary,
        with_table_7(read.table),
        equal_widths(),
        marking(),
        read.verdicts,
        n_resamples,
    )
