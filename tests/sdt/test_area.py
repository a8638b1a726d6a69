"""Intervals of AUROC2. Oracles: sums over all pairs, a jackknife over questions, SciPy, simulation."""

import numpy as np
import pytest
from cell_coverage import auroc2_intervals_from_counts
from scipy.special import expit, logit
from scipy.stats import t as student
from scipy.stats import ttest_ind

from metacog.sdt import InputError
from metacog.sdt.area_intervals import (
    area_variances,
    auroc2_interval,
    auroc2_interval_from_counts,
    auroc2_p,
    delong_paired,
    placement_values,
)
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.populations import population_for
from metacog.sdt.type2 import auroc2, auroc2_from_counts, auroc2_variance


def simulated(n_questions=80, times=4, seed=0, distance=1.0):
    rng = np.random.default_rng(seed)
    own = rng.normal(size=(n_questions, 2, 1))
    correct = own[:, 0] + rng.normal(size=(n_questions, times)) > 0.8
    score = np.round(3 * (distance * correct + own[:, 1] + rng.normal(size=(n_questions, times)))) / 3
    return correct.ravel(), score.ravel(), np.repeat(np.arange(n_questions), times)


def obuchowski_by_hand(correct, score, question):
    """Equations of Obuchowski (1997), written as sums over clusters and pairs."""
    x, y = score[correct], score[~correct]
    psi = (x[:, None] > y) + 0.5 * (x[:, None] == y)
    area, m, n = psi.mean(), x.size, y.size
    v10, v01 = psi.mean(axis=1), psi.mean(axis=0)
    ids = np.unique(question)
    s10 = s01 = s11 = 0.0
    held = [np.unique(question[correct]).size, np.unique(question[~correct]).size]
    for i in ids:
        a, b = question[correct] == i, question[~correct] == i
        one = v10[a].sum() - a.sum() * area
        two = v01[b].sum() - b.sum() * area
        s10, s01, s11 = s10 + one**2, s01 + two**2, s11 + one * two
    s10 *= held[0] / ((held[0] - 1) * m)
    s01 *= held[1] / ((held[1] - 1) * n)
    s11 *= ids.size / (ids.size - 1)
    return area, s10 / m + s01 / n + 2 * s11 / (m * n)


def test_clustered_error_is_obuchowskis():
    correct, score, question = simulated()
    area, variance = obuchowski_by_hand(correct, score, question)
    found = auroc2_interval(correct, score, clusters=question)
    assert (found.estimate, found.se) == (pytest.approx(area), pytest.approx(np.sqrt(variance), rel=1e-12))
    assert found.estimate == pytest.approx(auroc2(correct, score))


def test_without_questions_it_is_delongs_with_brunner_and_munzels_freedom():
    correct, score, _ = simulated(200, 1)
    found = auroc2_interval(correct, score)
    levels = np.unique(score, return_inverse=True)[1]
    tables = [np.bincount(levels[side], minlength=levels.max() + 1) for side in (~correct, correct)]
    assert found.se == pytest.approx(np.sqrt(float(auroc2_variance(*tables))), rel=1e-12)
    placed = placement_values(correct, score)
    df = ttest_ind(placed[correct], placed[~correct], equal_var=False).df
    half = student.ppf(0.975, df) * found.se / (found.estimate * (1 - found.estimate))
    assert (found.lower, found.upper) == pytest.approx(
        tuple(expit(logit(found.estimate) + np.array([-half, half])))
    )
    again = auroc2_interval_from_counts(*tables)
    assert (again.lower, again.upper, again.se) == pytest.approx((found.lower, found.upper, found.se))


@pytest.mark.parametrize(
    ("correct", "score", "question", "why"),
    [
        ([1, 1, 0, 0], [3, 4, 1, 2], None, "right and wrong answers are separated"),
        ([1, 1, 0, 0], [1, 2, 3, 4], None, "right and wrong answers are separated"),
        ([1, 1, 0, 0], [2, 2, 2, 2], None, "all confidence is tied"),
        ([1, 1, 1, 0], [1, 3, 2, 2], None, "only one wrong answer"),
        ([1, 0, 0, 0], [2, 3, 1, 2], None, "only one right answer"),
        ([1, 1, 0, 0, 0], [1, 3, 2, 1, 3], [0, 0, 1, 2, 3], "all right answers are to one question"),
    ],
)
def test_it_says_why_it_cannot_tell(correct, score, question, why):
    found = auroc2_interval(correct, score, clusters=question)
    assert found.reason == why and np.isnan(auroc2_p(correct, score, clusters=question))
    assert np.isnan(found.lower) and np.isnan(found.upper)
    assert not found.excludes(0.5)
    assert found.estimate == auroc2(correct, score)


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="no incorrect"):
        auroc2_interval([1, 1], [1, 2])
    with pytest.raises(InputError, match="label"):
        auroc2_interval([1, 0], [1, 2], clusters=[0])
    with pytest.raises(InputError, match="level"):
        auroc2_interval([1, 0, 1, 0], [1, 2, 3, 1], level=1.5)
    with pytest.raises(InputError, match="empty"):
        auroc2_interval_from_counts([0, 0], [0, 0])
    with pytest.raises(InputError, match="one table"):
        auroc2_interval_from_counts([[3, 2]], [[2, 3]])


