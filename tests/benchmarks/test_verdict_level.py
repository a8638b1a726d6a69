"""meta-I2r at one accuracy. Oracles: populations, whose ratings given correctness do not change."""

import numpy as np
import pytest
from verdict_level import meta_i2r_at, meta_i2r_at_se, plugin_meta_i2r_at

from metacog.sdt.checks import InputError
from metacog.sdt.information import meta_i2r, plugin_meta_i2r
from metacog.sdt.simulate import confidence_population


def test_the_tables_own_accuracy_changes_nothing():
    wrong, right = np.array([30, 20, 10, 5.0]), np.array([2, 8, 15, 20.0])
    own = right.sum() / (wrong.sum() + right.sum())
    assert plugin_meta_i2r_at(wrong, right, own) == pytest.approx(plugin_meta_i2r(wrong, right), rel=1e-12)


def test_unequal_mixtures_of_the_same_ratings_agree():
    p, q = np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.2, 0.3, 0.4])
    values = [plugin_meta_i2r_at(1000 * (1 - a) * p, 1000 * a * q, 0.3) for a in (0.1, 0.3, 0.7)]
    assert np.ptp(values) < 1e-12
    plain = [plugin_meta_i2r(1000 * (1 - a) * p, 1000 * a * q) for a in (0.1, 0.3, 0.7)]
    assert np.ptp(plain) > 0.02  # which is what accuracy does to meta-I2r itself


def test_the_jackknife_takes_the_bias_off():
    population = confidence_population(1.2, accuracy=0.2)
    drawn = np.random.default_rng(1).multinomial(400, population.cells(), size=4000)
    truth = float(plugin_meta_i2r_at(population.s1, population.s2, 0.3))
    found = meta_i2r_at(drawn[:, :8], drawn[:, 8:], 0.3)
    plain = plugin_meta_i2r_at(drawn[:, :8], drawn[:, 8:], 0.3)
    error = found.std() / np.sqrt(4000)
    assert abs(found.mean() - truth) < 4 * error < 0.15 * (plain.mean() - truth)
    own = meta_i2r_at(drawn[0, :8], drawn[0, 8:], drawn[0, 8:].sum() / 400)
    assert own == pytest.approx(meta_i2r(drawn[0, :8], drawn[0, 8:]), abs=0.01)


def test_the_standard_error_is_the_spread_of_many_tables():
    """Of tables with a fixed number of right and wrong answers, at an accuracy that is not theirs."""
    population = confidence_population(1.4, accuracy=0.3)
    rng = np.random.default_rng(2)
    wrong, right = (rng.multinomial(2000, x / x.sum(), size=3000) for x in (population.s1, population.s2))
    spread = plugin_meta_i2r_at(wrong, right, 0.3).std()
    assert meta_i2r_at_se(wrong[:200], right[:200], 0.3).mean() == pytest.approx(spread, rel=0.05)


def test_one_class_and_no_accuracy():
    assert np.isnan(plugin_meta_i2r_at([1, 2], [0, 0], 0.5))
    with pytest.raises(InputError, match="between 0 and 1"):
        meta_i2r_at([1, 2], [2, 1], 1.0)
