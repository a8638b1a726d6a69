"""Every published figure next to the recomputed one, and how many of them agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.ledger.entry import Kind, Settings, Status
from metacog.ledger.judging import available_files, make_ledger
from metacog.ledger.page import kinds, printed_text, reproduced_text, roles, statuses, tally, worded
from metacog.ledger.summary import summarise
from metacog.ledger.tolerances import ALPHA, z_bound
from metacog.studies.ledgers import ledgers
from metacog.studies.study import analysis

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Ledger:
    """Every published figure next to the recomputed one.

    ``ledger`` has every row. ``judged``
    counts the rows that could have failed, ``tested`` those of them that chance could have failed,
    and ``family`` is the number that shares the level among these. ``kinds`` holds the judged rows by study
    and kind, and each kind has its numbers apart: those ``estimated``, ``recounted`` and ``printed`` that
    match and that differ. ``told`` has the rows that differ as readers see them, those of a paper's
    text first.
    """

    kinds: pd.DataFrame
    tally: pd.DataFrame
    statuses: pd.DataFrame
    roles: pd.DataFrame
    differing: pd.DataFrame
    ledger: pd.DataFrame
    rows: int
    judged: int
    match: int
    differs: int
    estimated_match: int
    estimated_differs: int
    recounted_match: int
    recounted_differs: int
    printed_match: int
    printed_differs: int
    waiting: int
    tested: int
    family: int
    z: float
    alpha: float
    told: pd.DataFrame


@analysis(
    returns=Ledger,
    files=("data/published/**/*.csv", "data/atlas/*.parquet", "data/simulations/*_chains.csv"),
    ledgers=True,
)
def ledger(inputs: Inputs, *, ledger_resamples: int = 10_000, seed: int = 42) -> Ledger:
    """Which printed figures are reproduced?"""
    asked = ledgers()
    settings = Settings(ledger_resamples, seed, available_files(asked), inputs.ledger_results())
    rows = make_ledger(settings, asked)
    counts = summarise(rows)
    shown = ["table", "item", "quantity", "kind", "published", "reproduced", "note"]
    family = int(rows["family"].max()) if len(rows) else 0
    return Ledger(
        kinds(rows),
        tally(rows),
        statuses(rows),
        worded(roles(rows, [role for study in asked for role in study.roles])),
        rows[rows["status"] == Status.DIFFERS][shown].reset_index(drop=True),
        rows,
        counts.rows,
        counts.judged,
        counts.by_status[Status.MATCH],
        counts.by_status[Status.DIFFERS],
        counts.by_kind[Kind.ESTIMATED].match,
        counts.by_kind[Kind.ESTIMATED].differs,
        counts.by_kind[Kind.RECOUNTED].match,
        counts.by_kind[Kind.RECOUNTED].differs,
        counts.by_kind[Kind.PRINTED].match,
        counts.by_kind[Kind.PRINTED].differs,
        counts.by_status[Status.NEEDS],
        counts.tested,
        family,
        float(z_bound(family)),
        ALPHA,
        told(rows),
    )


def told(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows that differ as readers see them, those of a paper's text before those of its tables.

    Returns
    -------
    DataFrame
        ``study, table, item, quantity, published, reproduced, note``, all of them texts.
    """
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
