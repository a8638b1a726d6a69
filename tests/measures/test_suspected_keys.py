"""Keys that the other models put in doubt."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from crowd_observers import arranged

from metacog.measures.model_items import ModelItems
from metacog.measures.suspected_keys import COLUMNS, suspected_items, suspected_keys, without_suspected
from metacog.sdt import InputError, auroc2

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
from key_simulation import attracted_answers, keyed_answers, suspected_keys_under

KEY = np.array([0, 1, 2, 0])
#: Models by items; others of m0's family x are m1.
ANSWER = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 0, 3], [1, 2, 0, -1], [2, 1, 0, 3]])


def table(answer: np.ndarray = ANSWER) -> ModelItems:
    right = np.where(answer < 0, np.nan, (answer == KEY).astype(float))
    sure = np.where(answer < 0, np.nan, np.arange(4.0))
    return arranged(right, sure, ("x", "x", "y", "z", "w", "v")[: len(answer)], answer=answer, key=KEY)


def test_nearly_all_others_must_give_one_answer_that_is_not_the_key():
    # Item a: three of the four others of other families say 1; b: two say the key; c: all say 0; d: two of three say 3.
    np.testing.assert_array_equal(suspected_items(table(), "m0", 0.9), [False, False, True, False])
    np.testing.assert_array_equal(suspected_items(table(), "m0", 0.75), [True, False, True, False])
    np.testing.assert_array_equal(suspected_items(table(), "m0", 0.6), [True, False, True, True])
    # With its family, four of five say 1 on item a.
    np.testing.assert_array_equal(
        suspected_items(table(), "m0", 0.8, other_families=False), [True, False, True, False]
    )


def test_the_judged_model_takes_no_part():
    changed = ANSWER.copy()
    changed[0] = (changed[0] + 1) % 4
    changed[1] = (changed[1] + 2) % 4
    for threshold in (0.5, 0.75, 0.9):
        np.testing.assert_array_equal(
            suspected_items(table(), "m0", threshold), suspected_items(table(changed), "m0", threshold)
        )


def test_each_model_loses_its_own_suspected_items():
    made = table()
    left = without_suspected(made, 0.75)
    assert left.answer is not None and made.answer is not None
    for i, model in enumerate(made.models):
        gone = suspected_items(made, model, 0.75)
        np.testing.assert_array_equal(left.answered[i], made.answered[i] & ~gone)
        np.testing.assert_array_equal(left.answer[i], np.where(gone, -1, made.answer[i]))
    assert np.isnan(left.confidence[~left.answered]).all()


def test_counts_are_those_of_brute_force():
    items = keyed_answers(n_models=6, n_families=3, n_items=300, wrong_keys=0.05, misconceptions=0.03).items
    found = suspected_keys(items, thresholds=(0.75,))
    assert tuple(found.columns) == COLUMNS and items.answer is not None and items.key is not None
    for i, row in enumerate(found.itertuples()):
        others = [j for j in range(6) if items.families[j] != items.families[i]]
        doubted, favourite = np.zeros(300, dtype=bool), np.full(300, -1)
        for n in range(300):
            votes = [
                sum(items.answer[j, n] == o for j in others) if o != items.key[n] else -1 for o in range(4)
            ]
            doubted[n] = max(votes) / len(others) >= 0.75
            favourite[n] = int(np.argmax(votes))
        errors = items.right[i] == 0
        assert row.n_suspected == doubted.sum() > 5
        assert row.n_of_errors == (doubted & errors).sum()
        assert row.n_suspected_right == (doubted & ~errors).sum()
        assert row.n_with_crowd == (doubted & errors & (items.answer[i] == favourite)).sum()
        assert row.share_of_errors == pytest.approx((doubted & errors).sum() / errors.sum())
        assert row.accuracy_without == pytest.approx(items.right[i, ~doubted].mean())
        assert row.auroc2_without == pytest.approx(
            auroc2(items.right[i, ~doubted], items.confidence[i, ~doubted])
        )


def test_few_errors_and_constant_confidence_have_no_area():
    items = keyed_answers(n_models=5, n_families=5, n_items=60, ability=(8.0, 9.0)).items
    items.confidence[1] = 4.0
    found = suspected_keys(items, thresholds=(0.9,)).set_index("model")
    assert found["auroc2"].isna().all() and found["accuracy"].notna().all()
    assert "fewer" in found.loc["model 0", "flag"] and "throughout" in found.loc["model 1", "flag"]


def test_fewer_than_three_others_suspect_nothing():
    made = table(ANSWER[:3])
    assert not suspected_items(made, "m2", 0.5).any()


@pytest.mark.parametrize(("model", "threshold"), [("m0", 0.0), ("m0", 1.2), ("m9", 0.9)])
def test_what_is_wrong_is_named(model, threshold):
    with pytest.raises(InputError, match="thresholds" if model == "m0" else "no model m9"):
        suspected_items(table(), model, threshold)


def test_answers_a_key_and_other_families_are_needed():
    with pytest.raises(InputError, match="answers and a key"):
        suspected_keys(replace(table(), key=None))
    with pytest.raises(InputError, match="other_families=False"):
        suspected_keys(table(ANSWER[:2]))


SIMULATED = {"n_models": 21, "n_items": 1000, "ability": (1.5, 4.0)}
THRESHOLDS = (0.6, 0.9)


def test_wrong_keys_are_found_and_leaving_them_out_repairs_what_they_did():
    made = keyed_answers(wrong_keys=0.02, **SIMULATED)
    found = suspected_keys_under(made, thresholds=THRESHOLDS).set_index("threshold")
    low = found.loc[0.6]
    assert low["found"] > 0.9 and low["n_misconceptions"] == 0
    assert low["n_suspected"] == pytest.approx(low["n_wrong_keys"], abs=1)
    assert low["accuracy_by_key"] < low["accuracy_true"] - 0.015
    assert low["accuracy_without"] == pytest.approx(low["accuracy_true"], abs=0.003)
    assert low["auroc2_by_key"] < low["auroc2_true"] - 0.03
    assert low["auroc2_without"] == pytest.approx(low["auroc2_true"], abs=0.01)
    assert found.loc[0.9, "found"] < low["found"]


def test_a_shared_misconception_looks_the_same_and_leaving_it_out_flatters():
    made = keyed_answers(wrong_keys=0.0, misconceptions=0.02, **SIMULATED)
    found = suspected_keys_under(made, thresholds=THRESHOLDS).set_index("threshold").loc[0.6]
    assert np.isnan(found["found"]) and found["n_misconceptions"] == pytest.approx(20, abs=0.5)
    assert found["accuracy_by_key"] == pytest.approx(found["accuracy_true"])
    assert found["accuracy_without"] > found["accuracy_true"] + 0.015
    assert found["auroc2_without"] > found["auroc2_true"] + 0.03


def test_right_keys_without_misconceptions_are_hardly_ever_suspected():
    found = suspected_keys_under(keyed_answers(wrong_keys=0.0, **SIMULATED), thresholds=THRESHOLDS)
    assert (found["n_suspected"] < 1).all()
    with pytest.raises(InputError, match="shares"):
        keyed_answers(wrong_keys=0.6, misconceptions=0.5)


def test_selection_alone_raises_the_area_where_every_key_is_right():
    """Two thirds of good models' errors are suspected, and AUROC2 without them is far too high."""
    found = suspected_keys_under(attracted_answers(), thresholds=(0.5, 0.9), best=10).set_index("threshold")
    most, nearly = found.loc[0.5], found.loc[0.9]
    assert most["auroc2_by_key"] == pytest.approx(most["auroc2_true"], abs=1e-12)
    assert most["accuracy_true"] == pytest.approx(0.945, abs=0.01)
    assert most["share_of_errors"] == pytest.approx(0.65, abs=0.05) and most["n_wrong_keys"] == 0
    assert most["auroc2_without"] > most["auroc2_true"] + 0.07
    assert most["auroc2_without"] > nearly["auroc2_without"] > nearly["auroc2_true"] + 0.02


def test_options_that_attract_equally_are_hardly_ever_suspected():
    """The same models without a common pull: they err apart, and the rule has nothing to leave out."""
    made = attracted_answers(attraction=0.0, ability=(1.5, 3.0))
    found = suspected_keys_under(made, thresholds=(0.5,), best=10).iloc[0]
    assert found["n_suspected"] < 1 and found["share_of_errors"] < 0.02
    assert found["auroc2_without"] == pytest.approx(found["auroc2_true"], abs=0.003)


def test_the_most_accurate_models_are_those_by_the_key():
    made = keyed_answers(n_models=6, n_families=3, n_items=300)
    one = suspected_keys_under(made, thresholds=(0.5,), best=1).iloc[0]
    accuracy = made.items.right.mean(axis=1)
    assert one["accuracy_by_key"] == pytest.approx(accuracy.max())
    assert one["auroc2_by_key"] == pytest.approx(
        auroc2(made.items.right[accuracy.argmax()], made.items.confidence[accuracy.argmax()])
    )
