"""Every published figure next to the recomputed one, and how many of them agree."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.ledger.entry import Kind, Settings, Status
from metacog.ledger.judging import available_files, make_ledger
from metacog.ledger.page import ledger_html, printed_text, reproduced_text, roles, worded
from metacog.ledger.summary import ALL_STUDIES, kinds
from metacog.ledger.tolerances import ALPHA, z_bound
from metacog.report.show import Markup
from metacog.report.views import Views
from metacog.studies.ledgers import ledgers
from metacog.studies.study import Inputs, analysis

#: What readers' numbers call the kinds of figures.
DONE = {"estimated": Kind.ESTIMATED, "recounted": Kind.RECOUNTED, "held": Kind.PRINTED}


@analysis(
    files=("data/published/**/*.csv", "data/atlas/*.parquet", "data/simulations/*_chains.csv"), ledgers=True
)
def ledger(inputs: Inputs, *, ledger_resamples: int = 10_000, seed: int = 42) -> dict[str, Any]:
    """Which printed figures are reproduced?"""
    asked = ledgers()
    settings = Settings(ledger_resamples, seed, available_files(asked), inputs.ledger_results())
    rows = make_ledger(settings, asked)
    family = int(rows["family"].max()) if len(rows) else 0
    return {
        "kinds": kinds(rows),
        "roles": worded(roles(rows, [role for study in asked for role in study.roles])),
        "ledger": rows,
        "told": told(rows),
        "family": family,
        "z": float(z_bound(family)),
        "alpha": ALPHA,
    }


def told(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows that differ as texts for readers, those of a paper's text before those of its tables."""
    differing = rows[rows["status"] == Status.DIFFERS]
    figures = zip(differing["reproduced"], differing["published"], strict=True)
    made = worded(differing).assign(
        reproduced=[reproduced_text(value, printed) for value, printed in figures],
        published=differing["published"].map(printed_text),
        in_text=differing["table"].str.contains(r"\btext\b"),
        note=differing["note"].fillna(""),
    )
    made = made.sort_values("in_text", ascending=False, kind="stable").reset_index(drop=True)
    return made[["study", "table", "item", "quantity", "published", "reproduced", "note"]]


def figures(result: Any) -> dict[str, Any]:
    """How many figures that could have failed there are, and match: of all, and by what was done with them."""
    every = result.kinds[result.kinds["study"] == ALL_STUDIES].set_index("kind")
    found = {"match": int(every["match"].sum()), "rows": int(every["rows"].sum())}
    for name, kind in DONE.items():
        own = every[every.index == kind]
        found |= {f"{name}_match": int(own["match"].sum()), f"{name}_rows": int(own["rows"].sum())}
    return found | {"waiting": int((result.ledger["status"] == Status.NEEDS).sum())}


def page(result: Any) -> Markup:
    """The table that can be searched, with its rows to take along."""
    return Markup(ledger_html(result.ledger), result.ledger.to_csv(index=False))


VIEWS = Views("ledger", numbers=figures, parts={"page": page})
