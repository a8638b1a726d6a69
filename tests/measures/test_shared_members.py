"""Ratios over records that share members. Oracles: closed forms, and a loop over all pairs of records."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t

from metacog.measures.shared_members import ratios
from metacog.sdt import InputError


def test_records_that_share_nothing_have_the_variance_of_a_mean():
    values = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    made = ratios({"mean": (values, np.ones(5))}, [np.arange(5)])
    interval, p = made.difference({"mean": 1})
    error = (0.6 * 0.4 / 5) ** 0.5  # of a share, by the moments
    assert interval.estimate == pytest.approx(0.6) and interval.se == pytest.approx(error)
    assert interval.upper == pytest.approx(0.6 + t.ppf(0.975, 4) * error)
    assert p == pytest.approx(2 * t.sf(0.6 / error, 4)) and made.counts == {"mean": 5}


def test_covariances_are_those_of_a_loop_over_records_that_share_a_member_of_any_kind():
    rng = np.random.default_rng(3)
    n = 80
    people = np.column_stack([rng.integers(0, 9, n), rng.integers(-1, 9, n)])
    items = np.column_stack([rng.integers(0, 12, n), rng.integers(0, 12, n)])
    below = rng.integers(0, 2, (2, n)).astype(float)
    above = below * rng.random((2, n))
    made = ratios({"a": (above[0], below[0]), "b": (above[1], below[1])}, [people, items])
    value = above.sum(axis=1) / below.sum(axis=1)
    moves = (above - value[:, None] * below) / below.sum(axis=1)[:, None]
    wanted = np.zeros((2, 2))
    for one in range(n):
        for two in range(n):
            met = set(people[one]) & set(people[two]) - {-1} or set(items[one]) & set(items[two])
            if met:
                wanted += np.outer(moves[:, one], moves[:, two])
    np.testing.assert_allclose(made.covariance, wanted, atol=1e-14)
    gap, _ = made.difference({"a": 1, "b": -1})
    assert gap.estimate == pytest.approx(value[0] - value[1]) and made.df == 8
    assert gap.se == pytest.approx((wanted[0, 0] + wanted[1, 1] - 2 * wanted[0, 1]) ** 0.5)


def test_a_ratio_of_nothing_has_no_value_and_spoils_no_other():
    ones, none = np.ones(4), np.zeros(4)
    made = ratios({"all": ([1, 0, 1, 0], ones), "none": (none, none)}, [[0, 1, 2, 3]])
    assert np.isnan(made.values["none"]) and made.difference({"all": 1})[0].lower > -1
    assert np.isnan(made.difference({"all": 1, "none": -1})[0].lower)


@pytest.mark.parametrize(
    ("sums", "members", "message"),
    [
        ({"a": ([], [])}, [[]], "one at least"),
        ({"a": ([1, 2], [1, 1])}, [[0, 1, 2]], "same records"),
        ({"a": ([1, np.nan], [1, 1])}, [[0, 1]], "missing"),
        ({"a": ([1, 2], [1, 1])}, [[0, 0]], "two members"),
    ],
)
def test_records_that_do_not_fit_are_refused(sums, members, message):
    with pytest.raises(InputError, match=message):
        ratios(sums, members)
