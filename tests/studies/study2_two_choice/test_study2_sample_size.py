"""The sample-size simulation. Oracles: the specification's observer, crafted tables, a second seed."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from metacog.collect.plan import settings_of
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.sdt.power import closed_form_se
from metacog.studies.study2_two_choice import STUDY
from metacog.studies.study2_two_choice import sample_size as page
from metacog.studies.study2_two_choice.sample_size import sample_size, trials_of


def under(n_sentences):
    """A run whose profile asks so many sentences of each task."""
    profile = load_profile("default")
    block = profile.studies["study2_two_choice"] | {"n_sentences": n_sentences}
    asked = dataclasses.replace(profile, studies=profile.studies | {"study2_two_choice": block})
    return SimpleNamespace(study=STUDY, profile=asked)


@pytest.fixture(scope="module")
def found():
    return sample_size(under(60), n_simulations=300, seed=3)


def test_the_observer_is_the_papers():
    one = page.PAPER
    assert (one.d_prime, one.meta_d, one.c) == (3.2, 3.0, 0.0) and max(page.sizes_from(60)) == 20_000
    assert (one.t2_criteria_rS1, one.t2_criteria_rS2) == ((-2, -1.5, -1, -0.5), (0.5, 1, 1.5, 2))


def test_every_size_has_its_repetitions_and_its_spread(found):
    counted = found.single.groupby(["observer", "n_trials"]).size()
    n_sizes = len(page.sizes_from(60))
    assert len(counted) == 2 * n_sizes and (counted == 20).all()
    assert len(found.spread) == 2 * n_sizes and (found.spread["n"] == 300).all()
    largest = found.spread[found.spread["n_trials"] == 20_000]
    assert (largest["m_ratio_bias"].abs() < 4 * largest["m_ratio_sd"] / np.sqrt(300) + 0.005).all()


def test_the_planned_numbers_hold_for_another_seed(found):
    """Oracle: half-widths read off the simulation at sizes to either side of the planned number."""
    for row in found.needed.itertuples():
        own = found.spread[found.spread["observer"] == row.observer].sort_values("n_trials")
        read = np.exp(np.interp(-np.log(0.1), -np.log(own["m_ratio_half"]), np.log(own["n_trials"])))
        assert row.trials == pytest.approx(read, rel=0.3)  # spreads of 300 are known to 4 %, numbers to 8 %


def test_the_second_observer_follows_the_parameters():
    made = sample_size(under(12), d_prime=2.0, m_ratio=0.5, n_ratings=4, half_width=0.2, n_simulations=100)
    assert set(made.spread["observer"]) == set(page.observers(2.0, 0.5, 4))
    assert made.half_width == 0.2
    assert (made.grid["at_0.8"] > 0).all() and made.grid["at_0.8"].iloc[0] > made.grid["at_0.8"].iloc[-1]


def test_the_smallest_size_is_that_of_the_profile(found):
    """Oracle: the profile's own line, and another number of sentences."""
    asked = load_profile("default").studies["study2_two_choice"]["n_sentences"]
    assert sample_size(under(asked), n_simulations=20).spread["n_trials"].min() == asked
    assert found.spread["n_trials"].min() == 60
    assert page.sizes_from(500) == page.sizes_from(200) and 750 in page.sizes_from(750)


def test_the_numbers_of_the_page_are_those_of_the_two_observers(found):
    told = page.VIEWS[0].numbers(found)
    assert list(told.values()) == found.needed["trials"].tolist() and found.needed["observer"][0].startswith(
        "d' 3.2"
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"repetitions": 500, "n_simulations": 100}, "repetitions must lie between"),
        ({"d_prime": 3.2, "m_ratio": 0.9375}, "second observer is the paper's own"),
    ],
)
def test_bad_parameters_are_named(change, words):
    with pytest.raises(MetacogError, match=words):
        sample_size(under(60), **change)


@pytest.mark.parametrize("name", ["default", "reference"])
def test_the_committed_reach_is_of_the_profiles_own_sizes(name):
    """Oracle: the profile's sentences counted, and the binomial spread of a share."""
    of_run = trials_of(settings_of(STUDY, load_profile(name)))
    table = page.reached(of_run)
    assert dict(zip(table["part"], table["n_trials"], strict=True)) == of_run
    assert len(table) == 3 * 3 * len(of_run)
    assert (table.loc[table["n_trials"] >= 100, "undefined"] < 0.01).all()  # M-ratio alone, of few trials
    assert table["wrong"].tolist() == pytest.approx((table["n_trials"] * (1 - table["accuracy"])).tolist())
    by_size = table[table["measure"] == "auroc2"].sort_values("n_trials").groupby("accuracy")["half_width"]
    assert (by_size.last() <= by_size.first()).all() and table["half_width"].gt(0).all()
    area = table[(table["measure"] == "auroc2") & (table["accuracy"] == 0.75)].iloc[0]
    se = closed_form_se("auroc2", 0.666, int(area["n_trials"]), accuracy=0.75)
    assert area["half_width"] == pytest.approx(1.96 * se, rel=0.15)
    assert area["floor"] > 0.5 + area["half_width"]  # four in five, not one in two


def test_a_run_of_every_sentence_counts_its_sets():
    every = under(None)
    of_run = trials_of(settings_of(STUDY, every.profile))
    assert of_run == {"A-sentiment": 232, "B-origin": 410, "C-origin": 300}
    found = sample_size(every, n_simulations=20)
    assert 232 in set(found.spread["n_trials"]) and set(found.reached["part"]) == {"B-origin"}
