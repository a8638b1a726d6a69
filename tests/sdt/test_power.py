"""Oracles: binomial and Hanley-McNeil closed forms, delta-method d', simulated tests and intervals."""

import numpy as np
import pytest
from scipy.stats import norm
from sdt_published import cacioli_cells

from metacog.sdt import InputError
from metacog.sdt.intervals import percentile_interval
from metacog.sdt.populations import (
    confidence_population,
    pilot_population,
    population_for,
    two_choice_population,
)
from metacog.sdt.power import (
    closed_form_se,
    power_of_difference,
    power_table,
    precision,
    required_trials,
    smallest_difference,
)
from metacog.sdt.type2 import auroc2_from_counts


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("accuracy", 0.62),
        ("auroc2", 0.81),
        ("meta_i2r_chi_square", 0.2),
        ("d_a", 1.3),
        ("z_slope", 0.7),
        ("aurc", 0.3),
        ("accuracy_at_50", 0.75),
        ("d_prime", 1.1),
        ("m_ratio", 0.7),
        ("meta_d", 1.4),
    ],
)
def test_model_populations_have_the_value_asked_for(measure, value):
    population = population_for(measure, value)
    assert population.cells().sum() == pytest.approx(1.0, abs=1e-12)
    assert population.value(measure) == pytest.approx(value, abs=2e-5)


def test_the_largest_value_of_a_model_can_be_asked_for():
    most = confidence_population(6.0).value("auroc2")
    assert population_for("auroc2", most).value("auroc2") == pytest.approx(most, abs=1e-9)


def test_confidence_population_is_equal_mass_with_the_accuracy_asked_for():
    population = confidence_population(1.0, accuracy=0.3, n_ratings=5, slope=0.8)
    np.testing.assert_allclose(population.s1 + population.s2, 0.2, atol=1e-6)
    assert population.s2.sum() == pytest.approx(0.3, abs=1e-12)


def test_two_choice_population_is_symmetric_and_optimal_at_m_ratio_one():
    population = two_choice_population(1.5, m_ratio=1.0, n_ratings=8)
    np.testing.assert_allclose(population.s1, population.s2[::-1])
    # M-ratio 1 is plain equal-variance detection: the z-ROC has slope 1 and d_a = d'
    assert population.value("z_slope") == pytest.approx(1.0, abs=1e-4)
    assert population.value("d_a") == pytest.approx(1.5, abs=1e-4)


def test_binomial_closed_form():
    table = power_table("accuracy", value=0.7, n_trials=[200, 800], n_simulations=4000)
    expected = norm.isf(0.025) * np.sqrt(0.21 / np.array([200, 800]))
    np.testing.assert_allclose(table["closed_form_half_width"], expected, rtol=1e-12)
    np.testing.assert_allclose(table["half_width"], expected, rtol=4 / np.sqrt(8000))


def test_hanley_mcneil_is_close_to_simulation_of_fine_ratings():
    table = power_table("auroc2", value=0.8, n_trials=[500], n_ratings=40, n_simulations=4000)
    # exact for exponential confidence, a few per cent off for Gaussian
    assert table["half_width"][0] == pytest.approx(table["closed_form_half_width"][0], rel=0.05)
    assert np.isnan(closed_form_se("meta_i2r_chi_square", 0.2, 100))


def test_d_prime_error_is_the_delta_method():
    n, d = 2000, 1.2
    rate = norm.cdf(d / 2)
    expected = np.sqrt(2 * rate * (1 - rate) / (n / 2) / norm.pdf(d / 2) ** 2)
    got = precision(population_for("d_prime", d), "d_prime", n, n_simulations=4000)
    assert got.se == pytest.approx(expected, rel=4 / np.sqrt(8000))


def test_published_interval_widths_are_what_planning_from_the_counts_predicts():
    # v1 table 2: half-widths of the 10,000-resample intervals of M-ratio
    for model, half in (("gemma2_instruct", 0.139), ("llama3_instruct", 0.0985)):
        pilot = pilot_population(*cacioli_cells()[model, "triviaqa"])
        table = power_table("m_ratio", populations=pilot, n_trials=[5000], n_simulations=600)
        assert table["half_width"][0] == pytest.approx(half, rel=4 / np.sqrt(1200) + 0.01)


