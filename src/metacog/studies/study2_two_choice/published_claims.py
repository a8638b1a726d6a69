"""Which of the published verdicts do the counts give?"""

from __future__ import annotations

from typing import Any

from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.ledger import claims


@analysis(needs=("two_choice", "risk"), files=paper.FILES)
def published_claims(inputs: Inputs) -> dict[str, Any]:
    """Which of the published verdicts do the counts give?"""
    pairs, cells = inputs.result("risk").pairs, inputs.result("two_choice")
    risk, counted = claims.with_claims(pairs), claims.counted_claims(pairs)
    groups = {
        "c over risk": risk[risk["measure"] == "c"],
        "d' over risk, named pairs": risk[risk["measure"] == "d_prime"],
        "d' between models": claims.with_claims(cells.sensitivity),
        "M-ratio (maximum likelihood)": claims.with_claims(cells.ratios),
    }
    return {"counted": counted, "tally": claims.tally(groups, counted)}
