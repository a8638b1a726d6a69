"""Bounds from coarse counts. Oracles: every table that the coarse counts allow, in small designs."""

from itertools import combinations

import numpy as np
import pytest

from metacog.forensics.tables import (
    auroc2_bounds,
    rating_auroc2_bounds,
    rating_information_bounds,
    with_one_trial,
)
from metacog.sdt.checks import InputError
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.type2 import auroc2, auroc2_from_counts

WRONG, RIGHT = np.array([3, 1, 4, 1]), np.array([1, 2, 2, 3])
SIZES = np.array([5, 6, 2, 4])


def orders():
    """Every order of right and wrong answers that the bins leave open, lowest confidence first."""
    found = [()]
    for wrong, right in zip(WRONG, RIGHT, strict=True):
        n = wrong + right
        marks = [tuple(int(i in c) for i in range(n)) for c in combinations(range(n), right)]
        found = [head + tail for head in found for tail in marks]
    return found


@pytest.fixture(scope="module")
def rated():
    """Distinct tables by rating of all those orders."""
    rating = np.repeat(np.arange(SIZES.size), SIZES)
    right = {tuple(np.bincount(rating, weights=o, minlength=SIZES.size).astype(int)) for o in orders()}
    return np.array(sorted(right))


def test_raw_auroc2_reaches_both_ends_and_never_leaves_them():
    low, high = auroc2_bounds(WRONG, RIGHT)
    areas = [auroc2(np.array(o), np.arange(len(o))) for o in orders()]
    assert (min(areas), max(areas)) == pytest.approx((float(low), float(high)), abs=1e-12)
    assert low <= auroc2_from_counts(WRONG, RIGHT) <= high


def test_auroc2_of_other_ratings_reaches_both_ends(rated):
    areas = auroc2_from_counts(SIZES - rated, rated)
    low, high = rating_auroc2_bounds(WRONG, RIGHT, SIZES)
    assert (areas.min(), areas.max()) == pytest.approx((float(low), float(high)), abs=1e-12)
    # ends of the raw confidence are no ends for ratings: ties count half
    one = rating_auroc2_bounds(WRONG, RIGHT, [17])
    assert one == pytest.approx((0.5, 0.5)) and not auroc2_bounds(WRONG, RIGHT)[0] <= 0.5


def test_information_of_other_ratings_stays_within(rated):
    info = plugin_meta_i2r(SIZES - rated, rated)
    low, high = rating_information_bounds(WRONG, RIGHT, SIZES)
    assert low <= info.min() + 1e-9 and info.max() <= high + 1e-9
    assert low >= info.min() - 0.05  # whole trials against fractions of them
    own = rating_information_bounds(WRONG, RIGHT, WRONG + RIGHT)
    assert own == pytest.approx((float(plugin_meta_i2r(WRONG, RIGHT)),) * 2, abs=1e-6)


def test_one_trial_more_or_less():
    more, fewer = (with_one_trial(WRONG, RIGHT, n) for n in (18, 16))
    assert len(more[0]) == len(fewer[0]) == 8
    assert ((more[0] + more[1]).sum(axis=1) == 18).all() and ((fewer[0] + fewer[1]).sum(axis=1) == 16).all()
    assert len(with_one_trial(WRONG, RIGHT, 17)[0]) == 1
    assert len(with_one_trial([0, 2], [1, 1], 3)[0]) == 3  # nothing can be taken from an empty cell
    with pytest.raises(InputError, match="only one"):
        with_one_trial(WRONG, RIGHT, 19)


def test_bins_and_ratings_must_hold_the_same_trials():
    with pytest.raises(InputError, match="as many trials"):
        rating_auroc2_bounds(WRONG, RIGHT, [4, 4])
