"""Simulated leaderboards: sizes, ties, what confidence reads, and the items that are odd."""

import numpy as np
import pytest
from answerers import KINDS, models_like_a_leaderboard, simulated_models

from metacog.sdt import InputError, auroc2
from metacog.sdt.information import binary_entropy


def test_sizes_are_those_of_a_leaderboard() -> None:
    made = simulated_models("mixture")
    assert len(made) == 33 * 1500 and made["family"].nunique() == 7
    accuracy = made.groupby("model")["correct"].mean()
    # +- 4 standard errors of 1,500 items
    assert accuracy.min() == pytest.approx(0.35, abs=0.05) and accuracy.max() == pytest.approx(
        0.95, abs=0.025
    )
    levels = made.groupby("model")["confidence"].nunique()
    assert levels.min() == 5 and levels.max() > 15
    assert ((made["answer"] == made["key"]) == made["correct"]).all() and not made["odd"].any()
    again = simulated_models("mixture")
    assert again.equals(made)


def test_truth_runs_from_nothing_to_everything() -> None:
    nothing, half, whole = (models_like_a_leaderboard(s)[0].known_information() for s in (0.0, 0.5, 1.0))
    assert nothing[1] == pytest.approx(0, abs=1e-9) and 0 < half[1] < half[0]
    assert whole[1] >= whole[0] > 0


def test_the_truth_is_that_of_the_simulated_answers() -> None:
    model = models_like_a_leaderboard(0.5)[6]
    mine = simulated_models("mixture", n_items=15_000).query("model == @model.name")
    shares = mine.groupby("confidence")["correct"].agg(["mean", "size"])
    p, w = shares["mean"].to_numpy(), shares["size"].to_numpy() / len(mine)
    seen = binary_entropy(mine["correct"].mean()) - w @ binary_entropy(p)
    assert seen == pytest.approx(model.known_information()[0], abs=0.012)
    np.testing.assert_allclose(w[-3:], model.shares[-3:], atol=0.02)


def test_odd_questions_are_what_they_are_called() -> None:
    keys, misled = simulated_models("wrong keys"), simulated_models("misconceptions")
    for made in (keys, misled):
        assert made.loc[made["odd"], "item"].nunique() == 60
        assert made.loc[made["odd"], "correct"].mean() < 0.3
    # there the crowd gives one wrong answer
    shares = (
        misled[misled["odd"]].groupby("item")["answer"].agg(lambda a: a.value_counts(normalize=True).iloc[0])
    )
    assert shares.min() > 0.5
    one = keys[keys["model"] == keys["model"].iloc[0]]
    assert auroc2(one["correct"], one["confidence"]) > 0.5


def test_bad_input_is_refused() -> None:
    with pytest.raises(InputError, match="kind must be one of"):
        simulated_models("none")
    with pytest.raises(InputError, match="between 0 and 1"):
        simulated_models("mixture", self_share=2)
    assert set(KINDS) >= {"difficulty", "own state", "mixture", "misconceptions", "wrong keys"}
