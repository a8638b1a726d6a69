"""The published experiments with confidence: nine cells of 20 counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import claims, comparisons, ratings
from metacog.studies.study2_two_choice.analyses.common import PUBLISHED

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class TwoChoice:
    """Measures of the nine cells and their comparisons.

    ``cells`` is :class:`.ratings.Fitted`'s table beside the printed table S1, ``ratios`` the differences of
    log M-ratio (bootstrap) and ``sensitivity`` those of d' between models (delta method), ``accuracy`` right
    answers by confidence, ``given`` confidence given right and wrong answers.
    """

    cells: pd.DataFrame
    ratios: pd.DataFrame
    sensitivity: pd.DataFrame
    accuracy: pd.DataFrame
    given: pd.DataFrame
    left_out_said: str
    falls_said: str
    printed_said: str
    optimal_said: str
    resamples: int
    fewest: int
    trials: int


@analysis(returns=TwoChoice, files=PUBLISHED)
def two_choice(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, fewest: int = 20) -> TwoChoice:
    """Do the models know when they are right?"""
    fitted = ratings.fitted(n_resamples, seed)
    beside = ratings.beside_printed(fitted.table)
    accuracy = ratings.by_confidence(fewest)
    ratios = comparisons.m_ratio_contrasts(fitted.draws, fitted.estimates)
    return TwoChoice(
        cells=claims.with_names(beside),
        ratios=claims.with_names(ratios),
        sensitivity=claims.with_names(comparisons.model_contrasts(fitted.table)),
        accuracy=claims.with_names(accuracy),
        given=claims.with_names(ratings.confidence_given()),
        left_out_said=ratings.left_out_said(accuracy, fewest),
        falls_said=ratings.falls_said(accuracy),
        printed_said=ratings.printed_d_said(beside),
        optimal_said=ratings.optimal_said(ratios),
        resamples=n_resamples,
        fewest=fewest,
        trials=int(fitted.table["n"].sum()),
    )
