"""Does the confidence of this run's models follow what they know? The answer that heads their page."""

from __future__ import annotations

import pandas as pd

from metacog.core.words import listed, plural
from metacog.report.needed import area_cost
from metacog.studies.study4_probe.measures.scores import CONSTANT, UNSTATED
from metacog.studies.study4_probe.replication.analysis import Replication
from metacog.studies.study4_probe.replication.judging import LEVEL


def page_answer(result: Replication) -> str:
    """Whether stated confidence follows correctness, and in how many models."""
    t1 = result.profile[result.profile["task"] == "T1-CC"]
    known = t1["p"].le(LEVEL)
    follows, against = (int((known & side).sum()) for side in (t1["lower"].gt(50), t1["upper"].lt(50)))
    if follows or against:
        counter = ", and against it in some of the others" if against else ""
        return f"Stated confidence goes with being right in {follows} of {plural(len(t1), 'model')}{counter}."
    if t1["note"].isin([CONSTANT, UNSTATED]).all():
        return "What these models know cannot be told from stated confidence: it never varies, or could not be read."
    return (
        "Whether stated confidence follows what a model knows cannot be told from "
        f"{plural(int(t1['items'].max()), 'item')}."
    )


def in_full(result: Replication) -> str:
    """In how many models stated confidence follows correctness, and steadiness; what would settle it where neither."""
    t1 = result.profile[result.profile["task"] == "T1-CC"]
    known = t1["p"].le(LEVEL)
    follows, against = (int((known & side).sum()) for side in (t1["lower"].gt(50), t1["upper"].lt(50)))
    steady = _steady(result.steady)
    rest = (
        f"With how steadily an answer comes back it goes in {steady} of {plural(len(result.steady), 'case')} of a "
        "model and a task."
        if len(result.steady)
        else "No item was asked again."
    )
    if not (follows or against or steady):
        return f"{_open(t1)} {rest}"
    counter = f", and runs against it in {against}" if against else ""
    return (
        f"Stated confidence goes with being right in {follows} of {plural(len(t1), 'model')} on T1-CC (95 % interval "
        f"of the score above 50, p at most {LEVEL}){counter}. {rest}"
    )


def _open(t1: pd.DataFrame) -> str:
    """Why nothing can be told: too few items, or confidence that never varies, which more items would not change."""
    flat, unread = t1[t1["note"] == CONSTANT], t1[t1["note"] == UNSTATED]
    varied = t1.drop([*flat.index, *unread.index])
    nothing = (
        f"Of {listed(unread['model'])} no confidence could be read on T1-CC, so nothing can be told."
        if len(unread)
        else ""
    )
    if varied.empty and flat.empty and nothing:
        return nothing
    if varied.empty and len(flat):
        constant = (
            f"Stated confidence does not vary on T1-CC in {listed(flat['model'])}, so it cannot show what a model "
            "knows; the number of items is not the reason."
        )
        return f"{constant} {nothing}".strip()
    items = int(varied["items"].max()) if len(varied) else 0
    cost = area_cost(float((varied["right"] / varied["items"]).median()), items) if len(varied) else ""
    first = (
        f"Whether stated confidence follows what a model knows cannot be told from {plural(items, 'item')}"
    )
    never = (
        f"In {listed(flat['model'])} it does not vary, and the number of items is not the reason."
        if len(flat)
        else ""
    )
    return " ".join(filter(None, (f"{first}{f': {cost}' if cost else ''}.", never, nothing)))


def _steady(table: pd.DataFrame) -> int:
    """Cases in which confidence rises with the agreement of resampled answers beyond chance."""
    return int((table["rho"].gt(0) & table["p"].le(LEVEL)).sum()) if len(table) else 0
