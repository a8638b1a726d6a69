"""What would settle a question. Oracles: the formula at the number and below it, Cohen's table of correlations."""

import pytest
from scipy.stats import norm

from metacog.sdt.type2 import hanley_mcneil_se
from metacog.verdicts.needed import about, answers_for_area, models_for_correlation

Z = norm.ppf(0.975) + norm.ppf(0.8)


@pytest.mark.parametrize(("accuracy", "area"), [(0.5, 0.6), (0.9, 0.6), (0.5, 0.7), (0.3, 0.4)])
def test_so_many_answers_are_enough_and_one_fewer_is_not(accuracy, area):
    n = answers_for_area(accuracy, area)
    wide = [float(Z * hanley_mcneil_se(area, m * (1 - accuracy), m * accuracy)) for m in (n - 1, n)]
    assert wide[0] > abs(area - 0.5) >= wide[1]


def test_fewer_errors_and_smaller_effects_take_more():
    assert answers_for_area(0.95) > answers_for_area(0.5) > answers_for_area(0.5, 0.7) > 10
    for accuracy, area in ((0.0, 0.6), (1.0, 0.6), (0.5, 0.5)):
        with pytest.raises(ValueError, match="cannot be distinguished"):
            answers_for_area(accuracy, area)


def test_models_for_a_correlation_are_those_of_the_tables():
    """Cohen (1988): 85 for r = .3 and 29 for r = .5, two-sided .05, power .80, to one."""
    assert models_for_correlation(0.3) == pytest.approx(85, abs=1)
    assert models_for_correlation(-0.5) == pytest.approx(29, abs=1)
    with pytest.raises(ValueError, match="cannot be planned"):
        models_for_correlation(0.0)


def test_numbers_of_a_plan_are_rounded():
    assert (about(257), about(85), about(12345)) == (260, 85, 12000)
