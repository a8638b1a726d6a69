"""H1: is M-ratio below 1 in every model?

Pre-registered: yes if the upper limit of the 95 % bootstrap interval is below 1 for all models.
Beside it: intervals that resample whole questions and make the rating edges anew each time, at T = 1
and over all temperatures, because trials of one question are not independent and edges are data too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.cell import Cell, Measured, tables_of, whole_and_resamples
from metacog.measures.fits import Fits, fitted
from metacog.sdt.checks import FloatArray
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import weight_chunks
from metacog.studies.study import analysis
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import (
    GROUP,
    PUBLISHED_FILES,
    RECOMPUTED,
    REFERENCE,
    RUN,
    Cells,
    Rated,
    below_one,
    cell_name,
    fits,
    measurable,
    question_cells,
    rated_primary,
    stacked,
)
from metacog.studies.study1_qa.ledger.rows import reproduced
from metacog.trials import SCORE, scored
from metacog.verdicts.rules import Unit, every, judged, open_units, those, unit
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# What H1's rule says of the intervals of M-ratio, and how they compare with the published ones.

RULE = "M-ratio is below 1 in every model: the upper limit of each 95 % bootstrap interval is below 1."
RULE_INTERVALS = (
    "The same limit, with whole questions resampled and the rating edges made anew each time; an interval that "
    "contains 1 leaves its model open, and one wholly at or above 1 refutes the rule."
)
RULE_PUBLISHED = "Upper limit below 1."
#: Ways of resampling at T = 1: the column ``scheme``.
TRIALS = "trials, T = 1"
NEW_EDGES = "questions, T = 1, new edges"


def judge(table: pd.DataFrame) -> Verdict:
    """The pre-registered rule, from M-ratio's trial-level limits."""
    n_sets = table["dataset"].nunique()
    units = [
        unit(
            cell_name(r.model, r.dataset, n_sets),
            r.m_ratio_upper < 1,
            known=np.isfinite(r.m_ratio_upper),
            flag=r.flag,
        )
        for r in rows_of(table)
    ]
    below, above = those(units, True), those(units, False)
    return judged(units, "H1", Kind.PREREGISTERED, RULE, name="limit", below=below, above=above)


def _side(name: str, lower: float, upper: float, flag: str) -> Unit:
    """Whether an interval of M-ratio lies below 1: not so if it lies at or above it, undecided if it contains it.

    The registered rule counts an interval that contains 1 against itself. That M-ratio is not shown to be below 1
    does not show that it is 1 or more, so this one does not.
    """
    if flag or upper < 1 or lower >= 1:
        return unit(name, upper < 1, flag=flag)
    known = np.isfinite([lower, upper]).all()
    return Unit(name, None, "the interval contains 1" if known else "no estimate")


def judge_intervals(table: pd.DataFrame, intervals: pd.DataFrame) -> Verdict:
    """The same rule on intervals that resample questions and make the edges again each time; see :func:`_side`.

    Its values: models shown to be ``below`` 1, and those at or ``above`` it; how many times as wide such an interval
    is at T = 1 (``wider``, median; None without any), which models' upper limits change sides of 1 (``across``), and
    how many times as wide question-level intervals are over all temperatures (``wider_over_all``; None for one
    temperature).
    """
    new = intervals[intervals["scheme"] == NEW_EDGES].set_index(list(GROUP))
    old = intervals[intervals["scheme"] == TRIALS].set_index(list(GROUP))
    flags = table.set_index(list(GROUP))["flag"]
    n_sets = table["dataset"].nunique()
    units = [
        _side(
            cell_name(r.model, r.dataset, n_sets),
            r.m_ratio_lower,
            r.m_ratio_upper,
            flags[r.model, r.dataset],
        )
        for r in rows_of(new.reset_index())
    ]
    usable = new["m_ratio_upper"].notna() & old["m_ratio_upper"].notna()
    new, old = new[usable], old[usable]
    across = new.index[(new["m_ratio_upper"] < 1) != (old["m_ratio_upper"] < 1)]
    widths = intervals.pivot_table(index=list(GROUP), columns="scheme", values="width")
    over_all = None
    if {"trials, all T", "questions, all T"} <= set(widths.columns):
        over_all = float((widths["questions, all T"] / widths["trials, all T"]).median())
    return Verdict(
        "H1",
        Kind.SOUND,
        RULE_INTERVALS,
        every(units) if usable.any() else None,
        name="intervals",
        values={
            "below": those(units, True),
            "above": those(units, False),
            "wider": float((new["width"] / old["width"]).median()) if usable.any() else None,
            "across": [cell_name(model, dataset, n_sets) for model, dataset in across],
            "wider_over_all": over_all,
        },
        undecided=open_units(units),
        units=tuple((one.name, one.holds) for one in units),
    )


def compare(theirs: pd.DataFrame, ours: pd.DataFrame) -> Verdict:
    """The paper's models from its counts, next to the printed figures and to the run's models."""
    values = {
        "agree": int(reproduced("v1_table2_h1", theirs, ("meta_d", "m_ratio")).sum()),
        "d_prime_agree": int(reproduced("v1_table2_h1", theirs, ("d_prime",)).sum()),
        "published_below": int(theirs["below_one"].sum()),
        "n_published": len(theirs),
        "run_below": int(ours["below_one"].sum()),
        "n_run": int(ours["below_one"].notna().sum()),
    }
    return Verdict("H1", Kind.PUBLISHED, RULE_PUBLISHED, None, name="published", values=values)


