"""The pilot of study 2, asked once. Oracles: the committed decisions, counted here, and the analysed sets' own ids."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from metacog.collect.plan import settings_of
from metacog.collect.questions import load_labelled
from metacog.core.config import load_profile
from metacog.core.paths import committed
from metacog.studies import get_study

TABLE = committed("data/simulations/two_choice_pilot.csv")


def test_the_reference_profile_follows_the_decisions_and_asks_none_of_their_sentences():
    rows, stored = pd.read_csv(TABLE), json.loads(TABLE.with_suffix(".json").read_text(encoding="utf-8"))
    right = rows.groupby("batch")["correct"].mean()
    settings = settings_of(get_study("study2_two_choice"), load_profile("reference"))
    assert (rows["correct"] == (rows["response"] == rows["stimulus"])).all()
    assert (rows.groupby("batch")["stimulus"].mean() == 0.5).all()
    joined = (
        232 * right["A, plain"] + 192 * right["A, hard"]
    ) / 424  # plain and hard sentences that are banked
    assert stored["share_right"]["A"][settings.tasks["A"]] == pytest.approx(joined, abs=5e-4)
    assert right[f"C, {settings.n_deleted} {settings.deleted}"] == 0.75 and 0.65 <= joined <= 0.85
    analysed = {one.id for name in settings.tasks.values() for one in load_labelled(name)}
    assert not set(rows["id"].str.removesuffix("-the")) & analysed
