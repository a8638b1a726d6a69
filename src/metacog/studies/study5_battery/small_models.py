"""What this study's run says of small models, for the page on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from metacog.collect.models import labelled
from metacog.core.frames import rows_of
from metacog.studies.contributions import (
    BEHIND,
    OF_AREAS,
    STATED,
    claim_of,
    commonest,
    read_in_form,
    small_models_of,
)
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.commitment import FEW, RETROSPECTIVE, measured, states
from metacog.studies.study5_battery.replication import BOTH
from metacog.studies.study5_battery.replication_trials import SIGNALS, forms_of, graded, responses
from metacog.studies.study5_battery.rules import RULES
from metacog.verdicts.outcomes import of_rule

FORM = "An option, then KEEP and BET: chosen (study 5)"
SOURCES = {BOTH: STATED, SIGNALS["p_answer"]: BEHIND}
CHANCE = "A kind of item is answered better than by guessing (study 5, kinds)"


@analysis(needs=("battery", "replication_asked", "replication_monitoring"))
def small_models(inputs: Inputs) -> dict[str, Any]:
    """What does the battery show of small models?"""
    rows = labelled(inputs.trials("battery"))
    told = inputs.result("replication_monitoring").outcomes
    claims = [*above_chance(inputs.result("replication_asked").kinds), *judged(told)]
    return small_models_of(areas(responses(rows)), read_in_form(rows, FORM, rows["bad_reply"].eq("")), claims)


def areas(used: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of both choices and of the probabilities behind them, over the first five tracks of each set of items."""
    sets = forms_of(used)
    parts = [pd.DataFrame(columns=list(OF_AREAS))]
    for name in sets:
        own = used[used["dataset"] == name]
        asked = own[own["judged"] & own["track"].isin(RETROSPECTIVE)]
        same = {model: commonest(pd.Series(states(rows))) for model, rows in asked.groupby("model")}
        both = measured(own[own["judged"]]).assign(signal=BOTH)
        both["same"] = both["model"].map(same)
        table = pd.concat([graded(own), both], ignore_index=True)
        table = table.rename(columns={"lower": "auroc2_lower", "upper": "auroc2_upper"})
        why = table["auroc2"].isna().map({True: FEW, False: ""})
        part = f"Study 5, items of {name}" if len(sets) > 1 else "Study 5, keep or withdraw"
        source = table["signal"].map(SOURCES).fillna("")
        parts.append(table.assign(part=part, source=source, why=why).reindex(columns=list(OF_AREAS)))
    return pd.concat(parts[1:] or parts, ignore_index=True)


def above_chance(kinds: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """How many kinds of item each model answers better than by guessing."""
    for model, own in kinds.groupby("model", sort=False):
        units = [
            (
                True if r.lower > r.chance else False if r.upper < r.chance else None,
                ""
                if r.lower > r.chance
                else f"{r.item_type}: {r.lower:.2f} to {r.upper:.2f}, guessing {r.chance:.2f}",
            )
            for r in rows_of(own)
        ]
        yield claim_of(CHANCE, str(model), units) | {"why": f"of {len(own)} kinds of item"}


def judged(told: pd.DataFrame | None) -> Iterator[dict[str, Any]]:
    """What the rules say of each model that is judged by them."""
    if told is None:
        return
    for name in ("monitors", "grades"):
        for r in rows_of(of_rule(told, name)):
            units = [(None if pd.isna(r.holds) else bool(r.holds), r.why)]
            claim = RULES[name].claim
            yield claim_of(f"{claim[0].upper()}{claim[1:]} (study 5)", r.unit, units)
