"""Are there kinds of models? Profiles by rule, next to the printed ones, track by track, and at other thresholds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.weighted import weighted_shares
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, path_rates
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import (
    FILES,
    PUBLISHED,
    RETROSPECTIVE,
    TRACKS,
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
#: What stands for none of them in a table of letters.
NO_PROFILE = "none"
#: DECLINE at least this often on T6 is blanket withdrawal, in percent.
DECLINES = 90.0
#: Shifts of each threshold in the grid, in points.
SHIFTS = (-10.0, -5.0, 0.0, 5.0, 10.0)
#: Thresholds that are moved one at a time, what they are called, and by how many points.
MOVED = {"delta": ("Least delta", range(-10, 16)), "high": ("Least KEEP", range(-10, 6))}
#: Answers that are kept or not, as readers call them, and the column of their printed rate.
ANSWERS = {"correct": "right answers", "incorrect": "wrong answers"}
RATES = {"correct": "kc_rate", "incorrect": "ki_rate"}


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
    order = {model: place for place, model in enumerate(models["model"])}
    same = map(unit, models["model"], models["rule"] == models["printed"], known)
    steady = [unit(str(k), n == 0) for k, n in enumerate(by_five(shifted)["changed"])]
    return {
        "models": models.reset_index(drop=True),
        "by_track": by_track(cells, path_rates(rows)).assign(
            printed=lambda t: t["model"].map(printed_profiles()).replace(UNCLASSIFIED, NO_PROFILE)
        ),
        "kept": kept(cells).sort_values(
            "model", key=lambda c: c.map(order), kind="stable", ignore_index=True
        ),
        "counts": counts_at(means),
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
    """The profile of each model on each track, and how many ``distinct`` ones it has over all six.

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
        found["T6"] = six
        rows.append({"model": model, **found, "distinct": len(set(found.values()))})
    return pd.DataFrame(rows, columns=["model", *TRACKS, "distinct"]).replace(UNCLASSIFIED, NO_PROFILE)


def kept(per_track: pd.DataFrame, printed: bool = True) -> pd.DataFrame:
    """Share of right and of wrong ``answers`` that each model keeps, in %, the mean over T1 to T5.

    Over the tracks that have both, with a score interval. Where that is not every track, the mean of the printed rates
    stands below (``as_printed``): in print a track without wrong answers counts as one on which none of them was kept.
    """
    rows: list[dict[str, Any]] = []
    told = PUBLISHED.as_numbers("per_track") if printed else pd.DataFrame(columns=["model", "track"])
    for model, (which, answers) in product(models_of(per_track), ANSWERS.items()):
        own, there = (
            one[(one["model"] == model) & one["track"].isin(RETROSPECTIVE)] for one in (per_track, told)
        )
        both = own[own["delta"].notna()]
        hits, n = both[f"stood_{which}"], both[f"n_{which}"]
        mean = weighted_shares(hits, n, np.full(len(both), 1 / max(len(both), 1)))
        shares = {"kept": mean.estimate, "kept_lower": mean.lower, "kept_upper": mean.upper}
        one = {"model": model, "answers": answers, "as_printed": False}
        rows.append(one | {name: 100 * share for name, share in shares.items()})
        if len(there) and len(both) < len(own):
            rows.append(one | {"as_printed": True, "kept": there[RATES[which]].mean()})
    return pd.DataFrame(rows, columns=["model", "answers", "as_printed", "kept", "kept_lower", "kept_upper"])


def counts_at(means: pd.DataFrame) -> pd.DataFrame:
    """How many ``models`` have each profile where one ``threshold`` of the rule is ``moved`` by so many points."""
    rows = []
    for name, (title, shifts) in MOVED.items():
        printed = getattr(PRINTED, name)
        for shift in shifts:
            found = list(replace(PRINTED, **{name: printed + shift}).profiles(means).values())
            rows += [
                (f"{title}, printed {printed:g}", shift, told, found.count(profile))
                for profile, told in NAMES.items()
            ]
    return pd.DataFrame(rows, columns=["threshold", "moved", "profile", "models"])


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


def figures(result: Any) -> dict[str, Any]:
    """How many models the rule gives their printed profile, what a shift of 5 points moves, and profiles by track."""
    models, five, distinct = result.models, by_five(result.grid), result.by_track["distinct"]
    differs = models["rule"] != models["printed"]
    return {
        "n_models": len(models),
        "n_as_printed": int((~differs).sum()),
        "others": listed(models.loc[differs, "model"]),
        "n_moved": int(five.loc[five["moved"] == 1, "changed"].max()),
        "n_one": int((distinct == 1).sum()),
        "n_three": int((distinct >= 3).sum()),
    }


ANALYSES = (profiles,)
VIEWS = (
    Views(
        "profiles",
        numbers=figures,
        verdicts={"plateau": lambda result: counted(result.outcomes, "plateau")},
    ),
)
