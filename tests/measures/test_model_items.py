"""Models by items: arranged as they were answered, and refused where something is wrong."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.measures.model_items import ModelItems
from metacog.sdt import InputError


def trials(**changes: object) -> pd.DataFrame:
    table = pd.DataFrame(
        {
            "model": ["x/a", "x/a", "x/a", "y/b", "y/b", "y/b"],
            "question_id": ["q2", "q1", "q3", "q1", "q2", "q4"],
            "correct": [1, 0, 1, 1, 1, 0],
            "confidence": [90.0, 50.0, 90.0, 10.0, 20.0, 30.0],
            "family": ["x", "x", "x", "y", "y", "y"],
            "answer": ["A", "B", "C", "A", "A", "D"],
            "key": ["A", "A", "C", "A", "A", "C"],
            "domain": ["d1", "d2", "d1", "d2", "d1", "d1"],
        }
    )
    return table.assign(**changes)


def test_each_answer_stands_at_its_model_and_item():
    made = ModelItems.of(trials(), family="family", answer="answer", key="key", stratum="domain")
    assert made.models == ("x/a", "y/b")
    assert made.items == ("q1", "q2", "q3", "q4")
    np.testing.assert_array_equal(made.right, [[0, 1, 1, np.nan], [1, 1, np.nan, 0]])
    np.testing.assert_array_equal(made.confidence, [[50, 90, 90, np.nan], [10, 20, np.nan, 30]])
    assert made.strata == ("d2", "d1", "d1", "d1")
    assert made.key is not None and [made.answers[i] for i in made.key] == ["A", "A", "C", "C"]
    assert made.answer is not None and made.answer[0, 3] == -1


def test_shared_items_and_others():
    made = ModelItems.of(trials(), family="family")
    assert made.shared().items == ("q1", "q2")
    np.testing.assert_array_equal(made.others("x/a"), [1])
    alike = ModelItems.of(trials(family="one"), family="family")
    assert alike.others("x/a").size == 0
    np.testing.assert_array_equal(alike.others("x/a", other_families=False), [1])


def test_rank_shares_are_mid_ranks_within_a_model():
    ranks = ModelItems.of(trials()).rank_shares()
    np.testing.assert_allclose(ranks[0, :3], [0.5 / 3, 2 / 3, 2 / 3])
    assert np.isnan(ranks[0, 3])


def test_what_has_no_confidence_or_mark_is_counted():
    made = ModelItems.of(
        trials(confidence=[90.0, np.nan, 90.0, 10.0, 20.0, 30.0], correct=[1, 0, None, 1, 1, 0])
    )
    assert made.answered.sum() == 4


def test_a_constant_confidence_is_named():
    assert ModelItems.of(trials(confidence=[5.0, 5.0, 5.0, 1.0, 2.0, 3.0])).constant == ("x/a",)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"model": ["x/a", "x/a", "x/a", "X-a", "X-a", "X-a"]}, "two spellings"),
        ({"question_id": ["q1", "q1", "q3", "q1", "q2", "q4"]}, "repeat an item"),
        ({"family": ["x", "z", "x", "y", "y", "y"]}, "family of x/a is both"),
        ({"key": ["A", "A", "C", "B", "A", "C"]}, "key of q1 is both"),
        ({"correct": [1, 2, 0, 1, 0, 1]}, "must be 0 or 1, not 2"),
        ({"correct": "yes"}, "correct holds no number, but for instance 'yes'"),
        ({"correct": [None] * 6}, "no trial with a mark and a confidence"),
        ({"confidence": "very sure"}, "confidence holds no number, but for instance 'very sure'"),
        ({"confidence": [np.nan] * 6}, "no trial with a mark and a confidence"),
    ],
)
def test_what_is_wrong_is_named(changed, words):
    with pytest.raises(InputError, match=words):
        ModelItems.of(trials(**changed), family="family", answer="answer", key="key")


def test_models_without_a_common_item_and_missing_columns_are_refused():
    apart = trials(question_id=["q1", "q2", "q3", "q4", "q5", "q6"])
    with pytest.raises(InputError, match="no item was answered by all 2 models"):
        ModelItems.of(apart).shared()
    with pytest.raises(InputError, match="no column nonsense"):
        ModelItems.of(trials(), confidence="nonsense")
