"""H1: is M-ratio below 1 in every model?

Pre-registered: yes if the upper limit of the 95 % bootstrap interval is below 1 for all models. Beside it: intervals
that resample whole questions and make the rating edges anew each time, at T = 1 and over all temperatures, because
trials of one question are not independent and edges are data too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.cell import Cell, tables_of, whole_and_resamples
from metacog.measures.fits import Fits, fitted
from metacog.report.views import Views
from metacog.sdt.checks import FloatArray
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import weight_chunks
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import cells, paper
from metacog.studies.study1_qa.cells import RECOMPUTED, Rated
from metacog.trials import SCORE, scored
from metacog.verdicts.outcomes import Rule, outcomes, tally
from metacog.verdicts.rules import Unit, unit
from metacog.verdicts.verdict import Kind

RULES = {
    "limit": Rule(
        "M-ratio is below 1 in every model: the upper limit of each 95 % bootstrap interval is below 1.",
        "H1",
        Kind.PREREGISTERED,
        null=("equal",),
        worst="one M-ratio of 1",
    ),
    "intervals": Rule(
        "The same limit, with whole questions resampled and the rating edges made anew each time; an interval that "
        "contains 1 leaves its model open, and one wholly at or above 1 refutes the rule.",
        "H1",
        Kind.SOUND,
        null=("equal",),
        worst="one M-ratio of 1",
    ),
}
#: Ways of resampling at T = 1: the column ``scheme``.
TRIALS, NEW_EDGES = "trials, T = 1", "questions, T = 1, new edges"
COMPARED = [
    "model",
    "accuracy",
    "d_prime",
    "meta_d",
    "m_ratio",
    "m_ratio_lower",
    "m_ratio_upper",
    "below_one",
]


@analysis(needs=("open",), files=cells.PUBLISHED_FILES)
def h1(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> dict[str, Any]:
    """Is M-ratio below 1 in every model?"""
    rated, drawn = cells.rated_primary(inputs), {"n_resamples": n_resamples, "seed": seed}
    run, _ = cells.fits(rated.cells(), **drawn)
    theirs, _ = cells.fits(paper.published_cells(paper.MAIN), **drawn)
    run, theirs = (table.assign(below_one=cells.below_one(table)) for table in (run, theirs))
    intervals = by_scheme(rated, run, **drawn)
    return {
        "intervals": intervals,
        "comparison": cells.stacked(**{RECOMPUTED: theirs[COMPARED], cells.RUN: run[[*COMPARED, "flag"]]}),
        "outcomes": pd.concat([limit(run), new_edges(run, intervals)]) if verdicts else None,
        "resamples": n_resamples,
        "dropped_draws": int(run["n_draws_dropped"].sum()),
    }


def limit(table: pd.DataFrame) -> pd.DataFrame:
    """The pre-registered rule, from M-ratio's trial-level limits."""
    upper, excluded = table["m_ratio_upper"], table["flag"].map(cells.registered)
    told = (cells.cell_names(table), upper < 1, upper.notna(), excluded, table["flag"])
    units = map(cells.registered_unit, *told)
    return outcomes("limit", list(units))


def new_edges(table: pd.DataFrame, intervals: pd.DataFrame) -> pd.DataFrame:
    """The same rule on intervals that resample questions and make the edges anew.

    The registered rule counts an interval that contains 1 against itself. That M-ratio is not shown to be below 1
    does not show that it is 1 or more, so this one does not.
    """
    new = table[["model", "dataset", "flag"]].merge(
        intervals.loc[
            intervals["scheme"] == NEW_EDGES, ["model", "dataset", "m_ratio_lower", "m_ratio_upper"]
        ]
    )
    return outcomes("intervals", list(map(_side, cells.cell_names(new), rows_of(new))))


def _side(name: str, row: Any) -> Unit:
    if row.flag or row.m_ratio_upper < 1 or row.m_ratio_lower >= 1:
        return unit(name, row.m_ratio_upper < 1, flag=row.flag)
    return Unit(name, None, "the interval contains 1" if np.isfinite(row.m_ratio_upper) else "no estimate")


