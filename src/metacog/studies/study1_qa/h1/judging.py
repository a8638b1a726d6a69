"""What H1's rule says of the intervals of M-ratio, and how they compare with the published ones."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import Unit, every, judged, open_units, those, unit
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.counts import GROUP, cell_name
from metacog.studies.study1_qa.ledger.rows import reproduced

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
