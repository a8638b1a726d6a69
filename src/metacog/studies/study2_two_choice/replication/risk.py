"""Decisions under risk of the models of the run: counts and cells."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import typed_rows
from metacog.sdt.bootstrap import padding
from metacog.studies.study2_two_choice.cells.decisions import decision_cells
from metacog.studies.study2_two_choice.ledger.published import RISKS
from metacog.studies.study2_two_choice.replication.replies import groups

#: The three configurations, for readers.
WARNED = {
    "S1": "warned of the first answer",
    "None": "no warning",
    "S2": "warned of the second answer",
}


def decision_counts(trials: pd.DataFrame) -> pd.DataFrame:
    """Hits, misses, false alarms and correct rejections of usable trials.

    Returns
    -------
    DataFrame
        One row per task, model and risk configuration with trials of both stimuli: ``task, model, risk, hits,
        misses, false_alarms, correct_rejections, total``.
    """
    rows = []
    for task, model, part in groups(trials):
        for risk in RISKS:
            under = part[part["risk"] == risk]
            table = pd.crosstab(under["stimulus"], under["response"]).reindex(
                index=[0, 1], columns=[0, 1], fill_value=0
            )
            (rejections, alarms), (misses, hits) = table.to_numpy().tolist()
            if rejections + alarms and misses + hits:
                rows.append((task, model, risk, hits, misses, alarms, rejections, len(under)))
    counted = ("hits", "misses", "false_alarms", "correct_rejections", "total")
    types = {**dict.fromkeys(("task", "model", "risk"), "str"), **dict.fromkeys(counted, "int64")}
    return typed_rows([dict(zip(types, row, strict=True)) for row in rows], types)


def decided(counts: pd.DataFrame) -> pd.DataFrame:
    """:func:`.decisions.decision_cells` with half a trial in each outcome, and what that determines.

    Returns
    -------
    DataFrame
        With ``padded``: whether d' is determined by what is added (:mod:`metacog.sdt.bootstrap`). Its
        half-widths, and those of c and c', are NaN then.
    """
    cells = decision_cells(counts, "loglinear")
    s1, s2 = (
        counts[list(names)].to_numpy(np.float64)
        for names in (("correct_rejections", "false_alarms"), ("misses", "hits"))
    )
    made = padding(s1, s2).sensitive if len(counts) else np.zeros(0, dtype=bool)
    halves = [f"{name}_half" for name in ("d_prime", "c", "c_prime")]
    return cells.assign(padded=made, **{name: cells[name].mask(made) for name in halves})


def with_ends(cells: pd.DataFrame) -> pd.DataFrame:
    """The same rows with the ends of the interval of c, and with ``warned``: what was punished, in words."""
    ends = {f"c_{end}": cells["c"] + k * cells["c_half"] for end, k in (("lower", -1), ("upper", 1))}
    return cells.assign(**ends, warned=cells["risk"].map(WARNED).astype("str"))
