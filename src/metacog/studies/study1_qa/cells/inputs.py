"""What several analyses of study 1 begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from metacog.measures.coverage import TABLE
from metacog.studies.study1_qa.cells.counts import Rated, primary, rate_trials
from metacog.trials import validate
from metacog.trials.signals import scored

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: The paper's printed tables and recovered counts.
PUBLISHED = ("data/published/cacioli_*.csv",)
#: Simulated coverage of intervals, shown next to them.
COVERAGE = (TABLE,)


def open_trials(inputs: Inputs) -> pd.DataFrame:
    """The open answers of the run, checked, with the column ``score`` that orders them by confidence."""
    return scored(validate(inputs.trials("open")))


def rated_primary(inputs: Inputs) -> Rated:
    """The open answers of the first question set, on which H1 to H4 rest, with ratings."""
    return rate_trials(primary(open_trials(inputs)))
