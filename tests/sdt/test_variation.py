"""Oracles: NumPy's deviation over mean, and simulated groups whose true deviation is known."""

import numpy as np
import pytest

from metacog.sdt import InputError
from metacog.sdt.over_groups import coefficient_of_variation, variation, variation_difference


def test_it_is_the_deviation_over_the_mean():
    x = np.array([0.3, 0.35, 0.4, 0.28])
    for ddof in (0, 1):
        assert coefficient_of_variation(x, ddof=ddof) == pytest.approx(x.std(ddof=ddof) / x.mean())
        same = variation(x, np.tile(x, (5, 1)), ddof=ddof)
        assert same.cv == pytest.approx(x.std(ddof=ddof) / x.mean()) == pytest.approx(same.corrected)
        assert same.lower == pytest.approx(same.cv) and same.sampling_sd == pytest.approx(0)
    assert coefficient_of_variation(-x) == pytest.approx(coefficient_of_variation(x))


@pytest.mark.parametrize("ddof", [0, 1])
def test_the_correction_takes_off_what_sampling_adds(ddof):
    rng = np.random.default_rng(1)
    true = np.linspace(0.4, 0.8, 6)
    error = np.array([0.05, 0.1, 0.1, 0.15, 0.1, 0.05])
    naive, square, corrected = [], [], []
    for _ in range(600):
        found = variation(
            (x := true + error * rng.normal(size=6)), x + error * rng.normal(size=(150, 6)), ddof=ddof
        )
        naive.append(found.sd**2)
        square.append(found.sd**2 - found.sampling_sd**2)
        corrected.append(found.corrected)
    se = np.std(square) / np.sqrt(600)
    assert abs(np.mean(square) - true.var(ddof=ddof)) < 4 * se < np.mean(naive) - true.var(ddof=ddof)
    assert min(corrected) >= 0


@pytest.mark.parametrize("spread", [0.0, 0.1])
def test_intervals_hold_the_true_cv(spread):
    rng = np.random.default_rng(2)
    true = 1 + spread * np.linspace(-1, 1, 8)
    held = 0
    for _ in range(200):
        x = true + 0.05 * rng.normal(size=8)
        found = variation(x, x + 0.05 * rng.normal(size=(200, 8)))
        held += found.corrected_lower <= true.std() / true.mean() <= found.corrected_upper
    assert held >= 184  # 0.95 minus two standard errors


def test_groups_drawn_together_are_not_taken_for_independent():
    """An error that all groups share moves the mean, not the deviation."""
    rng = np.random.default_rng(3)
    x = np.array([0.5, 0.6, 0.7])
    shared = variation(x, x + 0.2 * rng.normal(size=(2000, 1)))
    own = variation(x, x + 0.2 * rng.normal(size=(2000, 3)))
    assert shared.corrected == pytest.approx(shared.cv) and own.corrected < own.cv
    assert own.explained == 1.0 and shared.explained == pytest.approx(0, abs=1e-12)


def test_a_mean_that_may_be_zero_is_reported_to_be_undefined():
    rng = np.random.default_rng(4)
    x = np.array([-0.01, 0.02, 0.01])
    assert not variation(x, x + 0.05 * rng.normal(size=(500, 3))).defined
    assert variation(x + 1, x + 1 + 0.05 * rng.normal(size=(500, 3))).defined


def test_bad_input_is_refused_and_lost_draws_are_counted():
    x, draws = np.array([0.5, 0.6]), np.tile([0.5, 0.6], (10, 1))
    draws[3, 0] = np.nan
    assert variation(x, draws).n_dropped == 1
    with pytest.raises(InputError, match="two groups"):
        coefficient_of_variation([1.0])
    with pytest.raises(InputError, match="no finite value"):
        variation([0.5, np.nan], draws)
    with pytest.raises(InputError, match="one column per group"):
        variation(x, draws[:, :1])
    with pytest.raises(InputError, match="fewer than two draws"):
        variation(x, np.full((5, 2), np.nan))
    with pytest.raises(InputError, match="ddof"):
        variation(x, draws, ddof=2)
    with pytest.raises(InputError, match="level"):
        variation(x, draws, level=95)


def test_a_difference_of_cvs_is_of_the_same_resamples():
    """Oracle: both corrected CVs by themselves; shared noise cancels where measures move alike."""
    rng = np.random.default_rng(2)
    x, y = np.array([0.5, 0.7, 0.9, 0.6]), np.array([1.0, 1.1, 0.9, 1.0])
    noise = 0.02 * rng.normal(size=(400, 4))
    gap = variation_difference((x, x + noise), (y, y + noise))
    first, second = variation(x, x + noise), variation(y, y + noise)
    assert gap.estimate == pytest.approx(first.corrected - second.corrected)
    assert gap.lower < gap.estimate < gap.upper and gap.excludes()
    same = variation_difference((x, x + noise), (2 * x, 2 * (x + noise)))  # a CV has no unit
    assert (same.estimate, same.lower, same.upper) == pytest.approx((0, 0, 0), abs=1e-12)
    sure = variation_difference((x, x + noise), (y, np.tile(y, (400, 1))))  # the other has no noise
    ends = np.array([first.corrected_lower, first.corrected_upper]) - y.std() / y.mean()
    assert (sure.lower, sure.upper) == pytest.approx(tuple(ends))
    turned = variation_difference((y, np.tile(y, (400, 1))), (x, x + noise))
    assert (turned.lower, turned.upper) == pytest.approx((-sure.upper, -sure.lower))
    lost = noise.copy()
    lost[:7, 2] = np.nan
    for gap in (
        variation_difference((x, x + lost), (y, y + noise)),
        variation_difference((x, x + noise), (y, y + lost)),
    ):
        assert gap.n_dropped == 7 and np.isfinite(gap.ends).all()
    with pytest.raises(InputError, match="draws of one shape"):
        variation_difference((x, x + noise), (y, y + noise[:50]))


def test_a_few_extreme_draws_leave_nothing_told() -> None:
    """Oracle: sampling that varies a thousand times as much as the groups; the interval is 0 and lacks its estimate."""
    draws = np.array([1.0, 1.5]) + np.random.default_rng(1).normal(0, 0.1, (2000, 2))
    assert variation([1.0, 1.5], draws).told
    draws[::100, 0] += 500
    extreme = variation([1.0, 1.5], draws)
    assert extreme.defined and extreme.upper == 0 < extreme.cv and not extreme.told
