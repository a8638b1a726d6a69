"""Which of the published verdicts do the counts give?"""

from __future__ import annotations

from typing import Any

from metacog.core.frames import rows_of
from metacog.core.words import listed
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


def pairs_not_named(result: Any) -> str:
    """How often the pairs whose d' the text only counts get each verdict, as printed and by either interval."""
    rows = rows_of(result.counted)
    printed = listed(f"{row.printed} {row.verdict}" for row in rows if row.printed)
    wide, narrow = (
        listed(f"{n} {row.verdict}" for row, n in zip(rows, result.counted[column], strict=True) if n)
        for column in ("found_wide", "found")
    )
    return (
        f"Of the pairs whose $d'$ the paper only counts, it has {printed}. Intervals as wide as its test give {wide}; "
        f"intervals of 95 % give {narrow}."
    )


VIEWS = (Views("published_claims", sentences={"pairs_not_named": pairs_not_named}),)
