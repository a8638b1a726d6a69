"""How far a measure goes with d'. Oracles: people made of known parts, and simulated observers who differ in d'."""

import numpy as np
import pandas as pd
import pytest

from metacog.measures.measure_properties import measures_of, stacked, two_parts
from metacog.measures.skill_in_measures import dealt_anew, with_skill
from metacog.sdt import meta_d_observer

SETS, PEOPLE = 10, 400


def halves(rho, noise, seed=1):
    """Two halves of people whose true measure and true d' correlate ``rho``, in sets of their own mean and scale."""
    rng = np.random.default_rng(seed)
    of = np.repeat(np.arange(SETS), PEOPLE)
    skill = rng.normal(size=of.size)
    true = rho * skill + np.sqrt(1 - rho**2) * rng.normal(size=of.size)
    made = []
    for _ in range(2):
        own = rng.normal(size=of.size)  # chance that a half's measure and d' have in common
        x = true + noise * own
        d = skill + 0.7 * noise * own + 0.5 * rng.normal(size=of.size)
        made.append(pd.DataFrame({"x": 10.0**of * (x + of), "d_prime": d}))
    return *made, of


@pytest.mark.parametrize("rho", [0.0, 0.6, -0.4])
def test_the_correlation_of_true_values_is_found_through_chance_that_halves_do_not_share(rho):
    first, second, of = halves(rho, noise=1.0)
    found = with_skill(first, second, "x", of, np.ones((1, SETS)))
    assert found.skill[0] == pytest.approx(rho, abs=0.06) and found.people == SETS * PEOPLE
    assert found.held[0] == pytest.approx((1 - rho**2) / (2 - rho**2), abs=0.04)
    naive = np.corrcoef(first["x"][of == 0], first["d_prime"][of == 0])[0, 1]
    assert rho != 0 or naive > 0.2  # within one half chance alone makes them go together


def test_a_set_that_counts_twice_is_a_set_written_out_twice():
    first, second, of = halves(0.5, noise=0.5)
    first.loc[3, "x"] = np.nan
    times = np.ones((2, SETS))
    times[1, 2] = 2
    more = np.concatenate([np.arange(of.size), np.flatnonzero(of == 2)])
    found = with_skill(first, second, "x", of, times)
    again = with_skill(first.iloc[more], second.iloc[more], "x", of[more], np.ones((1, SETS)))
    assert found.skill[1] == pytest.approx(again.skill[0]) and found.held[1] == pytest.approx(again.held[0])
    assert found.people == of.size - 1


def test_people_who_differ_in_d_prime_alone_have_an_area_that_is_skill_alone():
    rng = np.random.default_rng(2)
    tables = [
        meta_d_observer(d, m_ratio=0.8).counts(800, seed=i) for i, d in enumerate(rng.uniform(0.8, 2.2, 300))
    ]
    counts, k = stacked([a[0] for a, _ in tables], [b[0] for _, b in tables])
    first, second = (measures_of(x, k) for x in two_parts(counts, 400, rng))
    groups = np.zeros(300, dtype=int)
    area, ratio = (with_skill(first, second, name, groups, np.ones((1, 1))) for name in ("auroc2", "m_ratio"))
    assert area.skill[0] > 0.85 and area.held[0] < 0.1 and abs(ratio.held[0]) < 0.12


def test_people_are_dealt_within_their_set():
    of = np.array([2, 0, 1, 0, 2, 2, 1])
    drawn = dealt_anew(of, np.random.default_rng(1))
    assert (of[drawn] == of).all() and sorted(drawn) == list(range(7))
    assert any((dealt_anew(of, np.random.default_rng(i)) != np.arange(7)).any() for i in range(3))
