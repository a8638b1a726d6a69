"""Oracles: scikit-learn, loops over bins, exact identities, simulation of calibrated observers."""

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss

from metacog.sdt import InputError
from metacog.sdt.calibration import brier_decomposition, brier_score, corp_diagram, ece, reliability_diagram


@pytest.fixture(scope="module")
def trials():
    rng = np.random.default_rng(0)
    confidence = np.round(rng.beta(3, 1.5, 700), 2)
    return (rng.random(700) < confidence**1.4).astype(int), confidence


@pytest.mark.parametrize(("binning", "strategy"), [("width", "uniform"), ("mass", "quantile")])
def test_the_diagram_is_that_of_scikit_learn(trials, binning, strategy):
    correct, confidence = (
        trials[0],
        np.random.default_rng(9).random(700),
    )  # without ties, which the two bin apart
    share, mean = calibration_curve(correct, confidence, n_bins=10, strategy=strategy)
    diagram = reliability_diagram(correct, confidence, n_bins=10, binning=binning)
    assert (diagram.accuracy, diagram.confidence) == (pytest.approx(share), pytest.approx(mean))
    assert brier_score(correct, confidence) == pytest.approx(brier_score_loss(correct, confidence))


def test_ece_by_hand():
    # bin .9: two trials, 1 right: |.5 - .9|; bin .2: two trials, none right: |0 - .2|
    assert ece([1, 0, 0, 0], [0.9, 0.9, 0.2, 0.2]) == pytest.approx(0.5 * 0.4 + 0.5 * 0.2)
    assert reliability_diagram([1, 0, 0, 0], [0.9, 0.9, 0.2, 0.2]).mce == pytest.approx(0.4)


def test_equal_mass_bins_hold_equal_mass():
    rng = np.random.default_rng(2)
    confidence = rng.random(1000)
    diagram = reliability_diagram(rng.integers(0, 2, 1000), confidence, n_bins=10, binning="mass")
    np.testing.assert_array_equal(diagram.count, 100)
    tied = reliability_diagram([0, 1] * 50, np.repeat([0.5, 0.9], 50), n_bins=10, binning="mass")
    assert tied.count.size == 2 and tied.n_empty == 8


def test_debiased_folded_normal_equals_redrawn_bins(trials):
    correct, confidence = trials
    diagram = reliability_diagram(correct, confidence)
    rng = np.random.default_rng(5)
    sigma = np.sqrt(diagram.accuracy * (1 - diagram.accuracy) / diagram.count)
    redrawn = np.abs(rng.normal(diagram.gap, sigma, (200_000, diagram.count.size)))
    values = redrawn @ (diagram.count / diagram.count.sum())
    expected = 2 * diagram.ece - values.mean()
    error = values.std() / np.sqrt(values.size)
    assert ece(correct, confidence, debiased=True) == pytest.approx(expected, abs=4 * error)


@pytest.mark.parametrize("binning", ["width", "mass", "unique"])
@pytest.mark.parametrize("debiased", [False, True])
def test_brier_terms_add_up(trials, binning, debiased):
    correct, confidence = trials
    parts = brier_decomposition(correct, confidence, binning=binning, debiased=debiased)
    assert parts.brier == pytest.approx(np.mean((confidence - correct) ** 2), abs=1e-15)
    assert abs(parts.residual) < 1e-14
    if binning == "unique":
        assert parts.within_bin_variance == pytest.approx(0, abs=1e-28)


def test_murphy_by_hand():
    # .8 on 10 trials with 6 right, .2 on 10 with 2 right: rel = .5 * .04, res = .04, unc = .24
    correct = np.r_[np.ones(6), np.zeros(4), np.ones(2), np.zeros(8)]
    parts = brier_decomposition(correct, np.repeat([0.8, 0.2], 10), binning="unique")
    assert (parts.reliability, parts.resolution, parts.uncertainty) == pytest.approx((0.02, 0.04, 0.24))
    assert parts.brier == pytest.approx(0.22) and parts.skill == pytest.approx(1 - 0.22 / 0.24)


def test_what_a_bin_hides_by_hand():
    """One bin of .6 (right) and .8 (wrong): its variance is .01 and its doubled covariance 2 * (-.05)."""
    parts = brier_decomposition([1, 0], [0.6, 0.8], n_bins=1)
    assert (parts.reliability, parts.resolution, parts.uncertainty) == pytest.approx((0.04, 0.0, 0.25))
    assert (parts.within_bin_variance, parts.within_bin_covariance) == pytest.approx((0.01, -0.1))
    assert parts.brier == pytest.approx((0.16 + 0.64) / 2) and abs(parts.residual) < 1e-15


def test_debiased_reliability_of_a_calibrated_observer_is_zero_on_average():
    rng = np.random.default_rng(6)
    values = []
    for _ in range(800):
        confidence = rng.choice([0.2, 0.5, 0.9], 120)
        parts = brier_decomposition(rng.random(120) < confidence, confidence, binning="unique", debiased=True)
        values.append(parts.reliability)
    assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(800)


def test_bad_input_is_refused():
    for percent_or_above in (95, 1.01):
        with pytest.raises(InputError, match=r"\[0, 1\]"):
            ece([1, 0], [0.5, percent_or_above])
    with pytest.raises(InputError, match="no binning"):
        ece([1, 0], [0.5, 0.9], binning="deciles")
    with pytest.raises(InputError, match="n_bins"):
        ece([1, 0], [0.5, 0.9], n_bins=0)
    with pytest.raises(InputError, match="NaN"):
        brier_score([1, 0], [0.5, np.nan])


def test_the_diagram_without_bins_is_an_isotonic_regression_and_parts_add_up(trials):
    correct, confidence = trials
    found = corp_diagram(correct, confidence, n_draws=50)
    theirs = IsotonicRegression(y_min=0, y_max=1).fit(confidence, correct).predict(found.confidence)
    np.testing.assert_allclose(found.accuracy, theirs, atol=1e-12)
    parts = found.miscalibration - found.discrimination + found.uncertainty
    assert parts == pytest.approx(brier_score_loss(correct, confidence), abs=1e-12)
    assert found.count.sum() == 700 and found.miscalibration > 0 < found.discrimination
    assert (found.lower <= found.accuracy).all() and (found.accuracy <= found.upper).all()


def test_intervals_without_bins_hold_the_truth():
    levels = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    held = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        confidence = rng.choice(levels, 400)
        found = corp_diagram(rng.random(400) < 0.9 * confidence, confidence, n_draws=300, seed=seed)
        held.append((found.lower <= 0.9 * levels) & (0.9 * levels <= found.upper))
    assert 0.92 < np.mean(held) < 0.98


def test_no_error_is_not_certainty_and_bad_input_is_refused():
    found = corp_diagram([0] * 10 + [1] * 10, [0.2] * 10 + [0.9] * 10)
    assert found.accuracy.tolist() == [0.0, 1.0]
    assert found.upper[0] == pytest.approx(0.277, abs=1e-3) and found.lower[1] == pytest.approx(
        0.723, abs=1e-3
    )
    for bad in ({"level": 1.0}, {"n_draws": 0}):
        with pytest.raises(InputError, match="level must lie"):
            corp_diagram([0, 1], [0.2, 0.9], **bad)
