"""Sentences that several chapters of study 1 share."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from metacog.core.words import listed
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.studies.study1_qa.cells.flags import Flag


def solved_from(figures: str, same: int, of: int) -> str:
    """For figures that the counts were solved from, or that follow from such: that they had to agree."""
    began = f"The printed {figures} are among what the counts were solved from, or follow from it"
    if same == of:
        return f"{began}: that all {of} agree is no test."
    return f"{began}, and yet {same} of {of} agree: printed figures contradict one another."


def in_run(those: int, of: int) -> str:
    """In how many of those that can be judged of a run something holds."""
    return f"in {those} of {of} of this run" if of else "in none of this run, where nothing can be judged"


def silent_in(table: pd.DataFrame) -> list[str]:
    """Models none of whose cells in a table with the columns ``model`` and ``flag`` has a confidence."""
    silent = (table["flag"] == Flag.SILENT).groupby(table["model"], sort=False).all()
    return [str(model) for model in silent.index[silent]]


def nothing_read(models: list[str]) -> str:
    """That nothing can be said of models because no confidence could be read; empty without any."""
    return f"No confidence could be read in the answers of {listed(models)}." if models else ""


def over_units(what: str) -> Callable[[Verdict], str]:
    """The sentence of a verdict over models, pairs or cells, whose values name those ``shown`` and ``refuted``."""

    def sentence(verdict: Verdict) -> str:
        parts = [
            f"{how} in {listed(verdict.values[how])}" for how in ("shown", "refuted") if verdict.values[how]
        ]
        where = f": {' and '.join(parts)}" if parts else ""
        return f"{what} is {OUTCOME[verdict.passed]}{where}.{undecided_clause(verdict.undecided)}"

    return sentence
