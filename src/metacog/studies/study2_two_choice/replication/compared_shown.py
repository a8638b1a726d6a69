"""How the comparisons of models and of tasks are shown: tables and sentences."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.tables import Pick, Schema, columns_of, limits, number, text
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study2_two_choice.cells.columns import DIFFERENCE
from metacog.studies.study2_two_choice.replication.compared import QUANTITIES


def pairs_of(kind: str) -> Pick:
    """Picks the pairs of one kind, with the name of the quantity."""

    def pick(frame: pd.DataFrame) -> pd.DataFrame:
        rows = frame[frame["kind"] == kind]
        return rows.assign(named=rows["quantity"].map(QUANTITIES))

    return pick


PAIRS = {
    kind: Schema(
        "pairs",
        columns_of(
            text("named", "Quantity"),
            text("within", within),
            text("first", "First"),
            text("second", "Second"),
            number("value_first", "of the first"),
            number("value_second", "of the second"),
            DIFFERENCE,
            limits("lower", "upper", "95 %, all pairs together"),
            number("p_holm", "p (Holm)", 4),
            text("why", "Why not judged", optional=True),
        ),
        f"{title}, first minus second.",
        pick=pairs_of(kind),
        empty=alone,
    )
    for kind, within, title, alone in (
        (
            "models",
            "Task",
            "Two models on the same sentences",
            "No two models of this run did the same task.",
        ),
        ("tasks", "Model", "Two tasks of one model", "No model of this run did two tasks."),
    )
}


def compared_sentence(verdict: Verdict) -> str:
    """Which pairs differ, and which cannot be judged."""
    pairs, quantity = verdict.values["pairs"], verdict.values["quantity"]
    apart = rows_of(pairs[pairs["differs"].astype(bool)])
    shown = [
        f"{r.first} minus {r.second} ({r.within}) {r.difference:+.2f} ({r.lower:+.2f} to {r.upper:+.2f})"
        for r in apart
    ]
    waiting = len(verdict.undecided)
    rest = f" {plural(waiting, 'pair')} cannot be judged; the table shows why." if waiting else ""
    if not len(pairs):
        return f"{quantity}: there is no pair of {verdict.hypothesis} that can be judged.{rest}"
    count = f"{len(apart)} of {plural(len(pairs), 'pair')} of {verdict.hypothesis}"
    named = f": {listed(shown)}" if shown else ""
    return f"{quantity}: {count} {'differs' if len(apart) == 1 else 'differ'}{named}.{rest}"


COMPARED = Views("replication_compared", tables=PAIRS, verdicts={"compared": compared_sentence})
