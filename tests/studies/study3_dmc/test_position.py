"""Position bias: known answers, cancelling of accuracy, and intervals over base questions."""

import numpy as np
import pytest

from metacog.sdt.checks import InputError
from metacog.studies.study3_dmc.signals import position_bias


@pytest.mark.parametrize(
    ("response", "bias"),
    [
        ([0, 0, 0, 0], 1.0),
        ([1, 1, 1, 1], -1.0),
        ([0, 1, 0, 1], 0.0),
        ([1, 0, 1, 0], 0.0),
        ([0, 0, 0, 1], 0.5),
    ],
)
def test_known_answers(response, bias):
    found = position_bias([0, 1, 0, 1], response, [1, 1, 2, 2], n_resamples=200)
    assert found["bias"] == pytest.approx(bias)
    assert found["first"] == np.mean(np.array(response) == 0)


@pytest.mark.parametrize("accuracy", [0.5, 0.7, 0.95])
def test_accuracy_cancels_and_orders_need_no_balance(accuracy):
    rng = np.random.default_rng(1)
    stimulus = (rng.random(40_000) < 0.2).astype(int)  # the right one stands first in four of five
    right = rng.random(stimulus.size) < accuracy
    response = np.where(right, stimulus, 1 - stimulus)
    always = rng.random(stimulus.size) < 0.3  # says the first whatever it is
    found = position_bias(stimulus, np.where(always, 0, response), np.arange(stimulus.size), n_resamples=50)
    assert found["bias"] == pytest.approx(0.3, abs=0.03)  # four standard errors


def test_intervals_resample_base_questions():
    rng = np.random.default_rng(2)
    base = np.repeat(np.arange(60), 4)
    stimulus = np.tile([0, 1, 0, 1], 60)
    leaning = np.repeat(rng.random(60) < 0.6, 4)  # a question leans as a whole
    response = np.where(leaning, 0, stimulus)
    by_question = position_bias(stimulus, response, base)
    by_trial = position_bias(stimulus, response, np.arange(240))
    width = lambda b: b["upper"] - b["lower"]  # noqa: E731
    assert by_question["lower"] < by_question["bias"] < by_question["upper"]
    assert width(by_question) == pytest.approx(2 * 1.96 * np.sqrt(0.6 * 0.4 / 60), rel=0.2)  # normal, by hand
    assert width(by_trial) < width(by_question)


def test_what_is_unknown_and_bad_input():
    one_order = position_bias([0, 0], [0, 1], [1, 2])
    assert np.isnan(one_order["bias"]) and np.isnan(one_order["lower"])
    assert np.isnan(position_bias([0, 1], [0, 0], [1, 1])["lower"])  # one question
    for bad in (([], [], []), ([0, 1], [0], [1, 2]), ([0, 1], [0, np.nan], [1, 2]), ([0, 2], [0, 1], [1, 2])):
        with pytest.raises(InputError):
            position_bias(*bad)
