"""The measures built one after the other from one small table: what its page says."""

from __future__ import annotations

from typing import Any

from metacog.report.views import Views


def answer(result: Any) -> str:
    """What eight counts tell of confidence, by the measure that is read most easily."""
    value = result.estimates.set_index("measure")["estimate"]
    return (
        "Eight counts of real replies give every measure: in these, a right reply is ranked above a wrong one "
        f"{100 * value['AUROC2']:.0f} % of the time."
    )


VIEWS = Views("primer", sentences={"answer": answer})