def by_scheme(rated: Rated, table: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    rows = []
    for row in rows_of(table):
        own = rated.trials[(rated.trials["model"] == row.model) & (rated.trials["dataset"] == row.dataset)]
        at_one = own[own["temperature"] == cells.REFERENCE]
        draws = draws_with_new_edges(at_one, rated.n_ratings, n_resamples=n_resamples, seed=seed)
        found = {
            TRIALS: (row.m_ratio, (row.m_ratio_lower, row.m_ratio_upper)),
            NEW_EDGES: (row.m_ratio, percentile_limits(draws)),
        }
        if own["temperature"].nunique() > 1:
            for pooled in cells.question_cells(own.assign(all=True), "all", rated.n_ratings).values():
                counts = tables_of(pooled)
                alone = Cell.of_table(*counts, coarse=pooled.coarse)
                for scheme, cell in {"trials, all T": alone, "questions, all T": pooled}.items():
                    if cells.measurable(*counts):
                        made = Fits()(cell, whole_and_resamples(cell, n_resamples, seed))
                        found[scheme] = made.values["m_ratio"], made.bounds["m_ratio"]
        rows += [(row.model, row.dataset, scheme, value, *ends) for scheme, (value, ends) in found.items()]
    names = ["model", "dataset", "scheme", "m_ratio", "m_ratio_lower", "m_ratio_upper"]
    return pd.DataFrame(rows, columns=names)


def draws_with_new_edges(trials: pd.DataFrame, n_ratings: int, *, n_resamples: int, seed: int) -> FloatArray:
    """M-ratio when whole questions are resampled and the quantile edges made from each resample, NaN if dropped.

    The trials are those of one model and question set at the reference temperature.
    """
    used = scored(trials)
    used = used[used[SCORE].notna()].sort_values(SCORE, kind="stable")
    if used["correct"].nunique() < 2 or ("coarse" in used and used["coarse"].any()):
        return np.full(n_resamples, np.nan)
    x = used[SCORE].to_numpy(dtype=np.float64)
    correct = used["correct"].to_numpy(dtype=bool)
    question = pd.factorize(used["question_id"])[0]
    levels = np.arange(1, n_ratings) / n_ratings
    out = []
    for drawn in weight_chunks(int(question.max()) + 1, n_resamples, seed, 3 * x.size):
        weights, size = drawn[:, question], len(drawn)
        running = np.cumsum(weights, axis=1)
        right = np.concatenate([np.zeros((size, 1)), np.cumsum(weights * correct, axis=1)], axis=1)
        cut = np.empty((size, n_ratings - 1), dtype=np.int64)
        for b in range(size):
            position = (running[b, -1] - 1) * levels
            low = np.floor(position)
            below = x[np.searchsorted(running[b], low, side="right")]
            above = x[np.searchsorted(running[b], np.ceil(position), side="right")]
            cut[b] = np.searchsorted(x, below + (position - low) * (above - below), side="left")
        total = np.concatenate([np.zeros((size, 1)), running], axis=1)
        s2 = _between(right, cut)
        s1 = _between(total, cut) - s2
        out.append(fitted(s1, s2)["m_ratio"])
    return np.concatenate(out)


def _between(running: FloatArray, cut: np.ndarray) -> FloatArray:
    """Weight between consecutive cuts, from running totals that start at 0."""
    at = np.take_along_axis(running, cut, axis=1)
    return np.diff(np.concatenate([np.zeros((len(cut), 1)), at, running[:, -1:]], axis=1), axis=1)


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand: of the published models the one with the lowest M-ratio
    and the range of the others, the run's lowest, and what became of the sounder rule here.
    """
    theirs, own = (
        result.comparison[result.comparison["source"] == source].sort_values("m_ratio")
        for source in (RECOMPUTED, cells.RUN)
    )
    least, others, mine = theirs.iloc[0], theirs.iloc[1:], own[own["m_ratio_upper"].notna()].head(1)
    return {
        "n_theirs": len(theirs),
        "n_below": int(theirs["below_one"].astype(bool).sum()),
        "n_above": int((theirs["m_ratio_lower"] >= 1).sum()),
        **{f"least_{name}": least[name] for name in ("model", "m_ratio", "m_ratio_lower", "m_ratio_upper")},
        "others_least": others["m_ratio"].min(),
        "others_most": others["m_ratio"].max(),
        **{
            f"own_{name}": next(iter(mine[name]), np.nan)
            for name in ("model", "m_ratio", "m_ratio_lower", "m_ratio_upper")
        },
        **tally(result.outcomes, "intervals"),
    }


VIEWS = Views("h1", names=paper.NAMES, numbers=figures)
