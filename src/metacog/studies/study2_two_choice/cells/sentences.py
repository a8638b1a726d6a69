"""Sentences about cells that several chapters share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural


def place(row: Any) -> str:
    """``SmolLM2 on task A``."""
    return f"{row.name} on task {row.task}"


def warned(risk: str) -> str:
    """``, warned of S1`` or ``, no warning``."""
    return ", no warning" if risk == "None" else f", warned of {risk}"


def left_out(result: Any) -> str:
    """How many levels of confidence are too sparse to be drawn."""
    out = result.accuracy[~result.accuracy["shown"]]
    if out.empty:
        return f"No level of confidence has fewer than {result.fewest} trials."
    never = int((out["n"] == 0).sum())
    return (
        f"{plural(len(out), 'level')} of {len(result.accuracy)} are left out, with fewer than "
        f"{result.fewest} trials; {never} of them {'was' if never == 1 else 'were'} never used."
    )


def falls(result: Any) -> str:
    """Where accuracy falls from one drawn level of confidence to the next, beyond both intervals."""
    table = result.accuracy
    clear = []
    for (task, name), part in table[table["shown"]].groupby(["task", "name"], sort=False):
        levels = part.sort_values("confidence")
        if np.any(levels["upper"].to_numpy()[1:] < levels["lower"].to_numpy()[:-1]):
            clear.append(f"{name} on task {task}")
    cells = table.groupby(["task", "name"]).ngroups
    if not clear:
        return f"In all {cells} cells accuracy never falls clearly from one level to the next."
    return (
        f"In {cells - len(clear)} of {cells} cells accuracy never falls clearly (intervals apart) from one "
        f"level of confidence to the next; it does in {listed(clear)}."
    )


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
