"""Accuracy, use and worth of ratings apart. Oracles: iterative proportional fitting, odds ratios, and sums."""

import numpy as np
import pytest

from metacog.sdt.checks import InputError
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.standardised import PARTS, parts_of_change, shares, with_margins
from metacog.sdt.type2 import auroc2_from_counts

OFF = np.array([[398, 278, 156, 44]]), np.array([[90, 209, 331, 444]])
ON = np.array([[29, 61, 120, 452]]), np.array([[46, 84, 156, 984]])


def raked(wrong, right, accuracy, use, rounds=5000):
    """Rows and columns scaled in turn, as Deming and Stephan have it."""
    table = np.stack([wrong, right]).astype(float)
    for _ in range(rounds):
        table *= (np.array([1 - accuracy, accuracy]) / table.sum(axis=1))[:, None]
        table *= use / table.sum(axis=0)
    return table


def test_raked_tables_are_those_of_proportional_fitting():
    accuracy, use = 0.31, np.array([0.1, 0.4, 0.3, 0.2])
    wrong, right = with_margins(ON[0][0], ON[1][0], accuracy, use)
    assert np.stack([wrong, right]) == pytest.approx(raked(ON[0][0], ON[1][0], accuracy, use), abs=1e-10)
    # the odds of being right at one rating over those at another are what they were
    before, after = ON[1][0] / ON[0][0], right / wrong
    assert after / after[0] == pytest.approx(before / before[0], rel=1e-9)
    found = shares(wrong, right)
    assert found[0] == pytest.approx(accuracy) and found[1] == pytest.approx(use)


def test_a_table_at_its_own_margins_is_itself():
    wrong, right = with_margins(*OFF, *shares(*OFF))
    assert np.concatenate([wrong, right]) == pytest.approx(np.concatenate(OFF) / 1950, abs=1e-12)


@pytest.mark.parametrize("statistic", [auroc2_from_counts, plugin_meta_i2r])
def test_parts_add_up_to_the_change_and_turn_with_it(statistic):
    parts = parts_of_change(OFF, ON, statistic)
    assert tuple(parts) == PARTS
    assert sum(parts.values()) == pytest.approx(statistic(*ON) - statistic(*OFF), abs=1e-12)
    back = parts_of_change(ON, OFF, statistic)
    for part in PARTS:
        assert back[part] == pytest.approx(-parts[part], abs=1e-12)


def test_many_tables_are_taken_apart_as_each_alone_is():
    """Also where one table cannot be had at the margins of another."""
    rng = np.random.default_rng(3)
    before, after = (rng.integers(1, 9, (2, 3, 4)).astype(float) for _ in range(2))
    before[:, 1, 0] = 0  # a rating that holds no answer, and after holds some
    parts = parts_of_change((before[0], before[1]), (after[0], after[1]), auroc2_from_counts)
    for i in range(3):
        alone = parts_of_change(before[:, i : i + 1], after[:, i : i + 1], auroc2_from_counts)
        for part in PARTS:
            assert parts[part][i] == pytest.approx(alone[part][0], nan_ok=True)
            assert np.isnan(parts[part][i]) == (i == 1)


def test_a_change_of_one_thing_is_ascribed_to_it_alone():
    accuracy, use = (x[0] for x in shares(*OFF))
    changes = {
        "accuracy": with_margins(*OFF, [0.8], use[None]),
        "use": with_margins(*OFF, [accuracy], [[0.05, 0.05, 0.1, 0.8]]),
        "worth": with_margins(*ON, [accuracy], use[None]),
    }
    for changed, table in changes.items():
        parts = parts_of_change(OFF, table, auroc2_from_counts)
        for part in PARTS:
            assert (abs(parts[part][0]) > 1e-4) == (part == changed), (changed, part)


def test_ratings_of_one_class_and_empty_ratings():
    wrong, right = np.array([5, 0, 3]), np.array([0, 4, 6])
    table = with_margins(wrong, right, 0.5, [0.2, 0.3, 0.5])
    assert table[0] == pytest.approx([0.2, 0.0, 0.3], abs=1e-9)  # surely wrong and surely right stay so
    assert np.isnan(with_margins(wrong, right, 0.1, [0.2, 0.3, 0.5])[0]).all()  # 0.3 are right for sure
    empty = np.array([5, 0, 3]), np.array([5, 0, 6])
    assert np.isnan(with_margins(*empty, 0.5, [0.3, 0.3, 0.4])[0]).all()
    assert np.isfinite(with_margins(*empty, 0.5, [0.5, 0.0, 0.5])[0]).all()


@pytest.mark.parametrize(
    ("accuracy", "use", "message"),
    [(0.0, [0.5, 0.5], "between 0 and 1"), (0.5, [0.5, 0.6], "sum to 1"), (0.5, [1.5, -0.5], "sum to 1")],
)
def test_margins_that_are_none_are_refused(accuracy, use, message):
    with pytest.raises(InputError, match=message):
        with_margins([1, 2], [3, 4], accuracy, use)
    with pytest.raises(InputError, match="no answers"):
        shares([[1, 0], [0, 0]], [[1, 2], [0, 0]])
    with pytest.raises(InputError, match="one shape"):
        parts_of_change(([1, 2], [3, 4]), ([1, 2], [3, 4]), auroc2_from_counts)
