"""Which of the published verdicts do the counts give?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.ledger import claims
from metacog.studies.study2_two_choice.risk import Risk
from metacog.studies.study2_two_choice.two_choice import TwoChoice

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class PublishedClaims:
    """Agreement with the paper's text, one row per pair.

    ``risk`` has c and d' over risk, ``counted`` the d' pairs that the text only counts, ``models`` d'
    between models, ``ratios`` M-ratio by maximum likelihood and bootstrap; ``tally`` counts agreement.
    """

    risk: pd.DataFrame
    counted: pd.DataFrame
    models: pd.DataFrame
    ratios: pd.DataFrame
    tally: pd.DataFrame


@analysis(returns=PublishedClaims, needs=("two_choice", "risk"), files=paper.FILES)
def published_claims(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42) -> PublishedClaims:
    """Which of the published verdicts do the counts give?"""
    over_risk: Risk = inputs.result("risk")
    cells: TwoChoice = inputs.result("two_choice")
    risk = claims.with_claims(over_risk.pairs)
    models, ratios = claims.with_claims(cells.sensitivity), claims.with_claims(cells.ratios)
    counted = claims.counted_claims(over_risk.pairs)
    groups = {
        "c over risk": risk[risk["measure"] == "c"],
        "d' over risk, named pairs": risk[risk["measure"] == "d_prime"],
        "d' between models": models,
        "M-ratio (maximum likelihood)": ratios,
    }
    return PublishedClaims(
        risk=claims.with_names(risk),
        counted=counted,
        models=claims.with_names(models),
        ratios=claims.with_names(ratios),
        tally=claims.tally(groups, counted),
    )
