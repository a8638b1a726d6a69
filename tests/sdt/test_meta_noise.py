"""Lognormal noise in confidence. Oracles: scipy's optimiser on another quadrature; the observer that has the noise."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import ndtr
from scipy.stats import norm

from metacog.sdt import InputError, NoisyConfidenceObserver
from metacog.sdt.meta_noise import DROP, LEAST, fit_meta_noise

#: Gauss and Hermite's rule, where the package sums over even steps.
NODES, NODE_SHARES = np.polynomial.hermite_e.hermegauss(100)
NODE_SHARES = NODE_SHARES / NODE_SHARES.sum()
S1, S2 = (np.round(800 * p) for p in NoisyConfidenceObserver(1.3, 0.2, 0.9, lognormal=True).probabilities())


def beyond(cut, mean, noise):
    """P(evidence on this side is farther out than the noisy threshold)."""
    return NODE_SHARES @ ndtr(mean - cut * np.exp(noise * NODES))


def profile(noise):
    """The likelihood of the ratings given the choices at a noise: thresholds of each side by scipy."""
    hit, alarm = (norm.ppf(x[4:].sum() / x.sum()) for x in (S2, S1))
    d, c = hit - alarm, -(hit + alarm) / 2
    total = 0.0
    for side in (1, -1):
        means = [side * (s * d / 2 - c) for s in (-1, 1)]
        counts = [x[4:] if side == 1 else x[3::-1] for x in (S1, S2)]

        def loss(x, means=means, counts=counts):
            cuts, made = np.cumsum(np.exp(x)), 0.0
            for mean, n in zip(means, counts, strict=True):
                outer = np.array([norm.cdf(mean), *(beyond(cut, mean, noise) for cut in cuts), 0.0])
                made -= n @ np.log(-np.diff(outer) / outer[0])
            return made

        total -= minimize(
            loss,
            [-0.5, -0.5, -0.5],
            method="Nelder-Mead",
            options={"xatol": 1e-4, "fatol": 1e-6, "maxiter": 2000},
        ).fun
    return total


def test_the_estimate_is_most_likely_and_its_ends_are_less_so_by_half_of_chi_square():
    fit = fit_meta_noise([S1], [S2])
    best = profile(fit.noise[0])
    assert best > max(profile(fit.noise[0] * 1.15), profile(fit.noise[0] / 1.15))
    assert best - profile(fit.upper[0]) == pytest.approx(DROP, abs=0.05)
    assert fit.lower[0] > 0 and best - profile(fit.lower[0]) == pytest.approx(DROP, abs=0.05)
    assert fit.meta_uncertainty[0] == pytest.approx(np.sqrt(np.exp(fit.noise[0] ** 2) - 1))


@pytest.mark.parametrize(("d_prime", "c", "noise"), [(1.0, 0.3, 0.3), (1.5, 0.0, 0.6), (2.0, -0.2, 1.2)])
def test_a_known_noise_is_found(d_prime, c, noise):
    p1, p2 = NoisyConfidenceObserver(d_prime, c, noise, lognormal=True).probabilities()
    fit = fit_meta_noise([1e5 * p1], [1e5 * p2])
    assert fit.noise[0] == pytest.approx(noise, abs=1e-3) and fit.lower[0] < noise < fit.upper[0]


def test_no_noise_is_not_excluded_where_there_is_none_and_random_ratings_have_no_end():
    p1, p2 = NoisyConfidenceObserver(1.5, noise=0.0).probabilities()
    none = fit_meta_noise([500 * p1], [500 * p2])
    assert none.noise[0] < 0.1 and none.noise[0] >= LEAST and none.lower[0] == 0
    flat = np.repeat([60.0, 20.0], 4) / 4
    random = fit_meta_noise([flat], [flat[::-1]])
    assert np.isinf(random.upper[0]) and random.lower[0] > 0.5


def test_intervals_hold_the_noise_as_often_as_they_say():
    observer = NoisyConfidenceObserver(1.5, noise=0.8, lognormal=True)
    rng = np.random.default_rng(3)
    a, b = (rng.multinomial(300, p, size=50) + 0.125 for p in observer.probabilities())
    fit = fit_meta_noise(a, b)
    assert ((fit.lower <= 0.8) & (0.8 <= fit.upper)).sum() >= 42


def test_confidence_that_is_divided_by_a_number_with_mean_one_is_the_same_model():
    """Meta-uncertainty (CASANDRE): cells by quadrature over its own noise are those of other thresholds."""
    uncertainty, d, cuts = 0.7, 1.5, (0.4, 1.0)
    noise = np.sqrt(np.log1p(uncertainty**2))
    moved = tuple(cut * np.exp(-(noise**2) / 2) for cut in cuts)
    p2 = NoisyConfidenceObserver(d, noise=noise, thresholds=moved, lognormal=True).probabilities()[1]
    for cut, share in zip(cuts, np.cumsum(p2[::-1])[:2][::-1], strict=True):

        def surer(e, cut=cut):
            return norm.pdf(e) * norm.cdf(d / 2 - cut * np.exp(noise * e - noise**2 / 2))

        assert share == pytest.approx(quad(surer, -8, 8)[0], abs=1e-6)


def test_tables_that_are_none_are_refused():
    with pytest.raises(InputError):
        fit_meta_noise([[1, 2, 3]], [[1, 2, 3]])