def test_power_is_the_share_of_simulated_tests_that_reject():
    n, difference = 600, 0.06
    table = power_table("auroc2", value=0.75, difference=difference, n_trials=[n], n_simulations=4000)
    rng = np.random.default_rng(1)
    draws = []
    for value in (0.75, 0.81):
        cells = population_for("auroc2", value).cells()
        tables = rng.multinomial(n, cells, size=4000)
        draws.append(auroc2_from_counts(tables[:, :8], tables[:, 8:]))
    gap = draws[1] - draws[0]
    rejected = np.abs(gap) > norm.isf(0.025) * gap.std()
    assert table["power"][0] == pytest.approx(rejected.mean(), abs=4 * 0.5 / np.sqrt(4000) + 0.01)
    interval = percentile_interval(gap, difference)
    assert table["half_width_difference"][0] == pytest.approx(interval.half_width, rel=0.06)


def test_required_trials_for_a_width_follow_the_binomial():
    plan = required_trials("accuracy", value=0.6, half_width=0.03)
    expected = 0.24 * (norm.isf(0.025) / 0.03) ** 2
    assert plan.n_trials == pytest.approx(expected, rel=4 * np.sqrt(2 / 4000))
    assert plan.half_width <= 0.03 and np.isnan(plan.power)


def test_required_trials_reach_power_and_pairing_saves_some():
    plan = required_trials("auroc2", value=0.75, difference=0.05, power=0.9)
    assert 0.9 <= plan.power < 0.91
    check = power_table(
        "auroc2", value=0.75, difference=0.05, n_trials=[plan.n_trials], n_simulations=4000, seed=7
    )
    assert check["power"][0] == pytest.approx(0.9, abs=0.025)
    paired = required_trials("auroc2", value=0.75, difference=0.05, power=0.9, correlation=0.5)
    assert paired.n_trials == pytest.approx(plan.n_trials / 2, rel=0.06)
    both = required_trials("auroc2", value=0.75, difference=0.05, half_width=0.01)
    assert both.n_trials > plan.n_trials and both.half_width <= 0.01


def test_calibration_is_planned_from_a_pilot():
    pilot = pilot_population([30, 20, 5], [10, 30, 55], ratings=[0.25, 0.5, 0.95])
    table = power_table("ece", difference=0.02, populations=pilot, n_trials=[300, 3000])
    assert pilot.value("ece") == pytest.approx(
        (40 * 0.0 + 50 * abs(0.6 - 0.5) + 60 * abs(55 / 60 - 0.95)) / 150, abs=1e-9
    )
    assert table["bias"][0] > table["bias"][1] > -0.001  # the plug-in ECE is biased upwards
    assert table["power"].is_monotonic_increasing


def test_power_of_no_difference_is_the_level():
    assert power_of_difference(0.0, 1.0) == pytest.approx(0.05)
    assert power_of_difference(norm.isf(0.025) + norm.isf(0.2), 1.0) == pytest.approx(0.8, abs=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: population_for("ece", 0.1), "pilot"),
        (lambda: population_for("magic", 0.1), "no measure"),
        (lambda: population_for("auroc2", 0.4), "is not attainable"),
        (lambda: population_for("d_prime", -1.0), "above 0"),
        (lambda: population_for("m_ratio", 0.8, n_ratings=7), "even number"),
        (lambda: power_table("auroc2"), "expected"),
        (lambda: power_table("auroc2", value=0.7, n_trials=[1]), "at least 2"),
        (lambda: power_table("auroc2", value=0.7, correlation=1.0), "correlation"),
        (lambda: required_trials("auroc2", value=0.7), "half_width, difference"),
        (lambda: required_trials("accuracy", value=0.5, half_width=1e-5), "more than"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_the_smallest_difference_is_that_of_the_closed_form_and_has_its_power():
    """Two binomial shares of 164 trials each: z sqrt(2 p (1 - p) / n), .155."""
    z = norm.ppf(0.975) + norm.ppf(0.8)
    found = smallest_difference("accuracy", 164, value=0.5)
    assert found == pytest.approx(z * np.sqrt(0.5 / 164), rel=0.03)
    paired = smallest_difference("accuracy", 164, value=0.5, correlation=0.5)
    assert paired == pytest.approx(found * np.sqrt(0.5), rel=1e-12)
    alike = population_for("accuracy", 0.5)
    table = power_table("accuracy", difference=found, n_trials=164, populations=alike)
    assert table["power"][0] == pytest.approx(0.8, abs=0.03)
    with pytest.raises(InputError, match="power"):
        smallest_difference("accuracy", 164, value=0.5, power=1.0)
    with pytest.raises(InputError, match="value expected"):
        smallest_difference("accuracy", 164)
