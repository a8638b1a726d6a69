"""The crossing of two models: readers of one difficulty against models that know themselves.

Oracles: simulated readers whose crossing is 0 by symmetry; a bootstrap over questions; counting by hand.
"""

import numpy as np
import pytest
from self_knowledge import CROSSINGS

from metacog.sdt import InputError
from metacog.sdt.area_crossing import crossing
from metacog.sdt.type2 import auroc2


def crossed(design, n, rng):
    made = design.answers(n, rng)
    return crossing(made.correct[0], made.sure[0], made.correct[1], made.sure[1])


def test_two_readers_of_one_difficulty_without_self_knowledge_cross_at_zero():
    """One reads better, so that its difference alone looks like self-knowledge; the crossing does not."""
    rng = np.random.default_rng(1)
    found = [crossed(CROSSINGS["difficulty alone"], 1304, rng) for _ in range(300)]
    held = np.mean([f.lower <= 0 <= f.upper for f in found])
    assert held >= 0.92  # .95 minus two and a half standard errors of 300 runs
    alone = np.array([f.a_by_a - f.a_by_b for f in found])
    assert alone.mean() > 0.08 and (alone > 0.03).all()
    assert np.mean([f.value for f in found]) == pytest.approx(0, abs=0.003)


def test_models_that_know_themselves_cross_above_zero():
    found = crossed(CROSSINGS["self-knowledge"], 1304, np.random.default_rng(3))
    assert found.lower > 0.05


def test_unequal_slopes_leave_a_little():
    """Answers of the better reader depend twice as much on the difficulty: not self-knowledge, and not 0."""
    rng = np.random.default_rng(4)
    steep = crossed(CROSSINGS["difficulty alone, better reader's slope twice"], 400_000, rng)
    flat = crossed(CROSSINGS["difficulty alone, better reader's slope half"], 400_000, rng)
    assert 0.01 < steep.value < 0.03 and -0.03 < flat.value < -0.01


def test_areas_and_value_are_those_of_the_definition():
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 2, (2, 60))
    ca, cb = rng.integers(0, 6, (2, 60))
    found = crossing(a, ca, b, cb)
    assert found.a_by_a == pytest.approx(auroc2(a, ca)) and found.a_by_b == pytest.approx(auroc2(a, cb))
    assert found.b_by_b == pytest.approx(auroc2(b, cb)) and found.b_by_a == pytest.approx(auroc2(b, ca))
    assert found.value == pytest.approx((found.a_by_a - found.a_by_b + found.b_by_b - found.b_by_a) / 2)
    mean = [(auroc2(a, one) + auroc2(b, one)) / 2 for one in (ca, cb)]
    assert found.lead == pytest.approx(mean[0] - mean[1])
    swapped = crossing(b, cb, a, ca)
    assert (swapped.value, swapped.lower, swapped.upper) == pytest.approx(
        (found.value, found.lower, found.upper)
    )


def test_the_standard_error_is_that_of_resampled_questions():
    rng = np.random.default_rng(6)
    made = CROSSINGS["self-knowledge"].answers(500, rng)
    a, b, ca, cb = made.correct[0], made.correct[1], made.sure[0], made.sure[1]
    found = crossing(a, ca, b, cb)
    drawn = [crossing(a[i], ca[i], b[i], cb[i]).value for i in rng.integers(0, 500, (600, 500))]
    assert found.se == pytest.approx(np.std(drawn), rel=0.12)


def test_what_cannot_be_told_says_why():
    a = np.tile([0, 1], 20)
    same = crossing(a, np.arange(40), a, np.arange(40))
    assert same.value == 0 and np.isnan(same.lower) and "no spread" in same.why
    one = crossing(np.ones(40), np.arange(40), a, np.arange(40))
    assert np.isnan(one.value) and one.why
    flat = crossing(a, np.arange(40), 1 - a, np.ones(40))
    assert np.isnan(flat.lower) and np.isnan(flat.p_value) and "same confidence" in flat.why
    with pytest.raises(InputError):
        crossing(a, np.arange(40), a[:10], np.arange(10))
