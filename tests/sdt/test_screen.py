"""The validity screen. Oracles: counts by hand, the package validity-screen's own values, other intervals."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from metacog.sdt.checks import InputError
from metacog.sdt.combined_intervals import difference_of_shares
from metacog.sdt.correlations import correlation
from metacog.sdt.intervals import wilson
from metacog.sdt.screen import SMALLEST_CELL, TIERS, screen, screen_counts

EXPECTED = Path(__file__).resolve().parents[2] / "data" / "simulations" / "screen_agreement.csv"


@pytest.fixture(scope="module")
def both():
    """The package's values, and ours of the same tables."""
    table = pd.read_csv(EXPECTED, comment="#")
    return table, screen_counts(*(table[c] for c in ("right_high", "wrong_high", "right_low", "wrong_low")))


def test_indices_of_the_package_are_ours(both):
    table, ours = both
    given = table["L"].notna().to_numpy()
    assert given.sum() >= 300 and set(table["tier"]) == set(TIERS)
    same = ("L", "L_lower", "L_upper", "Fp", "Fp_lower", "Fp_upper", "RBS", "TRIN", "r", "r_lower", "r_upper")
    for name in same:
        np.testing.assert_allclose(getattr(ours, name)[given], table.loc[given, name], rtol=0, atol=1e-9)


def test_tiers_of_the_package_are_ours_but_for_the_interval_of_rbs(both):
    table, ours = both
    wald = np.sqrt(
        ours.Fp * (1 - ours.Fp) / ours.counts[:, [0, 2]].sum(axis=1)
        + ours.L * (1 - ours.L) / ours.counts[:, [1, 3]].sum(axis=1)
    )
    given = table["L"].notna().to_numpy()
    lower = (ours.RBS - 1.959963984540054 * wald)[given]
    np.testing.assert_allclose(lower, table.loc[given, "RBS_lower"], rtol=0, atol=1e-9)
    other = ours.tier != table["tier"].to_numpy()
    between = (np.sign(ours.RBS_lower[other]) != np.sign(table.loc[other, "RBS_lower"])) & (
        ours.RBS[other] > 0
    )
    assert between.all() and other.sum() <= 0.02 * given.sum()


def test_interval_of_rbs_is_newcombes_and_of_r_is_fishers():
    found = screen_counts(30, 8, 12, 5)
    one = difference_of_shares(12, 42, 5, 13)
    ends = (found.RBS[0], found.RBS_lower[0], found.RBS_upper[0])
    assert ends == pytest.approx((one.estimate, *one.ends), abs=1e-12)
    right = np.repeat([1, 0, 1, 0], [30, 8, 12, 5])
    r = correlation(right, np.repeat([1, 1, 0, 0], [30, 8, 12, 5]))
    assert (found.r[0], found.r_lower[0], found.r_upper[0]) == pytest.approx(
        (r.r, r.lower, r.upper), abs=1e-12
    )


@pytest.mark.parametrize(
    ("cells", "broken", "tier"),
    [
        ((380, 120, 20, 4), {"L"}, "insufficient data"),
        ((380, 190, 20, 10), {"L"}, "invalid"),
        ((380, 19, 20, 1), {"L"}, "insufficient data"),
        ((380, 95, 20, 5), {"L"}, "indeterminate"),  # 95 of 100: the lower limit is 0.888
        ((200, 20, 200, 80), {"Fp"}, "invalid"),
        ((10, 6, 10, 8), {"Fp"}, "indeterminate"),  # 10 of 20: the lower limit is 0.299
        ((300, 90, 100, 10), {"RBS"}, "invalid"),
        ((300, 31, 100, 9), set(), "indeterminate"),  # the interval contains 0
        ((350, 50, 50, 50), set(), "valid"),
        ((300, 30, 100, 10), set(), "valid"),  # RBS is 0, which 0.25 - (1 - 0.75) need not be
    ],
)
def test_rules_and_tiers_by_hand(cells, broken, tier):
    found = screen_counts(*cells)
    assert {name for name, held in found.broken.items() if held[0]} == broken
    assert (found.invalid[0], found.tier[0]) == (bool(broken), tier)
    assert (min(cells) < SMALLEST_CELL) == (tier == "insufficient data")


