"""What must hold before the hypotheses are tested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict, drawn
from metacog.studies.study import analysis
from metacog.studies.study1_qa import beside
from metacog.studies.study1_qa.cells.counts import rate_trials
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, open_trials
from metacog.studies.study1_qa.validation import checks

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Validation:
    """Tables of :class:`metacog.studies.study1_qa.validation.checks.Validation`; number of flags."""

    quartiles: pd.DataFrame
    minimums: pd.DataFrame
    sensitivity: pd.DataFrame
    answers: pd.DataFrame
    matches: pd.DataFrame
    flagged: pd.DataFrame
    beside: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]
    flags: int
    empty: int


@analysis(needs=("open",), returns=Validation, files=PUBLISHED)
def validation(inputs: Inputs, *, verdicts: bool = True) -> Validation:
    """Do ratings order accuracy, and are the cells large enough?"""
    trials = open_trials(inputs)
    found = checks.validate_study(rate_trials(trials), verdicts=verdicts)
    theirs = beside.beside_validation(found.quartiles, found.sensitivity, verdicts=verdicts)
    return Validation(
        found.quartiles,
        found.minimums,
        found.sensitivity,
        found.answers,
        found.matches,
        found.flags,
        theirs.table,
        drawn(*found.verdicts, theirs.verdict),
        {"quartiles": checks.RULE_MONOTONE, "minimum": checks.RULE_MINIMUM},
        len(found.flags),
        int(trials["nlp"].isna().sum()),
    )
