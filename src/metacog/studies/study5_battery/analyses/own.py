"""The battery on the models of the run, beside the published ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.facts import run_facts
from metacog.collect.jobs import manifests
from metacog.collect.models import labelled
from metacog.report.verdicts import Verdict, drawn
from metacog.studies.study import analysis
from metacog.studies.study5_battery import commitment as states
from metacog.studies.study5_battery import own, own_said, parallel, scores
from metacog.studies.study5_battery import profiles as kinds
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, with_bets
from metacog.studies.study5_battery.items import battery, difficulty_table
from metacog.studies.study5_battery.items.quality import quality
from metacog.studies.study5_battery.items.written import FILES as ITEM_FILES
from metacog.studies.study5_battery.published import FILES, models_of
from metacog.studies.study5_battery.responses import load

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: How many forms of the items are compared.
N_FORMS = 5


@dataclass(frozen=True)
class OwnItems:
    """``table`` says what might give an item of the battery away."""

    table: pd.DataFrame
    items: int
    kinds: int
    quality_said: str
    alike_said: str


@analysis(returns=OwnItems, files=ITEM_FILES)
def own_items(inputs: Inputs) -> OwnItems:
    """Are the items sound, as far as it can be told without asking anybody?"""
    items = battery()
    table, difficulty = quality(items), difficulty_table(items)
    same = all(difficulty_table(battery(form)).equals(difficulty) for form in range(2, N_FORMS + 1))
    return OwnItems(
        table=table,
        items=len(items),
        kinds=len({(i.track, i.item_type) for i in items}),
        quality_said=own_said.quality_said(table),
        alike_said=own_said.alike_said(same, N_FORMS),
    )


@dataclass(frozen=True)
class OwnAsked:
    """What was put to the models of the run, and what of it can be used.

    ``cells`` counts what was asked and lost, ``cost`` what it took, ``kinds`` has the accuracy of each kind
    of item beside chance, ``places`` says how often the first of two options was taken.
    """

    cells: pd.DataFrame
    cost: pd.DataFrame
    kinds: pd.DataFrame
    places: pd.DataFrame
    asked: int
    requests: int
    asked_said: str
    cost_said: str
    verdicts: tuple[Verdict, ...]


@analysis(needs=("battery",), returns=OwnAsked, files=ITEM_FILES)
def own_asked(inputs: Inputs, *, verdicts: bool = True) -> OwnAsked:
    """What was asked, how much of it was understood, and how much of that was right?"""
    trials = labelled(inputs.trials("battery"))
    cells, used = own.asked(trials), own.responses(trials)
    table = own.by_kind(used)
    facts = run_facts(manifests(inputs.study, inputs.profile, "battery"))
    cost = own.cost(trials, labelled(facts))
    return OwnAsked(
        cells=cells,
        cost=cost,
        kinds=table,
        places=own.positions(used),
        asked=int(cells["asked"].sum()),
        requests=int(cells["requests"].sum()),
        asked_said=own_said.asked_said(cells),
        cost_said=own_said.cost_said(cost),
        verdicts=drawn(own_said.above_chance(table, models_of(trials)) if verdicts else None),
    )


@dataclass(frozen=True)
class OwnMonitoring:
    """The study's measures of the models of this run.

    ``per_track`` has both deltas, ``means`` the means over T1 to T5 with the profile by rule, ``beside`` the
    same rows among the published ones (``here``: of this run), ``graded`` AUROC2 of the probabilities,
    ``states`` type-2 measures of both probes together, ``scores`` the study's track scores.
    """

    per_track: pd.DataFrame
    means: pd.DataFrame
    beside: pd.DataFrame
    graded: pd.DataFrame
    states: pd.DataFrame
    scores: pd.DataFrame
    profiles_said: str
    verdicts: tuple[Verdict, ...]


@analysis(needs=("battery",), returns=OwnMonitoring, files=FILES)
def own_monitoring(inputs: Inputs, *, verdicts: bool = True) -> OwnMonitoring:
    """Do the models of this run withdraw what is wrong?"""
    trials = labelled(inputs.trials("battery"))
    used, asked = own.first_form(own.responses(trials)), models_of(trials)
    both = with_bets(used)
    means = mean_deltas(both)
    names = {model: kinds.NAMES[p] for model, p in kinds.by_rule(means).items()}
    means = means.assign(profile=means["model"].map(names))
    theirs = mean_deltas(deltas(load()))
    theirs = theirs.assign(
        profile=theirs["model"].map({m: kinds.NAMES[p] for m, p in kinds.by_rule(theirs).items()})
    )
    board = pd.concat([means.assign(here=True), theirs.assign(here=False)], ignore_index=True)
    table = own.graded(used)
    return OwnMonitoring(
        per_track=both,
        means=means,
        beside=board.sort_values("delta", ascending=False, ignore_index=True),
        graded=table,
        states=states.measured(used[used["judged"]]),
        scores=scores.beside_published(used, load()),
        profiles_said=own_said.profiles_said(means, names),
        verdicts=drawn(
            *(
                (
                    own_said.monitors(means, asked).under("delta"),
                    own_said.grades(table, asked).under("graded"),
                )
                if verdicts
                else ()
            )
        ),
    )


@dataclass(frozen=True)
class OwnRegulation:
    """``paths`` has T6 by path, ``forms`` two parallel forms of T1, T4 and T5 side by side.

    ``reliability`` correlates the forms over kinds of item.
    """

    paths: pd.DataFrame
    forms: pd.DataFrame
    reliability: pd.DataFrame
    paths_said: str
    forms_said: str


@analysis(needs=("battery",), returns=OwnRegulation)
def own_regulation(inputs: Inputs) -> OwnRegulation:
    """What did the models of this run choose beforehand, and do parallel forms agree?"""
    trials = labelled(inputs.trials("battery"))
    table, pairs = own.paths(own.first_form(own.responses(trials))), parallel.forms(trials)
    return OwnRegulation(
        table, pairs, parallel.reliability(trials), own_said.paths_said(table), own_said.forms_said(pairs)
    )
