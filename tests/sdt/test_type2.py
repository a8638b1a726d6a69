"""Oracles: brute force over pairs, the published v2 table, closed forms."""

import numpy as np
import pytest
from sdt_published import cacioli_cells, published

from metacog.sdt import InputError
from metacog.sdt.checks import type2_table
from metacog.sdt.type2 import (
    auroc2,
    auroc2_from_counts,
    auroc2_variance,
    hanley_mcneil_se,
    type2_roc,
    type2_roc_from_counts,
)


def brute_force(correct, confidence):
    plus, minus = confidence[correct == 1], confidence[correct == 0]
    gap = plus[:, None] - minus[None, :]
    return ((gap > 0) + 0.5 * (gap == 0)).mean()


@pytest.mark.parametrize("levels", [2, 5, 1000])
def test_auroc2_equals_all_pairs(levels):
    rng = np.random.default_rng(levels)
    correct = rng.integers(0, 2, 301)
    confidence = rng.integers(0, levels, 301) + correct * levels / 5
    assert auroc2(correct, confidence) == pytest.approx(brute_force(correct, confidence), abs=1e-14)


def test_auroc2_of_all_eight_cells_is_the_published_one():
    table = published("cacioli_v2_aggregate.csv")
    for row in table:
        incorrect, correct = cacioli_cells()[row["model"], row["dataset"]]
        assert float(auroc2_from_counts(incorrect, correct)) == pytest.approx(float(row["auroc2"]), abs=1e-12)
    assert len(table) == 8


def test_batches_equal_single_tables_and_missing_class_is_nan():
    tables = np.array(list(cacioli_cells().values()))
    tables[0, 0] = 0
    areas = auroc2_from_counts(tables[:, 0], tables[:, 1])
    assert np.isnan(areas[0])
    for table, area in zip(tables[1:], areas[1:], strict=True):
        assert area == float(auroc2_from_counts(*table))


def test_roc_area_is_the_trapezoid_under_its_points():
    incorrect, correct = cacioli_cells()["llama3_base", "triviaqa"]
    roc = type2_roc_from_counts(incorrect, correct)
    assert np.trapezoid(roc.hit_rate, roc.false_alarm_rate) == pytest.approx(roc.area, abs=1e-14)
    assert (roc.false_alarm_rate[-1], roc.hit_rate[-1]) == (1.0, 1.0)
    trials = np.repeat(np.arange(8), incorrect + correct)
    scored = np.concatenate([np.r_[np.zeros(i), np.ones(c)] for i, c in zip(incorrect, correct, strict=True)])
    assert type2_roc(scored, trials).area == pytest.approx(roc.area, abs=1e-15)


def test_delong_variance_equals_its_definition_on_trials():
    rng = np.random.default_rng(3)
    correct = rng.integers(0, 2, 80)
    confidence = rng.integers(0, 6, 80) + correct
    plus, minus = confidence[correct == 1], confidence[correct == 0]
    wins = (plus[:, None] > minus) + 0.5 * (plus[:, None] == minus)
    expected = wins.mean(1).var(ddof=1) / plus.size + wins.mean(0).var(ddof=1) / minus.size
    incorrect = np.bincount(minus, minlength=8)
    right = np.bincount(plus, minlength=8)
    assert float(auroc2_variance(incorrect, right)) == pytest.approx(expected, rel=1e-12)


def test_hanley_mcneil_closed_form_for_exponential_confidence():
    # Confidence ~ Exp(1) and Exp(1/r): area r/(1 + r); Q1, Q2 are exact then.
    rng = np.random.default_rng(5)
    ratio, n = 3.0, 60
    x, y = rng.exponential(1, (4000, n)), rng.exponential(ratio, (4000, n))
    areas = np.array([(b[:, None] > a).mean() for a, b in zip(x, y, strict=True)])
    se = float(hanley_mcneil_se(ratio / (1 + ratio), n, n))
    assert areas.std() == pytest.approx(se, rel=4 / np.sqrt(2 * 4000))


def test_two_choice_counts_fold_to_confidence_by_accuracy():
    # highest-confidence S1 ... highest-confidence S2, K = 2
    incorrect, correct = type2_table([1, 2, 30, 40], [100, 200, 3000, 4000])
    np.testing.assert_array_equal(incorrect, [30 + 200, 40 + 100])
    np.testing.assert_array_equal(correct, [3000 + 2, 4000 + 1])


@pytest.mark.parametrize(
    ("correct", "confidence", "message"),
    [
        ([1, 1, 1], [1, 2, 3], "no incorrect"),
        ([0, 0], [1, 2], "no correct"),
        ([0, 1], [1, np.nan], "NaN"),
        ([0, 2], [1, 2], "0/1"),
        ([0, 1, 1], [1, 2], "2 trials"),
        ([0, None], [1, 2], "0/1"),
        ([], [], "non-empty"),
    ],
)
def test_bad_trials_are_refused(correct, confidence, message):
    with pytest.raises(InputError, match=message):
        auroc2(correct, confidence)


def test_bad_tables_are_refused():
    with pytest.raises(InputError, match="negative"):
        auroc2_from_counts([-1, 2], [1, 2])
    with pytest.raises(InputError, match="one shape"):
        auroc2_from_counts([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="even number"):
        type2_table([1, 2, 3], [1, 2, 3])
