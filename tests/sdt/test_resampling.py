"""Oracles: trial-by-trial resampling loops, scipy.stats.bootstrap, closed forms, published drops."""

import numpy as np
import pytest
from scipy import stats

from metacog.sdt import InputError
from metacog.sdt.intervals import percentile_interval, quantile_mc_error, spawn_seeds
from metacog.sdt.resampling import (
    cluster_cells,
    permutation_p,
    relabel_clusters,
    relabel_counts,
    resample_tables,
    swap_within_clusters,
    weight_chunks,
)
from metacog.sdt.type2 import auroc2, auroc2_from_counts, auroc2_variance

INCORRECT, CORRECT = np.array([30, 22, 12, 6]), np.array([8, 15, 24, 43])


def trials():
    rating = np.r_[np.repeat(range(4), INCORRECT), np.repeat(range(4), CORRECT)]
    return np.repeat([0, 1], [INCORRECT.sum(), CORRECT.sum()]), rating


def accuracy(s1, s2):
    return s2.sum(-1) / (s1.sum(-1) + s2.sum(-1))


def of_tables(s1, s2, statistic, n_resamples=2000, seed=42, **options):
    """Interval of a statistic of one table by :func:`resample_tables`."""
    s1, s2 = np.asarray(s1), np.asarray(s2)
    drawn = resample_tables(s1, s2, n_resamples, np.random.default_rng(seed), **options)
    return percentile_interval(statistic(*(x.astype(float) for x in drawn)), float(statistic(s1, s2)))


def by_hand(statistic, *arrays, n_resamples, seed, units=None):
    """Draws of a statistic when trials, or whole units of them, are resampled one by one."""
    units = np.arange(len(arrays[0])) if units is None else units
    members = [np.flatnonzero(units == u) for u in np.unique(units)]
    rng = np.random.default_rng(seed)
    rows = (
        np.concatenate([members[i] for i in rng.integers(0, len(members), len(members))])
        for _ in range(n_resamples)
    )
    return np.array([statistic(*(a[r] for a in arrays)) for r in rows])


def test_cell_bootstrap_is_the_trial_bootstrap():
    correct, rating = trials()
    by_trial = by_hand(auroc2, correct, rating, n_resamples=4000, seed=1)
    by_cell = of_tables(INCORRECT, CORRECT, auroc2_from_counts, n_resamples=4000, seed=2)
    assert auroc2(correct, rating) == by_cell.estimate
    # two-sample Kolmogorov-Smirnov on independent draws of one distribution
    assert stats.ks_2samp(by_trial, by_cell.draws).pvalue > 0.001
    assert by_cell.se == pytest.approx(float(np.sqrt(auroc2_variance(INCORRECT, CORRECT))), rel=0.06)


def test_stratified_resampling_keeps_class_totals():
    s1, s2 = resample_tables(INCORRECT, CORRECT, 200, np.random.default_rng(0), stratify=True)
    assert (s1.sum(1) == INCORRECT.sum()).all() and (s2.sum(1) == CORRECT.sum()).all()
    free = of_tables(INCORRECT, CORRECT, accuracy, n_resamples=500)
    fixed = of_tables(INCORRECT, CORRECT, accuracy, n_resamples=500, stratify=True)
    assert fixed.se == 0 and free.se > 0.02


def test_undefined_and_extreme_draws_are_dropped_and_counted():
    interval = of_tables([1, 2], [2, 1], auroc2_from_counts, n_resamples=2000)
    # no trial of a class in a resample of 6: 2 x (1/2)^6 = 3.1 %
    assert 0.015 < interval.n_dropped / 2000 < 0.05
    assert interval.n_draws + interval.n_dropped == 2000 and "not finite" in interval.reason
    limited = percentile_interval([0.1, 0.2, 50.0, np.inf], 0.1, limit=10)
    assert limited.n_dropped == 2 and "absolute value >= 10" in limited.reason


def test_seeds_repeat_and_children_differ():
    def run(seed):
        return of_tables(INCORRECT, CORRECT, accuracy, n_resamples=50, seed=seed).draws

    np.testing.assert_array_equal(run(1), run(1))
    assert not np.array_equal(run(1), run(2))
    states = {tuple(s.generate_state(2)) for s in spawn_seeds(1, 5)}
    assert len(states) == 5


def clustered_trials(rng, n_questions=150, per=6):
    """Trials whose correctness depends on their question."""
    hardness = rng.normal(size=n_questions)
    question = np.repeat(np.arange(n_questions), per)
    correct = rng.random(question.size) < 1 / (1 + np.exp(-2 * hardness[question]))
    return correct.astype(int), rng.integers(1, 5, question.size), question


