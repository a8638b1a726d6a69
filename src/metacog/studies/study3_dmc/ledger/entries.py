"""Rows of study 3 in the ledger: tables 1 to 3 and the statistics of the text, every printed figure a row.

Claims of study 3's text on the order of its printed averages and CVs, counted in comparisons that hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise, product

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger import judging
from metacog.ledger.entry import Entry, Kind, Rival, Role, Settings, Status, StudyLedger, Value
from metacog.ledger.judging import claim_entries
from metacog.studies.study3_dmc import paper
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
from metacog.studies.study3_dmc.paper import CV_MEASURES, DATASETS, METHODS, MODELS, TABLE2_MODEL

VERBALISED = ("verb_vanilla", "verb_cot", "verb_topk")
#: The claim that rests on table 1.
VARIATION = "cv_lowest"
CONSISTENCY = ("self_random", "perturbing", "misleading")


#: Whether each comparison of a claim holds, and the averages that are compared.
Held = tuple[list[bool], str]


def _shown(averages: pd.Series, methods: tuple[str, ...]) -> str:
    return ", ".join(f"{METHODS[m]} {averages[m]:.4f}" for m in methods)


def _below(lowest: str, methods: tuple[str, ...], averages: pd.Series) -> Held:
    others = [m for m in methods if m != lowest]
    return [bool(averages[lowest] < averages[m]) for m in others], _shown(averages, methods)


def _notably(averages: pd.Series) -> Held:
    """Both above, and the second by more than the first."""
    base, one, other = (float(averages[m]) for m in VERBALISED)
    note = f"{one - base:.4f} and {other - base:.4f} above; notably is read as by more than the other"
    return [one > base, other > base, other - base > one - base], note


def _pairs(averages: pd.Series, pairs: product[tuple[str, str]]) -> Held:
    """Whether the first of each pair lies below the second."""
    listed = list(pairs)
    gaps = [float(averages[high] - averages[low]) for low, high in listed]
    return [gap > 0 for gap in gaps], f"by {min(gaps):.4f} to {max(gaps):.4f}"


def _slightly(averages: pd.Series) -> Held:
    """The order alone: no measure of "slightly" is printed, so the gap stands next to another one."""
    held, by = _pairs(averages, product(("perturbing", "misleading"), ("self_random",)))
    other = float(averages[list(CONSISTENCY)].min() - averages[list(VERBALISED)].max())
    return (
        held,
        f"{by}; only the order is judged, every consistency way is {other:.4f} or more above the others",
    )


def _models(averages: pd.Series) -> Held:
    methods = list(dict.fromkeys(averages.index.get_level_values("method")))
    steps = [(low, high, m) for m in methods for low, high in pairwise(MODELS)]
    held = [bool(averages[high, m] > averages[low, m]) for low, high, m in steps]
    cells = paper.cells("table3")
    single = [cells.loc[(high, m)].to_numpy() > cells.loc[(low, m)].to_numpy() for low, high, m in steps]
    return held, f"and in {int(np.sum(single))} of {np.size(single)} comparisons of single cells"


def _spread(averages: pd.Series) -> Held:
    low, high = (averages[m].to_numpy(dtype=np.float64) for m in ("llama2_70b", "gpt_4"))
    note = f"range {np.ptp(low):.4f} and {np.ptp(high):.4f}, sd {low.std():.4f} and {high.std():.4f}"
    return [bool(np.ptp(low) < np.ptp(high)), bool(low.std() < high.std())], note


def _variation() -> Held:
    """Whether the CV of DMC lies below that of each other measure with each way of eliciting confidence."""
    printed = paper.as_numbers("table1").set_index("method")[list(CV_MEASURES)]
    ratios = printed.drop(columns="dmc").div(printed["dmc"], axis=0).to_numpy(dtype=np.float64).ravel()
    note = f"the others are {ratios.min():.0f} to {ratios.max():.0f} times as large, as printed"
    return [bool(ratio > 1) for ratio in ratios], note


#: What each claim gives, by its id: from averages of table 2 by method, and of table 3 by (model, method).
ORDERS: dict[str, Callable[[pd.Series, pd.Series], Held]] = {
    "vanilla_lowest": lambda two, three: _below("verb_vanilla", VERBALISED, two),
    "topk_notably": lambda two, three: _notably(two),
    "consistency_above": lambda two, three: _pairs(two, product(VERBALISED, CONSISTENCY)),
    "models_ordered": lambda two, three: _models(three),
    "llama_differs_less": lambda two, three: _spread(three),
    VARIATION: lambda two, three: _variation(),
    "slightly_below": lambda two, three: _slightly(two),
}


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
    for row in rows_of(paper.as_text("table1")):
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
                    precision=paper.precision("table1"),
                    needs=NEEDS_VALUES,
                )
            )
    return rows


def _cells(name: str, place: str, found: Found) -> list[Entry]:
    """Cells of a table of DMC, which wait for counts, and averages of its rows."""
    texts, index = paper.as_text(name), paper.cells(name).index
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
                    precision=paper.precision(name),
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
                row[paper.AVERAGE],
                _value(known),
                precision=paper.precision(name),
                role=SAME_CELLS if known.repeats else None,
            )
        )
    return rows


def _in_table2(method: str, dataset: str) -> Value:
    """The same cell as table 2 prints it."""
    printed = paper.cells("table2")[dataset][(TABLE2_MODEL, method)]
    note = next((t.note for t in two_prints() if (t.method, t.dataset) == (method, dataset)), "")
    return Value(float(printed), "table 2's print of the same cell", note=note, kind=Kind.PRINTED)


def _text() -> list[Entry]:
    """Statistics of the averages."""
    found = {r.claim: r for r in recomputed() if r.place == TEXT}
    return claim_entries(
        paper.as_text("text_claims"),
        {claim: partial(_value, row, FROM_AVERAGES) for claim, row in found.items()},
        study=STUDY,
        table=TABLES[TEXT],
        precision=paper.precision("text_claims"),
        role=lambda claim, column, value: EXTREMES if found[claim].repeats else None,
    )


def _orders() -> list[Entry]:
    """How many of the comparisons in a claim on order hold."""
    return claim_entries(
        paper.as_text("order_claims"),
        {
            claim: partial(_order, held, FROM_CELLS if claim == VARIATION else FROM_AVERAGES)
            for claim, held in ORDERS.items()
        },
        paper.averages("table2")[TABLE2_MODEL],
        paper.averages("table3"),
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
