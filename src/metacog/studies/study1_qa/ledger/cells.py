"""Figures of study 1 that the published counts give, with their Monte-Carlo errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.ledger.entry import Kind, Settings, Value
from metacog.ledger.tolerances import mean_error, proportion_error, quantile_error
from metacog.measures.cell import Measured
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.selective import accuracy_coverage_from_counts
from metacog.sdt.type1 import z_roc
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import Cells, estimate, fits, place, with_limits
from metacog.studies.study1_qa.ledger.rows import FIGURE, HALF, estimated, from_print, recounted
from metacog.studies.study1_qa.paper import FROM_COUNTS
from metacog.studies.study1_qa.version2 import Version2, version2

FULL_PRECISION = "v1's result file at full precision"
#: Resamples behind the published intervals (v1 table 2 and its result file).
V1_RESAMPLES = 10_000
#: Resamples and permutations of version 2 by table.
V2_DRAWS = {"v2_aggregate": 2000, "v2_domain": 1000, "v2_temperature": 800}
TAILS = (0.025, 0.975)
#: Decimals that the figures of v1's tables are printed with; places in them are places of what is printed.
DECIMALS = 3
#: What a fit gives.
FITTED = ("d_prime", "meta_d", "m_ratio")


def on_counts(settings: Settings) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Estimates from the eight cells of counts, and the figures of printed tables that they give.

    The estimates are those of fits and of version 2, the line of the z-ROC, accuracy by quarter of confidence, accuracy
    of the more confident ``half`` and its ``gain``; limits of M-ratio are there on the main question set alone.
    """
    cells, main = paper.published_cells(), paper.published_cells(paper.MAIN)
    h1, made = fits(main, n_resamples=settings.n_resamples, seed=settings.seed)
    of_v2, v2 = version2_figures("v2_aggregate", cells, cells.frame, settings, FROM_COUNTS)
    at_one = main.frame.assign(T="1.0")
    _, at_one_v2 = version2_figures("v2_temperature", main, at_one, settings, FROM_COUNTS)
    line = z_roc(cells.nR_S1, cells.nR_S2)
    wrong, right = (x.reshape(len(cells), 4, -1).sum(axis=2) for x in (cells.nR_S1, cells.nR_S2))
    quarters = pd.DataFrame(right / (wrong + right), columns=["q1", "q2", "q3", "q4"])
    half, all_ = accuracy_coverage_from_counts(cells.nR_S1, cells.nR_S2, np.array([0.5, 1.0])).T
    table = pd.concat([estimate(cells), of_v2, quarters], axis=1)
    table = table.assign(zroc_slope=line.slope, da=line.d_a, r2=line.r2, half=half, gain=half - all_)
    limits = h1[["model", "dataset", "m_ratio_lower", "m_ratio_upper"]]
    table = table.merge(limits, how="left", on=["model", "dataset"])
    own = table[table["dataset"] == paper.MAIN]
    figures = [
        v2,
        at_one_v2,
        estimated("v2_sdt_structure", table, source=FROM_COUNTS),
        recounted("v1_table5_monotonicity", table, source=FROM_COUNTS),
        recounted("v1_selective_prediction", own.rename(columns={"half": HALF}), source=FROM_COUNTS),
        _h1_figures(h1, made),
        rank_figures(own, "m_ratio", FROM_COUNTS),
    ]
    return table, pd.concat(figures, ignore_index=True)


def fit_figures(
    table: str, fitted: pd.DataFrame, source: str, quantities: tuple[str, ...] = FITTED
) -> pd.DataFrame:
    """Figures of fits, without those that could not be fitted."""
    known = fitted[np.isfinite(fitted["m_ratio"])]
    notes = ["" if converged else "our fit did not converge" for converged in known["converged"]]
    return estimated(table, known, quantities, source=source, note=notes)


def _h1_figures(h1: pd.DataFrame, made: list[Measured]) -> pd.DataFrame:
    full, source = "v1_h1_full_precision", FROM_COUNTS
    keyed = h1.assign(temperature="1.0", ratings_per_side="4")
    draws = [one.draws["m_ratio"] for one in made]
    notes = [f"{x.size:,} resamples, {x.size - n} dropped" for x, n in zip(draws, h1["n_valid"], strict=True)]
    share = h1["n_valid"] / [x.size for x in draws]
    kept = [paper.printed(full)[(model,), "n_valid_bootstrap"] / V1_RESAMPLES for model in h1["model"]]
    errors = [
        V1_RESAMPLES * proportion_error(ours, x.size, theirs, V1_RESAMPLES)
        for ours, x, theirs in zip(share, draws, kept, strict=True)
    ]
    figures = [
        *(fit_figures(table, keyed, source) for table in (full, "v1_table2_h1", "v1_table7_temperature")),
        *(
            fit_figures(table, keyed, source, ("m_ratio",))
            for table in ("v1_table3_auroc2", "v1_table4_r1_binning")
        ),
        recounted("v1_table2_h1", h1, ("accuracy",), source=source),
        estimated(
            full,
            h1.assign(n_valid_bootstrap=share * V1_RESAMPLES),
            ("n_valid_bootstrap",),
            source=source,
            error=errors,
            note=notes,
            rival=float(V1_RESAMPLES),
            without="with no resample dropped",
        ),
    ]
    for name, limit, tail in zip(("ci_lo", "ci_hi"), ("m_ratio_lower", "m_ratio_upper"), TAILS, strict=True):
        own = h1.assign(**{name: h1[limit]})
        chance = [_tail_error(x, tail, V1_RESAMPLES) for x in draws]
        figures.append(estimated(full, own, (name,), source=source, error=chance, note=notes))
        # printed twice: no chance lies between the two
        again = h1.assign(**{name: [paper.printed(full)[(model,), name] for model in h1["model"]]})
        figures.append(from_print("v1_table2_h1", again, (name,), source=FULL_PRECISION))
    return pd.concat(figures, ignore_index=True)