def test_p_is_one_less_the_level_whose_interval_just_reaches_one_half():
    correct, score, question = simulated(30, 3, seed=5, distance=0.3)
    p = auroc2_p(correct, score, clusters=question)
    assert 0.001 < p < 0.5
    found = auroc2_interval(correct, score, clusters=question, level=1 - p)
    assert min(found.ends, key=lambda end: abs(end - 0.5)) == pytest.approx(0.5, abs=1e-9)
    assert auroc2_p(correct, -score, clusters=question) == pytest.approx(p)


def test_one_trial_has_no_variance():
    """Nor where its placement and the area differ by rounding."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        many, one = rng.integers(0, 9, 5).astype(float), np.eye(5)[rng.integers(5)]
        many[0] += 2
        assert np.isnan(area_variances(one, many)[2]) and np.isfinite(area_variances(one, many)[1])
        assert np.isnan(area_variances(many, one)[1]) and np.isfinite(area_variances(many, one)[2])


def test_many_tables_at_once_are_each_by_itself():
    rng = np.random.default_rng(2)
    odd = [
        ([2, 0, 0], [0, 0, 5]),
        ([3, 0, 0], [4, 0, 0]),
        ([0, 1, 0], [3, 2, 1]),
        ([2, 2, 0], [0, 0, 1]),
        ([2, 2, 0], [0, 2, 2]),
    ]
    wrong = np.vstack([rng.multinomial(12, [0.2, 0.3, 0.5], 40), [w for w, _ in odd]])
    right = np.vstack([rng.multinomial(90, [0.1, 0.3, 0.6], 40), [r for _, r in odd]])
    area, lower, upper = auroc2_intervals_from_counts(wrong, right)
    for i in range(len(wrong)):
        one = auroc2_interval_from_counts(wrong[i], right[i])
        assert (area[i], lower[i], upper[i]) == pytest.approx(
            (one.estimate, one.lower, one.upper), rel=1e-12, nan_ok=True
        )
    assert np.isnan(lower[40:44]).all() and np.isfinite(lower[44])
    whole, empty = auroc2_intervals_from_counts([[1, 2], [0, 0]], [[2, 3], [2, 3]])[0]
    assert whole == pytest.approx(auroc2_from_counts([1, 2], [2, 3])) and np.isnan(empty)
    with pytest.raises(InputError, match="level"):
        auroc2_intervals_from_counts(wrong, right, level=0)


def test_it_covers_where_percentiles_do_not():
    """Ten to a score of right answers of a hundred, true area .8: percentile intervals .90, ours .94."""
    rng = np.random.default_rng(6)
    population = population_for("auroc2", 0.8, accuracy=0.11)
    ours = percentile = used = 0
    for table in rng.multinomial(100, population.cells(), size=600):
        wrong, right = table[:8], table[8:]
        if right.sum() < 10:
            continue
        used += 1
        found = auroc2_interval_from_counts(wrong, right)
        ours += found.lower <= 0.8 <= found.upper
        drawn = rng.multinomial(100, table / 100, size=300)
        low, high = percentile_limits(auroc2_from_counts(drawn[:, :8], drawn[:, 8:]))
        percentile += low <= 0.8 <= high
    assert used > 300
    assert percentile < ours - 0.02 * used
    assert 0.915 < ours / used < 0.98


def test_paired_test_is_delongs_of_the_difference():
    """Variance by DeLong's covariance of the two signals' placement values, written out."""
    rng = np.random.default_rng(7)
    correct = rng.random(120) < 0.4
    a = rng.normal(size=120) + correct
    b = 0.5 * a + rng.normal(size=120) + 0.3 * correct
    found = delong_paired(correct, a, b)
    placed = np.stack([placement_values(correct, s) for s in (a, b)])
    cov = np.cov(placed[:, correct]) / correct.sum() + np.cov(placed[:, ~correct]) / (~correct).sum()
    variance = cov[0, 0] + cov[1, 1] - 2 * cov[0, 1]
    assert found.difference == pytest.approx(auroc2(correct, a) - auroc2(correct, b))
    assert found.se == pytest.approx(np.sqrt(variance), rel=1e-12)
    assert found.lower < found.difference < found.upper
    assert (found.p_value < 0.05) == (not found.lower <= 0 <= found.upper)
    doubled = np.repeat(np.arange(120), 2)
    again = delong_paired(correct[doubled], a[doubled], b[doubled], clusters=doubled)
    assert again.se == pytest.approx(found.se, rel=1e-9)
    same = delong_paired(correct, a, np.exp(a))
    assert same.difference == 0 and "alike" in same.why and np.isnan(same.p_value)
