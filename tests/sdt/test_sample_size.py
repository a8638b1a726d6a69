"""Spread by number of trials. Oracles: delta method, root-n law, binomial law of failures, `power_table`."""

import numpy as np
import pytest
from scipy.stats import norm

from metacog.sdt import InputError, meta_d_observer, required_trials
from metacog.sdt.compare import m_ratio_measure
from metacog.sdt.power import simulate_sizes, spread_by_size, trials_for_m_ratio
from metacog.sdt.simulate import MetaDObserver

PAPER = MetaDObserver(3.2, 3.0, 0.0, (-2.0, -1.5, -1.0, -0.5), (0.5, 1.0, 1.5, 2.0))
SMALL = meta_d_observer(1.0, m_ratio=0.8, n_ratings=5)


@pytest.fixture(scope="module")
def drawn():
    return simulate_sizes(PAPER, (100, 5_000, 20_000), n_simulations=2_000)


def test_large_tables_are_unbiased_and_spread_falls_with_the_root(drawn):
    table = spread_by_size(drawn, PAPER).set_index("n_trials")
    big = table.loc[20_000]
    for name in ("d_prime", "meta_d", "m_ratio"):
        error = big[f"{name}_sd"] / np.sqrt(2_000)
        assert abs(big[f"{name}_bias"]) < 4 * error
        assert table.loc[5_000, f"{name}_sd"] / big[f"{name}_sd"] == pytest.approx(2, abs=0.15)
        assert big[f"{name}_half"] == pytest.approx(1.96 * big[f"{name}_sd"], rel=1e-4)


def test_each_table_is_a_row():
    made = simulate_sizes(SMALL, (40, 60), n_simulations=3)
    assert [*made] == ["n_trials", "repetition", "d_prime", "meta_d", "m_ratio", "fitted", "empty"]
    assert made["n_trials"].tolist() == [40] * 3 + [60] * 3 and made["repetition"].tolist() == [1, 2, 3] * 2


def test_failures_are_counted_and_never_filled_in(drawn):
    """Oracle: P(one kind of stimulus is never answered wrongly), with S2 drawn by a coin."""
    own = drawn[drawn["n_trials"] == 100]
    never = (0.5 + 0.5 * norm.cdf(1.6)) ** 100
    infinite = 2 * never - norm.cdf(1.6) ** 100
    failed = 1 - own["fitted"].mean()
    assert failed > infinite - 4 * np.sqrt(infinite / 2_000)  # others ran to the limit of meta-d'
    assert own.loc[~own["fitted"], ["d_prime", "meta_d", "m_ratio"]].isna().all(axis=None)
    assert own["empty"].all()
    assert own.loc[own["fitted"], "m_ratio"].notna().all()


def test_a_pad_fits_the_same_tables_and_leaves_none_out(drawn):
    padded = simulate_sizes(PAPER, (100, 5_000), n_simulations=2_000, pad=0.5)
    assert padded["fitted"].all()
    same = drawn[drawn["n_trials"] != 20_000].reset_index(drop=True)
    assert (same["empty"] == padded["empty"]).all()
    bias = spread_by_size(padded, PAPER).set_index("n_trials")["m_ratio_bias"]
    assert bias[100] < 10 * bias[5_000] < 0  # half trials pull an observer who rarely errs down


def test_the_planned_number_gives_the_wanted_half_width():
    n = trials_for_m_ratio(SMALL, 0.1)
    again = spread_by_size(simulate_sizes(SMALL, (n,), n_simulations=4_000, seed=7), SMALL)
    assert again["m_ratio_half"].iloc[0] == pytest.approx(0.1, rel=0.06)
    command = required_trials("m_ratio", value=0.8, d_prime=1.0, n_ratings=10, half_width=0.1)
    assert trials_for_m_ratio(SMALL, 0.1, pad=0.5) == pytest.approx(command.n_trials, rel=0.08)


@pytest.mark.parametrize("change", [{"sizes": ()}, {"sizes": (1,)}, {"n_simulations": 1}, {"pad": -0.5}])
def test_bad_plans_are_refused(change):
    with pytest.raises(InputError, match="sizes of at least 2"):
        simulate_sizes(SMALL, **{"sizes": (50,), "n_simulations": 10, **change})
    assert len(simulate_sizes(SMALL, (2,), n_simulations=2, pad=0.5)) == 2  # the fewest


def test_a_measure_of_ones_own_needs_its_population():
    with pytest.raises(InputError, match="give the population"):
        required_trials(m_ratio_measure(0), value=0.8, half_width=0.1)
