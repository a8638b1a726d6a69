"""What padding does to a table. Oracles: the bootstrap's standard error, hand counts, closed-form d'."""

import numpy as np
import pytest
from scipy.stats import norm

from metacog.sdt.bootstrap import bootstrap_meta_d
from metacog.sdt.checks import InputError
from metacog.sdt.sensitivity import padding

#: A model that is sure of itself at a low temperature, rated with the edges of T = 1: ratings 1 and 2 hold
#: no trial, 1 to 4 no right answer, and 24 of 1,304 trials lie below the middle cut.
THIN = np.array([[0, 0, 6, 18, 60, 130, 240, 380]]), np.array([[0, 0, 0, 0, 10, 40, 120, 300]])
SOUND = np.array([[80, 70, 60, 50, 40, 30, 20, 10]]), np.array([[10, 20, 30, 40, 50, 60, 70, 80]])


def test_a_thin_table_is_made_of_its_padding():
    found = padding(*THIN)
    assert found.sensitive[0] and found.empty[0] == 2 and found.thinnest[0] == 0
    # d' from the four sums by hand: the constant stands in four cells on either side
    values = []
    for pad in (0.1, 1.0):
        low0, high0, low1, high1 = 24 + 4 * pad, 810 + 4 * pad, 4 * pad, 470 + 4 * pad
        values.append(norm.ppf(high1 / (high1 + low1)) - norm.ppf(high0 / (high0 + low0)))
    assert found.d_prime_move[0] == pytest.approx(abs(values[0] - values[1]), rel=1e-9)


def test_a_full_table_is_not():
    found = padding(*SOUND)
    assert not found.sensitive[0] and found.empty[0] == 0 and found.thinnest[0] == 100


def test_jackknife_errors_are_those_of_the_bootstrap():
    found = padding(*SOUND)
    drawn = bootstrap_meta_d(SOUND[0][0], SOUND[1][0], n_resamples=4000)
    assert found.d_prime_se[0] == pytest.approx(np.nanstd(drawn.d_prime), rel=0.06)
    assert found.m_ratio_se[0] == pytest.approx(np.nanstd(drawn.m_ratio), rel=0.10)


def test_decisions_alone_are_judged_by_d_prime():
    """Oracle: d' from four counts by hand; without a false alarm the constant makes it."""
    silent = padding([[30, 0]], [[25, 5]])
    values = [norm.ppf((5 + k) / (30 + 2 * k)) - norm.ppf(k / (30 + 2 * k)) for k in (0.1, 1.0)]
    assert silent.d_prime_move[0] == pytest.approx(abs(values[0] - values[1])) and silent.sensitive[0]
    usual = padding([[20, 10]], [[12, 18]])
    assert not usual.sensitive[0] and usual.m_ratio_move[0] == 0
    for counts in (20, 10, 12, 18), (29, 1, 12, 18):
        left_out = []
        for i, times in enumerate(counts):
            c, f, m, h = (n - (i == j) for j, n in enumerate(counts))
            d_prime = norm.ppf((h + 0.5) / (h + m + 1)) - norm.ppf((f + 0.5) / (f + c + 1))
            left_out += [d_prime] * times
        found = padding([counts[:2]], [counts[2:]])
        assert found.d_prime_se[0] == pytest.approx(np.sqrt(59 * np.var(left_out)))


def test_one_class_is_sensitive_and_bad_shapes_are_refused():
    assert padding(SOUND[0], np.zeros((1, 8))).sensitive[0]
    with pytest.raises(InputError, match="even number"):
        padding(np.ones((1, 7)), np.ones((1, 7)))
