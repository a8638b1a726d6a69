"""Gains by one step of Newton against whole fits, and of answers dealt anew."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import chi2

from metacog.sdt import InputError
from metacog.sdt.information_parts import (
    OneStepGain,
    _share_floor,
    fit_ridge_logistic,
    fits_without,
    least_variance,
    nested_gains,
)
from metacog.sdt.within_strata import StratifiedAnswers

N = 1200


def answers(own: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(11)
    group, sure = rng.integers(0, 6, N).astype(float), rng.normal(size=N)
    return rng.random(N) < expit(0.5 + 0.5 * (group - 2.5) + own * sure), group, sure


def test_it_is_near_the_gain_of_whole_fits() -> None:
    hits, group, sure = answers(0.5)
    signals = {"group": group, "own": sure}
    whole = float(nested_gains(hits, signals).bits[:, -1].mean())
    assert float(OneStepGain(hits, signals).bits(hits[None])[0]) == pytest.approx(whole, rel=0.1)


def test_answers_dealt_anew_within_groups_gain_nothing() -> None:
    hits, group, sure = answers(0.5)
    dealt = StratifiedAnswers.of(hits, sure, group).shuffled(500, np.random.default_rng(12))
    null = OneStepGain(hits, {"group": group, "own": sure}).bits(dealt)
    assert null.mean() == pytest.approx(0, abs=4 * null.std() / np.sqrt(500))
    with pytest.raises(InputError, match="at least two"):
        OneStepGain(hits, {"own": sure})


def test_answers_dealt_within_strata_of_a_signal_that_varies_there_gain_nothing() -> None:
    """Confidence that reads the earlier signal alone: only the chances with which answers were dealt leave nothing."""
    rng = np.random.default_rng(13)
    earlier = rng.normal(size=N)
    sure = earlier + 0.3 * rng.normal(size=N)
    hits = rng.random(N) < expit(2 * earlier)
    stratum = np.digitize(earlier, [-0.5, 0.5])
    dealt = StratifiedAnswers.of(hits, sure, stratum).shuffled(400, rng)
    share = (np.bincount(stratum, weights=hits) / np.bincount(stratum))[stratum]
    step = OneStepGain(hits, {"earlier": earlier, "own": sure})
    null = step.bits(dealt, expected=share)
    assert null.mean() == pytest.approx(0, abs=5 * null.std() / 20)
    assert abs(step.bits(dealt).mean()) > 5 * null.std() / 20


def test_what_is_known_beforehand_is_not_counted() -> None:
    hits, group, sure = answers(0.5)
    signals = {"group": group, "own": sure}
    plain = nested_gains(hits, signals).bits[:, -1]
    beyond = nested_gains(hits, signals, offset=0.5 * sure).bits[:, -1]
    assert plain.mean() > 0.02 and abs(beyond.mean()) < 0.004
    with pytest.raises(InputError, match="offset"):
        nested_gains(hits, signals, offset=[0.0])


@pytest.mark.parametrize("apart", [0.5, 40.0])
def test_fits_without_some_trials_are_those_of_the_others_alone(apart):
    """Also where right and wrong are nearly separated, so that curvature differs from set to set."""
    rng = np.random.default_rng(0)
    x = np.column_stack([np.ones(120), rng.normal(size=(120, 3))])
    hits = apart * x[:, 1] + rng.logistic(size=120) > 0
    penalty = np.array([0.0, 0.01, 0.25, 0.25])
    whole = fit_ridge_logistic(x, hits, penalty, np.ones(120))
    left_out = np.arange(120) % 6 == np.arange(6)[:, None]
    found = fits_without(x, hits, penalty, whole, left_out)
    for beta, out in zip(found, left_out, strict=True):
        alone = fit_ridge_logistic(x[~out], hits[~out], penalty, np.ones(100))
        np.testing.assert_allclose(x @ beta, x @ alone, atol=1e-4 if apart > 1 else 1e-6)
    near = fits_without(x, hits, penalty, whole, left_out, one_step=True)
    assert 0 < np.abs(near - found).max() < np.abs(whole - found).max()


def test_one_step_goes_nearly_as_far_as_a_whole_fit_in_one_division(monkeypatch):
    hits, group, sure = answers(0.5)
    signals = {"group": group, "own": sure}
    quick = nested_gains(hits, signals, one_step=True).bits
    several = nested_gains(hits, signals).bits
    monkeypatch.setitem(nested_gains.__globals__, "N_DIVISIONS", 1)
    apart = np.abs(quick - nested_gains(hits, signals).bits).mean()
    assert 0 < apart < 0.1 * np.abs(quick - several).mean()


def test_a_step_that_goes_too_far_is_halved():
    """Log-odds known beforehand are far off, so that the first whole step would go 1e5 too far: the answer by hand."""
    hits = np.arange(10) < 4
    for known in (-14.0, 14.0):
        found = fit_ridge_logistic(
            np.ones((10, 1)), hits, np.zeros(1), np.ones(10), offset=np.full(10, known)
        )
        assert found == pytest.approx([logit(0.4) - known], abs=1e-3)


def test_a_fit_ends_where_another_step_would_change_nothing():
    """Also where the fall that the last step brings is lost in the rounding of a sum over thousands of trials."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x = np.column_stack([np.ones(3000), rng.normal(size=(3000, 4))])
        hits = rng.random(3000) < expit(x @ rng.normal(size=5))
        penalty = np.array([0.0, 1.0, 1.0, 1.0, 1.0])
        beta = fit_ridge_logistic(x, hits, penalty, np.ones(3000))
        p = expit(x @ beta)
        slope = x.T @ (p - hits) + penalty * beta
        curvature = (x.T * (p * (1 - p))) @ x + np.diag(penalty)
        assert slope @ np.linalg.solve(curvature, slope) < 1e-17


def test_the_least_variance_is_that_of_half_a_chi_squared():
    """A model of k useless columns costs k nats and gains half a chi-squared over n trials; both in bits."""
    for k in (1, 4):
        gain = chi2(k).var() / 4 / (300 * np.log(2)) ** 2
        assert least_variance(np.array([k / np.log(2)]), 300) == pytest.approx([gain])


def test_the_least_variance_of_shares_is_that_of_independent_parts():
    """Oracle: the derivative of b / sum(b) by differences."""
    bits, floor = np.array([0.2, 0.05, 0.15]), np.array([3e-4, 1e-4, 2e-4])
    moved = bits + 1e-6 * np.eye(3)
    slopes = (moved / moved.sum(axis=1, keepdims=True) - bits / bits.sum()) / 1e-6  # (part moved, share)
    found = _share_floor(floor, bits / bits.sum(), bits.sum())
    assert found == pytest.approx(floor @ slopes**2, rel=1e-4)
