"""Intervals that another library makes too. Oracle: statsmodels."""

import numpy as np
import pytest
from scipy.special import ndtri
from statsmodels.stats.proportion import proportion_confint

from metacog.sdt.intervals import wilson


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_wilson_is_that_of_statsmodels(level):
    n = np.repeat([1, 12, 40, 700], 3)
    right = np.round(n * np.tile([0, 0.3, 1], 4))
    theirs = proportion_confint(right, n, alpha=1 - level, method="wilson")
    assert np.array(wilson(right / n, n, z=ndtri((1 + level) / 2))) == pytest.approx(np.array(theirs))
