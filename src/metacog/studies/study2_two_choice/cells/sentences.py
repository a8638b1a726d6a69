"""Sentences about cells that several chapters share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.sdt.decisions import Practical
from metacog.studies.study2_two_choice.ledger.published import MODELS


def place(row: Any) -> str:
    """``SmolLM2 on task A``."""
    return f"{row.name} on task {row.task}"


def warned(risk: str) -> str:
    """``, warned of S1`` or ``, no warning``."""
    return ", no warning" if risk == "None" else f", warned of {risk}"


def left_out(result: Any) -> str:
    """How many levels of confidence are too sparse to be drawn."""
    if result.accuracy.empty:
        return "No cell has ratings, so there is no level of confidence to draw."
    out = result.accuracy[~result.accuracy["shown"]]
    if out.empty:
        return f"No level of confidence has fewer than {result.fewest} trials."
    never = int((out["n"] == 0).sum())
    return (
        f"{plural(len(out), 'level')} of {len(result.accuracy)} are left out, with fewer than "
        f"{result.fewest} trials; {never} of them {'was' if never == 1 else 'were'} never used."
    )


def falls(result: Any) -> str:
    """Where accuracy rises or falls from one drawn level of confidence to the next, beyond both intervals.

    A cell with one drawn level can show neither, and is counted apart.
    """
    table = result.accuracy
    if table.empty:
        return "Whether accuracy rises with confidence cannot be seen: no cell has ratings to compare."
    clear, rises, compared_cells = [], 0, 0
    for (task, name), part in table[table["shown"]].groupby(["task", "name"], sort=False):
        levels = part.sort_values("confidence")
        low, high = levels["lower"].to_numpy(), levels["upper"].to_numpy()
        if len(levels) < 2:
            continue
        compared_cells += 1
        rises += bool(np.any(low[1:] > high[:-1]))
        if np.any(high[1:] < low[:-1]):
            clear.append(f"{name} on task {task}")
    cells = table.groupby(["task", "name"]).ngroups
    rest = cells - compared_cells
    if not compared_cells:
        return (
            f"Whether accuracy rises with confidence cannot be seen: none of {plural(cells, 'cell')} has two "
            f"levels with {result.fewest} trials or more."
        )
    sentence = (
        f"From one level of confidence to the next, accuracy rises clearly (intervals apart) in {rises} of "
        f"{plural(compared_cells, 'cell')} and falls clearly in {len(clear)}"
        + (f" ({listed(clear)})." if clear else ".")
    )
    one = "has one level only, or none, and shows" if rest == 1 else "have one level only, or none, and show"
    return f"{sentence} {plural(rest, 'other cell')} {one} neither." if rest else sentence


def below_one(ratios: pd.DataFrame) -> str:
    """In how many cells M-ratio is below 1, and in how many by more than the ROPE, by 95 % intervals."""
    cells = ratios[ratios["kind"] == "optimality"]
    below = cells[cells["upper"] < 0]
    clear = below[below["decision"] == "significant"]
    rest = [f"{place(r)} ({r.decision})" for r in rows_of(cells.drop(clear.index))]
    return (
        f"M-ratio lies below 1 in {len(below)} of {len(cells)} cells, and below it by more than the ROPE in "
        f"{len(clear)}" + (f"; not so in {listed(rest)}." if rest else ".")
    )


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
        return f"No pair of {kind} is shown to differ in M-ratio by more than the ROPE."
    most = rows_of(clear)[int(np.argmax(clear["difference"].abs()))]
    factor = f"{np.exp(most.difference):.2f} times"
    ends = f"({np.exp(most.lower):.2f} to {np.exp(most.upper):.2f})"
    which = (
        f"on task {most.task} {named(most.first)} has {factor} the M-ratio of {named(most.second)} {ends}"
        if kind == "models"
        else f"{most.name} has on task {most.first} {factor} its M-ratio on task {most.second} {ends}"
    )
    return (
        f"{len(clear)} of {plural(len(pairs), 'pair')} of {kind} differ in M-ratio by more than the ROPE. Judged "
        f"together with all other pairs {len(wide)} do. The largest difference: {which}."
    )


def named(model: str) -> str:
    """A model of the paper as readers know it; any other as it is called."""
    return MODELS.get(model, model)
