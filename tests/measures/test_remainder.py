"""What remains within difficulty, for simulated models whose self-knowledge is known."""

from __future__ import annotations

import numpy as np
import pytest
from answerers import models_like_a_leaderboard, simulated_models

from metacog.measures.model_items import ModelItems
from metacog.measures.remainder import COLUMNS, FEWEST, remainder
from metacog.sdt import InputError

FEW = {"n_resamples": 100}
MODELS = ("family 3/model 19", "family 1/model 7")


def items(kind: str, n_items: int = 1500) -> ModelItems:
    made = simulated_models(kind, n_items=n_items)
    return ModelItems.of(made, item="item", family="family", stratum="stratum")


@pytest.fixture(scope="module")
def difficulty() -> ModelItems:
    return items("difficulty")


def test_a_reader_of_difficulty_is_left_with_nothing(difficulty):
    table = remainder(difficulty, models=MODELS, **FEW)
    assert tuple(table.columns) == COLUMNS and table["model"].tolist() == list(MODELS)
    assert (table["auroc2"] > 0.6).all()
    assert (table["within"] > 0.5).all()  # error in difficulty leaves some
    assert ((table["corrected_lower"] < 0) & (table["corrected_upper"] > 0)).all()
    assert ((table["share_lower"] < 0) & (table["share_upper"] > 0)).all()


def test_one_that_knows_itself_alone_keeps_it():
    table = remainder(items("own state"), models=MODELS, **FEW)
    truth = {m.name: m.known_information() for m in models_like_a_leaderboard(1.0)}
    for row in table.itertuples():
        whole, rest = truth[row.model]
        assert row.corrected_lower > 0 and row.remaining_lower > 0
        assert row.share_lower < rest / whole < row.share_upper
        assert row.by_difficulty == pytest.approx(0.5, abs=0.02)


def test_strata_can_be_grouped_and_split(difficulty):
    exact = remainder(difficulty, models=MODELS[:1], **FEW).iloc[0]
    grouped = remainder(difficulty, models=MODELS[:1], n_strata=5, **FEW).iloc[0]
    split = remainder(difficulty, models=MODELS[:1], use_strata=True, **FEW).iloc[0]
    assert grouped["n_strata"] <= 5 < exact["n_strata"] < split["n_strata"]
    assert split["n_pairs"] < exact["n_pairs"] and exact["n_others"] == 33 - 5


def test_what_cannot_be_estimated_is_said():
    made = simulated_models("mixture", n_items=120).query(
        "model in @names",
        local_dict={
            "names": ["family 4/model 21", "family 1/model 1", "family 1/model 7", "family 3/model 19"]
        },
    )
    flat = made["model"] == "family 1/model 7"
    made = made.assign(confidence=made["confidence"].where(~flat, 90.0))
    partial = (made["model"] == "family 3/model 19") & (made["item"] > "q0060")
    table = remainder(ModelItems.of(made[~partial], item="item", family="family"), **FEW).set_index("model")
    assert table.loc["family 1/model 7", "flag"].startswith("one confidence")
    few = table.loc["family 4/model 21"]
    assert few["n_wrong"] < FEWEST and "fewer than" in few["flag"] and np.isnan(few["within"])
    assert few["n_others"] == 2 and few["n"] == 120  # the partial run is not counted on
    alone = simulated_models("mixture", n_items=120).query("model == 'family 1/model 7'")
    (only,) = remainder(ModelItems.of(alone, item="item"), **FEW)["flag"]
    assert only.startswith("no other")


def test_bad_input_is_refused(difficulty):
    with pytest.raises(InputError, match="no model x"):
        remainder(difficulty, models=["x"])
    with pytest.raises(InputError, match="at least two strata"):
        remainder(difficulty, n_strata=1)
