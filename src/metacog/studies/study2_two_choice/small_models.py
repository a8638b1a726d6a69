"""What this study's run says of small models, for the page on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from metacog.collect.models import labelled
from metacog.core.frames import rows_of
from metacog.sdt.decisions import NOT_SIGNIFICANT
from metacog.studies.contributions import BEHIND, STATED, claim_of, commonest, read_in_form, small_models_of
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice.replication_ratings import OF_OPTION, unjudged

#: Forms of a reply, by whether there is a probability of the decision.
CHOSEN, WRITTEN = "A word of two, then a digit: chosen (study 2)", "A decision and a digit: written (study 2)"
BELOW = "Confidence uses less than the decision knew: M-ratio below 1 (study 2, tasks)"
HEEDS = "A warning moves the criterion away from what it punishes (study 2, tasks)"


@analysis(needs=("confidence", "replication_ratings", "replication_risk"))
def small_models(inputs: Inputs) -> dict[str, Any]:
    """What do the two-choice tasks show of small models?"""
    rated = inputs.result("replication_ratings")
    known, trials = rated.signals, labelled(inputs.trials("confidence"))
    same = trials.groupby(["model", "task"])["rating"].agg(commonest).rename("same").reset_index()
    source = known["signal"].map({"rating": STATED, OF_OPTION: BEHIND}).fillna("")
    areas = known.drop(columns=["model", "signal"]).rename(columns={"name": "model", "read_from": "signal"})
    missing = "no confidence, or no right and no wrong answers"
    why = areas["auroc2"].isna().map({True: missing, False: ""})
    areas = areas.assign(part="Study 2, task " + areas["task_name"].astype("str"), source=source, why=why)
    areas = areas.merge(same.assign(source=STATED), how="left", on=["model", "task", "source"])
    form = trials["p_decision"].notna().map({True: CHOSEN, False: WRITTEN})
    form = form.groupby(trials["model"]).transform("min")
    claims = [
        *below_one(rated.cells.assign(why=unjudged(rated.cells)), rated.unfitted),
        *heeding(inputs.result("replication_risk").pairs),
    ]
    return small_models_of(areas, read_in_form(trials, form, trials["parse_status"].eq("ok")), claims)


def below_one(cells: pd.DataFrame, unfitted: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Whether the M-ratio of each model's tasks lies below 1."""
    both = pd.concat([cells, unfitted[["task", "name", "why"]]], ignore_index=True)
    for model, own in both.groupby("name", sort=False):
        units = [
            (None, f"{r.task}: {r.why}")
            if r.why
            else (
                True if r.m_ratio_upper < 1 else False if r.m_ratio_lower > 1 else None,
                f"{r.task}: {r.m_ratio_lower:.2f} to {r.m_ratio_upper:.2f}",
            )
            for r in rows_of(own)
        ]
        yield claim_of(BELOW, str(model), units)


def heeding(pairs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Whether each model's criterion climbs from the first warning to the second, as heeding would have it."""
    of_c = pairs[(pairs["measure"] == "c") & (pairs["first"] == "S1") & (pairs["second"] == "S2")]
    for model, own in of_c.groupby("name", sort=False):
        units = [
            (
                None if r.decision_wide == NOT_SIGNIFICANT else bool(r.difference < 0),
                f"{r.task}: {-r.upper:.2f} to {-r.lower:.2f}",
            )
            for r in rows_of(own)
        ]
        yield claim_of(HEEDS, str(model), units)
