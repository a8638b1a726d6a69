"""Rows of study 4 on what lies outside it: benchmarks (tables 7 and 8) and the human panel (table 9)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.entry import Entry, Value
from metacog.ledger.judging import agreement
from metacog.ledger.tolerances import half_last_digit
from metacog.studies.study4_probe import paper, rank_tests
from metacog.studies.study4_probe.ledger import solved
from metacog.studies.study4_probe.ledger.roles import FROM_END, SOLVED_FROM, STUDY, figure, table_name
from metacog.studies.study4_probe.paper import short
from metacog.studies.study4_probe.rank_tests import COMPOSITES

NEEDS_PEOPLE = "the answers of the human panel"
#: The composite that table 8 is about, and a quantity that a chapter looks up.
COMPOSITE = "composite_15_slot"
WITH_COMPOSITE = "rho with the composite"


def judged_benchmarks() -> pd.DataFrame:
    """:func:`.benchmarks.recomputed`, and by which composite a printed correlation is reproduced.

    ``composite_15_slot_agrees`` is what the ledger says of table 8, and ``NAME_agrees`` what it would say with
    another composite in place of that one.
    """
    frame = rank_tests.recomputed_benchmarks()
    for name in COMPOSITES:
        agreed = agreement(validity_rows(name))[table_name("8")].unstack("quantity")[WITH_COMPOSITE]
        frame[f"{name}_agrees"] = agreed[frame["benchmark"]].to_numpy(dtype=bool)
    return frame


def validity_rows(composite: str = COMPOSITE) -> list[Entry]:
    """Table 8, with the correlation of one of the composites."""
    rows: list[Entry] = []
    found: Any = rank_tests.recomputed_benchmarks().set_index("benchmark")
    source = "the one ranking that gives the benchmark's column of table 7, and the 15-slot composite"
    validity, half = table_name("8"), half_last_digit("0.001")
    for row in rows_of(paper.as_text("external_validity")):
        own = found.loc[row.benchmark]
        known = own["rankings"] == 1
        value = figure(float(own[composite]), source) if known else None
        rows.append(
            Entry(
                STUDY,
                validity,
                row.benchmark,
                WITH_COMPOSITE,
                row.rho,
                value,
                needs="the models' scores on the benchmark",
            )
        )
        for column, label in (("lower", "lower end"), ("upper", "upper end")):
            value = figure(float(own[column]), "the printed rho and 8 models", reach=half)
            rows.append(
                Entry(
                    STUDY,
                    validity,
                    row.benchmark,
                    label,
                    getattr(row, column),
                    value,
                    precision=half_last_digit("0.01"),
                )
            )
    return rows


def task_rows() -> list[Entry]:
    """Table 7: correlations of each task with each benchmark."""
    rows: list[Entry] = []
    found: Any = rank_tests.recomputed_benchmarks().set_index("benchmark")
    table = paper.as_text("table7_external_by_task").set_index("task")
    for benchmark in table.columns:
        known = found["rankings"][benchmark] == 1
        for task in table.index:
            text = str(table[benchmark][task])
            value = figure(float(text), "itself") if known else None
            rows.append(
                Entry(
                    STUDY,
                    table_name("7"),
                    short(task),
                    f"rho with {benchmark}",
                    text,
                    value,
                    role=SOLVED_FROM,
                    needs="the models' scores on the benchmark",
                )
            )
    return rows


def hypothesis_rows() -> list[Entry]:
    """Table 9: statistics, their intervals and verdicts."""
    name, rows = table_name("9"), []
    frame: Any = paper.as_text("table9_hypotheses").set_index("id")
    for row in rows_of(frame.reset_index()):
        for column, label in (("value", "value"), ("lower", "ci_lo"), ("upper", "ci_hi")):
            if text := getattr(row, column):
                value = _end(row.id, text, column) if column != "value" else None
                role = FROM_END if column == "lower" and value is not None else None
                rows.append(
                    Entry(
                        STUDY,
                        name,
                        row.id,
                        f"{row.statistic}, {label}",
                        text,
                        value,
                        role=role,
                        needs=NEEDS_PEOPLE,
                    )
                )
    first, second = (frame.loc[h, ["value", "lower", "upper"]].astype(float) for h in ("H1", "H2"))
    held = {
        "H1": first["value"] <= 0.40 and first["lower"] <= 0 <= first["upper"],
        "H2": not second["value"] >= 0.30,
        "H3": rank_tests.partial(rank_tests.reliability_table()),
    }
    for hypothesis, holds in held.items():
        verdict = frame.loc[hypothesis, "verdict"]
        rows.append(
            Entry(
                STUDY,
                name,
                hypothesis,
                f"verdict: {verdict}",
                "True",
                figure(float(holds), "the printed figures and bars"),
                in_words=True,
            )
        )
    return rows


def _end(hypothesis: str, text: str, column: str) -> Value | None:
    """An end of the interval of H1 or H2 at the numbers of people that give its lower end, if any does."""
    people, low, high = solved.upper_end(hypothesis)
    if not people:
        return None
    who = f"{people[0]} to {people[-1]} people, whom the lower end stands for"
    if column == "lower":
        return figure(float(text), "itself")
    return figure((low + high) / 2, f"the printed statistic and {who}", reach=(high - low) / 2)
