"""Which of the published verdicts do the counts give?"""

from __future__ import annotations

from typing import Any

from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.ledger import claims


@analysis(needs=("posterior", "risk"), files=paper.FILES)
def published_claims(inputs: Inputs) -> dict[str, Any]:
    """Which of the published verdicts do the counts give?"""
    pairs, rated = inputs.result("risk").pairs, inputs.result("posterior").published_verdicts
    risk, counted = claims.with_claims(pairs), claims.counted_claims(pairs)
    groups = {
        "c over risk": risk[risk["measure"] == "c"],
        "d' over risk, named pairs": risk[risk["measure"] == "d_prime"],
        "d' between models (posterior)": rated[rated["measure"] == "d_prime"],
        "M-ratio (posterior)": rated[rated["measure"] == "m_ratio"],
    }
    return {"counted": counted, "tally": claims.tally(groups, counted)}


def figures(result: Any) -> dict[str, Any]:
    """How many pairs, of which the text only counts d', get each verdict: as printed, by wide intervals and by those
    of 95 %."""
    return {
        f"{short}_{row.verdict.replace(' ', '_')}": int(n)
        for short, column in (("printed", "printed"), ("wide", "found_wide"), ("narrow", "found"))
        for row, n in zip(rows_of(result.counted), result.counted[column], strict=True)
    }


VIEWS = (Views("published_claims", numbers=figures),)
