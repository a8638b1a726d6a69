"""The battery on the models of the run: do they keep what is right and withdraw what is wrong?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.jobs import manifests
from metacog.collect.manifest import run_facts
from metacog.collect.models import labelled
from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.sdt.correlations import correlation
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery import replication_trials
from metacog.studies.study5_battery.asking.items.written import FILES as ITEM_FILES
from metacog.studies.study5_battery.commitment import FEW, measured
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, path_rates
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, models_of
from metacog.studies.study5_battery.profiles import NAMES, PRINTED, by_track, kept
from metacog.studies.study5_battery.replication_trials import SIGNALS, responses
from metacog.verdicts.outcomes import counted, outcomes
from metacog.verdicts.rules import Unit, beyond

#: Fewer kinds of item than this, and no correlation of two forms is given.
FEWEST_KINDS = 4
#: What is compared over kinds of item.
OVER_KINDS = {"correct": "right", "p_keep": "probability of KEEP", "p_bet": "probability of BET"}
#: Why a model that was asked is in no table of answers.
LOST = "no conversation was understood from end to end"
#: KEEP and BET as one confidence of four levels, beside the probabilities behind them.
BOTH = "KEEP and BET as chosen"


@analysis(needs=("battery",), files=ITEM_FILES)
def replication_asked(inputs: Inputs, *, verdicts: bool = True) -> dict[str, Any]:
    """What was asked, how much of it was understood, and how much of that was right?"""
    rows = labelled(inputs.trials("battery"))
    cells, kinds = replication_trials.asked(rows), replication_trials.by_kind(responses(rows))
    facts = run_facts(manifests(inputs.study, inputs.profile, "battery"))
    return {
        "cells": cells,
        "cost": replication_trials.cost(rows, labelled(facts)),
        "kinds": kinds,
        "asked": int(cells["asked"].sum()),
        "requests": int(cells["requests"].sum()),
        "outcomes": above_chance(kinds, models_of(rows)) if verdicts else None,
    }


@analysis(needs=("battery",), files=FILES)
def replication_monitoring(inputs: Inputs, *, verdicts: bool = True) -> dict[str, Any]:
    """Do the models of this run withdraw what is wrong?"""
    rows, published = labelled(inputs.trials("battery")), load()
    used, asked = replication_trials.first_form(responses(rows)), models_of(rows)
    per_track = deltas(used)
    means, theirs = (
        m.assign(profile=m["model"].map(PRINTED.profiles(m)).map(NAMES))
        for m in (mean_deltas(per_track), mean_deltas(deltas(published)))
    )
    board = pd.concat([means.assign(here=True), theirs.assign(here=False)], ignore_index=True)
    board = board.assign(published=~board["here"].astype(bool))
    both = measured(used[used["judged"]]).assign(signal=BOTH)
    graded = replication_trials.graded(used)
    graded = pd.concat([graded, both[list(graded.columns)]], ignore_index=True)
    return {
        "kept": kept(per_track, printed=False),
        "by_track": by_track(per_track, path_rates(used)),
        "means": means,
        "board": board.sort_values("delta", ascending=False, ignore_index=True, kind="stable"),
        "graded": graded,
        "placed": placed(board),
        "scores": replication_trials.with_published_scores(used, published),
        "outcomes": pd.concat([monitors(means, asked), grades(graded, asked)]) if verdicts else None,
    }


def placed(board: pd.DataFrame) -> pd.DataFrame:
    """How many ``published`` models lie ``above`` each model of the run, and how many with the whole interval."""
    here = board["here"].astype(bool)
    theirs = board[~here & board["delta"].notna()]
    rows = [
        (
            row.model,
            row.delta,
            int((theirs["delta"] > row.delta).sum()),
            int((theirs["lower"] > row.upper).sum()),
            len(theirs),
        )
        for row in rows_of(board[here])
        if np.isfinite(row.delta)
    ]
    return pd.DataFrame(rows, columns=["model", "delta", "above", "surely_above", "published"])


@analysis(needs=("battery",))
def replication_regulation(inputs: Inputs) -> dict[str, Any]:
    """What did the models of this run choose beforehand, and do parallel forms agree?"""
    rows = labelled(inputs.trials("battery"))
    used = responses(rows)
    return {
        "paths": replication_trials.paths(replication_trials.first_form(used)),
        "reliability": reliability(rows),
        "sets": replication_trials.sets(used),
    }


def reliability(trials: pd.DataFrame) -> pd.DataFrame:
    """Correlation over kinds of item of one form with the other, for each model; empty if one form was asked.

    Which kinds a model finds hard, and which it would keep, should not depend on the seed. A correlation over
    *models*, the alternate-form reliability of a leaderboard, needs more models than a run has.
    """
    rows = []
    judged = responses(trials)
    judged = judged[judged["judged"]]
    two = [name for name in replication_trials.forms_of(judged) if name.startswith("form-")][:2]
    means = judged.groupby(["model", "dataset", "track", "item_type"])[list(OVER_KINDS)].mean()
    for model in models_of(judged[judged["dataset"] == two[0]]) if len(two) == 2 else ():
        own: Any = means.loc[model].unstack("dataset")
        if own["correct"].reindex(columns=two).dropna().empty:
            continue
        for name, label in OVER_KINDS.items():
            both = own[name].reindex(columns=two).dropna()
            row = {"model": model, "measure": label, "kinds": len(both)}
            if len(both) >= FEWEST_KINDS:
                found = correlation(both[two[0]], both[two[1]])
                row |= {"r": found.r, "lower": found.lower, "upper": found.upper}
            rows.append(row)
    return pd.DataFrame(rows, columns=["model", "measure", "kinds", "r", "lower", "upper"])


def _absent(there: pd.Series, asked: Sequence[str]) -> list[Unit]:
    """Models that were asked and are not there."""
    known = set(there)
    return [Unit(model, None, LOST) for model in asked if model not in known]


def above_chance(kinds: pd.DataFrame, asked: Sequence[str] = ()) -> pd.DataFrame:
    """Whether every kind of item is answered above chance by every model that was asked."""
    units = [
        beyond(f"{r.model} on {r.item_type} ({r.track})", r.lower, r.upper, r.chance) for r in rows_of(kinds)
    ]
    return outcomes("chance", [*units, *_absent(kinds["model"], asked)])


def monitors(means: pd.DataFrame, asked: Sequence[str] = ()) -> pd.DataFrame:
    """Whether each model that was asked withdraws wrong answers more often than right ones."""
    units = [
        beyond(r.model, r.lower, r.upper, 0.0, "no interval" if r.n_defined else "no delta on any track")
        for r in rows_of(means)
    ]
    return outcomes("monitors", [*units, *_absent(means["model"], asked)])


def grades(table: pd.DataFrame, asked: Sequence[str] = ()) -> pd.DataFrame:
    """Whether the probability of KEEP shows what the choice itself does not."""
    rows, units = table[table["signal"] == SIGNALS["p_keep"]], []
    for r in rows_of(rows):
        same = "its probability of KEEP is the same throughout" if np.isfinite(r.auroc2) else FEW
        why = same if r.n else "its choices were not scored"
        units.append(beyond(r.model, r.lower, r.upper, 0.5, why))
    return outcomes("grades", [*units, *_absent(rows["model"], asked)])


def figures(result: Any) -> dict[str, Any]:
    """How many models withdraw wrong answers, or right ones, more often; and how many published ones lie above each."""
    judged, placed = result.means[np.isfinite(result.means["stood"])], result.placed
    return {
        "n_models": len(judged) or float("nan"),
        "n_above": int((judged["lower"] > 0).sum()),
        "n_below": int((judged["upper"] < 0).sum()),
        **{name: placed[name].min() for name in ("published", "above", "surely_above")},
    }


def of_paths(result: Any) -> dict[str, Any]:
    """What an item of T6 earns the models, the best of them first."""
    points = result.paths.groupby("model")["all"].first().sort_values(ascending=False)
    if points.empty:
        return dict.fromkeys(("n_models", "n_more", "best", "most", "least"), float("nan"))
    found = {"n_models": len(points), "n_more": int((points > 0.25).sum()), "best": str(points.index[0])}
    return found | {"most": points.iloc[0], "least": points.iloc[-1]}


ANALYSES = (replication_asked, replication_monitoring, replication_regulation)
VIEWS = (
    Views("replication_asked", verdicts={"chance": lambda result: counted(result.outcomes, "chance")}),
    Views("replication_monitoring", numbers=figures),
    Views("replication_regulation", numbers=of_paths),
)
