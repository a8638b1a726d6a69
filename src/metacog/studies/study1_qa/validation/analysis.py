"""What must hold before the hypotheses are tested? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED, RUN, stacked
from metacog.studies.study1_qa.cells.counts import rate_trials
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, open_trials
from metacog.studies.study1_qa.ledger import published
from metacog.studies.study1_qa.validation import by_eye, checks, judging

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Columns of the comparison with the published cells.
COMPARED = ["model", "dataset", "q1", "q2", "q3", "q4", "monotone", "d_prime", "d_a"]


@dataclass(frozen=True)
class Validation:
    """Tables of :class:`metacog.studies.study1_qa.validation.checks.Validation`; marks read; number of flags."""

    quartiles: pd.DataFrame
    minimums: pd.DataFrame
    sensitivity: pd.DataFrame
    answers: pd.DataFrame
    matches: pd.DataFrame
    flagged: pd.DataFrame
    comparison: pd.DataFrame
    by_eye: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    flags: int
    empty: int


@analysis(needs=("open",), returns=Validation, files=(*PUBLISHED, by_eye.FILE))
def validation(inputs: Inputs, *, verdicts: bool = True) -> Validation:
    """Do ratings order accuracy, and are the cells large enough?"""
    trials = open_trials(inputs)
    run = checks.validate_study(rate_trials(trials), verdicts=verdicts)
    cells = published.published_cells()
    keys = ["model", "dataset"]
    theirs = checks.quartile_accuracy(cells).merge(checks.sensitivity(cells), on=keys)
    ours = run.quartiles.merge(run.sensitivity, on=keys)
    return Validation(
        run.quartiles,
        run.minimums,
        run.sensitivity,
        run.answers,
        run.matches,
        run.flags,
        stacked(**{RECOMPUTED: theirs[COMPARED], RUN: ours[COMPARED]}),
        by_eye.mismarked(trials),
        (*run.verdicts, judging.compare(theirs, ours)) if verdicts else (),
        len(run.flags),
        int(trials["score"].isna().sum()),
    )
