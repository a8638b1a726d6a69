"""The battery on the models of the run, next to the published ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.facts import run_facts
from metacog.collect.jobs import manifests
from metacog.collect.models import labelled
from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study5_battery.asking.items import battery, difficulty_table
from metacog.studies.study5_battery.asking.items.written import FILES as ITEM_FILES
from metacog.studies.study5_battery.ledger.published import FILES, models_of
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures.commitment import measured
from metacog.studies.study5_battery.measures.deltas import deltas, mean_deltas, with_bets
from metacog.studies.study5_battery.measures.profiles import NAMES, by_rule
from metacog.studies.study5_battery.replication import parallel_forms, trials
from metacog.studies.study5_battery.replication import verdicts as judging
from metacog.studies.study5_battery.replication.item_quality import quality

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

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
    cells, used = trials.asked(rows), trials.responses(rows)
    kinds = trials.by_kind(used)
    facts = run_facts(manifests(inputs.study, inputs.profile, "battery"))
    return Asked(
        cells=cells,
        cost=trials.cost(rows, labelled(facts)),
        kinds=kinds,
        places=trials.positions(used),
        asked=int(cells["asked"].sum()),
        requests=int(cells["requests"].sum()),
        verdicts=(judging.above_chance(kinds, models_of(rows)),) if verdicts else (),
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
    used, asked = trials.first_form(trials.responses(rows)), models_of(rows)
    both = with_bets(used)
    means, theirs = (
        m.assign(profile=m["model"].map(by_rule(m)).map(NAMES))
        for m in (mean_deltas(both), mean_deltas(deltas(published)))
    )
    board = pd.concat([means.assign(here=True), theirs.assign(here=False)], ignore_index=True)
    graded = trials.graded(used)
    return Monitoring(
        per_track=both,
        means=means,
        board=board.sort_values("delta", ascending=False, ignore_index=True),
        graded=graded,
        states=measured(used[used["judged"]]),
        scores=trials.with_published_scores(used, published),
        verdicts=(judging.monitors(means, asked), judging.grades(graded, asked)) if verdicts else (),
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
        paths=trials.paths(trials.first_form(trials.responses(rows))),
        forms=parallel_forms.forms(rows),
        reliability=parallel_forms.reliability(rows),
    )


ANALYSES = (replication_items, replication_asked, replication_monitoring, replication_regulation)
