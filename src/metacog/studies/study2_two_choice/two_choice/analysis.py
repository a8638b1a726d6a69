"""Do the models know when they are right? The published decisions with confidence, in nine cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study2_two_choice.cells.comparisons import m_ratio_contrasts, model_contrasts
from metacog.studies.study2_two_choice.cells.confidence import by_confidence
from metacog.studies.study2_two_choice.ledger import published
from metacog.studies.study2_two_choice.ledger.claims import with_names
from metacog.studies.study2_two_choice.two_choice import ratings

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class TwoChoice:
    """Measures of the nine cells and their comparisons.

    ``cells`` is :class:`.ratings.Fitted`'s table with the published table S1, ``ratios`` the differences of
    log M-ratio (bootstrap) and ``sensitivity`` those of d' between models (delta method), ``accuracy`` right
    answers by confidence, ``given`` confidence given right and wrong answers. Levels of confidence with
    fewer than ``fewest`` trials are not shown.
    """

    cells: pd.DataFrame
    ratios: pd.DataFrame
    sensitivity: pd.DataFrame
    accuracy: pd.DataFrame
    given: pd.DataFrame
    resamples: int
    fewest: int
    trials: int


@analysis(returns=TwoChoice, files=published.FILES)
def two_choice(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, fewest: int = 20) -> TwoChoice:
    """Do the models know when they are right?"""
    fitted = ratings.fitted(n_resamples, seed)
    return TwoChoice(
        cells=with_names(ratings.with_published(fitted.table)),
        ratios=with_names(m_ratio_contrasts(fitted.draws, fitted.estimates)),
        sensitivity=with_names(model_contrasts(fitted.table)),
        accuracy=with_names(by_confidence(published.rating_cells(), fewest)),
        given=with_names(ratings.confidence_given()),
        resamples=n_resamples,
        fewest=fewest,
        trials=int(fitted.table["n"].sum()),
    )
