"""Oracles: brute-force entropies, shuffled trials, quadrature, the published v2 table."""

import warnings
from decimal import Decimal, localcontext
from math import comb

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from sdt_published import cacioli_cells, published

from metacog.sdt import InputError
from metacog.sdt.information import (
    CORRECTIONS,
    analytic_bias,
    binary_entropy,
    expected_null_meta_i,
    max_meta_information,
    meta_i2r,
    meta_i2r_p,
    meta_information,
    meta_information_from_counts,
    normal_meta_information,
    permutation_null_meta_i,
    plugin_meta_i,
    plugin_meta_i2r,
)
from metacog.sdt.information_bits import rated_meta_information
from metacog.sdt.information_interval import (
    clustered_meta_i2r_se,
    meta_i2r_interval,
    meta_i2r_se,
    studentised,
)
from metacog.sdt.intervals import centred, percentile_limits, quantile_mc_error
from metacog.sdt.populations import population_for
from metacog.sdt.type2 import auroc2_from_counts


def entropy_bits(counts):
    p = np.asarray(counts, dtype=float).ravel()
    p = p[p > 0] / p.sum()
    return -(p * np.log2(p)).sum()


def information_bits(incorrect, correct):
    table = np.array([incorrect, correct])
    return entropy_bits(table.sum(1)) + entropy_bits(table.sum(0)) - entropy_bits(table)


def trials(incorrect, correct):
    rating = np.concatenate([np.repeat(np.arange(1, len(incorrect) + 1), n) for n in (incorrect, correct)])
    return np.repeat([0, 1], [np.sum(incorrect), np.sum(correct)]), rating


def test_meta_i2r_of_all_eight_cells_is_the_published_one():
    rows = published("cacioli_v2_aggregate.csv")
    for row in rows:
        got = float(plugin_meta_i2r(*cacioli_cells()[row["model"], row["dataset"]]))
        assert got == pytest.approx(float(row["meta_i2r"]) + float(row["null_mean"]), abs=1e-9)
    assert len(rows) == 8


def test_published_null_means_lie_within_monte_carlo_error_of_the_exact_mean():
    for row in published("cacioli_v2_aggregate.csv"):
        table = cacioli_cells()[row["model"], row["dataset"]]
        entropy = float(binary_entropy(float(row["acc"])))
        null = permutation_null_meta_i(*table, n_permutations=20_000, seed=1) / entropy
        exact = expected_null_meta_i(*table) / entropy
        assert abs(null.mean() - exact) < 4 * null.std() / np.sqrt(null.size)
        assert abs(float(row["null_mean"]) - exact) < 4 * null.std() / np.sqrt(2000)
        fit = meta_information_from_counts(*table)
        assert fit.p_value == meta_i2r_p(*table) == pytest.approx(float(row["p_perm"]), abs=1e-15)


def test_published_intervals_lie_within_monte_carlo_error():
    rng = np.random.default_rng(2)
    limit = norm.isf(0.005 / 32)  # 32 two-sided comparisons, family-wise 1 %
    for row in published("cacioli_v2_aggregate.csv"):
        incorrect, correct = cacioli_cells()[row["model"], row["dataset"]]
        cells = np.concatenate([incorrect, correct])
        draws = rng.multinomial(cells.sum(), cells / cells.sum(), size=20_000)
        info = plugin_meta_i2r(draws[:, :8], draws[:, 8:]) - float(row["null_mean"])
        area = auroc2_from_counts(draws[:, :8], draws[:, 8:])
        for values, names in ((info, ("mi_lo", "mi_hi")), (area, ("a_lo", "a_hi"))):
            for p, name in zip((0.025, 0.975), names, strict=True):
                # the published run has 2,000 draws and ours 20,000
                error = quantile_mc_error(values, p) * np.sqrt(1 + 20_000 / 2000)
                assert abs(float(row[name]) - np.quantile(values, p)) < limit * error


def test_plugin_equals_entropies_by_hand():
    rng = np.random.default_rng(0)
    tables = rng.integers(0, 9, (50, 2, 5))
    got = plugin_meta_i(tables[:, 0], tables[:, 1])
    for table, value in zip(tables, got, strict=True):
        assert value == pytest.approx(information_bits(*table), abs=1e-13)


