"""Models of a whole table. Oracles: the unequal-variance fit, meta-d', noise in confidence, and known parameters."""

import numpy as np
import pytest
from scipy.stats import logistic

from metacog.sdt import (
    InputError,
    MetaDObserver,
    NoisyConfidenceObserver,
    fit_meta_d,
    fit_meta_noise,
    fit_rating_model,
    z_roc_mle,
)
from metacog.sdt.meta_noise import DROP

ONE = ([36, 24, 17, 20, 10, 12, 9, 2], [1, 4, 10, 11, 19, 18, 28, 39])
EXPECTED = NoisyConfidenceObserver(1.8, 0.3, s=1 / 1.4).probabilities()


def swapped(share_s1, share_s2):
    """Expected ratings of an observer with unequal curves, where these shares of the keys are wrong."""
    p1, p2 = EXPECTED
    return (1 - share_s1) * p1 + share_s1 * p2, (1 - share_s2) * p2 + share_s2 * p1


def fitted(p, parts, n=1e6, **more):
    return fit_rating_model([n * p[0]], [n * p[1]], parts, **more)


def test_unequal_variances_are_those_of_the_rating_model():
    theirs = z_roc_mle(*ONE)
    ours = fit_rating_model([ONE[0]], [ONE[1]], ["spread"])
    assert ours.log_likelihood[0] == pytest.approx(theirs.log_likelihood, abs=1e-4)
    assert ours.parameters["spread"][0] == pytest.approx(1 / theirs.slope, abs=1e-3)
    assert ours.parameters["d_prime"][0] == pytest.approx(theirs.intercept / theirs.slope, abs=1e-3)
    assert ours.excess[0] == pytest.approx(max(theirs.g2 / theirs.df, 1)) and ours.freedom[0] == theirs.df


def test_meta_d_and_noise_are_those_of_their_own_fits_where_the_model_holds():
    """Both others take d' and c from the choices alone, which is the same where the model is true."""
    observer = MetaDObserver(1.6, 1.2, 0.2, (-0.9, -0.3), (0.6, 1.3))
    p = observer.probabilities()
    ours = fitted(p, ["m_ratio"]).parameters["m_ratio"][0]
    assert ours == pytest.approx(0.75, abs=1e-3)
    assert ours == pytest.approx(fit_meta_d(1e6 * p[0], 1e6 * p[1]).m_ratio, abs=1e-3)
    p = NoisyConfidenceObserver(1.5, 0.2, 0.7, lognormal=True).probabilities()
    ours = fitted(p, ["noise"]).parameters["noise"][0]
    assert ours == pytest.approx(0.7, abs=1e-3)
    assert ours == pytest.approx(fit_meta_noise([1e6 * p[0]], [1e6 * p[1]]).noise[0], abs=1e-3)


def test_wrong_keys_and_unequal_variances_are_found_together_and_leave_nothing():
    fit = fitted(swapped(0.08, 0.03), ["spread", "keys"])
    found = {name: value[0] for name, value in fit.parameters.items()}
    assert found["wrong_S1"] == pytest.approx(0.08, abs=2e-3) and found["wrong_S2"] == pytest.approx(
        0.03, abs=2e-3
    )
    assert found["spread"] == pytest.approx(1.4, abs=0.01) and found["d_prime"] == pytest.approx(
        1.8, abs=0.01
    )
    assert (found["noise"], found["m_ratio"]) == (0, 1) and fit.misplaced[0] < 1e-4
    assert fitted(swapped(0.08, 0.03), ["spread"]).misplaced[0] > 0.005


def test_heavier_tails_are_those_of_logistic_curves():
    cuts = np.array([-1.6, -0.8, 0.1, 0.9, 1.7])
    p = [np.diff(logistic.cdf(1.702 * (cuts - m)), prepend=0, append=1) for m in (-0.7, 0.7)]
    fit = fitted(p, [], heavy_tails=True)
    assert fit.parameters["d_prime"][0] == pytest.approx(1.4, abs=1e-3)
    assert fit.misplaced[0] < 1e-5 < fitted(p, []).misplaced[0]


def test_a_part_more_never_fits_worse_and_m_ratio_ends_where_the_likelihood_has_fallen():
    p = swapped(0.05, 0.0)
    rng = np.random.default_rng(3)
    s1, s2 = (rng.multinomial(4_000, one, size=6) for one in p)
    for heavy in (False, True):
        base = fit_rating_model(s1, s2, ["spread", "keys"], heavy_tails=heavy).log_likelihood
        for part in ("m_ratio", "noise"):
            more = fit_rating_model(s1, s2, ["spread", "keys", part], heavy_tails=heavy).log_likelihood
            assert (more > base - 1e-3).all()
    fit = fit_rating_model(s1, s2, ["m_ratio"])
    low, high = fit.m_ratio_limits()
    none = fit_rating_model(s1, s2, [])
    without = 2 * (fit.log_likelihood - none.log_likelihood) > 2 * DROP
    assert (((low > 1) | (high < 1)) == without).all()
    wider = fit.m_ratio_limits(4.0)
    assert (wider[0] < low).all() and (wider[1] > high).all()
    assert (high - low) * 2 == pytest.approx(wider[1] - wider[0], rel=0.1)


def test_a_known_m_ratio_lies_in_its_interval_and_other_parameters_come_back():
    """Recovery in tables of 10,000 trials: fewer than 34 of 40 intervals hold in three of a thousand tries."""
    p = MetaDObserver(2.2, 1.7, -0.2, (-1.5, -0.6), (0.2, 1.1)).probabilities()
    rng = np.random.default_rng(8)
    s1, s2 = (rng.multinomial(5_000, one, size=40) for one in p)
    fit = fit_rating_model(s1, s2, ["m_ratio"])
    low, high = fit.m_ratio_limits()
    assert ((low <= 1.7 / 2.2) & (1.7 / 2.2 <= high)).sum() >= 34
    assert np.median(fit.parameters["d_prime"]) == pytest.approx(2.2, abs=0.03)
    assert np.median(fit.parameters["m_ratio"]) == pytest.approx(1.7 / 2.2, abs=0.02)
    assert fit.excess.mean() < 2.5 and (fit.freedom == 3).all()


def test_ratings_that_nobody_gave_need_no_criterion_and_take_no_freedom():
    full = fit_rating_model([[40, 20, 10, 4]], [[5, 9, 22, 44]], ["spread"])
    gaps = fit_rating_model([[40, 0, 20, 10, 0, 4]], [[5, 0, 9, 22, 0, 44]], ["spread"])
    assert gaps.log_likelihood[0] == pytest.approx(full.log_likelihood[0], abs=0.01)
    assert gaps.freedom[0] == full.freedom[0] == 1


def test_what_cannot_be_fitted_is_refused():
    with pytest.raises(InputError, match="no part tails; there are: spread"):
        fit_rating_model([ONE[0]], [ONE[1]], ["tails"])
    with pytest.raises(InputError, match="each class needs trials"):
        fit_rating_model([[0, 0, 0, 0]], [[1, 2, 3, 4]], [])
    with pytest.raises(InputError):
        fit_rating_model([[1, 2, 3]], [[1, 2, 3]], [])
