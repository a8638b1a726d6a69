"""Oracles: trial-by-trial resampling loops, scipy.stats.bootstrap, closed forms, published drops."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sdt_published import cacioli_cells

from metacog.sdt import InputError
from metacog.sdt.intervals import bca_interval, percentile_interval, quantile_mc_error, spawn_seeds
from metacog.sdt.permutation import (
    permutation_p,
    permute_correctness,
    relabel_clusters,
    relabel_counts,
    swap_within_clusters,
)
from metacog.sdt.resampling import (
    bootstrap_clusters,
    bootstrap_counts,
    bootstrap_trials,
    cluster_cells,
    cluster_weights,
    resample_tables,
)
from metacog.sdt.type2 import auroc2, auroc2_from_counts, auroc2_variance

INCORRECT, CORRECT = np.array([30, 22, 12, 6]), np.array([8, 15, 24, 43])


def trials():
    rating = np.r_[np.repeat(range(4), INCORRECT), np.repeat(range(4), CORRECT)]
    return np.repeat([0, 1], [INCORRECT.sum(), CORRECT.sum()]), rating


def accuracy(s1, s2):
    return s2.sum(-1) / (s1.sum(-1) + s2.sum(-1))


def test_cell_bootstrap_is_the_trial_bootstrap():
    correct, rating = trials()
    by_trial = bootstrap_trials(auroc2, correct, rating, n_resamples=4000, seed=1)
    by_cell = bootstrap_counts(INCORRECT, CORRECT, auroc2_from_counts, n_resamples=4000, seed=2)
    assert by_trial.estimate == by_cell.estimate
    # two-sample Kolmogorov-Smirnov on independent draws of one distribution
    assert stats.ks_2samp(by_trial.draws, by_cell.draws).pvalue > 0.001
    assert by_cell.se == pytest.approx(float(np.sqrt(auroc2_variance(INCORRECT, CORRECT))), rel=0.06)


def test_cell_covariances_of_both_bootstraps_are_multinomial():
    cells = np.r_[INCORRECT, CORRECT]
    n, p = cells.sum(), cells / cells.sum()
    expected = n * (np.diag(p) - np.outer(p, p))
    rng = np.random.default_rng(3)
    tables = np.hstack(resample_tables(INCORRECT, CORRECT, 20_000, rng))
    picks = np.repeat(np.arange(8), cells)[rng.integers(0, n, (20_000, n))]
    loops = np.stack([(picks == k).sum(axis=1) for k in range(8)], axis=1)
    for sample in (tables, loops):
        error = np.sqrt((np.outer(np.diag(expected), np.diag(expected)) + expected**2) / 20_000)
        assert (np.abs(np.cov(sample.T) - expected) < 5 * error).all()


def test_stratified_resampling_keeps_class_totals():
    s1, s2 = resample_tables(INCORRECT, CORRECT, 200, np.random.default_rng(0), stratify=True)
    assert (s1.sum(1) == INCORRECT.sum()).all() and (s2.sum(1) == CORRECT.sum()).all()
    free = bootstrap_counts(INCORRECT, CORRECT, accuracy, n_resamples=500)
    fixed = bootstrap_counts(INCORRECT, CORRECT, accuracy, n_resamples=500, stratify=True)
    assert fixed.se == 0 and free.se > 0.02


def test_percentile_coverage_of_auroc2():
    rng = np.random.default_rng(5)
    p0, p1 = np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.2, 0.3, 0.4])
    truth = float(auroc2_from_counts(p0, p1))
    inside = 0
    for i in range(600):
        table = rng.multinomial(400, np.r_[p0, p1] / 2)
        interval = bootstrap_counts(table[:4], table[4:], auroc2_from_counts, n_resamples=400, seed=i)
        inside += not interval.excludes(truth)
    # 95 % within 4 binomial errors of 600 (0.9 % each)
    assert abs(inside / 600 - 0.95) < 4 * np.sqrt(0.95 * 0.05 / 600)


def test_bca_equals_scipy():
    rng = np.random.default_rng(6)
    x = rng.exponential(size=60)
    theirs = stats.bootstrap(
        (x,), lambda a, axis: np.var(a, axis=axis), method="BCa", n_resamples=20_000, rng=rng
    )
    leave = np.array([np.var(np.delete(x, i)) for i in range(60)])
    ours = bca_interval(theirs.bootstrap_distribution, np.var(x), leave)
    assert ours.lower == pytest.approx(theirs.confidence_interval.low, rel=1e-3)
    assert ours.upper == pytest.approx(theirs.confidence_interval.high, rel=1e-3)
    by_trial = bootstrap_trials(np.var, x, method="bca", n_resamples=4000)
    assert by_trial.method == "bca"
    error = quantile_mc_error(by_trial.draws, 0.99)
    assert abs(by_trial.upper - ours.upper) < 4 * error


def test_bca_of_counts_equals_bca_of_trials():
    correct, rating = trials()
    cells = bootstrap_counts(INCORRECT, CORRECT, auroc2_from_counts, n_resamples=3000, method="bca")
    leave = np.array([auroc2(np.delete(correct, i), np.delete(rating, i)) for i in range(correct.size)])
    by_hand = bca_interval(cells.draws, cells.estimate, leave)
    assert (cells.lower, cells.upper) == pytest.approx((by_hand.lower, by_hand.upper), abs=1e-12)
    rows = np.arange(correct.size)
    matrix = cluster_cells(correct, rating, rows).matrix
    by_cluster = bootstrap_clusters(
        matrix, lambda t: auroc2_from_counts(t[:, :4], t[:, 4:]), n_resamples=3000, method="bca"
    )
    assert abs(by_cluster.lower - cells.lower) < 5 * quantile_mc_error(cells.draws, 0.025)


def test_undefined_and_extreme_draws_are_dropped_and_counted():
    interval = bootstrap_counts([1, 2], [2, 1], auroc2_from_counts, n_resamples=2000)
    # no trial of a class in a resample of 6: 2 x (1/2)^6 = 3.1 %
    assert 0.015 < interval.n_dropped / 2000 < 0.05
    assert interval.n_draws + interval.n_dropped == 2000 and "not finite" in interval.reason
    limited = percentile_interval([0.1, 0.2, 50.0, np.inf], 0.1, limit=10)
    assert limited.n_dropped == 2 and "absolute value >= 10" in limited.reason


def test_seeds_repeat_and_children_differ():
    def run(seed):
        return bootstrap_counts(INCORRECT, CORRECT, accuracy, n_resamples=50, seed=seed).draws

    np.testing.assert_array_equal(run(1), run(1))
    assert not np.array_equal(run(1), run(2))
    states = {tuple(s.generate_state(2)) for s in spawn_seeds(1, 5)}
    assert len(states) == 5


def clustered_trials(rng, n_questions=150, per=6):
    """Trials whose correctness hangs on their question."""
    hardness = rng.normal(size=n_questions)
    question = np.repeat(np.arange(n_questions), per)
    correct = rng.random(question.size) < 1 / (1 + np.exp(-2 * hardness[question]))
    return correct.astype(int), rng.integers(1, 5, question.size), question


def test_cluster_bootstrap_equals_resampling_questions_by_hand():
    correct, rating, question = clustered_trials(np.random.default_rng(7))
    fast = bootstrap_clusters(
        cluster_cells(correct, rating, question).matrix,
        lambda t: accuracy(t[:, :4], t[:, 4:]),
        n_resamples=3000,
    )
    slow = bootstrap_trials(np.mean, correct, clusters=question, n_resamples=3000, seed=8)
    assert fast.estimate == pytest.approx(correct.mean())
    assert stats.ks_2samp(fast.draws, slow.draws).pvalue > 0.001
    means = np.array([correct[question == q].mean() for q in range(150)])
    assert fast.se == pytest.approx(means.std() / np.sqrt(150), rel=0.06)
    naive = bootstrap_counts(
        np.bincount(rating[correct == 0] - 1, minlength=4),
        np.bincount(rating[correct == 1] - 1, minlength=4),
        accuracy,
    )
    assert fast.se > 1.3 * naive.se


def test_cluster_weights_resample_within_strata():
    strata = np.array([0, 0, 0, 1, 1])
    weights = cluster_weights(5, 300, np.random.default_rng(0), strata)
    assert (weights[:, :3].sum(1) == 3).all() and (weights[:, 3:].sum(1) == 2).all()
    free = cluster_weights(5, 20_000, np.random.default_rng(1))
    np.testing.assert_allclose(free.mean(0), 1, atol=4 * np.sqrt(0.8 / 20_000))


def test_trial_bootstrap_within_strata_keeps_sizes():
    labels = np.repeat(["a", "b"], [40, 10])
    interval = bootstrap_trials(lambda x: float((x == "a").mean()), labels, strata=labels, n_resamples=20)
    assert interval.se == pytest.approx(0, abs=1e-15) and interval.estimate == 0.8


def test_permuted_correctness_gives_the_mann_whitney_p():
    correct, rating = trials()
    weak = permute_correctness([14, 12, 9], [8, 11, 13], auroc2_from_counts, n_permutations=20_000, seed=1)
    x, y = np.repeat(range(3), [8, 11, 13]), np.repeat(range(3), [14, 12, 9])
    expected = stats.permutation_test(
        (x, y),
        lambda a, b, axis: stats.mannwhitneyu(a, b, axis=axis).statistic,
        vectorized=True, alternative="greater", n_resamples=20_000, rng=np.random.default_rng(0),
    ).pvalue  # fmt: skip
    assert abs(weak.p_value - expected) < 4 * np.sqrt(2 * expected * (1 - expected) / 20_000)
    strong = permute_correctness(INCORRECT, CORRECT, auroc2_from_counts, n_permutations=999)
    assert strong.p_value == 1 / 1000
    assert np.mean(strong.null) == pytest.approx(0.5, abs=0.01)
    assert correct.size == rating.size


def test_permutation_p_by_hand():
    null = [-2.0, -1.0, 0.0, 1.0, np.nan]
    assert permutation_p(1.0, null, "greater").p_value == 2 / 5
    assert permutation_p(-1.0, null, "less").p_value == 3 / 5
    assert permutation_p(1.0, null, centre=0.0).p_value == 4 / 5
    assert permutation_p(1.0, null).n_dropped == 1


def test_swapping_equals_the_exact_sign_flip_distribution():
    # one trial a question and accuracy: discordant questions flip, so McNemar's exact test
    a, b = np.r_[np.ones(14), np.zeros(26)], np.r_[np.zeros(10), np.ones(9), np.zeros(21)]
    cells = [cluster_cells(x, np.ones(40), np.arange(40)).matrix for x in (a, b)]
    test = swap_within_clusters(*cells, lambda t: t[:, 1] / t.sum(1), n_permutations=20_000)
    discordant, wins = int((a != b).sum()), int((a > b).sum())
    exact = stats.binomtest(wins, discordant, 0.5).pvalue
    assert abs(test.p_value - exact) < 4 * np.sqrt(exact * (1 - exact) / 20_000)


def test_relabelling_trials_equals_relabelling_their_table():
    rng = np.random.default_rng(9)
    a, b = rng.integers(0, 2, 60), (rng.random(50) < 0.7).astype(int)
    cells = [cluster_cells(x, np.ones(x.size), np.arange(x.size)).matrix for x in (a, b)]

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


def test_published_cells_resample_fast_and_whole():
    incorrect, correct = cacioli_cells()["gemma2_instruct", "triviaqa"]
    interval = bootstrap_counts(incorrect, correct, auroc2_from_counts, n_resamples=10_000)
    assert interval.n_dropped == 0 and interval.lower < interval.estimate < interval.upper


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap_counts([0.5, 1], [1, 2], accuracy), "whole numbers"),
        (lambda: bootstrap_counts([1, 1], [1, 2], accuracy, method="magic"), "method"),
        (lambda: bootstrap_counts([1, 1], [1, 2], accuracy, n_resamples=1), "n_resamples"),
        (lambda: bootstrap_counts([0, 0], [1, 2], accuracy, stratify=True), "no trials"),
        (lambda: bootstrap_trials(np.mean, [1, 2], clusters=[1]), "one label"),
        (lambda: bootstrap_trials(np.mean, [1, 2], clusters=[1, 1], strata=[1, 2]), "more than one stratum"),
        (lambda: percentile_interval([np.nan, 1.0], 1.0), "fewer than two"),
        (lambda: bootstrap_clusters(np.ones((1, 2)), lambda t: t[:, 0]), "two clusters"),
        (lambda: cluster_cells([0, 1], [1, 2], [1, 2], levels=[1, 3]), "not among"),
        (lambda: permutation_p(np.nan, [1.0]), "undefined"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()
