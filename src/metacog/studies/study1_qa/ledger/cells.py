"""Figures of study 1 that its analyses give for the published counts, with their Monte-Carlo errors.

Nothing is estimated here: every figure is read from the analysis that the chapters show.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.ledger.entry import Kind, Rival, Settings, Value
from metacog.ledger.tolerances import mean_error, proportion_error, quantile_error
from metacog.measures.cell import Measured
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.auroc2 import ranks_from_cells
from metacog.studies.study1_qa.cells import Cells, place
from metacog.studies.study1_qa.cells import fits as fits_of
from metacog.studies.study1_qa.correction import measure_cells
from metacog.studies.study1_qa.ledger.rows import HALF, Values, values_of
from metacog.studies.study1_qa.paper import FROM_COUNTS
from metacog.studies.study1_qa.selective import selective_from_cells
from metacog.studies.study1_qa.validation import quartile_accuracy, sensitivity
from metacog.studies.study1_qa.version2 import version2

FULL_PRECISION = "v1's result file at full precision"
#: Resamples behind the published intervals (v1 table 2 and its result file).
V1_RESAMPLES = 10_000
#: Resamples and permutations of version 2 by table.
V2_DRAWS = {"v2_aggregate": 2000, "v2_domain": 1000, "v2_temperature": 800}
TAILS = (0.025, 0.975)
#: Decimals that the figures of v1's tables are printed with; places in them are places of what is printed.
DECIMALS = 3

#: Figures by what was done to have them.
estimated, recounted, from_print = (
    partial(Value, kind=kind) for kind in (Kind.ESTIMATED, Kind.RECOUNTED, Kind.PRINTED)
)


@dataclass(frozen=True)
class OnCounts:
    """The study's analyses of the published counts, each made once.

    Attributes
    ----------
    h1, made, ranks : DataFrame, list of Measured, DataFrame
        On the main question set.
    selective : DataFrame
        Accuracy and gain at half coverage, on the main question set.
    quartiles, sensitivity : DataFrame
        On both question sets, as in the chapter on validation.
    versions : DataFrame
        Both versions' measures of the eight cells, as in the chapter on the correction.
    """

    h1: pd.DataFrame
    made: list[Measured]
    ranks: pd.DataFrame
    selective: pd.DataFrame
    quartiles: pd.DataFrame
    sensitivity: pd.DataFrame
    versions: pd.DataFrame


def on_counts(settings: Settings) -> OnCounts:
    """Run the analyses on the published counts."""
    every, main = paper.published_cells(), paper.published_cells(paper.MAIN)
    drawn = {"n_resamples": settings.n_resamples, "seed": settings.seed}
    h1, made = fits_of(main, **drawn)
    selected = selective_from_cells(main, coverages=(0.5, 1.0))
    return OnCounts(
        h1=h1,
        made=made,
        ranks=ranks_from_cells(main),
        selective=selected[selected["coverage"] == 0.5],
        quartiles=quartile_accuracy(every),
        sensitivity=sensitivity(every),
        versions=measure_cells(every, **drawn).assign(p_value=_permuted(every, settings)),
    )


def _permuted(cells: Cells, settings: Settings) -> list[float]:
    """P of version 2's permutation test of each cell."""
    n = V2_DRAWS["v2_aggregate"]
    return [
        version2(wrong, right, n_permutations=n, n_resamples=1, seed=settings.seed).p_value
        for wrong, right in zip(cells.nR_S1, cells.nR_S2, strict=True)
    ]


def records(table: pd.DataFrame) -> list[dict]:
    """Rows of a table by column."""
    return table.to_dict("records")


@cache
def printed(table: str) -> dict[tuple[tuple[str, ...], str], float]:
    """Printed figures of a table by (keys, quantity)."""
    return {(f.keys, f.quantity): f.value for f in paper.figures(table)}


def fits(row: dict, source: str) -> dict[str, Value]:
    """d', meta-d' and M-ratio of one row of estimates; empty where they could not be fitted."""
    if not np.isfinite(row["m_ratio"]):
        return {}
    note = "" if row["converged"] else "our fit did not converge"
    return {q: estimated(row[q], source, note=note) for q in ("d_prime", "meta_d", "m_ratio")}


def m_ratio_interval(row: dict, made: Measured, n_valid_published: float) -> dict[str, Value]:
    """Percentile interval of the M-ratio of a row of H1 and the number of resamples it rests on."""
    draws = made.draws["m_ratio"]
    used = draws[np.isfinite(draws)]
    n, n_valid = draws.size, int(row["n_valid"])
    note = f"{n:,} resamples, {n - n_valid} dropped"
    found = {
        printed: estimated(row[name], FROM_COUNTS, quantile_error(used, tail, V1_RESAMPLES), note)
        for printed, name, tail in zip(
            ("ci_lo", "ci_hi"), ("m_ratio_lower", "m_ratio_upper"), TAILS, strict=True
        )
    }
    share = n_valid / n
    error = proportion_error(share, n, n_valid_published / V1_RESAMPLES, V1_RESAMPLES)
    kept = Rival(float(V1_RESAMPLES), "with no resample dropped")
    found["n_valid_bootstrap"] = estimated(
        share * V1_RESAMPLES, FROM_COUNTS, error * V1_RESAMPLES, note, kept
    )
    return found


