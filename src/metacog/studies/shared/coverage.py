"""What of the five papers is here: every procedure, measure, hypothesis, check, figure, table and claim, and its place.

``data/published/coverage.csv`` was written by hand, paper by paper in its order; that places exist is tested.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.paths import published_file
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis

FILE = "coverage.csv"
#: How much of a row is here, best first.
LEVELS = ("full", "partial", "absent")


@analysis(files=(f"data/published/{FILE}",))
def coverage(inputs: Inputs) -> dict[str, Any]:
    """What of the five papers is here, and where?"""
    rows = pd.read_csv(published_file(FILE), dtype=str, keep_default_na=False)
    return {"rows": rows, "studies": counted(rows, "study"), "kinds": counted(rows, "kind")}


def counted(rows: pd.DataFrame, by: str) -> pd.DataFrame:
    """How many rows of each group are here in full, in part and not at all: ``by, full, partial, absent, n``."""
    counts = pd.crosstab(rows[by], rows["status"]).reindex(columns=list(LEVELS), fill_value=0)
    counts = counts.loc[list(dict.fromkeys(rows[by]))]
    return counts.assign(n=counts.sum(axis=1)).rename_axis(columns=None).reset_index()


def figures(result: Any) -> dict[str, Any]:
    """How much of the papers is here in full and in part, in per cent of the table's rows."""
    total = result.studies[[*LEVELS, "n"]].sum()
    return {one: 100 * float(total[one] / total["n"]) for one in LEVELS}


VIEWS = Views("coverage", numbers=figures)
