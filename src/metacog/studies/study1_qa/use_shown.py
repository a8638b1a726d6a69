"""Can the confidence of a model be used? What its page says first."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.report.views import Views
from metacog.studies.study1_qa.cells_shown import NAMES
from metacog.studies.study1_qa.use import FEWEST, SURE


def answer(result: Any) -> str:
    """In which models sure answers are as often right as they should be, at the lowest temperature."""
    if result.sure.empty or not result.sure["asked"].any():
        return "Nothing can be said: no answer of this run has a confidence."
    at = _coolest(result)
    enough = at[at["n_sure"] >= FEWEST]
    yes, no = enough[enough["sure_lower"] >= SURE], enough[enough["sure_upper"] < SURE]
    if len(yes) and len(no):
        return (
            "In some models: answers above nine tenths are shown to be right as often as they should be in "
            f"{len(yes)}, and less often in {len(no)}."
        )
    shown = yes if len(yes) else no
    if shown.empty:
        most = _surest(at)
        return f"Too few answers are above nine tenths to say: at most {most['n_sure']:,} of {most['asked']:,} a model."
    row = shown.iloc[0]
    much = (
        f"{100 * row['sure']:.0f} % of {row['model']}'s {row['n_sure']:,} answers above nine tenths are right"
    )
    rest = "; the others here have too few" if len(shown) == 1 else "; some models here have too few"
    if len(shown) == len(at):
        rest = "" if len(at) == 1 else "; so in every model"
    if len(yes):
        return f"Yes, where it is high: at the lowest temperature {much}{rest}."
    return f"Not as it stands: only {much} at the lowest temperature{rest}."


def unsure(result: Any) -> str:
    """How often unsure answers of the model with the most sure ones are right, there and at temperature 1."""
    if result.sure.empty:
        return ""
    at = _coolest(result)
    model = _surest(at)["model"]
    parts = [
        f"{100 * row.unsure:.0f} % of {row.n_unsure:,} at {row.sampling}"
        for row in result.sure.sort_values("temperature", kind="stable").itertuples()
        if row.model == model and row.n_unsure
    ]
    return f"Of {model}'s answers below one half, right are {' and '.join(parts)}." if parts else ""


def _surest(table: pd.DataFrame) -> pd.Series:
    return table.sort_values("n_sure", ascending=False, kind="stable").iloc[0]


def _coolest(result: Any) -> pd.DataFrame:
    """Rows of the lowest temperature, one a model."""
    table: pd.DataFrame = result.sure
    return table[table["temperature"] == table["temperature"].min()]


VIEWS = Views("use", names=NAMES, sentences={"answer": answer, "unsure": unsure})