def count_values(found: OnCounts, settings: Settings) -> Values:
    """Everything that the eight cells of counts allow."""
    values: Values = {}
    cells = paper.published_cells()
    for i, row in enumerate(records(cells.frame)):
        keys = (row["dataset"], row["model"])
        values |= v2_values(cells, i, "v2_aggregate", keys, settings, FROM_COUNTS)
        if row["dataset"] == paper.MAIN:
            values |= v2_values(cells, i, "v2_temperature", (row["model"], "1.0"), settings, FROM_COUNTS)
    both = ["model", "dataset"]
    lines = found.sensitivity.rename(columns={"d_a": "da"}).merge(found.versions[[*both, "auroc2"]], on=both)
    half = found.selective.rename(columns={"accuracy": HALF})
    return (
        values
        | values_of("v2_sdt_structure", lines, value=estimated)
        | values_of("v1_table5_monotonicity", found.quartiles, value=recounted)
        | values_of("v1_selective_prediction", half, value=recounted)
        | _h1_values(found)
        | rank_values(found.ranks, "m_ratio", FROM_COUNTS)
    )


def _h1_values(found: OnCounts) -> Values:
    """v1's figures at T = 1 on TriviaQA, and the T = 1 row of its temperature table."""
    values: Values = {}
    for i, row in enumerate(records(found.h1)):
        key = (row["model"],)
        n_valid = printed("v1_h1_full_precision")[key, "n_valid_bootstrap"]
        fitted = fits(row, FROM_COUNTS)
        for quantity, value in {**fitted, **m_ratio_interval(row, found.made[i], n_valid)}.items():
            values["v1_h1_full_precision", key, quantity] = value
            values["v1_table2_h1", key, quantity] = value
        for quantity in ("ci_lo", "ci_hi"):  # printed twice: no chance lies between the two
            full = printed("v1_h1_full_precision")[key, quantity]
            values["v1_table2_h1", key, quantity] = from_print(full, FULL_PRECISION)
        for quantity, value in fitted.items():
            values["v1_table7_temperature", (row["model"], "1.0"), quantity] = value
        values["v1_table2_h1", key, "accuracy"] = recounted(row["accuracy"], FROM_COUNTS)
        values["v1_table3_auroc2", key, "m_ratio"] = fitted["m_ratio"]
        values["v1_table4_r1_binning", (row["model"], "4"), "m_ratio"] = fitted["m_ratio"]
    return values


def rank_values(table: pd.DataFrame, measure: str, source: str) -> Values:
    """Places of v1's table 3, which are those of the figures as printed."""
    values: Values = {}
    shown = place(table[measure].round(DECIMALS))
    for row, rank in zip(records(table), shown, strict=True):
        if np.isfinite(rank):
            exact = row[f"{measure}_rank"]
            note = "" if rank == exact else f"rank of the figures as printed; unrounded it is {exact:.0f}"
            values["v1_table3_auroc2", (row["model"],), f"{measure}_rank"] = estimated(
                float(rank), source, note=note
            )
    return values


def v2_values(
    cells: Cells, i: int, table: str, keys: tuple[str, ...], settings: Settings, source: str
) -> Values:
    """All figures of one row of a v2 table, from cell ``i``.

    meta-I2r is the plug-in value less the *published* mean of the permutation null, so that it can
    be compared exactly; the null mean itself is compared with the exact mean over all permutations.
    Version 2's limits also have the null mean taken off, so each has the limit without that for a rival.
    Its seed and algorithm are known, but one stream of random numbers runs through all cells in the
    order of the trials, so the draws cannot be replayed from counts.
    """
    n_draws = V2_DRAWS[table]
    two = version2(
        cells.nR_S1[i],
        cells.nR_S2[i],
        n_permutations=n_draws,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
    )
    taken_off, p_printed = (printed(table)[keys, q] for q in ("null_mean", "p_perm"))
    found = {
        "acc": recounted(two.accuracy, source),
        "n": recounted(float(two.n), source),
        "meta_i2r": estimated(
            two.plugin - taken_off, source, note=f"plug-in {two.plugin:.10f} less the published null mean"
        ),
        "null_mean": estimated(
            two.exact_null, source, mean_error(two.null, n_draws), "exact mean over all permutations"
        ),
        "p_perm": estimated(two.p_value, source, proportion_error(two.p_value, n_draws, p_printed, n_draws)),
        "auroc2": estimated(two.auroc2, source),
    }
    note = f"{settings.n_resamples:,} resamples"
    for names, draws, shift in (
        (("mi_lo", "mi_hi"), two.information, taken_off),
        (("a_lo", "a_hi"), two.made.draws["auroc2"], 0.0),
    ):
        for name, end, tail in zip(names, percentile_limits(draws), TAILS, strict=True):
            rival = Rival(end, "with no null mean taken off") if shift else None
            found[name] = estimated(end - shift, source, _tail_error(draws, tail, n_draws), note, rival)
    return {(table, keys, q): v for q, v in found.items()}


def null_mean_taken_off(values: Values) -> Value:
    """What share of the null mean version 2's limits of meta-I2r have taken off, over the aggregate table.

    One limit can seldom tell; all sixteen can. With u the percentile of the plug-in draws, m the printed
    null mean and y the printed limit, u - y = f m + chance; f by least squares weighted by the Monte-Carlo
    errors, which are independent between cells and nearly so between the two ends of one.
    """
    rows = []
    for (table, keys, quantity), value in values.items():
        if table == "v2_aggregate" and value.rival is not None:
            mean = printed(table)[keys, "null_mean"]
            rows.append((value.rival.value - printed(table)[keys, quantity], mean, value.error))
    gap, mean, error = np.array(rows, dtype=np.float64).T
    information = float((mean**2 / error**2).sum())
    share = float((mean * gap / error**2).sum()) / information
    nothing = Rival(0.0, "with nothing taken off")
    return estimated(share, FROM_COUNTS, information**-0.5, f"from {len(rows)} limits together", nothing)


def _tail_error(draws: ArrayLike, tail: float, n_draws: int) -> float:
    values = np.asarray(draws, dtype=np.float64)
    return quantile_error(values[np.isfinite(values)], tail, n_draws)
