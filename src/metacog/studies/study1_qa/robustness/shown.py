"""R1 to R6: do the results rest on settings that could have been chosen otherwise? How it is shown."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.robustness.judging import BASELINE


def answer(result: Any) -> str:
    """What unequal spread and other questions do to the order of the paper's models."""
    ranks = compact(result.published).pivot(index="variant", columns="model", values="rank")
    changed, of = int((ranks.nunique() > 1).sum()), len(ranks.columns)
    if not changed:
        return "Other choices leave the ranking of the paper's models by M-ratio as it is."
    return (
        f"The ranking by M-ratio depends on the choices: with unequal spread or other questions {changed} of the "
        f"paper's {of} models change their place."
    )


def compact(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the pre-registered setting once, named so, instead of once per check."""
    base = table["variant"] == BASELINE
    first = base & (table["check"] == table.loc[base, "check"].iloc[0])
    kept = table[first | ~base].copy()
    kept.loc[kept["variant"] == BASELINE, ["check", "variant"]] = ["-", "as pre-registered"]
    return kept.sort_values("check", kind="stable").reset_index(drop=True)


VIEWS = Views("robustness", names=NAMES, sentences={"answer": answer})
