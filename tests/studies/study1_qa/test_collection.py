"""Tables of the collection chapter; the oracle is counting by hand on a few trials."""

import numpy as np
import pandas as pd
import pytest

from metacog.collect.manifest import run_facts
from metacog.studies.study1_qa import collection


@pytest.fixture
def trials():
    number = np.arange(120)
    right = number % 2 == 0
    return pd.DataFrame(
        {
            "question_id": [f"q{i}" for i in number],
            "correct": right,
            "right_whole": right,
            "truncated": number == 3,
            "match": np.where(right, "exact", np.where(number == 1, "refusal", "none")),
            "tier": 1 + number % 5,
        }
    ).assign(model="m", temperature=1.0, text=" x ", matched_alias="X", nlp=-1.0, ran_on="")


def test_marks_are_shares(trials):
    row = collection.marks(trials).iloc[0]
    assert (
        row["exact"] == 0.5
        and row["refused"] == pytest.approx(1 / 120)
        and row["wrong"] == pytest.approx(59 / 120)
    )
    assert row["exact"] + row["similar"] + row["wrong"] + row["refused"] + row["empty"] == pytest.approx(1)


def test_replies_that_ended_among_thoughts_are_counted_apart(trials):
    trials.loc[[5, 7], ["match", "truncated"]] = "unanswered", True
    table = collection.marks(trials)
    assert table["unanswered"].iloc[0] == pytest.approx(2 / 120)
    assert table["empty"].iloc[0] == 0


def test_accuracy_by_tier_counts_the_answers_at_temperature_1_that_have_a_tier(trials):
    trials.loc[:9, "temperature"] = 0.5
    trials["tier"] = trials["tier"].where(trials.index != 10)
    table = collection.tiers(trials).set_index("tier")
    assert table["n"].to_dict() == {1: 21, 2: 22, 3: 22, 4: 22, 5: 22} and table.loc[1, "right"] == 10
    assert (
        table.loc[1, "accuracy_lower"] < table.loc[1, "accuracy"] == 10 / 21 < table.loc[1, "accuracy_upper"]
    )
    assert collection.tiers(trials.assign(tier=0)).empty


def test_examples_are_drawn_by_seed(trials):
    one = collection.examples(trials, {}, seed=1)
    pd.testing.assert_frame_equal(one, collection.examples(trials, {}, seed=1))
    kinds = {"right (exact)": 3, "wrong": 3, "refused": 1, "cut off": 1}
    assert one["kind"].value_counts().to_dict() == kinds


def test_run_facts_sum_the_parts():
    manifest = {
        "config": {"model": "m", "dataset": "bank", "prompt": {"id": "p"}},
        "parts": {"0": {"rows": 60, "seconds": 30.0}, "1": {"rows": 60, "seconds": 30.0}},
        "sessions": [{}, {}],
        "damaged": ["block-00001.parquet"],
    }
    row = run_facts([manifest]).iloc[0]
    assert (row["n_trials"], row["minutes"], row["trials_per_second"]) == (120, 1.0, 2.0)
    assert (row["sessions"], row["damaged_parts"], row["sha256"]) == (2, 1, "unknown")
    assert np.isnan(row["tokens_read"])
    assert (
        run_facts([manifest | {"parts": {}}])[["trials_per_second", "tokens_written"]].isna().all(axis=None)
    )
