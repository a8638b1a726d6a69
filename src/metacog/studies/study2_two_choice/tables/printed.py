"""Tables of printed verdicts."""

from __future__ import annotations

from metacog.report.tables import Schema, answer, columns_of, count, text
from metacog.studies.study2_two_choice.tables.columns import BOTH_ENDS, DIFFERENCE, PAIR, SAID

VERDICTS = columns_of(
    PAIR,
    DIFFERENCE,
    BOTH_ENDS,
    text("printed", "Printed"),
    SAID,
    answer("agrees", "95 % agrees"),
    answer("agrees_wide", "Wide agrees"),
)
#: The same of verdicts that the ledger judges by these numbers.
JUDGED = columns_of(VERDICTS, text("status", "In the ledger"))

TABLES = {
    "printed_claims.tally": Schema(
        "tally",
        columns_of(
            text("group", "Verdicts of"),
            count("n", "Printed"),
            count("agrees", "95 % agrees"),
            count("agrees_wide", "Wide agrees"),
        ),
        "Printed verdicts and how many of them come out, by both widths of interval.",
    ),
    "printed_claims.risk": Schema("risk", JUDGED, "Verdicts of c and d' over risk."),
    "printed_claims.counted": Schema(
        "counted",
        columns_of(
            text("verdict", "Verdict"),
            count("printed", "Printed"),
            count("found", "By 95 %"),
            count("found_wide", "By the wide"),
        ),
        "Verdicts of d' over risk that the text only counts.",
    ),
    "printed_claims.models": Schema("models", JUDGED, "Verdicts of d' between models."),
    "printed_claims.ratios": Schema(
        "ratios",
        VERDICTS,
        "Verdicts of M-ratio: printed ones rest on posteriors, these on maximum likelihood and a bootstrap.",
    ),
}
