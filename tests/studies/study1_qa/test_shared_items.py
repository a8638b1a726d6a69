"""Items that all models answered.

Oracle: small tables whose items can be counted by eye.
"""

import numpy as np
import pandas as pd
import pytest

from metacog.sdt import InputError
from metacog.studies.study1_qa.shared_items import SharedItems


def table(rows):
    return pd.DataFrame(rows, columns=["model", "question_id", "temperature", "correct", "nlp"])


ROWS = [
    ("b", "q1", 0.1, True, -1.0),
    ("b", "q2", 0.1, False, -2.0),
    ("b", "q3", 0.1, True, np.nan),
    ("a", "q1", 0.1, True, -0.5),
    ("a", "q2", 0.1, True, -0.2),
    ("a", "q3", 0.1, True, -0.1),
    ("a", "q4", 0.1, True, -0.1),
    ("a", "q1", 1.0, False, -3.0),
    ("a", "q2", 1.0, False, np.nan),
    ("b", "q1", 1.0, False, -9.0),
    ("b", "q2", 1.0, True, -4.0),
]


def test_items_without_a_confidence_of_every_model_at_the_reference_are_left_out():
    asked = SharedItems.of(table(ROWS))
    assert asked.models == ("b", "a") and asked.reference == 0.1
    assert list(asked.sure.index) == ["q1", "q2"]
    assert asked.temperatures(asked.models) == [0.1, 1.0]
    kept = asked.shared(asked.models, 1.0)
    assert kept.tolist() == [True, False]
    assert asked.confidence("b", 1.0, kept).tolist() == [-9.0]
    assert asked.right("a", 0.1, kept).tolist() == [True]


def test_the_lowest_draw_stands_for_the_item():
    rows = table([*ROWS, ("a", "q1", 1.0, True, -0.7)])
    with pytest.raises(InputError, match="more than once"):
        SharedItems.of(rows)
    rows["seed"] = [*range(1, len(ROWS) + 1), 0]
    asked = SharedItems.of(rows, draw="seed")
    assert asked.confidence("a", 1.0, asked.shared(["a"], 1.0)).tolist() == [-0.7]


@pytest.mark.parametrize(
    ("names", "more", "message"),
    [
        ({"confidence": "nothing"}, [], "no column nothing"),
        ({}, [("a", "q1", 0.05, True, -1.0)], "no trial of b at the reference 0.05"),
    ],
)
def test_what_cannot_be_used_is_an_error(names, more, message):
    with pytest.raises(InputError, match=message):
        SharedItems.of(table([*ROWS, *more]), **names)


def test_models_that_share_no_item_are_an_error():
    rows = table([("a", "q1", 0.1, True, -1.0), ("b", "q2", 0.1, True, -1.0)])
    with pytest.raises(InputError, match="no item"):
        SharedItems.of(rows)
    with pytest.raises(InputError, match="no trials"):
        SharedItems.of(rows[:0])
