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


def between(result: Any) -> str:
    """Whether this is more than chance, and how much of the decision's evidence confidence uses."""
    rows = result.estimates.set_index("measure")
    ratio, area = rows.loc["M-ratio"], rows.loc["AUROC2"]
    more = "is more than" if area["lower"] > area["nothing"] else "may be no more than"
    uses = (
        "less than the decision did"
        if ratio["upper"] < 1
        else "more than the decision did"
        if ratio["lower"] > 1
        else "perhaps all that the decision did"
    )
    return f"That {more} chance, and confidence uses {uses}."


def criterion(result: Any) -> str:
    """Which kind is named more readily."""
    c = result.numbers["c"]
    readily, other = ("positive", "negative") if c < 0 else ("negative", "positive")
    sign = "negative" if c < 0 else "positive"
    return f'A {sign} $c$ says "{readily}" a little more readily than "{other}".'


VIEWS = Views("primer", sentences={"answer": answer, "between": between, "criterion": criterion})