def test_cluster_bootstrap_equals_resampling_questions_by_hand():
    correct, rating, question = clustered_trials(np.random.default_rng(7))
    matrix = cluster_cells(correct, rating, question)
    tables = np.concatenate([w @ matrix for w in weight_chunks(150, 3000, 42, 158)])
    fast = percentile_interval(accuracy(tables[:, :4], tables[:, 4:]), correct.mean())
    slow = by_hand(np.mean, correct, n_resamples=3000, seed=8, units=question)
    assert stats.ks_2samp(fast.draws, slow).pvalue > 0.001
    means = np.array([correct[question == q].mean() for q in range(150)])
    assert fast.se == pytest.approx(means.std() / np.sqrt(150), rel=0.06)
    naive = of_tables(
        np.bincount(rating[correct == 0] - 1, minlength=4),
        np.bincount(rating[correct == 1] - 1, minlength=4),
        accuracy,
    )
    assert fast.se > 1.3 * naive.se


def test_permutation_p_by_hand():
    null = [-2.0, -1.0, 0.0, 1.0, np.nan]
    assert permutation_p(1.0, null, alternative="greater").p_value == 2 / 5
    assert permutation_p(-1.0, null, alternative="less").p_value == 3 / 5
    assert permutation_p(1.0, null, centre=0.0).p_value == 4 / 5
    assert permutation_p(1.0, null).n_dropped == 1


def test_swapping_equals_the_exact_sign_flip_distribution():
    # one trial per question and accuracy: discordant questions flip, so McNemar's exact test
    a, b = np.r_[np.ones(14), np.zeros(26)], np.r_[np.zeros(10), np.ones(9), np.zeros(21)]
    cells = [cluster_cells(x, np.ones(40), np.arange(40)) for x in (a, b)]
    test = swap_within_clusters(*cells, lambda t: t[:, 1] / t.sum(1), n_permutations=20_000)
    discordant, wins = int((a != b).sum()), int((a > b).sum())
    exact = stats.binomtest(wins, discordant, 0.5).pvalue
    assert abs(test.p_value - exact) < 4 * np.sqrt(exact * (1 - exact) / 20_000)


def test_relabelling_trials_equals_relabelling_their_table():
    rng = np.random.default_rng(9)
    a, b = rng.integers(0, 2, 60), (rng.random(50) < 0.7).astype(int)
    cells = [cluster_cells(x, np.ones(x.size), np.arange(x.size)) for x in (a, b)]

    def share(t):
        return t[:, 1] / t.sum(1)

    one = relabel_clusters(*cells, share, n_permutations=10_000)
    tables = [np.array([(x == 0).sum(), x.sum()]) for x in (a, b)]
    two = relabel_counts(*tables, share, n_permutations=10_000, seed=2)
    # exact: correct answers dealt to A are hypergeometric
    k = np.arange(61)
    total = int(a.sum() + b.sum())
    difference = k / 60 - (total - k) / 50
    exact = stats.hypergeom(110, total, 60).pmf(k)[np.abs(difference) >= abs(one.observed) - 1e-12].sum()
    assert one.observed == pytest.approx(two.observed)
    for test in (one, two):
        assert abs(test.p_value - exact) < 4 * np.sqrt(exact * (1 - exact) / 10_000)


def test_monte_carlo_error_of_a_quantile():
    rng = np.random.default_rng(10)
    ends = [np.quantile(rng.normal(size=2000), 0.975) for _ in range(800)]
    errors = [quantile_mc_error(rng.normal(size=2000), 0.975) for _ in range(50)]
    assert np.mean(errors) == pytest.approx(np.std(ends), rel=0.15)


#: Cells of questions on two and on three ratings.
UNLIKE = [cluster_cells([0, 1], [1, 2], [1, 2], ratings=range(1, n)) for n in (3, 4)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: of_tables([0.5, 1], [1, 2], accuracy), "whole numbers"),
        (lambda: of_tables([0, 0], [1, 2], accuracy, stratify=True), "no trials"),
        (lambda: percentile_interval([np.nan, 1.0], 1.0), "fewer than two"),
        (
            lambda: cluster_cells([0, 1], [1, 2], [1, 2], ratings=[1, 3]),
            "confidence that is not among ratings",
        ),
        (lambda: cluster_cells([0, 1], [1, 2], [1, 2], ids=[1, 3]), "question that is not among ids"),
        (lambda: swap_within_clusters(*UNLIKE, accuracy), "one shape, got"),
        (lambda: relabel_clusters(*UNLIKE, accuracy), "same cells, got 4 and 6"),
        (lambda: cluster_cells([0, 1], [1, 2, 1], [1, 2]), "3 trials where correct has 2"),
        (lambda: permutation_p(np.nan, [1.0]), "undefined"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
