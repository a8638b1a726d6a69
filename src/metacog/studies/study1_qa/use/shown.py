"""Can the confidence of a model be used? What its page says first."""

from __future__ import annotations

from typing import Any

from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.use.reliability import FEWEST, SURE


def answer(result: Any) -> str:
    """How often sure answers of the first model are right at the lowest temperature, and how many these are."""
    if result.sure.empty:
        return "Nothing can be said: no answer of this run has a confidence."
    row = result.sure.sort_values("temperature", kind="stable")
    row = row[row["model"] == result.sure["model"].iloc[0]].iloc[0]
    if row["n_sure"] < FEWEST:
        return f"Too few answers are above nine tenths to say: {row['n_sure']} of {row['model']}'s {row['asked']:,}."
    much = (
        f"{100 * row['sure']:.0f} % of {row['model']}'s {row['n_sure']:,} answers above nine tenths are right"
    )
    if row["sure_lower"] >= SURE:
        return f"Yes, where it is high: at the lowest temperature {much}."
    if row["sure_upper"] < SURE:
        return f"Not as it stands: only {much} at the lowest temperature."
    return f"Too few answers to say whether it is as good as it says: {much}."


def unsure(result: Any) -> str:
    """How often unsure answers of the same model are right, there and at temperature 1."""
    own = (
        result.sure[result.sure["model"] == result.sure["model"].iloc[0]] if len(result.sure) else result.sure
    )
    parts = [
        f"{100 * row.unsure:.0f} % of {row.n_unsure:,} at {row.sampling}"
        for row in own.sort_values("temperature", kind="stable").itertuples()
        if row.n_unsure
    ]
    return f"Of its answers below one half, right are {' and '.join(parts)}." if parts else ""


VIEWS = Views("use", names=NAMES, sentences={"answer": answer, "unsure": unsure})
