"""Rows of study 3 in the ledger: tables 1 to 3 and the statistics of the text, every printed figure a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger import judging
from metacog.ledger.claims import claim_entries
from metacog.ledger.entry import Entry, Kind, Rival, Role, Settings, Status, StudyLedger, Value
from metacog.studies.study3_dmc.ledger import published
from metacog.studies.study3_dmc.ledger.orders import ORDERS, VARIATION, Held
from metacog.studies.study3_dmc.ledger.published import CV_MEASURES, DATASETS, METHODS, MODELS, TABLE2_MODEL
from metacog.studies.study3_dmc.ledger.recomputed import (
    AVERAGE,
    CV,
    T1,
    T2,
    T3,
    TEXT,
    Recomputed,
    recomputed,
    two_prints,
)

STUDY = "study 3"
TABLES = {
    T1: "study 3, table 1: CV over data sets",
    T2: "study 3, table 2: DMC of GPT-3.5",
    T3: "study 3, table 3: DMC of three models",
    TEXT: "study 3, text",
}
FROM_CELLS = "the printed cells"
FROM_AVERAGES = "the printed averages"
#: What a cell of DMC waits for, and a CV of another measure.
NEEDS_COUNTS = "the counts of right and wrong answers by answer and rating (not published)"
NEEDS_VALUES = "the eight values it is taken over (not published)"

SAME_CELLS = Role(
    Status.REPEAT,
    "GPT-3.5's rows of table 3",
    "prints again what table 2 prints",
)
EXTREMES = Role(
    Status.REPEAT,
    "largest and smallest averages of the text",
    "restates an average of table 3",
)


def entries(settings: Settings) -> list[Entry]:
    """Every row of study 3."""
    found = {(r.place, r.model, r.method, r.quantity): r for r in recomputed()}
    return [*_table1(found), *_cells("table2", T2, found), *_cells("table3", T3, found), *_text(), *_orders()]


def judged_figures() -> list[Recomputed]:
    """Every figure that follows from other printed ones, with what the ledger says about it."""
    status = judging.judged_rows(entries(Settings()))["status"].to_dict()
    rows = recomputed()
    # tables 1 and 2 are of one model, which their rows do not name
    items = [METHODS[r.method] if r.place in (T1, T2) else r.item for r in rows]
    return [
        replace(
            r,
            status=Status(status[TABLES[r.place], item, r.quantity]),
            sample_agrees=bool(judging.agrees(r.printed, r.sample, r.precision + r.reach)),
            agrees_at_worst=bool(judging.agrees(r.printed, r.value, r.precision + r.worst)),
        )
        for r, item in zip(rows, items, strict=True)
    ]


Found = dict[tuple[str, str, str, str], Recomputed]


def _table1(found: Found) -> list[Entry]:
    rows = []
    for row in rows_of(published.as_text("table1")):
        for measure, name in CV_MEASURES.items():
            known = found.get((T1, TABLE2_MODEL, row.method, CV)) if measure == "dmc" else None
            rows.append(
                Entry(
                    STUDY,
                    TABLES[T1],
                    METHODS[row.method],
                    f"CV of {name}",
                    getattr(row, measure),
                    _value(known) if known else None,
                    precision=published.precision("table1"),
                    needs=NEEDS_VALUES,
                )
            )
    return rows


def _cells(name: str, place: str, found: Found) -> list[Entry]:
    """Cells of a table of DMC, which wait for counts, and averages of its rows."""
    texts, index = published.as_text(name), published.cells(name).index
    rows = []
    for (model, method), row in zip(index, texts.to_dict("records"), strict=True):
        item = METHODS[method] if name == "table2" else f"{MODELS[model]}, {METHODS[method]}"
        for dataset, title in DATASETS.items():
            value, role = None, None
            if name == "table3" and model == TABLE2_MODEL:
                value, role = _in_table2(method, dataset), SAME_CELLS
            rows.append(
                Entry(
                    STUDY,
                    TABLES[place],
                    item,
                    title,
                    row[dataset],
                    value,
                    precision=published.precision(name),
                    needs=NEEDS_COUNTS,
                    role=role,
                )
            )
        known = found[(place, model, method, AVERAGE)]
        rows.append(
            Entry(
                STUDY,
                TABLES[place],
                item,
                AVERAGE,
                row[published.AVERAGE],
                _value(known),
                precision=published.precision(name),
                role=SAME_CELLS if known.repeats else None,
            )
        )
    return rows


def _in_table2(method: str, dataset: str) -> Value:
    """The same cell as table 2 prints it."""
    printed = published.cells("table2")[dataset][(TABLE2_MODEL, method)]
    note = next((t.note for t in two_prints() if (t.method, t.dataset) == (method, dataset)), "")
    return Value(float(printed), "table 2's print of the same cell", note=note, kind=Kind.PRINTED)


def _text() -> list[Entry]:
    """Statistics of the averages."""
    found = {r.claim: r for r in recomputed() if r.place == TEXT}
    return claim_entries(
        published.as_text("text_claims"),
        {claim: partial(_value, row, FROM_AVERAGES) for claim, row in found.items()},
        study=STUDY,
        table=TABLES[TEXT],
        precision=published.precision("text_claims"),
        role=lambda claim, column, value: EXTREMES if found[claim].repeats else None,
    )


def _orders() -> list[Entry]:
    """How many of the comparisons in a claim on order hold."""
    return claim_entries(
        published.as_text("order_claims"),
        {
            claim: partial(_order, held, FROM_CELLS if claim == VARIATION else FROM_AVERAGES)
            for claim, held in ORDERS.items()
        },
        published.averages("table2")[TABLE2_MODEL],
        published.averages("table3"),
        study=STUDY,
        table=TABLES[TEXT],
        item="{section}: {claim}",
    )


def _order(held: Callable[..., Held], source: str, two: pd.Series, three: pd.Series) -> Value:
    comparisons, note = held(two, three)
    return Value(float(sum(comparisons)), source, note=note, kind=Kind.PRINTED)


def _value(row: Recomputed, source: str = FROM_CELLS) -> Value:
    rival = Rival(row.sample, "with a sample deviation") if np.isfinite(row.sample) else None
    # figures that restate another stand next to it: no rounding lies between them
    reach = 0.0 if row.repeats else row.reach
    return Value(row.value, source, note=row.note, rival=rival, reach=reach, kind=Kind.PRINTED)


LEDGER = StudyLedger(STUDY, entries, roles=(SAME_CELLS, EXTREMES))
