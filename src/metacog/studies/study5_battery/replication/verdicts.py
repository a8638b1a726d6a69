"""What is judged of the models of the run. A model that was asked and has no answers is undecided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import Unit, beyond, every, judged, open_units
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study5_battery.measures.commitment import FEWEST

#: Why a model that was asked is in no table of answers.
LOST = "no conversation was understood from end to end"
#: Why a model cannot be judged.
WHY = {
    "no delta": "no delta on any track",
    "no interval": "no interval",
    "no choices": "its choices were not scored",
    "constant": "its probability of KEEP is the same throughout",
    "few": f"fewer than {FEWEST} right or wrong answers",
}


def _absent(asked: Sequence[str], there: Iterable[str]) -> list[Unit]:
    known = set(there)
    return [Unit(model, None, LOST) for model in asked if model not in known]


def above_chance(kinds: pd.DataFrame, asked: Sequence[str] = ()) -> Verdict:
    """Whether every kind of item is answered above chance by every model that was asked."""
    units = [
        beyond(f"{r.model} on {r.item_type} ({r.track})", r.lower, r.upper, r.chance) for r in rows_of(kinds)
    ]
    missing = _absent(asked, kinds["model"])
    flat = kinds.assign(flat=np.array([u.holds is not True for u in units], dtype=bool))
    counts = flat.groupby("model", sort=False)["flat"].agg(["sum", "size"]).reset_index()
    return Verdict(
        "chance",
        Kind.EXPLORATORY,
        "Every kind of item is answered better than by guessing.",
        every([*units, *missing]),
        name="above_chance",
        values={"flat": counts.rename(columns={"sum": "flat", "size": "kinds"})},
        undecided=open_units(missing),
    )


def monitors(means: pd.DataFrame, asked: Sequence[str] = ()) -> Verdict:
    """Whether each model that was asked withdraws wrong answers more often than right ones."""
    units = [beyond(r.model, r.lower, r.upper, 0.0, _why_no_mean(r)) for r in rows_of(means)]
    return judged(
        [*units, *_absent(asked, means["model"])],
        "monitoring",
        Kind.EXPLORATORY,
        "Every model of this run withdraws wrong answers more often than right ones: its mean delta's "
        "interval lies above zero.",
        name="monitors",
        topic="delta",
        deltas=means.loc[means["delta"].notna(), ["model", "delta", "lower", "upper"]],
    )


def _why_no_mean(row: Any) -> str:
    return WHY["no delta" if row.n_defined == 0 else "no interval"]


def grades(table: pd.DataFrame, asked: Sequence[str] = ()) -> Verdict:
    """Whether the probability of KEEP shows what the choice itself does not."""
    rows = table[table["signal"] == "probability of KEEP"]
    units = [beyond(r.model, r.lower, r.upper, 0.5, _why_no_area(r)) for r in rows_of(rows)]
    return judged(
        [*units, *_absent(asked, rows["model"])],
        "graded probe",
        Kind.EXPLORATORY,
        "The probability of KEEP is higher where the answer is right: AUROC2 of every model above 0.5.",
        name="grades",
        topic="graded",
        areas=rows.loc[rows["lower"].notna(), ["model", "auroc2", "lower", "upper"]],
    )


def _why_no_area(row: Any) -> str:
    return WHY["no choices" if not row.n else "constant" if np.isfinite(row.auroc2) else "few"]