def test_trials_equal_counts():
    incorrect, correct = np.array([30, 20, 10, 4]), np.array([5, 15, 22, 40])
    a = meta_information(*trials(incorrect, correct), seed=3)
    b = meta_information_from_counts(incorrect, correct, seed=3)
    assert a == b
    # many ratings are no raw confidence where each has many trials
    many = meta_information(np.tile([0, 1, 1], 100), np.repeat(np.arange(25), 12), correction="none")
    assert many.n_ratings == 25 and many.n_trials == 300


def test_a_rating_of_one_trial_is_one_and_without_permutations_there_is_no_p():
    found = meta_information_from_counts([3, 0, 1, 0], [1, 1, 0, 0], correction="exact")
    assert found.n_ratings == 3
    assert np.isnan(found.p_value) and found.n_permutations == 0 and found.seed is None


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_meta_i2r_is_one_estimator_batched(correction):
    tables = np.array([cacioli_cells()[key] for key in sorted(cacioli_cells())])
    one_class = np.zeros((1, 2, 8))
    one_class[0, 1] = 5
    tables = np.concatenate([tables, one_class])
    got = meta_i2r(tables[:, 0], tables[:, 1], correction=correction, n_permutations=50, seed=2)
    for table, value in zip(tables[:-1], got[:-1], strict=True):
        one = meta_information_from_counts(*table, correction=correction, n_permutations=50, seed=2)
        assert value == pytest.approx(one.meta_i2r, abs=1e-14)
    assert np.isnan(got[-1])
    for table in ([3, 2], [0, 1]), ([0, 1], [3, 2]):  # a class of one trial
        single = meta_i2r(*table, correction=correction, n_permutations=50, seed=2)
        one = meta_information_from_counts(*table, correction=correction, n_permutations=50, seed=2)
        assert single == pytest.approx(one.meta_i2r, abs=1e-14)


def test_permutation_null_is_that_of_shuffled_trials():
    incorrect, correct = np.array([12, 9, 5]), np.array([3, 8, 13])
    score, rating = trials(incorrect, correct)
    rng = np.random.default_rng(4)
    shuffled = []
    for _ in range(4000):
        s = rng.permutation(score)
        shuffled.append(
            information_bits(
                np.bincount(rating[s == 0], minlength=4)[1:], np.bincount(rating[s == 1], minlength=4)[1:]
            )
        )
    fast = permutation_null_meta_i(incorrect, correct, n_permutations=4000, seed=5)
    error = np.sqrt(2) * np.std(shuffled) / np.sqrt(4000)
    assert abs(fast.mean() - np.mean(shuffled)) < 4 * error
    assert fast.std() == pytest.approx(np.std(shuffled), rel=0.15)
    assert expected_null_meta_i(incorrect, correct) == pytest.approx(np.mean(shuffled), abs=4 * error)


def null_mean_in_sixty_digits(rating, n1):
    """The finite sum of Vinh, Epps & Bailey with whole binomials and 60 decimals."""
    n = sum(rating)

    def xlogx(x):
        return Decimal(x) * Decimal(x).ln() if x else Decimal(0)

    with localcontext() as context:
        context.prec = 60
        total = xlogx(n) - xlogx(n1) - xlogx(n - n1)
        for r in rating:
            for k in range(max(0, r + n1 - n), min(r, n1) + 1):
                p = Decimal(comb(n1, k) * comb(n - n1, r - k)) / Decimal(comb(n, r))
                total += p * (xlogx(k) + xlogx(r - k))
            total -= xlogx(r)
        return float(total / n / Decimal(2).ln())


@pytest.mark.parametrize(
    ("rating", "n1"),
    [([3, 2], 2), ([50, 1, 0, 7], 31), ([200, 250, 150, 400], 97), ([5, 900, 20], 3), ([900, 700], 1599)],
)
def test_null_mean_equals_sixty_digits(rating, n1):
    total = np.array(rating)
    right = np.minimum(total, 0 * total)
    left = n1
    for i, r in enumerate(total):  # any table with these margins
        right[i] = min(r, left)
        left -= right[i]
    got = expected_null_meta_i(total - right, right)
    assert got == pytest.approx(null_mean_in_sixty_digits(rating, n1), rel=1e-12)


