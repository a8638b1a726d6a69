"""Simulated observers. Oracles: the fit itself in the limit of exact proportions, chi-square of draws."""

import numpy as np
import pytest
from scipy.stats import chisquare

from metacog.sdt import (
    InputError,
    MetaDObserver,
    NoisyConfidenceObserver,
    counts_from_trials,
    fit_meta_d,
    meta_d_observer,
)

OBSERVERS = [
    {"d_prime": 1.0, "m_ratio": 0.6},
    {"d_prime": 2.0, "m_ratio": 1.2, "c": 0.4, "s": 0.7, "n_ratings": 4, "base_rate": 0.3},
    {"d_prime": 0.5, "m_ratio": 0.6, "c": -0.5, "s": 1.3, "n_ratings": 2},
    {"d_prime": -0.8, "m_ratio": 0.9, "c": 0.2, "n_ratings": 10},
]


@pytest.mark.parametrize("settings", OBSERVERS)
def test_fit_to_exact_proportions_gives_back_the_observer(settings):
    observer = meta_d_observer(**settings)
    p1, p2 = observer.probabilities()
    fit = fit_meta_d(1e6 * p1 * (1 - observer.base_rate), 1e6 * p2 * observer.base_rate, s=observer.s)
    assert fit.converged
    assert fit.d_prime == pytest.approx(observer.d_prime, abs=1e-12)
    assert fit.c == pytest.approx(observer.c, abs=1e-12)
    assert fit.meta_d == pytest.approx(observer.meta_d, abs=1e-7)
    np.testing.assert_allclose(fit.t2_criteria_rS1, observer.t2_criteria_rS1, atol=1e-7)
    np.testing.assert_allclose(fit.t2_criteria_rS2, observer.t2_criteria_rS2, atol=1e-7)


@pytest.mark.parametrize("settings", OBSERVERS)
def test_confidence_levels_are_used_equally(settings):
    observer = meta_d_observer(**settings)
    p1, p2 = observer.probabilities()
    both = (1 - observer.base_rate) * p1 + observer.base_rate * p2
    k = len(both) // 2
    np.testing.assert_allclose(both[:k], both[:k].mean(), atol=1e-12)
    np.testing.assert_allclose(both[k:], both[k:].mean(), atol=1e-12)


def test_an_unbiased_observer_is_the_same_seen_from_either_stimulus():
    """Where neither sd nor base rate is given the two stimuli mirror one another."""
    observer = MetaDObserver(1.0, 0.8, 0.0, (-1.0, -0.5), (0.5, 1.0))
    p1, p2 = observer.probabilities()
    np.testing.assert_allclose(p1, p2[::-1], atol=1e-15)


def test_counts_and_trials_follow_the_probabilities():
    observer = meta_d_observer(1.2, m_ratio=0.8, c=0.3, base_rate=0.4)
    p1, p2 = observer.probabilities()
    a, b = observer.counts(40_000, seed=3)
    assert a.shape == b.shape == (1, 8) and a.sum() + b.sum() == 40_000
    t = observer.trials(40_000, seed=4)
    ta, tb = counts_from_trials(t.stimulus, t.rating, 4)
    for counts, p in ((a[0], p1), (b[0], p2), (ta, p1), (tb, p2)):
        assert chisquare(counts, p * counts.sum()).pvalue > 1e-3
    assert abs(tb.sum() / 40_000 - 0.4) < 4 * np.sqrt(0.24 / 40_000)
    np.testing.assert_array_equal(t.correct, t.stimulus == t.response)
    assert set(t.confidence[t.response == 1] + 4) == set(t.rating[t.response == 1]) == {5, 6, 7, 8}


def test_fixed_base_rate_and_seeds():
    observer = meta_d_observer(1.0, base_rate=0.3)
    a, b = observer.counts(1000, 50, seed=1, fixed_base_rate=True)
    assert (b.sum(axis=1) == 300).all() and (a.sum(axis=1) == 700).all()
    np.testing.assert_array_equal(observer.counts(500, 3, seed=9)[0], observer.counts(500, 3, seed=9)[0])
    assert not np.array_equal(observer.counts(500, 3, seed=9)[0], observer.counts(500, 3, seed=10)[0])


@pytest.mark.parametrize("lognormal", [False, True])
@pytest.mark.parametrize("noise", [0.0, 0.05, 0.7, 3.0])
def test_mechanism_agrees_with_its_quadrature(noise, lognormal):
    observer = NoisyConfidenceObserver(1.5, 0.2, noise, s=0.8, lognormal=lognormal)
    t = observer.trials(100_000, seed=5)
    for counts, p in zip(counts_from_trials(t.stimulus, t.rating, 4), observer.probabilities(), strict=True):
        assert p.sum() == pytest.approx(1.0, abs=1e-12)
        assert chisquare(counts, p * counts.sum()).pvalue > 1e-3


def test_no_trial_is_lost_where_noise_carries_confidence_across_the_criterion():
    """13 % of trials vanish from a simulation of the field that drops them; here they get the lowest confidence."""
    t = NoisyConfidenceObserver(1.5, noise=2.0).trials(20_000, seed=3)
    quiet = NoisyConfidenceObserver(1.5, noise=0.0).trials(20_000, seed=3)
    assert sum(map(np.sum, counts_from_trials(t.stimulus, t.rating, 4))) == 20_000
    assert (t.response == quiet.response).all()
    assert (t.confidence == 1).mean() > (quiet.confidence == 1).mean()


@pytest.mark.parametrize("lognormal", [False, True])
def test_confidence_noise_lowers_m_ratio_from_one(lognormal):
    ratios = []
    for noise in (0.0, 0.5, 1.0, 2.0):
        p1, p2 = NoisyConfidenceObserver(1.5, 0.2, noise, lognormal=lognormal).probabilities()
        ratios.append(fit_meta_d(1e6 * p1, 1e6 * p2).m_ratio)
    assert ratios[0] == pytest.approx(1.0, abs=1e-8)
    assert np.all(np.diff(ratios) < -0.1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: meta_d_observer(0.0), "d_prime must not be 0"),
        (lambda: meta_d_observer(1.0, n_ratings=1), "n_ratings"),
        (lambda: meta_d_observer(1.0, s=-1.0), "positive"),
        (lambda: meta_d_observer(1.0, base_rate=1.0), "between 0 and 1"),
        (lambda: MetaDObserver(1.0, 1.0, 0.0, (-1.0, -2.0), (1.0, 2.0)), "increase"),
        (lambda: MetaDObserver(1.0, 1.0, 0.0, (-1.0,), (1.0, 2.0)), "equally many"),
        (lambda: NoisyConfidenceObserver(1.0, noise=-1.0), "noise"),
        (lambda: NoisyConfidenceObserver(1.0, thresholds=(1.0, 0.5)), "thresholds"),
        (lambda: counts_from_trials([0, 2], [1, 1], 4), "0 or 1"),
        (lambda: counts_from_trials([0, 1], [1, 9], 4), "from 1 to 8"),
        (lambda: counts_from_trials([0, 1], [1], 4), "equally long"),
        (lambda: meta_d_observer(1.0).counts(0), "at least 1"),
    ],
)
def test_bad_settings(make, message):
    with pytest.raises(InputError, match=message):
        make()
