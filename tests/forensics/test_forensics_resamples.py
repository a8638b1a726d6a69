"""Cohen's d and its bootstrap. Oracles: pingouin, and an independent bootstrap."""

import random

import numpy as np
import pingouin
import pytest

from metacog.forensics.resamples import bootstrap_cohens_d, cohens_d, order_limits

RNG = np.random.default_rng(5)
X = RNG.normal(size=30)
Y = X + RNG.normal(size=30)


def test_cohens_d_is_that_of_pingouin():
    a, b = X[:10], Y[10:24] + 1
    assert cohens_d(a, b) == pytest.approx(pingouin.compute_effsize(a, b, eftype="cohen"))
    assert np.isnan(cohens_d([1.0], b)) and np.isnan(cohens_d([1.0, 1.0], [2.0, 2.0]))


def test_the_bootstrap_draws_a_before_b_and_skips_resamples_without_spread():
    a, b = [1.0, 2.0], [5.0, 7.0, 8.0]
    source, wanted = random.Random(7), []
    for _ in range(200):
        one = [source.choice(a) for _ in a]
        other = [source.choice(b) for _ in b]
        if min(np.ptp(one), np.ptp(other)) > 0:
            wanted.append(cohens_d(one, other))
    found = bootstrap_cohens_d(a, b, n_resamples=200, seed=7)
    assert found == pytest.approx(np.sort(wanted)) and len(found) < 200


def test_limits_without_interpolation_are_draws():
    assert order_limits(np.arange(1000)[::-1]) == (25.0, 974.0)
    assert np.isnan(order_limits([1.0])).all()