@dataclass(frozen=True)
class H1Estimates:
    """Result of H1.

    Attributes
    ----------
    table : DataFrame
        One row per model and question set: estimates, ``m_ratio_lower, m_ratio_upper``, ``below_one``, ``flag``.
    intervals : DataFrame
        The same M-ratio with three ways of resampling: ``scheme, m_ratio, m_ratio_lower, m_ratio_upper, width``.
        Empty for published counts, where only the trial-level one is possible.
    verdicts : tuple of Verdict
    made : tuple of Measured
        Trial-level fits of each row of ``table``.
    """

    table: pd.DataFrame
    intervals: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    made: tuple[Measured, ...]


def h1_from_cells(
    cells: Cells, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> H1Estimates:
    """H1 as pre-registered, from counts at T = 1."""
    table, made = fits(cells, n_resamples=n_resamples, seed=seed)
    table = table.assign(below_one=below_one(table))
    return H1Estimates(table, pd.DataFrame(), (judge(table),) if verdicts else (), tuple(made))


def h1_estimates(
    rated: Rated, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> H1Estimates:
    """H1 as pre-registered, with the question-level intervals beside it.

    Parameters
    ----------
    rated : Rated
    n_resamples, seed
        Of every bootstrap.
    verdicts : bool
        Judge the hypothesis; otherwise numbers and flags only.
    """
    first = h1_from_cells(rated.cells(), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
    rows = []
    for _, row in first.table.iterrows():
        own = rated.trials[
            (rated.trials["model"] == row["model"]) & (rated.trials["dataset"] == row["dataset"])
        ]
        rows += _schemes(own, row, rated.n_ratings, n_resamples, seed)
    intervals = pd.DataFrame(rows)
    found = first.verdicts
    if verdicts:
        found = (*found, judge_intervals(first.table, intervals))
    return H1Estimates(first.table, intervals, found, first.made)


def _schemes(
    own: pd.DataFrame, row: pd.Series, n_ratings: int, n_resamples: int, seed: int
) -> list[dict[str, object]]:
    """Rows of ``intervals`` of one model and question set."""
    at_one = own[own["temperature"] == REFERENCE]
    draws = draws_with_new_edges(at_one, n_ratings, n_resamples=n_resamples, seed=seed)
    found = {
        TRIALS: (row["m_ratio"], (row["m_ratio_lower"], row["m_ratio_upper"])),
        NEW_EDGES: (row["m_ratio"], percentile_limits(draws)),
    }
    if own["temperature"].nunique() > 1:
        for pooled in question_cells(own.assign(all=True), "all", n_ratings).values():
            tables = tables_of(pooled)
            alone = Cell.of_table(*tables, coarse=pooled.coarse)
            cells = {"trials, all T": alone, "questions, all T": pooled}
            for scheme, cell in cells.items() if measurable(*tables) else ():
                made = Fits()(cell, whole_and_resamples(cell, n_resamples, seed))
                found[scheme] = made.values["m_ratio"], made.bounds["m_ratio"]
    return [
        {
            "model": row["model"],
            "dataset": row["dataset"],
            "scheme": scheme,
            "m_ratio": value,
            "m_ratio_lower": low,
            "m_ratio_upper": high,
            "width": high - low,
        }
        for scheme, (value, (low, high)) in found.items()
    ]


def draws_with_new_edges(
    trials: pd.DataFrame, n_ratings: int, *, n_resamples: int = 10_000, seed: int = 42
) -> FloatArray:
    """M-ratio when whole questions are resampled and the quantile edges made from each resample.

    Parameters
    ----------
    trials : DataFrame
        Trials of one model and question set at the reference temperature.
    n_ratings : int
        2K quantile bins.

    Returns
    -------
    array, shape ``(n_resamples,)``; NaN for dropped draws
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
            below, above = (x[np.searchsorted(running[b], p, side="right")] for p in (low, np.ceil(position)))
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


# H1: is M-ratio below 1 in every model? What is computed.

#: Columns of the comparison with the published models.
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


@dataclass(frozen=True)
class H1:
    """H1: ``measures`` and ``intervals`` as in :class:`metacog.studies.study1_qa.h1.H1Estimates`."""

    measures: pd.DataFrame
    intervals: pd.DataFrame
    comparison: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    resamples: int
    dropped_draws: int


@analysis(needs=("open",), returns=H1, files=PUBLISHED_FILES)
def h1(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True) -> H1:
    """Is M-ratio below 1 in every model?"""
    drawn = {"n_resamples": n_resamples, "seed": seed}
    run = h1_estimates(rated_primary(inputs), **drawn, verdicts=verdicts)
    theirs = h1_from_cells(paper.published_cells(paper.MAIN), **drawn, verdicts=False).table
    comparison = stacked(**{RECOMPUTED: theirs[COMPARED], RUN: run.table[[*COMPARED, "flag"]]})
    judgements = (*run.verdicts, compare(theirs, run.table)) if verdicts else ()
    dropped = int(run.table["n_draws_dropped"].sum())
    return H1(run.table, run.intervals, comparison, judgements, n_resamples, dropped)