def rank_figures(table: pd.DataFrame, measure: str, source: str) -> pd.DataFrame:
    """Places of v1's table 3, which are those of the figures as printed."""
    table = table[table[measure].notna()]
    exact, shown = place(table[measure]), place(table[measure].round(DECIMALS))
    notes = [
        "" if rank == own else f"rank of the figures as printed; unrounded it is {own:.0f}"
        for rank, own in zip(shown, exact, strict=True)
    ]
    name = f"{measure}_rank"
    return estimated("v1_table3_auroc2", table.assign(**{name: shown}), (name,), source=source, note=notes)


def version2_figures(
    table: str, cells: Cells, identified: pd.DataFrame, settings: Settings, source: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Version 2's estimates of some cells, and all figures of one of its tables; ``identified`` has the table's keys.

    meta-I2r is the plug-in value less the *published* mean of the permutation null, so that it can
    be compared exactly; the null mean itself is compared with the exact mean over all permutations.
    Version 2's limits also have the null mean taken off, so each has the limit without that for a rival.
    Its seed and algorithm are known, but one stream of random numbers runs through all cells in the
    order of the trials, so the draws cannot be replayed from counts.
    """
    n_draws, printed = V2_DRAWS[table], paper.printed(table)
    drawn: Any = {"n_permutations": n_draws, "n_resamples": settings.n_resamples, "seed": settings.seed}
    made = [version2(wrong, right, **drawn) for wrong, right in zip(cells.nR_S1, cells.nR_S2, strict=True)]
    two = pd.DataFrame(made, columns=list(Version2._fields))
    keys = recounted(table, identified.assign(n=0), ("n",))["keys"]
    off, chance = ([printed[key, name] for key in keys] for name in ("null_mean", "p_perm"))
    frame = identified.reset_index(drop=True).assign(
        acc=two["accuracy"],
        n=two["n"],
        meta_i2r=two["plugin"] - np.array(off),
        null_mean=two["exact_null"],
        p_perm=two["p_value"],
        auroc2=two["auroc2"],
    )
    less = [f"plug-in {one:.10f} less the published null mean" for one in two["plugin"]]
    of_p = [proportion_error(p, n_draws, q, n_draws) for p, q in zip(two["p_value"], chance, strict=True)]
    of_mean, exact = [mean_error(one, n_draws) for one in two["null"]], "exact mean over all permutations"
    figures = [
        recounted(table, frame, ("acc", "n"), source=source),
        estimated(table, frame, ("meta_i2r",), source=source, note=less),
        estimated(table, frame, ("null_mean",), source=source, error=of_mean, note=exact),
        estimated(table, frame, ("p_perm",), source=source, error=of_p),
        estimated(table, frame, ("auroc2",), source=source),
    ]
    for names, draws, shift in (
        (("mi_lo", "mi_hi"), list(two["information"]), np.array(off)),
        (("a_lo", "a_hi"), [one.made.draws["auroc2"] for one in made], np.zeros(len(made))),
    ):
        ends = np.array([percentile_limits(x) for x in draws]).reshape(len(made), 2)
        for name, tail, end in zip(names, TAILS, ends.T, strict=True):
            figures.append(
                estimated(
                    table,
                    frame.assign(**{name: end - shift}),
                    (name,),
                    source=source,
                    error=[_tail_error(x, tail, n_draws) for x in draws],
                    note=f"{settings.n_resamples:,} resamples",
                    rival=[value if moved else None for value, moved in zip(end, shift, strict=True)],
                    without="with no null mean taken off",
                )
            )
    values = [one.made.values["meta_i2r"] for one in made], [one.made.values["z_slope"] for one in made]
    estimates = frame[["auroc2"]].assign(meta_i2r=values[0], p_value=frame["p_perm"], z_slope=values[1])
    slopes = [one.made for one in made]
    return with_limits(estimates, slopes, ["z_slope"]), pd.concat(figures, ignore_index=True)


def null_mean_taken_off(figures: pd.DataFrame) -> Value:
    """What share of the null mean version 2's limits of meta-I2r have taken off, over the aggregate table.

    One limit can seldom tell; all sixteen can. With u the percentile of the plug-in draws, m the printed
    null mean and y the printed limit, u - y = f m + chance; f by least squares weighted by the Monte-Carlo
    errors, which are independent between cells and nearly so between the two ends of one.
    """
    limits = figures[figures["quantity"].isin(["mi_lo", "mi_hi"])]
    limits = limits.merge(paper.figures("v2_aggregate"), on=FIGURE)
    limits = limits.iloc[
        np.arange(len(limits)).reshape(2, -1).T.ravel()
    ]  # both ends of a cell below each other
    means = paper.printed("v2_aggregate")
    mean = np.array([means[keys, "null_mean"] for keys in limits["keys"]])
    gap = (limits["rival"].astype(float) - limits["published"].astype(float)).to_numpy()
    error = limits["error"].to_numpy()
    information = float((mean**2 / error**2).sum())
    share = float((mean * gap / error**2).sum()) / information
    note, without = f"from {len(limits)} limits together", "with nothing taken off"
    return Value(share, FROM_COUNTS, information**-0.5, note, 0.0, without, kind=Kind.ESTIMATED)


def _tail_error(draws: ArrayLike, tail: float, n_draws: int) -> float:
    values = np.asarray(draws, dtype=np.float64)
    return quantile_error(values[np.isfinite(values)], tail, n_draws)
