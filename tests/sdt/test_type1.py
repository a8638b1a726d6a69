"""Type-1 measures. Oracles: closed forms with scipy's normal, metadpy's type-1 functions, simulation."""

import metadpy.sdt
import numpy as np
import pytest
from scipy.stats import norm

from metacog.sdt import InputError, correct_counts, type1
from metacog.sdt.checks import check_counts

A = np.array([36, 24, 17, 20, 10, 12, 9, 2])
B = np.array([1, 4, 10, 11, 19, 18, 28, 39])


def test_equal_variance_in_closed_form_and_by_metadpy():
    r = type1(A, B)
    hit, fa = 104 / 130, 33 / 130
    assert (r.hit_rate, r.false_alarm_rate) == pytest.approx((hit, fa), abs=1e-15)
    assert r.d_prime == pytest.approx(norm.ppf(hit) - norm.ppf(fa), abs=1e-14)
    assert r.c == pytest.approx(-(norm.ppf(hit) + norm.ppf(fa)) / 2, abs=1e-14)
    assert r.c_prime == pytest.approx(r.c / r.d_prime, abs=1e-14)
    assert r.d_prime == pytest.approx(metadpy.sdt.dprime(hit_rate=hit, fa_rate=fa), abs=1e-12)
    assert r.c == pytest.approx(metadpy.sdt.criterion(hit_rate=hit, fa_rate=fa), abs=1e-12)


@pytest.mark.parametrize("s", [0.6, 1.0, 1.4])
def test_exact_rates_give_back_d_a(s):
    """An observer with means -+d1/2 and sds 1, 1/s cut at the point where H = 1 - F has c = 0."""
    d1 = 1.3
    border = 0.5 * d1 * (s - 1) / (s + 1)
    fa, hit = norm.sf(border + d1 / 2), norm.sf((border - d1 / 2) * s)
    r = type1([1e6 * (1 - fa), 1e6 * fa], [1e6 * (1 - hit), 1e6 * hit], s=s)
    rms = np.sqrt((1 + 1 / s**2) / 2)
    assert r.d_prime == pytest.approx(d1 / rms, abs=1e-12)
    assert r.c == pytest.approx(0.0, abs=1e-12)


def test_corrections_by_definition():
    a, b = [10, 5, 0, 0], [0, 0, 8, 12]
    assert type1(a, b, correction="loglinear").hit_rate == pytest.approx(20.5 / 21)
    assert type1(a, b, correction="loglinear").false_alarm_rate == pytest.approx(0.5 / 16)
    assert type1(a, b, correction="pad-2k").hit_rate == pytest.approx(20.5 / 21)
    assert type1(a, b, correction="pad-half").hit_rate == pytest.approx(21 / 22)
    assert type1(a, b, correction="clip").hit_rate == pytest.approx(1 - 0.5 / 20)
    assert type1(a, b, correction="clip").false_alarm_rate == pytest.approx(0.5 / 15)
    assert type1(A, B, correction="clip") == type1(A, B, correction="clip", s=1.0)
    assert type1(A, B, correction="clip").d_prime == type1(A, B).d_prime
    np.testing.assert_array_equal(correct_counts(a, b, correction="pad-half")[0], np.array(a) + 0.5)
    for short in correct_counts(*np.ones((2, 6), dtype=np.float32), correction="pad-2k"):
        np.testing.assert_array_equal(
            short, np.full(6, 1 + 1 / 6)
        )  # in full precision, whatever holds the counts


def test_chance_has_no_relative_criterion():
    r = type1([30, 10], [30, 10])
    assert r.d_prime == 0 and np.isnan(r.c_prime)


@pytest.mark.parametrize(
    ("a", "b", "correction", "message"),
    [
        ([1, 2, 3], [1, 2, 3], "none", "even number"),
        ([1, 2], [1, 2, 3, 4], "none", "equal shapes"),
        ([1, -2], [1, 2], "none", "negative"),
        ([1, np.nan], [1, 2], "none", "finite"),
        ([1, np.inf], [1, 2], "none", "finite"),
        ([0, 0], [1, 2], "none", "nR_S1 has no trials"),
        ([5, 0], [7, 0], "none", "one rating"),
        ([5, 0], [7, 1], "none", "false-alarm rate is 0"),
        (["x", 1], [7, 1], "none", "must be numbers"),
        ([[5, 1]], [[7, 1]], "none", "one-dimensional"),
        ([5, 1], [7, 1], "magic", "Unknown correction"),
        ([0, 6], [0, 0], "loglinear", "nR_S2 has no trials"),
    ],
)
def test_bad_input_is_one_clear_error(a, b, correction, message):
    with pytest.raises(InputError, match=message):
        type1(a, b, correction=correction)


@pytest.mark.parametrize(
    ("correction", "rate"),
    [("loglinear", 6.5 / 7), ("pad-half", 6.5 / 7), ("pad-2k", 6.5 / 7), ("clip", 11 / 12)],
)
def test_one_response_throughout_needs_a_correction(correction, rate):
    """Oracle: both rates by the corrections' definitions, 6 trials of each stimulus."""
    r = type1([0, 6], [0, 6], correction=correction)
    assert (r.hit_rate, r.false_alarm_rate) == pytest.approx((rate, rate), abs=1e-15)
    assert r.d_prime == pytest.approx(0, abs=1e-15) and r.c == pytest.approx(-norm.ppf(rate), abs=1e-14)


def test_rates_are_no_cells_and_fractions_no_counts():
    with pytest.raises(InputError, match="'clip'; choose one of: none, loglinear, pad-half, pad-2k\\."):
        correct_counts([1, 2], [3, 4], correction="clip")
    for tables in (([5, 1], [7, 1.5]), ([5, 1.5], [7, 1])):
        with pytest.raises(InputError, match="whole numbers"):
            check_counts(*tables, integer=True)


def test_bad_s():
    for s in (0.0, -1.0, np.nan):
        with pytest.raises(InputError, match="positive"):
            type1(A, B, s=s)


@pytest.mark.parametrize("s", [1.0, 0.7])
def test_delta_variances_match_simulation(s):
    """Oracle: 100,000 simulated tables; without the covariance the variance of c' is far off."""
    rng = np.random.default_rng(2)
    fa, hit, n1, n2 = 0.1, 0.6, 8000, 500
    f, h = rng.binomial(n1, fa, 100_000) / n1, rng.binomial(n2, hit, 100_000) / n2
    scale = np.sqrt(2 / (1 + s**2)) * s
    d = scale * (norm.ppf(h) / s - norm.ppf(f))
    c = -scale * (norm.ppf(h) + norm.ppf(f)) / (1 + s)
    r = type1([n1 * (1 - fa), n1 * fa], [n2 * (1 - hit), n2 * hit], s=s)
    assert (r.var_d_prime, r.var_c) == pytest.approx((d.var(), c.var()), rel=0.02)
    assert r.cov_d_prime_c == pytest.approx(np.cov(d, c)[0, 1], rel=0.05)
    assert r.var_c_prime == pytest.approx((c / d).var(), rel=0.03)
    without = (r.var_c + r.c_prime**2 * r.var_d_prime) / r.d_prime**2
    assert abs(without / (c / d).var() - 1) > 0.05


def test_half_width_knows_three_measures():
    r = type1(A, B)
    assert r.half_width("c", z=2.0) == pytest.approx(2 * np.sqrt(r.var_c), rel=1e-14)
    with pytest.raises(InputError, match="c_prime"):
        r.half_width("bias")
