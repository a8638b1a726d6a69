"""Replies collected again. Oracle: made-up replies whose agreement is counted by hand, some of them too different."""

import numpy as np
import pandas as pd
import pytest
from reproduction import COLUMNS, TOLERANCES, Tolerances, reproduction

from metacog.sdt.checks import InputError


def choices(n=100, changed=0, shift=0.0, request="r"):
    """``n`` choices between two options; the first ``changed`` take the other, all probabilities are shifted."""
    rows = []
    for i in range(n):
        taken = 1 if i < changed else 0
        for part, probability in enumerate((0.7 - shift, 0.3 + shift)):
            rows.append((f"q{i}", 0, 0, part, "choose", request, 0.0, "AB"[part], part == taken, probability))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def texts(words, temperature=1.0, kind="generate", probability=0.5):
    rows = [(f"q{i}", 0, 0, 0, kind, "r", temperature, w, True, probability) for i, w in enumerate(words)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def trials(right, per_item=1):
    ids = [f"q{i // per_item}" for i in range(len(right))]
    return pd.DataFrame(
        {"question_id": ids, "sample": [i % per_item for i in range(len(right))], "correct": right}
    )


RIGHT = trials([True] * 60 + [False] * 40)


def compared(a, b, before=RIGHT, after=RIGHT, **options):
    found = reproduction(a, b, before, after, n_resamples=2000, **options)
    return found, {one.name: one for one in found.quantities}


def test_the_tolerances_are_those_that_were_fixed():
    assert (TOLERANCES.same_option, TOLERANCES.probability, TOLERANCES.level) == (0.95, 0.02, 0.95)


def test_identical_replies_hold():
    found, by_name = compared(choices(), choices())
    assert found.holds is True and found.n_items == 100
    assert by_name["choices: same option"].value == 1 and by_name["same request"].value == 1
    accuracy = by_name["trials: difference in accuracy"]
    assert (accuracy.value, accuracy.lower, accuracy.upper, accuracy.holds) == (0, 0, 0, True)
    assert set(found.table()["name"]) == set(by_name)


@pytest.mark.parametrize(("changed", "holds"), [(5, True), (6, False), (100, False)])
def test_more_than_one_choice_in_twenty_must_not_change(changed, holds):
    found, by_name = compared(choices(), choices(changed=changed))
    one = by_name["choices: same option"]
    assert (one.value, one.n, one.holds) == (1 - changed / 100, 100, holds) and found.holds is holds


@pytest.mark.parametrize(("shift", "holds"), [(0.019, True), (-0.019, True), (0.021, False), (-0.3, False)])
def test_probabilities_must_not_move_by_more_than_two_hundredths(shift, holds):
    found, by_name = compared(choices(), choices(shift=shift))
    one = by_name["choices: difference of an option's probability"]
    assert one.value == pytest.approx(abs(shift)) and one.n == 200 and one.holds is holds is found.holds


def test_differences_of_opposite_sign_do_not_cancel():
    moved = choices()
    moved["probability"] += np.where(moved.index % 4 < 2, 0.1, -0.1)
    assert compared(choices(), moved)[0].holds is False


def test_probabilities_that_no_side_knows_cannot_be_told():
    parsed = choices().assign(probability=np.nan)
    found, by_name = compared(parsed, parsed)
    one = by_name["choices: difference of an option's probability"]
    assert one.holds is None and one.n == 0 and found.holds is None
    assert compared(parsed, choices(changed=50).assign(probability=np.nan))[0].holds is False


def test_the_share_of_identical_texts_is_reported_and_nothing_is_asked_of_it():
    drawn, other = ["Paris", "Rome", "Oslo", "Bern"], ["Paris", "Rome", "Bonn", "Bonn"]
    found, by_name = compared(texts(drawn), texts(other))
    one = by_name["texts drawn: identical"]
    assert (one.value, one.n, one.tolerance, one.holds) == (0.5, 4, "", None) and found.holds is True
    _, greedy = compared(texts(drawn, 0.0), texts(other, 0.0))
    assert greedy["texts at temperature 0: identical"].value == 0.5


def test_scored_texts_are_held_to_the_tolerance_of_probability():
    stored = texts(["a", "b"], kind="score")
    for probability, holds in ((0.515, True), (0.53, False)):
        again = texts(["a", "b"], kind="score", probability=probability)
        assert compared(stored, again)[0].holds is holds


@pytest.mark.parametrize(
    ("lost", "gained", "holds"), [(3, 3, True), (20, 20, True), (25, 2, False), (0, 20, False)]
)
def test_accuracy_may_differ_by_chance_alone(lost, gained, holds):
    """27 of 100 items change, 23 more in one direction: its interval lies about 4.8 standard errors from 0."""
    after = trials([False] * lost + [True] * (60 - lost) + [True] * gained + [False] * (40 - gained))
    found, by_name = compared(choices(), choices(), RIGHT, after)
    one = by_name["trials: difference in accuracy"]
    assert one.value == pytest.approx((gained - lost) / 100) and one.holds is holds is found.holds
    assert by_name["trials: right in one set alone"].value == pytest.approx((gained + lost) / 100)


def test_trials_of_one_item_are_resampled_together():
    """Ten trials an item give an interval as wide as one trial an item does."""
    rng = np.random.default_rng(3)
    before, after = (rng.random(40) < 0.5 for _ in range(2))
    _, one = compared(choices(40), choices(40), trials(before), trials(after))
    tenfold = [trials(np.repeat(right, 10), per_item=10) for right in (before, after)]
    _, ten = compared(choices(40), choices(40), *tenfold, key=("question_id", "sample"))
    narrow, wide = (by["trials: difference in accuracy"] for by in (one, ten))
    assert (wide.lower, wide.upper, wide.n) == (narrow.lower, narrow.upper, 400)


def test_a_single_item_cannot_tell():
    found, by_name = compared(choices(1), choices(1), trials([True]), trials([True]))
    assert by_name["trials: difference in accuracy"].holds is None and found.holds is None


def test_later_requests_that_differ_are_left_out_and_counted():
    later = choices(40).assign(step=1)
    stored = pd.concat([choices(40), later])
    again = pd.concat([choices(40), later.assign(request="another", chosen=False)])
    _, by_name = compared(stored, again)
    assert (by_name["same request"].value, by_name["same request"].n) == (0.5, 80)
    assert (by_name["choices: same option"].value, by_name["choices: same option"].n) == (1, 40)


def test_tolerances_can_be_set():
    assert compared(choices(), choices(changed=6), tolerances=Tolerances(same_option=0.9))[0].holds is True


def test_tables_that_cannot_be_compared_are_refused():
    with pytest.raises(InputError, match="lacks the columns probability"):
        compared(choices().drop(columns="probability"), choices())
    with pytest.raises(InputError, match="occurs twice"):
        compared(pd.concat([choices(), choices()]), choices())
    with pytest.raises(InputError, match="no item in common"):
        compared(choices(), choices().assign(item=lambda c: "other " + c["item"]))
    with pytest.raises(InputError, match="table of trials lacks the columns correct"):
        compared(choices(), choices(), RIGHT.drop(columns="correct"))
