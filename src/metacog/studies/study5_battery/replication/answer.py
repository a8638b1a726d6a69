"""Do the models of this run keep what is right and withdraw what is wrong? The answer that heads their page."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.needed import area_cost
from metacog.studies.study5_battery.ledger.published import RETROSPECTIVE
from metacog.studies.study5_battery.replication.analysis import Monitoring
from metacog.studies.study5_battery.replication.trials import SIGNALS

#: In place of tables without rows, and of sentences about them.
NOTHING = "no conversation with an answer was understood from end to end."


def page_answer(result: Monitoring) -> str:
    """How often each model keeps its answers, and whether right ones more often; else whether its probability shows it.

    Where the probability of KEEP does not show it either, it is said how many answers would.
    """
    rows = rows_of(result.means)
    if not rows:
        return f"No model of this run can be judged: {NOTHING}"
    retrospective = result.per_track[result.per_track["track"].isin(RETROSPECTIVE)]
    answers = retrospective.groupby("model")[["n_correct", "n_incorrect"]].sum().sum(axis=1)
    graded = result.graded[result.graded["signal"] == SIGNALS["p_keep"]]
    areas = {r.model: r for r in rows_of(graded)}
    each = f"{'; '.join(_kept(r, int(answers.get(r.model, 0)), areas.get(r.model)) for r in rows)}."
    if any(r.lower > 0 or r.upper < 0 for r in rows):
        return each
    varied = [int(answers.get(r.model, 0)) for r in rows if 0 < r.stood < 100]
    if varied:
        each = (
            "Whether a model here keeps right answers more often than wrong ones cannot be told from "
            f"{plural(max(varied), 'answer')}. {each}"
        )
    return f"{each}{_open_areas(graded)}"


def _kept(row: Any, answers: int, area: Any) -> str:
    """How often a model keeps its answers, its delta, and what its probability of KEEP shows where the delta does not.

    Parameters
    ----------
    row : named tuple
        Of the means.
    answers : int
        Of T1 to T5.
    area : named tuple or None
        The row of the AUROC2 of its probability of KEEP.
    """
    if not np.isfinite(row.stood):
        return f"{row.model} has no answer of T1 to T5"
    if row.stood in (0, 100):
        share = f"{'all' if row.stood else 'none'} of its {plural(answers, 'answer')}"
        told = "so that the choice does not tell right from wrong"
        return f"{row.model} keeps {share} ({row.profile}), {told}{_area_clause(area)}"
    start = f"{row.model} keeps {row.stood:.0f} % of its answers ({row.profile})"
    if not np.isfinite([row.delta, row.lower, row.upper]).all():
        return f"{start}, and has no withdraw delta"
    delta = f"withdraw delta {row.delta:+.1f} points, {row.lower:.1f} to {row.upper:.1f}"
    if row.lower > 0 or row.upper < 0:
        return f"{start}, right ones {'more' if row.delta > 0 else 'less'} often than wrong ones ({delta})"
    return f"{start}, right and wrong ones alike as far as can be told ({delta}){_area_clause(area)}"


def _area_clause(area: Any) -> str:
    """On which side of chance the probability of KEEP lies; empty where that cannot be told."""
    if area is None or not (area.lower > 0.5 or area.upper < 0.5):
        return ""
    side = "higher" if area.lower > 0.5 else "lower"
    found = f"AUROC2 {area.auroc2:.2f}, {area.lower:.2f} to {area.upper:.2f}"
    return f", but the probability of KEEP is {side} where the answer is right ({found})"


def _open_areas(graded: pd.DataFrame) -> str:
    """What would settle whether the probability of KEEP tells right from wrong, where it leaves this open."""
    known = graded[graded["lower"].notna()]
    left = known[(known["lower"] < 0.5) & (known["upper"] > 0.5)]
    if left.empty or len(left) < len(known):
        return ""
    most = int(left["n"].max())
    cost = area_cost(float((1 - left["n_incorrect"] / left["n"]).median()), most)
    question = "Whether the probability of KEEP tells right from wrong cannot be told from"
    return f" {question} {plural(most, 'answer')}: {cost}."
