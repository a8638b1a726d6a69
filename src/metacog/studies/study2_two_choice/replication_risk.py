"""What does a warning do to the criterion of the models of the run?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of, typed_rows
from metacog.report.views import Views
from metacog.sdt.sensitivity import padding
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice.cells import decision_cells, risk_contrasts
from metacog.studies.study2_two_choice.paper import RISKS
from metacog.studies.study2_two_choice.replication_ratings import groups, with_labels
from metacog.studies.study2_two_choice.risk import heeded

#: The three configurations, for readers.
WARNED = {
    "S1": "warned of the first answer",
    "None": "no warning",
    "S2": "warned of the second answer",
}


#: Columns of :func:`decision_counts`.
COUNTED = {
    **dict.fromkeys(("task", "model", "risk"), "str"),
    **dict.fromkeys(("hits", "misses", "false_alarms", "correct_rejections", "total"), "int64"),
}


@analysis(needs=("warned",))
def replication_risk(inputs: Inputs) -> dict[str, Any]:
    """What does a warning do to the criterion of the models of this run?

    Cells that are determined by their padding are in no pair.
    """
    trials = inputs.trials("warned")
    counts = decision_counts(trials)
    cells = with_labels(decided(counts))
    pairs = with_labels(risk_contrasts(cells[~cells["padded"]]))
    names = [f"{r.name}, task {r.task}: {r.first} and {r.second}" for r in rows_of(pairs)]
    return {
        "cells": cells,
        "pairs": pairs.assign(pair=names),
    }


def decision_counts(trials: pd.DataFrame) -> pd.DataFrame:
    """Hits, misses, false alarms and correct rejections of usable trials, where both stimuli have some."""
    rows = []
    for task, model, part in groups(trials):
        for risk in RISKS:
            under = part[part["risk"] == risk]
            hits, misses, alarms, rejections = (
                int(((under["stimulus"] == stimulus) & (under["response"] == response)).sum())
                for stimulus, response in ((1, 1), (1, 0), (0, 1), (0, 0))
            )
            if rejections + alarms and misses + hits:
                rows.append((task, model, risk, hits, misses, alarms, rejections, len(under)))
    return typed_rows([dict(zip(COUNTED, row, strict=True)) for row in rows], COUNTED)


def decided(counts: pd.DataFrame) -> pd.DataFrame:
    """Cells with half a trial in each outcome, the interval of c, and what was punished, in words (``warned``).

    Where the half determines d' they are ``padded``, without an interval.
    """
    cells = decision_cells(counts, "loglinear")
    s1, s2 = (
        counts[list(names)].to_numpy(np.float64)
        for names in (("correct_rejections", "false_alarms"), ("misses", "hits"))
    )
    made = padding(s1, s2).sensitive if len(counts) else np.zeros(0, dtype=bool)
    halves = {f"{name}_half": cells[f"{name}_half"].mask(made) for name in ("d_prime", "c", "c_prime")}
    ends = {"c_lower": cells["c"] - halves["c_half"], "c_upper": cells["c"] + halves["c_half"]}
    return cells.assign(padded=made, warned=cells["risk"].map(WARNED).astype("str"), **halves, **ends)


VIEWS = (Views("replication_risk", numbers=lambda result: heeded(result.pairs)),)
