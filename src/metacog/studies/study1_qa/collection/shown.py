"""What was asked, of whom, and what came back? How it is shown."""

from __future__ import annotations

from typing import Any

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views


def ran_on(result: Any) -> str:
    """How many replies went on into a next question, in which models, and what marks that changed."""
    counts = ["n_trials", "ran_on", "righted"]
    total = result.outcomes.groupby("model", sort=False, as_index=False)[counts].sum()
    cut = total[total["ran_on"] > 0]
    if cut.empty:
        return "No reply of this run went on into another question."
    whole = listed(f"{row.ran_on:,} of {row.n_trials:,} of {row.model}" for row in rows_of(cut))
    return (
        f"So many replies went on into another question and were cut where it begins: {whole}. "
        f"{int(cut['righted'].sum()):,} of these {int(cut['ran_on'].sum()):,} answers are right without it and "
        "would be wrong with it."
    )


VIEWS = Views("collection", sentences={"ran_on": ran_on})