@pytest.mark.parametrize("n", [10**6, 10**7, 10**8, 10**9])
@pytest.mark.parametrize("share", [0.1, 0.43])
def test_null_mean_keeps_its_digits_at_many_trials(n, share):
    """Against the chi-square mean and its next term, (sum 1/p - 1)(sum 1/q - 1)/(6 N) (margins p, q)."""
    rating = np.array([0.02, 0.08, 0.2, 0.3, 0.4])
    total = (rating * n).astype(np.int64)
    correct = (total * share).astype(np.int64)
    p = np.array([1 - correct.sum() / n, correct.sum() / n])
    df = rating.size - 1
    expected = (df + ((1 / p).sum() - 1) * ((n / total).sum() - 1) / (6 * n)) / (2 * n * np.log(2))
    assert expected_null_meta_i(total - correct, correct) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("d_prime", [0.3, 1.0, 2.5, 6.0])
def test_normal_meta_information_equals_adaptive_quadrature(d_prime):
    def remaining(x):
        density = norm.pdf(x - d_prime / 2) + norm.pdf(x + d_prime / 2)
        return density * binary_entropy(1 / (1 + np.exp(-d_prime * x)))

    left, _ = quad(remaining, 0, d_prime / 2 + 12, epsabs=1e-13, points=[0.5, d_prime / 2], limit=200)
    expected = float(binary_entropy(norm.cdf(d_prime / 2))) - left
    assert float(normal_meta_information(d_prime)) == pytest.approx(expected, abs=1e-10)
    assert float(normal_meta_information(-d_prime)) == float(normal_meta_information(d_prime))


def test_levels_cost_an_ideal_observer_bits():
    """Oracle: an ideal observer simulated, whose surest fifth have one rating and the others another; many levels."""
    d = 2.0
    x = np.random.default_rng(4).normal(d / 2, 1, 1_000_000)  # above 0 the answer is right
    sure = np.abs(x) > np.quantile(np.abs(x), 0.8)
    tables = [np.bincount(sure[side], minlength=2) for side in (x < 0, x > 0)]
    found = rated_meta_information(d, [0.8, 0.2])
    assert found == pytest.approx(float(plugin_meta_i(*tables)), abs=0.001)
    assert found == pytest.approx(rated_meta_information(d, [0, 0.8, 0.2, 0]))
    assert rated_meta_information(d, np.ones(500)) == pytest.approx(
        float(normal_meta_information(d)), rel=0.002
    )
    assert rated_meta_information(d, [1.0]) == pytest.approx(0, abs=1e-12)


def test_ideal_observer_has_meta_i1r_near_one():
    # Fine ratings of |x|: a share under 1 % of the information is lost to 40 bins.
    x = np.linspace(0, 7, 20_001)
    d = 1.5
    f1, f0 = norm.pdf(x - d / 2), norm.pdf(x + d / 2)
    bins = np.clip((x / 0.12).astype(int), 0, 39)
    correct, incorrect = (np.bincount(bins, weights=f / (f1 + f0).sum() * 1e6) for f in (f1, f0))
    fit = meta_information_from_counts(incorrect, correct, correction="none", d_prime=d)
    assert 0.99 < fit.meta_i1r <= 1.0 + 1e-6


def test_rmi_is_one_for_the_most_informative_observer_at_an_accuracy():
    # accuracy .8: sure on 60 %, guessing on 40 %
    fit = meta_information_from_counts([200, 0], [200, 600], correction="none")
    assert fit.rmi == pytest.approx(1.0, abs=1e-12)
    open_ended = meta_information_from_counts([200, 0], [0, 800], correction="none", guess_rate=0.0)
    assert open_ended.rmi == pytest.approx(open_ended.meta_i2r, abs=1e-12)
    assert open_ended.rmi == pytest.approx(1.0, abs=1e-12)
    assert np.isnan(max_meta_information(0.3, guess_rate=0.5))


def test_undefined_units_are_nan_with_a_reason():
    fit = meta_information_from_counts([60, 30], [10, 20], correction="none")
    assert np.isnan(fit.meta_i1r) and np.isnan(fit.rmi)
    assert any("meta_i1r" in n for n in fit.notes) and any("rmi" in n for n in fit.notes)
    assert meta_information_from_counts([60, 30], [10, 20], d_prime=1.0).meta_i1r > 0


