"""Trials that would settle an open question, against the widths of simulated intervals."""

import math

import numpy as np
import pytest

from metacog.report.settling import cost, trials_to_settle


@pytest.mark.parametrize(("estimate", "limit"), [(0.56, 0.5), (0.44, 0.5)])
def test_as_many_trials_as_bring_the_end_to_the_limit(estimate, limit):
    half = 1.96 * math.sqrt(estimate * (1 - estimate) / 100)
    n = trials_to_settle(100, estimate, estimate - half, estimate + half, limit)
    share = np.random.default_rng(3).binomial(n, estimate, 40_000) / n
    reach = 1.96 * share.std()
    assert reach == pytest.approx(abs(estimate - limit), rel=0.03)


def test_the_side_that_faces_the_limit_counts():
    assert trials_to_settle(50, 0.9, 0.1, 1.1, 1.0) == 200
    assert trials_to_settle(50, 1.1, 0.9, 9.0, 1.0) == 200


@pytest.mark.parametrize("values", [(1.0, 0.5, 1.5), (math.nan, 0.5, 1.5), (0.9, 0.5, math.nan)])
def test_no_number_of_trials_would_do(values):
    assert trials_to_settle(50, *values, 1.0) is None
    assert cost(50, None) == "no number of questions would settle it at this estimate"


def test_the_cost_is_told_in_two_figures_and_never_less_than_it_is():
    assert "about 4,400 questions instead of 300 to" in cost(300, 4321)
    assert "about 87 trials instead of 50 to" in cost(50, 87, "trial")