def test_an_interval_that_begins_at_zero_contains_it():
    found = screen_counts(300, 90, 100, 10)
    touching = replace(found, RBS_lower=np.zeros(1))
    assert (found.tier[0], touching.tier[0]) == ("invalid", "indeterminate")
    assert not touching.invalid[0]


def test_what_is_undefined():
    found = screen_counts([40, 0, 0, 25], [0, 10, 0, 5], [10, 0, 0, 0], [0, 30, 0, 0])
    nothing_wrong, nothing_right, empty, always_high = range(4)
    assert np.isnan(found.L[nothing_wrong]) and found.Fp[nothing_wrong] == 0.2
    assert np.isnan(found.Fp[nothing_right]) and found.L[nothing_right] == 0.25
    assert np.isnan([found.RBS[:3], found.r[:3]]).all() and found.undefined.tolist() == [True] * 3 + [False]
    assert np.isnan(found.TRIN[empty]) and not found.warning[empty] and not found.invalid[:3].any()
    assert (found.L[always_high], found.TRIN[always_high], found.Fp[always_high]) == (1, 1, 0)
    assert np.isnan(found.r[always_high]) and found.warning[always_high] and found.invalid[always_high]
    assert (
        found.L_lower[always_high] == pytest.approx(5 / (5 + 1.959964**2), abs=1e-6)
        and found.RBS_lower[3] < 0
    )


def test_trials_and_counts_are_the_same():
    rng = np.random.default_rng(5)
    right, high = rng.integers(0, 2, 90), rng.integers(0, 2, 90)
    cells = [int(((right == i) & (high == j)).sum()) for j in (1, 0) for i in (1, 0)]
    one, other = screen(right, high), screen_counts(*cells)
    for name in ("L", "L_upper", "Fp_lower", "RBS_upper", "TRIN", "r_lower"):
        assert getattr(one, name) == getattr(other, name)
    alone = screen(right, high, clusters=np.arange(90))
    assert one.L_lower[0] - 0.01 < alone.L_lower[0] <= one.L_lower[0]


def test_repeated_questions_widen_intervals():
    """Every question six times with the same outcome is worth one trial a question."""
    rng = np.random.default_rng(8)
    right, high = rng.random(120) < 0.7, rng.random(120) < 0.8
    once = screen(right, high)
    often = screen(np.repeat(right, 6), np.repeat(high, 6), clusters=np.repeat(np.arange(120), 6))
    for name in ("L_lower", "Fp_upper", "TRIN_lower"):
        assert getattr(often, name)[0] == pytest.approx(getattr(once, name)[0], abs=0.004)
    assert often.r_lower == pytest.approx(once.r_lower)
    sure = screen(np.repeat(right, 6), np.ones(720), clusters=np.repeat(np.arange(120), 6))
    assert sure.L_lower == pytest.approx(screen(right, np.ones(120)).L_lower)


def test_confidence_that_repeats_counts_once_though_answers_differ():
    """Two answers to a question, alike in confidence, one right: by Kish's formula worth one fewer than questions."""
    sure = np.arange(40) < 30
    found = screen(np.tile([1, 0], 40), np.repeat(sure, 2), clusters=np.repeat(np.arange(40), 2))
    low, high = wilson(0.75, 39.0, z=1.959963984540054)
    assert (found.TRIN_lower[0], found.TRIN_upper[0]) == pytest.approx((low, high), abs=1e-12)


@pytest.mark.parametrize("cells", [(1, 2, -1, 3), (1.5, 1, 1, 1), (np.nan, 1, 1, 1)])
def test_bad_counts_are_refused(cells):
    with pytest.raises(InputError, match="counts"):
        screen_counts(*cells)


def test_bad_trials_are_refused():
    with pytest.raises(InputError, match="0 and 1"):
        screen([1, 0, 2], [1, 0, 1])
    with pytest.raises(InputError, match="one length"):
        screen([1, 0], [1, 0, 1])
    with pytest.raises(InputError, match="clusters"):
        screen([1, 0], [1, 0], clusters=[1])
    with pytest.raises(InputError, match="level"):
        screen([1, 0], [1, 0], level=1.0)


def test_median_split_ties_fp_to_rbs():
    """Half of an even number of answers is high: Fp reaches one half exactly where RBS reaches 0."""
    right_high = np.arange(20, 51)
    made = screen_counts(right_high, 50 - right_high, 70 - right_high, right_high - 20)
    assert ((made.Fp >= 0.5) == (made.RBS >= 0)).all()
