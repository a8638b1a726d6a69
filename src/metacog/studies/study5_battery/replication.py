"""The battery on the models of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.collect.jobs import manifests
from metacog.collect.manifest import run_facts
from metacog.collect.models import labelled
from metacog.core.frames import rows_of
from metacog.sdt.correlations import correlation
from metacog.sdt.intervals import difference_of_shares
from metacog.studies.study import analysis
from metacog.studies.study5_battery import replication_trials
from metacog.studies.study5_battery.asking.items import battery, difficulty_table
from metacog.studies.study5_battery.asking.items.written import FILES as ITEM_FILES
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import (
    FEWEST,
    NAMES,
    by_rule,
    deltas,
    mean_deltas,
    mean_difference,
    measured,
    with_bets,
)
from metacog.studies.study5_battery.paper import FILES, models_of
from metacog.studies.study5_battery.replication_trials import quality, responses
from metacog.verdicts.rules import Unit, beyond, every, judged, open_units
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# Parallel forms of the items that a seed makes: do they give the same picture of a model?

#: Fewer kinds of item than this, and no correlation is given.
FEWEST_KINDS = 4
#: What is compared over kinds of item.
OVER_KINDS = {"correct": "right", "p_keep": "probability of KEEP", "p_bet": "probability of BET"}


def two_forms(trials: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame] | None:
    """Understood trials of the first two forms, where both have them; None if one form was asked."""
    subset = responses(trials)
    subset = subset[subset["judged"]]
    names = sorted(subset["dataset"].unique(), key=lambda name: int(name.rpartition("-")[2]))
    if len(names) < 2:
        return None
    parts = [subset[subset["dataset"] == name] for name in names[:2]]
    cells = [set(zip(p["model"], p["track"], strict=True)) for p in parts]
    both = cells[0] & cells[1]
    first, second = (p[[cell in both for cell in zip(p["model"], p["track"], strict=True)]] for p in parts)
    return first, second


def reliability(trials: pd.DataFrame) -> pd.DataFrame:
    """Correlation over kinds of item of one form with the other, for each model.

    Which kinds a model finds hard, and which it would keep, should not depend on the seed. A correlation over
    *models*, the alternate-form reliability of a leaderboard, needs more models than a run has.

    Returns
    -------
    DataFrame
        ``model, measure, kinds, r, lower, upper`` (Pearson's, with Fisher's interval; NaN where a form does
        not vary). Empty if one form was asked.
    """
    rows = []
    pair = two_forms(trials)
    for model in models_of(pair[0]) if pair else ():
        for name, label in OVER_KINDS.items():
            x, y = (
                part[part["model"] == model].groupby(["track", "item_type"])[name].mean().dropna()
                for part in pair or ()
            )
            both = x.index.intersection(y.index)
            row = {"model": model, "measure": label, "kinds": len(both)}
            row |= dict.fromkeys(("r", "lower", "upper"), np.nan)
            if len(both) >= FEWEST_KINDS:
                results = correlation(x.loc[both], y.loc[both])
                row |= {"r": results.r, "lower": results.lower, "upper": results.upper}
            rows.append(row)
    return pd.DataFrame(rows, columns=["model", "measure", "kinds", "r", "lower", "upper"])


def forms(trials: pd.DataFrame, measures: Sequence[str] = ("correct", "keep", "bet")) -> pd.DataFrame:
    """Two parallel forms side by side, on the tracks that both have.

    Returns
    -------
    DataFrame
        ``model, track, measure`` (right, KEEP and BET in %, withdraw delta), ``first, second, difference,
        lower, upper`` (points; Newcombe's interval, for the delta a score interval), ``apart`` (whether
        the interval leaves out zero), ``varies`` (whether what is counted is other than the same in every trial of both
        forms; else they cannot differ). Empty if one form was asked.
    """
    columns = [
        "model",
        "track",
        "measure",
        "first",
        "second",
        "difference",
        "lower",
        "upper",
        "apart",
        "varies",
    ]
    rows: list[dict[str, object]] = []
    pair = two_forms(trials)
    if pair is None:
        return pd.DataFrame(rows, columns=columns)
    titles = {"correct": "right", "keep": "KEEP", "bet": "BET"}
    rest = {key: part for key, part in pair[1].groupby(["model", "track"])}
    for (model, track), first in pair[0].groupby(["model", "track"], sort=False):
        second = rest[(model, track)]
        for name in measures:
            a, b = float(first[name].sum()), float(second[name].sum())
            one = difference_of_shares(a, len(first), b, len(second))
            values = (100 * a / len(first), 100 * b / len(second))
            limits = (100 * one.lower, 100 * one.upper)
            varies = 0 < a + b < len(first) + len(second)
            rows.append(_side_by_side(model, track, titles[name], values, limits, varies))
        both = [deltas(p) for p in (first, second)]
        x = [float(d["delta"].iloc[0]) for d in both]
        if np.isfinite(x).all():
            gap = mean_difference(both[0], both[1])
            kept = first["keep"].sum() + second["keep"].sum()
            varies, limits = bool(0 < kept < len(first) + len(second)), (gap.lower, gap.upper)
            rows.append(_side_by_side(model, track, "withdraw delta", (x[0], x[1]), limits, varies))
    return pd.DataFrame(rows, columns=columns)


def _side_by_side(
    model: object,
    track: object,
    measure: str,
    values: tuple[float, float],
    limits: tuple[float, float],
    varies: bool,
) -> dict[str, object]:
    return {
        "model": model,
        "track": track,
        "measure": measure,
        "first": values[0],
        "second": values[1],
        "difference": values[0] - values[1],
        "lower": limits[0],
        "upper": limits[1],
        "apart": not limits[0] <= 0 <= limits[1],
        "varies": varies,
    }


# What is judged of the models of the run. A model that was asked and has no answers is undecided.

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


# The battery on the models of the run, next to the published ones.

#: How many forms of the items are compared.
N_FORMS = 5


@dataclass(frozen=True)
class Items:
    """``table`` shows what might give an item of the battery away.

    ``same_difficulty``: whether ``forms`` forms of the items have one table of difficulties.
    """

    table: pd.DataFrame
    items: int
    kinds: int
    forms: int
    same_difficulty: bool


@analysis(returns=Items, files=ITEM_FILES)
def replication_items(inputs: Inputs) -> Items:
    """Are the items sound, as far as it can be determined without asking anybody?"""
    items = battery()
    difficulty = difficulty_table(items)
    return Items(
        table=quality(items),
        items=len(items),
        kinds=len({(i.track, i.item_type) for i in items}),
        forms=N_FORMS,
        same_difficulty=all(
            difficulty_table(battery(form)).equals(difficulty) for form in range(2, N_FORMS + 1)
        ),
    )


@dataclass(frozen=True)
class Asked:
    """What was asked of the models of the run, and what of it can be used.

    ``cells`` counts what was asked and lost, ``cost`` what it took, ``kinds`` has the accuracy of each kind
    of item next to chance, ``places`` how often the first of two options was taken.
    """

    cells: pd.DataFrame
    cost: pd.DataFrame
    kinds: pd.DataFrame
    places: pd.DataFrame
    asked: int
    requests: int
    verdicts: tuple[Verdict, ...]


@analysis(needs=("battery",), returns=Asked, files=ITEM_FILES)
def replication_asked(inputs: Inputs, *, verdicts: bool = True) -> Asked:
    """What was asked, how much of it was understood, and how much of that was right?"""
    rows = labelled(inputs.trials("battery"))
    cells, used = replication_trials.asked(rows), replication_trials.responses(rows)
    kinds = replication_trials.by_kind(used)
    facts = run_facts(manifests(inputs.study, inputs.profile, "battery"))
    return Asked(
        cells=cells,
        cost=replication_trials.cost(rows, labelled(facts)),
        kinds=kinds,
        places=replication_trials.positions(used),
        asked=int(cells["asked"].sum()),
        requests=int(cells["requests"].sum()),
        verdicts=(above_chance(kinds, models_of(rows)),) if verdicts else (),
    )


@dataclass(frozen=True)
class Monitoring:
    """The study's measures of the models of this run.

    ``per_track`` has both deltas, ``means`` the means over T1 to T5 with the profile by rule, ``board`` the
    same rows among the published ones (``here``: of this run), ``graded`` AUROC2 of the probabilities,
    ``states`` type-2 measures of both probes together, ``scores`` the study's track scores.
    """

    per_track: pd.DataFrame
    means: pd.DataFrame
    board: pd.DataFrame
    graded: pd.DataFrame
    states: pd.DataFrame
    scores: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(needs=("battery",), returns=Monitoring, files=FILES)
def replication_monitoring(inputs: Inputs, *, verdicts: bool = True) -> Monitoring:
    """Do the models of this run withdraw what is wrong?"""
    rows, published = labelled(inputs.trials("battery")), load()
    used, asked = replication_trials.first_form(replication_trials.responses(rows)), models_of(rows)
    both = with_bets(used)
    means, theirs = (
        m.assign(profile=m["model"].map(by_rule(m)).map(NAMES))
        for m in (mean_deltas(both), mean_deltas(deltas(published)))
    )
    board = pd.concat([means.assign(here=True), theirs.assign(here=False)], ignore_index=True)
    graded = replication_trials.graded(used)
    return Monitoring(
        per_track=both,
        means=means,
        board=board.sort_values("delta", ascending=False, ignore_index=True, kind="stable"),
        graded=graded,
        states=measured(used[used["judged"]]),
        scores=replication_trials.with_published_scores(used, published),
        verdicts=(monitors(means, asked), grades(graded, asked)) if verdicts else (),
    )


@dataclass(frozen=True)
class Regulation:
    """``paths`` has T6 by path, ``forms`` two parallel forms of T1, T4 and T5 side by side.

    ``reliability`` correlates the forms over kinds of item.
    """

    paths: pd.DataFrame
    forms: pd.DataFrame
    reliability: pd.DataFrame


@analysis(needs=("battery",), returns=Regulation)
def replication_regulation(inputs: Inputs) -> Regulation:
    """What did the models of this run choose beforehand, and do parallel forms agree?"""
    rows = labelled(inputs.trials("battery"))
    return Regulation(
        paths=replication_trials.paths(replication_trials.first_form(replication_trials.responses(rows))),
        forms=forms(rows),
        reliability=reliability(rows),
    )


ANALYSES = (replication_items, replication_asked, replication_monitoring, replication_regulation)
