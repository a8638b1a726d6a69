"""What did this run find? What is computed: the verdicts on the hypotheses, and the measures that are "
"sound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.inputs import open_trials

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Analyses whose verdicts are listed.
HYPOTHESES = ("h1", "h2", "h3", "h4")


@dataclass(frozen=True)
class Summary:
    """The study on one page: all verdicts on the run's models, and the measures that are sound."""

    measures: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(needs=("open", *HYPOTHESES, "correction_replication"), returns=Summary)
def summary(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Summary:
    """What does the run say, in short?"""
    first = open_trials(inputs)["dataset"].iloc[0]
    measures = inputs.result("correction_replication").measures
    drawn = (v for name in HYPOTHESES for v in inputs.result(name).verdicts if v.kind is not Kind.PUBLISHED)
    return Summary(measures[measures["dataset"] == first].reset_index(drop=True), tuple(drawn))
