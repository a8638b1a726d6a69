"""Sums of shares. Oracles: Fisher's exact test, enumeration, maximisation, a closed form, simulation."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import brentq, minimize
from scipy.special import ndtri
from scipy.stats import fisher_exact, hypergeom

from metacog.sdt.checks import InputError
from metacog.sdt.combined_intervals import combined, difference_of_shares
from metacog.sdt.weighted import stratified_permutation, tilted, weighted_share_limits, weighted_shares

#: Right answers, wrong answers and the rates of keeping them in five tracks of one of the battery's models.
N = np.array([91, 82, 111, 57, 83, 7, 8, 5, 3, 5])
KEPT = np.array([0.80, 0.90, 0.84, 0.89, 0.96, 0.70, 0.62, 0.30, 0.60, 0.75])
MEAN = np.repeat([0.2, -0.2], 5)


def test_one_stratum_is_fishers_exact_test():
    for a, n, b, m in [(9, 10, 3, 8), (5, 10, 8, 8), (40, 60, 1, 2)]:
        found = stratified_permutation([a], [n], [b], [m])
        table = [[a, n - a], [b, m - b]]
        assert found.greater == pytest.approx(fisher_exact(table, "greater").pvalue)


def test_strata_are_enumerated():
    a, n, b, m = [7, 9, 4], [9, 10, 6], [1, 2, 0], [3, 2, 2]
    weights = [0.5, 0.3, 0.2]
    outcomes = []
    for x, size, y, other in zip(a, n, b, m, strict=True):
        hits = x + y
        ks = range(max(0, hits - size), min(hits, other) + 1)
        outcomes.append(
            [((hits - k) / size - k / other, hypergeom.pmf(k, size + other, hits, other)) for k in ks]
        )
    observed = sum(w * (x / s - y / o) for w, x, s, y, o in zip(weights, a, n, b, m, strict=True))
    greater = two = 0.0
    for combination in product(*outcomes):
        value = sum(w * v for w, (v, _) in zip(weights, combination, strict=True))
        chance = np.prod([p for _, p in combination])
        greater += chance * (value >= observed - 1e-9)
        two += chance * (abs(value) >= abs(observed) - 1e-9)
    found = stratified_permutation(a, n, b, m, weights=weights)
    assert (found.observed, found.greater, found.two_sided) == pytest.approx((observed, greater, two))


def test_tilted_shares_are_the_likeliest_that_give_their_sum():
    x, n, w = np.array([40.0, 3.0, 1.0]), np.array([50.0, 8.0, 2.0]), np.array([0.5, -0.3, -0.2])
    for multiplier in (-6.0, 3.0, 12.0):
        p = tilted(x, n, multiplier * w)
        found = minimize(
            lambda q: -(x * np.log(q) + (n - x) * np.log1p(-q)).sum(),
            np.full(3, 0.5),
            method="SLSQP",
            bounds=[(1e-6, 1 - 1e-6)] * 3,
            options={"ftol": 1e-14},
            constraints={"type": "eq", "fun": lambda q, value=w @ p: w @ q - value},
        )
        np.testing.assert_allclose(p, found.x, atol=2e-4)


def test_one_share_solves_its_own_equation():
    x, n, z = 3, 20, float(ndtri(0.975))

    def corrected(d, side):
        spread = d * (1 - d)
        skewness = (1 - 2 * d) / np.sqrt(n * spread)
        return (x / n - d) / np.sqrt(spread / n) - skewness * (z**2 - 1) / 6 - side * z

    found = weighted_shares([x], [n], [1.0])
    assert found.lower == pytest.approx(brentq(corrected, 0.01, 0.15, args=(1,)), abs=1e-9)
    assert found.upper == pytest.approx(brentq(corrected, 0.15, 0.6, args=(-1,)), abs=1e-9)


def test_mirror_images_have_mirrored_ends_and_sure_shares_no_certainty():
    x = np.array([80, 70, 100, 50, 80, 5, 5, 2, 2, 4])
    one, other = weighted_shares(x, N, MEAN), weighted_shares(N - x, N, MEAN)
    assert (one.lower, one.upper) == pytest.approx((-other.upper, -other.lower), abs=1e-9)
    sure = weighted_shares(N, N, MEAN)
    assert sure.estimate == pytest.approx(0) and sure.lower < -0.005 and sure.upper > 0.1
    assert weighted_shares(x, N, MEAN, level=0.99).lower < one.lower
    assert np.isnan(weighted_shares([1, 0], [2, 0], [1, -1]).lower)


def test_what_is_no_table_of_shares_is_refused():
    with pytest.raises(InputError):
        weighted_shares([3], [2], [1.0])
    with pytest.raises(InputError):
        weighted_shares([1, 1], [2], [1.0])
    with pytest.raises(InputError):
        weighted_share_limits([1], [2], [1.0], level=1.0)
    with pytest.raises(InputError):
        stratified_permutation([1], [2], [0], [0])
    with pytest.raises(InputError):
        stratified_permutation([], [], [], [])


def test_the_lower_end_is_above_the_truth_as_often_as_it_should_be_and_movers_is_more_often():
    n = np.array([90, 86, 109, 58, 87, 8, 4, 7, 2, 1])  # few mistakes, nearly all of them kept
    kept = (n - [1, 0, 0, 0, 0, 2, 0, 1, 0, 0] + 0.5) / (n + 1)
    hits = np.random.default_rng(7).binomial(n, kept, (2_000, n.size))
    truth = float(kept @ MEAN)
    _, lower, upper = weighted_share_limits(hits, n, MEAN)
    error = np.sqrt(0.025 * 0.975 / len(hits))
    assert (lower > truth).mean() < 0.025 + 2 * error and (upper < truth).mean() < 0.025 + 2 * error
    before = []
    for row in hits[:500]:
        parts = [difference_of_shares(row[k], n[k], row[5 + k], n[5 + k]) for k in range(5)]
        x, low, high = zip(*((p.estimate, p.lower, p.upper) for p in parts), strict=True)
        before.append(combined(x, low, high, [0.2] * 5).lower > truth)
    assert np.mean(before) > 0.06
