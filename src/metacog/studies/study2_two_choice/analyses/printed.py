"""Every verdict of the paper's text beside the recomputed one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import claims
from metacog.studies.study2_two_choice.analyses.common import PUBLISHED
from metacog.studies.study2_two_choice.analyses.risk import Risk
from metacog.studies.study2_two_choice.analyses.two_choice import TwoChoice
from metacog.studies.study2_two_choice.ledger import with_verdicts

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Printed:
    """Agreement with the text, a row a pair.

    ``risk`` holds c and d' over risk, ``counted`` the d' pairs that the text only counts, ``models`` d'
    between models, ``ratios`` M-ratio by maximum likelihood and bootstrap; ``tally`` counts agreement.
    """

    risk: pd.DataFrame
    counted: pd.DataFrame
    models: pd.DataFrame
    ratios: pd.DataFrame
    tally: pd.DataFrame
    c_said: str
    d_said: str
    counted_said: str
    models_said: str
    ratios_said: str


@analysis(returns=Printed, needs=("two_choice", "risk"), files=PUBLISHED)
def printed_claims(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> Printed:
    """Which of the printed verdicts do the counts give?"""
    over_risk: Risk = inputs.result("risk")
    cells: TwoChoice = inputs.result("two_choice")
    risk = with_verdicts(claims.beside_claims(over_risk.pairs))
    models = with_verdicts(claims.beside_claims(cells.sensitivity))
    ratios = claims.beside_claims(cells.ratios)
    counted = claims.counted_beside(over_risk.pairs)
    of_c, of_d = (risk[risk["measure"] == m] for m in ("c", "d_prime"))
    return Printed(
        risk=claims.with_names(risk),
        counted=counted,
        models=claims.with_names(models),
        ratios=claims.with_names(ratios),
        tally=claims.tally(
            {
                "c over risk": of_c,
                "d' over risk, named pairs": of_d,
                "d' between models": models,
                "M-ratio (maximum likelihood)": ratios,
            },
            counted,
        ),
        c_said=claims.agreement_said(of_c, "c over risk"),
        d_said=claims.agreement_said(of_d, "d' over risk that name their pair"),
        counted_said=claims.counted_said(counted),
        models_said=claims.agreement_said(models, "d' between models"),
        ratios_said=claims.agreement_said(ratios, "M-ratio, by maximum likelihood and bootstrap"),
    )