def test_biases_by_formula_are_those_of_counted_cells_and_of_trials_left_out():
    incorrect, correct = np.array([7, 1, 0, 3, 1]), np.array([2, 0, 0, 5, 1])
    table = np.array([incorrect, correct])
    n, cells, ratings = table.sum(), np.count_nonzero(table), np.count_nonzero(table.sum(axis=0))
    by_cells = (cells - 2 - ratings + 1) / (2 * n * np.log(2))
    assert analytic_bias(incorrect, correct, "miller-madow") == pytest.approx(by_cells)
    assert analytic_bias(incorrect, correct, "chi-square") == pytest.approx(
        (ratings - 1) / (2 * n * np.log(2))
    )
    left_out = []
    for place in zip(*np.nonzero(table), strict=True):
        fewer = table.copy()
        fewer[place] -= 1
        left_out += [information_bits(*fewer)] * table[place]
    expected = (n - 1) * (np.mean(left_out) - information_bits(incorrect, correct))
    assert analytic_bias(incorrect, correct, "jackknife") == pytest.approx(expected)


def test_tables_without_trials_or_a_class_are_undefined_without_a_warning():
    empty, one_class = np.zeros((1, 4)), np.array([[0.0, 2, 1, 0]])
    units, weights = np.eye(8)[[1, 2]], np.ones((1, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(plugin_meta_i(empty, empty)).all()
        for right in (empty, one_class):
            assert np.isnan(plugin_meta_i2r(empty, right)).all() and np.isnan(meta_i2r_se(empty, right)).all()
            cells = np.concatenate([empty, right], axis=1)
            assert np.isnan(clustered_meta_i2r_se(cells, units, weights)).all()
        assert np.isnan(studentised([0.1, np.nan], [0.0, 0.1], 0.1, 0.1)).all()
        assert np.isnan(studentised([0.1, 0.2], [0.1, 0.1], 0.1, np.nan)).all()


def test_standard_error_is_the_spread_of_simulated_values():
    population = population_for("meta_i2r_chi_square", 0.2, accuracy=0.3)
    tables = np.random.default_rng(1).multinomial(4000, population.cells(), size=4000)
    errors = meta_i2r_se(tables[:, :8], tables[:, 8:])
    spread = plugin_meta_i2r(tables[:, :8], tables[:, 8:]).std()
    # Monte-Carlo error of a standard deviation is 1/sqrt(2 B) = 1.1 %; four of them
    assert np.sqrt((errors**2).mean()) == pytest.approx(spread, rel=0.045)


def test_clustered_standard_error_counts_questions():
    """One trial per question: the plain one times sqrt(U/(U - 1)); five copies of each: no smaller."""
    table = np.random.default_rng(2).multinomial(300, population_for("meta_i2r_chi_square", 0.2).cells())
    cells = np.zeros((300, 16))
    cells[np.arange(300), np.repeat(np.arange(16), table)] = 1.0
    ones = np.ones((1, 300))
    once = clustered_meta_i2r_se(table[None].astype(float), cells, ones)
    assert once[0] == pytest.approx(float(meta_i2r_se(table[:8], table[8:])) * np.sqrt(300 / 299), rel=1e-12)
    copies = clustered_meta_i2r_se(5.0 * table[None], 5 * cells, ones)
    assert copies[0] == pytest.approx(once[0], rel=1e-12)


def test_interval_without_standard_errors_is_the_centred_one():
    draws = np.random.default_rng(3).normal(0.08, 0.02, 500)
    draws[7] = np.nan
    assert meta_i2r_interval(0.05, draws).ends == percentile_limits(centred(draws, 0.05))
    with pytest.raises(InputError, match="together"):
        meta_i2r_interval(0.05, draws, se=0.02)


def test_studentised_draws_turn_and_stretch_with_the_standard_errors():
    draws, errors = np.array([0.1, 0.2, 0.6]), np.array([0.1, 0.2, 0.0])
    # mean of the usable ones .15: -.05/.1 and +.05/.2, turned about the estimate and times se .4
    np.testing.assert_allclose(studentised(draws, errors, 1.0, 0.4), [1.2, 0.9, np.nan])


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="no incorrect"):
        meta_information([1, 1, 1], [1, 2, 3])
    with pytest.raises(InputError, match="bin raw confidence"):
        meta_information(np.arange(100) % 2, np.linspace(0, 1, 100))
    with pytest.raises(InputError, match="no correction named"):
        meta_information([0, 1, 1], [1, 2, 2], correction="magic")
    with pytest.raises(InputError, match="whole numbers"):
        meta_information_from_counts([1.5, 2], [2, 3])
    with pytest.raises(InputError, match="at most 2,000,000,000 trials"):
        expected_null_meta_i([900_000_000, 500_000_000], [900_000_000, 500_000_000])
    with pytest.raises(InputError, match="guess_rate"):
        max_meta_information(0.7, guess_rate=1.0)
