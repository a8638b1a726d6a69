"""The question with which the page on luck opens. Oracle: answers made up so that one of them must be chosen."""

import pandas as pd
import pytest

from metacog.collect.questions import Question
from metacog.studies.study1_qa.luck_example import EXAMPLE_COLUMNS, example, repeated_mistake

KEYS = {"q1": "Goliath", "q2": "Ovid", "q3": "Mars"}
ASKED = {name: Question(name, f"{name}?", (key,)) for name, key in KEYS.items()}


def trials(*answers, model="m"):
    """Answers as (question, text, confidence); those that hold nothing but the key are right."""
    rows = pd.DataFrame(list(answers), columns=["question_id", "answer", "confidence"])
    right = rows["answer"] == rows["question_id"].map(KEYS)
    return rows.assign(model=model, temperature=1.0, correct=right, score=rows["confidence"])


NEAR = (("q1", "Goliath", 0.6), ("q1", "Samson", 0.5), ("q1", "Goliath", 0.9))
FAR = (("q2", "Ovid", 0.8), ("q2", "Cicero", 0.1), ("q2", "Ovid", 0.9))


def test_the_largest_gap_between_right_and_wrong_is_shown_most_confident_first():
    found = example(trials(*NEAR, *FAR), ASKED)
    assert tuple(found.columns) == EXAMPLE_COLUMNS
    assert set(found["question"]) == {"q2?"} and set(found["key"]) == {"Ovid"}
    assert found["confidence"].tolist() == [0.9, 0.8, 0.1]
    assert found["answer"].tolist() == ["Ovid", "Ovid", "Cicero"]
    assert found["right"].tolist() == [True, True, False] and found["right"].dtype == bool


def test_answers_of_one_word_with_different_errors_come_first():
    plain = (*NEAR, ("q1", "Leviathan", 0.2))
    assert set(example(trials(*plain, *FAR), ASKED)["question"]) == {"q1?"}
    for fault in (("q1", "Saul of Tarsus", 0.2), ("q1", "Samson", 0.2)):  # three words; the same error twice
        assert set(example(trials(*NEAR, fault, *FAR), ASKED)["question"]) == {"q2?"}
    upside_down = [(name, text, 0.95 if text == "Samson" else c) for name, text, c in plain]
    assert set(example(trials(*upside_down, *FAR), ASKED)["question"]) == {"q2?"}  # an error is the surest


def test_of_equal_gaps_the_first_question_by_name_is_shown():
    twin = [("q3" if name == "q2" else name, "Mars" if text == "Ovid" else text, c) for name, text, c in FAR]
    assert set(example(trials(*twin, *FAR), ASKED)["question"]) == {"q2?"}


@pytest.mark.parametrize(
    "instead",
    [
        FAR[:2],  # two answers
        (*FAR[:1], *FAR[2:], ("q2", "Ovid", 0.7)),  # all right
        (*FAR, ("q2", "Ovid street", 0.05)),  # the key in an answer marked wrong
        (*FAR[:2], ("q2", "Ovid", float("nan"))),  # two with a confidence
        (*FAR[:2], ("q2", " ", 0.0)),  # two with a text
    ],
)
def test_what_is_no_example_is_passed_over(instead):
    assert set(example(trials(*instead, *NEAR), ASKED)["question"]) == {"q1?"}
    assert example(trials(*instead), ASKED).empty


def test_the_first_model_that_has_an_example_is_shown():
    both = pd.concat([trials(*FAR[:2], model="a"), trials(*NEAR, model="b"), trials(*FAR, model="c")])
    assert set(example(both, ASKED)["model"]) == {"b"}
    assert example(trials(*FAR), {}).empty


KEPT = (("q1", "Samson", 0.6), ("q1", "Samson", 0.7), ("q1", "Samson", 0.65), ("q1", "Saul", 0.2))


def test_the_mistake_that_is_repeated_most_surely_is_shown():
    less = [("q2", "Nero" if text == "Samson" else text, c / 2) for _, text, c in KEPT]
    found = repeated_mistake(trials(*less, *KEPT), ASKED, "m")
    assert tuple(found.columns) == EXAMPLE_COLUMNS and not found["right"].any()
    assert found["answer"].tolist() == ["Samson"] * 3 + ["Saul"] and set(found["key"]) == {"Goliath"}
    assert repeated_mistake(trials(*KEPT), ASKED, "another").empty


@pytest.mark.parametrize(
    "instead",
    [
        KEPT[1:],  # twice
        KEPT[:3],  # no other answer
        (*KEPT, ("q1", "Goliath", 0.1)),  # it knows the right one, too
        (*KEPT, ("q1", "Saul of Tarsus", 0.1)),  # three words
    ],
)
def test_what_is_no_repeated_mistake_is_passed_over(instead):
    assert repeated_mistake(trials(*instead), ASKED, "m").empty
