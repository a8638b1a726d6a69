"""Rows of study 2's text that are no verdicts on pairs: over tasks, ranges, and how the scale is used."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.ledger.entry import Entry, Kind, Role, Status, Value
from metacog.sdt.decisions import z_test
from metacog.sdt.type1 import type1
from metacog.studies.study2_two_choice.ledger import claims, published
from metacog.studies.study2_two_choice.ledger.published import CONFIDENCE, FROM_COUNTS, MODELS, TASKS
from metacog.studies.study2_two_choice.risk.cells import risk_cells

STUDY = "study 2"
TEXT = "study 2, text"
FROM_S1 = Role(
    Status.REPEAT,
    "ends of the range of M-ratio in the text",
    "the smallest and the largest M-ratio of table S1, rounded",
)


def text_rows() -> list[Entry]:
    """A row a printed figure or claim.

    Raises
    ------
    MetacogError
        If a line of the file is neither a verdict on pairs nor one of these.
    """
    rows: list[Entry] = []
    makers: dict[str, Callable[[Any], list[Entry]]]
    makers = {"significant": _varies, "range": _range, "count": _once, "share": _seldom, "claim": _scale}
    for line in rows_of(published.as_text("text_claims")):
        verdict = line.printed_verdict
        if claims.COUNTED.match(line.comparison) or (
            verdict in claims.VERDICTS and line.comparison != claims.VARIES
        ):
            continue
        if verdict not in makers:
            raise MetacogError(f"servajean_text_claims.csv: {line.comparison!r} is not understood")
        rows += makers[verdict](line)
    return rows


def _varies(line: Any) -> list[Entry]:
    """In how many models d' of two tasks differs, of all models."""
    found = [model for model in MODELS if any(rejected for _, _, rejected in task_tests(model))]
    note = "; ".join(
        f"{MODELS[m]}: |z| {min(abs(z) for _, z, _ in task_tests(m)):.1f} or more" for m in MODELS
    )
    value = Value(float(len(found)), FROM_COUNTS, note=note, kind=Kind.ESTIMATED)
    quantity = "models in which d' of two tasks differs (z test, Bonferroni over three pairs)"
    return [
        Entry(STUDY, TEXT, "d' over tasks, every model", quantity, str(len(MODELS)), value, in_words=True)
    ]


def task_tests(
    model: str, cells: tuple[published.Ratings, ...] | None = None
) -> list[tuple[tuple[str, str], float, bool]]:
    """Each pair of tasks of a model: the pair, z of the difference of d', and whether it is significant.

    Parameters
    ----------
    model : str
    cells : tuple of Ratings, optional
        In place of the published ones.
    """
    own = {
        cell.task: type1(cell.nR_S1, cell.nR_S2)
        for cell in (published.rating_cells() if cells is None else cells)
        if cell.model == model
    }
    pairs = list(combinations(own, 2))
    found = []
    for a, b in pairs:
        error = float(np.hypot(own[a].half_width("d_prime", z=1.0), own[b].half_width("d_prime", z=1.0)))
        test = z_test(own[a].d_prime - own[b].d_prime, error, m=len(pairs))
        found.append(((a, b), float(test.z), bool(test.rejected)))
    return found


def _range(line: Any) -> list[Entry]:
    measure, text = line.measure, line.printed_value
    if measure == "m_ratio":
        return _range_of_m_ratio(text)
    cells = risk_cells()
    own = cells[cells["model"] == line.model]
    by = {risk: own.loc[own["risk"] == risk, "c"] for risk in ("S1", "S2")}
    name = f"c, {MODELS[line.model]}, every task"
    return [
        Entry(
            STUDY,
            TEXT,
            f"{name}: warned of S1",
            "largest c",
            f"-{text}",
            Value(float(by["S1"].max()), FROM_COUNTS, kind=Kind.ESTIMATED),
            relation="<",
        ),
        Entry(
            STUDY,
            TEXT,
            f"{name}: warned of S2",
            "smallest c",
            text,
            Value(float(by["S2"].min()), FROM_COUNTS, kind=Kind.ESTIMATED),
            relation=">",
        ),
    ]


def _range_of_m_ratio(text: str) -> list[Entry]:
    frame = published.as_numbers("tableS1")
    printed = frame.loc[frame["measure"] == "m_ratio", "estimate"]
    return [
        Entry(
            STUDY,
            TEXT,
            "M-ratio over the nine cells",
            end,
            value,
            Value(float(found), "table S1 as printed", kind=Kind.PRINTED),
            role=FROM_S1,
        )
        for end, value, found in zip(
            ("smallest", "largest"), text.split(" to "), (printed.min(), printed.max()), strict=True
        )
    ]


def used() -> pd.DataFrame:
    """How often each confidence was given: a row a task and model, a column a level."""
    counts = published.as_numbers("meta_d_counts")
    return counts.pivot_table(
        index=["task", "model"], columns="confidence", values="n", aggfunc="sum", fill_value=0
    )


def _once(line: Any) -> list[Entry]:
    table, model = used(), line.model
    return [
        Entry(
            STUDY,
            TEXT,
            f"{MODELS[model]}, task {task}",
            "answers with confidence 1",
            line.printed_value,
            Value(float(table.loc[(task, model), 1]), FROM_COUNTS, kind=Kind.RECOUNTED),
            in_words=True,
        )
        for task in line.task.split(",")
    ]


def _seldom(line: Any) -> list[Entry]:
    task, model = line.task, line.model
    own = used().loc[(task, model)]
    value = Value(float(100 * own[3] / own.sum()), FROM_COUNTS, kind=Kind.RECOUNTED)
    printed = line.printed_value.rstrip("%")
    return [
        Entry(STUDY, TEXT, f"{MODELS[model]}, task {task}", "answers with confidence 3, %", printed, value)
    ]


def _scale(line: Any) -> list[Entry]:
    whole = whole_scale(used())
    value = Value(
        float(whole == ["A"]),
        FROM_COUNTS,
        kind=Kind.RECOUNTED,
        note=f"every model gives all {len(CONFIDENCE)} confidences in: {', '.join(whole) or 'none'}",
    )
    quantity = "task A is the only one in which every model uses the full scale"
    return [Entry(STUDY, TEXT, "confidence over tasks", quantity, "True", value, in_words=True)]


def whole_scale(table: pd.DataFrame) -> list[str]:
    """Tasks in which every model gives every confidence, from :func:`used`."""
    every = (table.reindex(columns=list(CONFIDENCE), fill_value=0) > 0).all(axis=1)
    whole = every.groupby(level="task").all()
    return [task for task in TASKS if bool(whole[task])]
