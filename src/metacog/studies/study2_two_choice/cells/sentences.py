"""Sentences about cells that several chapters share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.sdt.decisions import Practical
from metacog.studies.study2_two_choice.ledger.published import MODELS


def place(row: Any) -> str:
    """``SmolLM2 on task A``."""
    return f"{row.name} on task {row.task}"


def compared(ratios: pd.DataFrame, kind: str) -> str:
    """How many pairs of models, or of tasks, differ in M-ratio by more than the ROPE, and which most.

    Parameters
    ----------
    ratios : DataFrame
        As :func:`.comparisons.m_ratio_contrasts` gives it, with ``name``.
    kind : str
        ``models`` or ``tasks``.
    """
    pairs = ratios[ratios["kind"] == kind]
    clear, wide = (pairs[pairs[c] == Practical.SIGNIFICANT] for c in ("decision", "decision_wide"))
    if clear.empty:
        return f"No pair of {kind} is shown to differ in M-ratio by more than the paper calls negligible."
    most = rows_of(clear)[int(np.argmax(clear["difference"].abs()))]
    factor = f"{np.exp(most.difference):.2f} times"
    ends = f"({np.exp(most.lower):.2f} to {np.exp(most.upper):.2f})"
    which = (
        f"on task {most.task} {named(most.first)} has {factor} the M-ratio of {named(most.second)} {ends}"
        if kind == "models"
        else f"{most.name} has on task {most.first} {factor} its M-ratio on task {most.second} {ends}"
    )
    return (
        f"{len(clear)} of {plural(len(pairs), 'pair')} of {kind} differ in M-ratio by more than the paper calls "
        f"negligible, {len(wide)} of them when all pairs are judged together. The largest difference: {which}."
    )


def named(model: str) -> str:
    """A model of the paper as readers know it; any other as it is called."""
    return MODELS.get(model, model)
