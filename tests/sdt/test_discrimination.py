"""Item-rest correlations. Oracles: numpy's correlation in a loop, hand-made tables, and a known structure."""

import numpy as np
import pytest

from metacog.sdt import InputError
from metacog.sdt.correlations import item_discrimination, item_rest


def by_loop(table):
    found = []
    for i in range(table.shape[1]):
        own, rest = table[:, i], np.delete(table, i, axis=1).sum(axis=1)
        found.append(np.corrcoef(own, rest)[0, 1] if np.ptp(own) and np.ptp(rest) else np.nan)
    return np.array(found)


def test_each_correlation_is_numpys_and_the_item_is_not_in_the_sum():
    rng = np.random.default_rng(1)
    tables = (rng.random((5, 9, 6)) < 0.5).astype(float)
    tables[2, :, 3] = 1.0
    got = item_rest(tables)
    np.testing.assert_allclose(got, [by_loop(t) for t in tables], atol=1e-12)
    assert np.isnan(got[2, 3])
    lone = item_rest([[1, 0, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1]])
    assert lone[0] == pytest.approx(-1 / np.sqrt(2))  # with itself in the sum it would be 0 or above


def test_by_hand():
    """Three respondents of 3, 2 and 0 points: items 1 and 2 go with the rest, the third is split by it."""
    found = item_discrimination([[1, 1, 1], [1, 1, 0], [0, 0, 0]], n_resamples=200)
    assert found.r == pytest.approx([np.sqrt(3) / 2] * 2 + [0.5])
    assert found.mean == pytest.approx((np.sqrt(3) + 0.5) / 3)


def test_items_that_all_answer_alike_are_undefined_and_left_out_of_the_mean():
    rng = np.random.default_rng(2)
    ability = rng.normal(size=40)
    table = (ability[:, None] + rng.normal(size=(40, 6)) > 0).astype(float)
    table[:, 1], table[:, 4] = 1.0, 0.0
    found = item_discrimination(table, n_resamples=500, seed=3)
    assert np.isnan(found.r[[1, 4]]).all() and np.isnan(found.lower[[1, 4]]).all()
    assert (found.undefined[[1, 4]] == 500).all() and found.n_defined == 4
    assert found.mean == pytest.approx(np.nanmean(found.r)) and found.mean_lower > 0
    assert (found.lower[[0, 2, 3, 5]] < found.r[[0, 2, 3, 5]]).all()


def test_no_interval_where_most_resamples_lack_the_correlation():
    """Each item is right of one respondent of four: both are drawn in 1 - 2 (3/4)^4 + (2/4)^4 of resamples."""
    found = item_discrimination([[1, 0], [0, 1], [0, 0], [0, 0]], n_resamples=1000)
    defined = 1 - 2 * 0.75**4 + 0.5**4
    assert 1 - found.undefined[0] / 1000 == pytest.approx(
        defined, abs=4 * np.sqrt(defined * (1 - defined) / 1000)
    )
    assert found.r == pytest.approx([-1 / 3] * 2) and np.isnan([found.lower, found.upper]).all()


def test_unrelated_items_have_none():
    table = (np.random.default_rng(5).random((2000, 12)) < 0.5).astype(float)
    found = item_discrimination(table, n_resamples=300)
    assert abs(found.mean) < 0.03 and (np.abs(found.r) < 0.08).all()


def test_the_interval_holds_the_truth():
    """Over 200 tables of 60 respondents the 95 % interval of the mean misses the long-run mean seldom."""
    rng = np.random.default_rng(7)

    def table(n):
        return (rng.normal(size=(n, 1)) + rng.normal(size=(n, 5)) > 0).astype(float)

    truth = item_rest(table(400_000)).mean()
    made = (item_discrimination(table(60), n_resamples=300) for _ in range(200))
    held = np.mean([one.mean_lower <= truth <= one.mean_upper for one in made])
    assert 0.89 <= held <= 0.985


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[1, 0], [0, 1]], "at least 3 respondents, got 2"),
        ([[1], [0], [1]], "two items"),
        ([[1, 0], [0, np.nan], [1, 1]], "a score is missing"),
    ],
)
def test_bad_input_is_refused(table, words):
    with pytest.raises(InputError, match=words):
        item_discrimination(table)
