"""Differences of shares and sums of estimates.

Oracles: Newcombe's printed examples, statsmodels, Wilson's limits in closed form, coverage by enumeration.
"""

import numpy as np
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep

from metacog.sdt import InputError
from metacog.sdt.combined_intervals import combined, difference_of_shares
from metacog.sdt.intervals import wilson


@pytest.mark.parametrize(
    ("counts", "ends"),
    [
        # Newcombe (1998), table II, method 10, with the printed limits
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((10, 10, 0, 10), (0.6075, 1.0)),
        ((0, 10, 0, 20), (-0.1611, 0.2775)),
    ],
)
def test_newcombes_own_examples(counts, ends):
    found = difference_of_shares(*counts)
    assert found.ends == pytest.approx(ends, abs=6e-5)
    assert found.ends == pytest.approx(confint_proportions_2indep(*counts, method="newcomb"), abs=1e-12)


def test_an_empty_group_has_no_difference_and_is_not_zero():
    found = difference_of_shares(3, 10, 0, 0)
    assert not found.defined and np.isnan(found.estimate) and not found.excludes(0.5)
    with pytest.raises(InputError, match="no share"):
        difference_of_shares(4, 3, 1, 2)


def test_a_mean_of_symmetrical_parts_is_that_of_variances():
    found = combined([1.0, 3.0], [0.0, 1.0], [2.0, 5.0], [0.5, 0.5])
    reach = 0.5 * np.hypot(1, 2)
    assert (found.estimate, found.lower, found.upper) == pytest.approx((2, 2 - reach, 2 + reach))


def test_each_end_takes_the_limits_on_its_own_side():
    """Lower: 0.5 (1 - 0.5) and 0.25 (3 - 2); upper: 0.5 (3 - 1) and 0.25 (3.5 - 3)."""
    found = combined([1.0, 3.0], [0.5, 2.0], [3.0, 3.5], [0.5, 0.25])
    assert (1.25 - found.lower, found.upper - 1.25) == pytest.approx(
        (np.hypot(0.25, 0.25), np.hypot(1, 0.125))
    )


def test_a_negative_weight_turns_the_interval_round():
    low, high = wilson(np.array([0.2]), np.array([10.0]))
    found = combined([0.2], low, high, [-1.0])
    assert (found.lower, found.upper) == pytest.approx((-high[0], -low[0]))


def test_bad_parts_are_refused_and_missing_ones_give_nothing():
    assert not combined([np.nan, 1], [0, 0], [1, 2], [1, 1]).defined
    assert not combined([], [], [], []).defined
    with pytest.raises(InputError, match="one length"):
        combined([1.0], [0.0], [2.0], [0.5, 0.5])
    with pytest.raises(InputError, match="own limits"):
        combined([1.0], [1.5], [2.0], [1.0])
