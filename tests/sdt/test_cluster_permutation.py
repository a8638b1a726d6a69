"""The null by question. Oracles: all orders by hand, a slow loop, simulated data without any relation."""

from itertools import permutations

import numpy as np
import pytest

from metacog.sdt import InputError
from metacog.sdt.information import null_meta_i2r, permutation_null_meta_i, plugin_meta_i, plugin_meta_i2r
from metacog.sdt.resampling import permutation_p, permute_clusters


def right_at_top(wrong, right):
    """A statistic that tells tables apart: right answers at the highest rating."""
    return right[..., -1]


def dependent(n_questions, n_conditions, seed, accuracy=0.3):
    """Correctness and rating that are both alike within a question and know nothing of each other."""
    rng = np.random.default_rng(seed)
    shape = n_questions, n_conditions
    alike = [0.85 * rng.normal(size=(n_questions, 1)) + 0.53 * rng.normal(size=shape) for _ in "ab"]
    correct = alike[0] < np.quantile(alike[0], accuracy)
    level = np.searchsorted(np.quantile(alike[1], np.arange(1, 8) / 8), alike[1])
    question = np.repeat(np.arange(n_questions), n_conditions)
    return correct.ravel(), level.ravel(), question, np.tile(np.arange(n_conditions), n_questions)


def test_all_orders_of_three_questions():
    """Whole vectors change places, aligned by condition whatever the order of the rows."""
    correct = np.array([[1, 0], [0, 1], [1, 1]])
    level = np.array([[1, 0], [1, 1], [0, 0]])
    values = [(correct[list(order)] * level).sum() for order in permutations(range(3))]
    rows = np.random.default_rng(0).permutation(6)
    question, condition = np.repeat([7, 8, 9], 2)[rows], np.tile(["hot", "cold"], 3)[rows]
    flat = correct.ravel()[rows], level.ravel()[rows], question, condition
    found = permute_clusters(*flat, n_ratings=2, statistic=right_at_top, n_permutations=6000, seed=1)
    assert (found.n_moved, found.n_fixed) == (3, 0)
    seen, times = np.unique(found.null, return_counts=True)
    expected, of_six = np.unique(values, return_counts=True)
    np.testing.assert_array_equal(seen, expected)
    np.testing.assert_allclose(times / 6000, of_six / 6, atol=4 * 0.5 / np.sqrt(6000))
    assert found.observed == (correct * level).sum()


def test_questions_without_their_like_stay_and_are_counted():
    correct = np.array([1, 0, 1, 0, 1, 1, 0])
    level = np.array([1, 0, 0, 1, 1, 1, 1])
    question = np.array([0, 0, 1, 1, 2, 3, 3])
    condition = np.array([0.5, 1.0, 0.5, 1.0, 0.5, 1.0, 2.0])
    found = permute_clusters(
        correct, level, question, condition, n_ratings=2, statistic=right_at_top, n_permutations=200
    )
    assert (found.n_moved, found.n_fixed) == (2, 2)
    # questions 0 and 1: (1, 0) and (1, 0) are alike, so every table is the observed one
    assert set(found.null) == {found.observed}
    alone = permute_clusters(
        correct[4:], level[4:], question[4:], condition[4:], n_ratings=2, statistic=right_at_top
    )
    assert alone.n_moved == 0 and alone.n_fixed == 2
    assert np.isnan(alone.p_value) and np.isnan(alone.null_mean)


def test_null_equals_a_loop_over_questions():
    correct, level, question, condition = dependent(40, 3, seed=3)
    fast = permute_clusters(
        correct, level, question, condition, n_ratings=8, statistic=plugin_meta_i2r, n_permutations=4000
    )
    rng = np.random.default_rng(5)
    matrix, slow = correct.reshape(40, 3), []
    for _ in range(4000):
        hits = matrix[rng.permutation(40)].ravel()
        tables = [np.bincount(level[side], minlength=8) for side in (~hits, hits)]
        slow.append(float(plugin_meta_i2r(*tables)))
    error = np.sqrt(2) * np.std(slow) / np.sqrt(4000)
    assert abs(fast.null_mean - np.mean(slow)) < 4 * error
    assert fast.null.std() == pytest.approx(np.std(slow), rel=0.1)
    assert fast.p_value == pytest.approx(np.mean(np.array(slow) >= fast.observed), abs=0.04)


def test_level_where_questions_repeat():
    """Nothing known, 60 questions at seven temperatures: by question .05, by trial .23 here."""
    n, by_question, by_trial = 150, 0, 0
    for seed in range(n):
        correct, level, question, condition = dependent(60, 7, seed)
        found = permute_clusters(
            correct,
            level,
            question,
            condition,
            n_ratings=8,
            statistic=plugin_meta_i2r,
            n_permutations=99,
            seed=seed,
        )
        tables = [np.bincount(level[side], minlength=8) for side in (~correct, correct)]
        null = permutation_null_meta_i(*tables, n_permutations=99, seed=seed)
        by_question += found.p_value <= 0.05
        by_trial += permutation_p(float(plugin_meta_i(*tables)), null, alternative="greater").p_value <= 0.05
        assert found.null_mean > float(null_meta_i2r(*tables))
    assert by_question <= 15  # 7.5 expected; P(more than 15) is .003
    assert by_trial > 20


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="one value per trial"):
        permute_clusters([0, 1], [0, 1], [0], [0, 0], n_ratings=2, statistic=right_at_top)
    with pytest.raises(InputError, match="rating"):
        permute_clusters([0, 1], [0, 2], [0, 1], [0, 0], n_ratings=2, statistic=right_at_top)
    plain = [0, 1], [0, 1], [0, 1], [0, 0]
    with pytest.raises(InputError, match="n_permutations"):
        permute_clusters(*plain, n_ratings=2, statistic=right_at_top, n_permutations=0)
    with pytest.raises(InputError, match="undefined"):
        permute_clusters([1, 1], [0, 1], [0, 1], [0, 0], n_ratings=2, statistic=plugin_meta_i2r)
