"""Are there kinds of models? Profiles by rule, next to the printed ones, track by track, and at other thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, path_rates
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import (
    FILES,
    RETROSPECTIVE,
    UNCLASSIFIED,
    models_of,
    printed_profiles,
)
from metacog.verdicts.outcomes import counted, outcomes
from metacog.verdicts.rules import unit

#: Profiles and what they are called.
NAMES = {
    "A": "A: blanket confidence",
    "B": "B: blanket withdrawal",
    "C": "C: selective sensitivity",
    UNCLASSIFIED: "unclassified",
}
#: DECLINE at least this often on T6 is blanket withdrawal, in percent.
DECLINES = 90.0
#: Shifts of each threshold in the grid, in points.
SHIFTS = (-10.0, -5.0, 0.0, 5.0, 10.0)


@dataclass(frozen=True)
class Thresholds:
    """The printed rule, in percent of KEEP and percentage points of delta.

    A, blanket confidence: KEEP at or above ``high`` and a delta within ``delta`` of zero. B, blanket withdrawal: KEEP
    at or below ``low``. C, selective sensitivity: a delta of at least ``delta``.
    """

    high: float = 95.0
    low: float = 10.0
    delta: float = 15.0

    def profile(self, stood: float, delta: float) -> str:
        """The profile of a rate of KEEP and a delta; an undefined delta (NaN) rules out C and nothing else."""
        if stood <= self.low:
            return "B"
        if stood >= self.high and not abs(delta) >= self.delta:
            return "A"
        return "C" if delta >= self.delta else UNCLASSIFIED

    def profiles(self, means: pd.DataFrame) -> dict[str, str]:
        return {row.model: self.profile(row.stood, row.delta) for row in rows_of(means)}


PRINTED = Thresholds()


@analysis(files=FILES)
def profiles(inputs: Inputs) -> dict[str, Any]:
    """Are there kinds of models?"""
    rows = load()
    cells = deltas(rows)
    means = mean_deltas(cells)
    models, shifted = with_printed(means).sort_values("delta", ascending=False, kind="stable"), grid(means)
    known = models[["stood", "delta"]].notna().all(axis=1)
    same = map(unit, models["model"], models["rule"] == models["printed"], known)
    steady = [unit(str(k), n == 0) for k, n in enumerate(by_five(shifted)["changed"])]
    return {
        "models": models.reset_index(drop=True),
        "by_track": by_track(cells, path_rates(rows)),
        "cells": cells,
        "grid": shifted,
        "outcomes": pd.concat([outcomes("plateau", steady), outcomes("profiles", list(same))]),
    }


def with_printed(means: pd.DataFrame) -> pd.DataFrame:
    """Mean rate, delta and profile by rule of each model, next to the printed profile."""
    found = means[["model", "stood", "delta"]]
    rule, printed = PRINTED.profiles(means), printed_profiles()
    return found.assign(rule=found["model"].map(rule), printed=found["model"].map(printed))


def by_track(per_track: pd.DataFrame, paths: pd.DataFrame) -> pd.DataFrame:
    """The profile of each model on each track, and how many ``distinct`` ones it has over T1 to T5.

    T6 is judged by what was chosen beforehand: B where ``DECLINES`` percent are declined, A where at least
    ``PRINTED.high`` percent are answered directly, else unclassified.
    """
    ahead = paths.set_index("model")
    rows = []
    for model in models_of(per_track):
        own = rows_of(per_track[(per_track["model"] == model) & per_track["track"].isin(RETROSPECTIVE)])
        found = {row.track: PRINTED.profile(row.stood, row.delta) for row in own}
        six = "A" if ahead["direct"].get(model, np.nan) >= PRINTED.high else UNCLASSIFIED
        six = "B" if ahead["decline"].get(model, np.nan) >= DECLINES else six
        rows.append({"model": model, **found, "T6": six, "distinct": len(set(found.values()))})
    return pd.DataFrame(rows)


def grid(means: pd.DataFrame) -> pd.DataFrame:
    """How many models change their profile under other thresholds, one row per triple of them.

    ``largest`` shift and how many were ``moved``; ``changed`` from the rule as printed; ``as_printed``: profiles that
    are the printed ones. Thresholds of a rate beyond 0 or 100 are kept there.
    """
    base, printed = PRINTED.profiles(means), printed_profiles()
    rows = []
    for shift in product(SHIFTS, repeat=3):
        high, low, delta = np.add((PRINTED.high, PRINTED.low, PRINTED.delta), shift)
        found = Thresholds(min(high, 100.0), max(low, 0.0), delta).profiles(means)
        changed = sum(found[m] != base[m] for m in base)
        as_printed = sum(found[m] == printed[m] for m in base)
        moved = sum(one != 0 for one in shift)
        rows.append((max(map(abs, shift)), moved, changed, as_printed))
    return pd.DataFrame(rows, columns=["largest", "moved", "changed", "as_printed"])


def by_five(grid: pd.DataFrame) -> pd.DataFrame:
    """The rows of :func:`grid` in which thresholds were shifted by five points at most."""
    return grid[(grid["largest"] == 5) & (grid["moved"] > 0)]


def rule_said(result: Any) -> str:
    models, five = result.models, by_five(result.grid)
    differs = models["rule"] != models["printed"]
    off = f" (not {listed(models.loc[differs, 'model'])})" if differs.any() else ""
    return (
        f"The printed rule gives {(~differs).sum()} of {len(models)} models their printed profile{off}. Shifting one "
        f"threshold by 5 points changes up to {five.loc[five['moved'] == 1, 'changed'].max():.0f} profiles."
    )


ANALYSES = (profiles,)
VIEWS = (
    Views(
        "profiles",
        sentences={"rule_said": rule_said},
        verdicts={"plateau": lambda result: counted(result.outcomes, "plateau")},
    ),
)
