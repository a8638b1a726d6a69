"""Places of models, rank correlations with exact chances, and ranges."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from metacog.sdt.correlation import correlation_test, spearman


def place(values: pd.Series, within: pd.Series | None = None) -> pd.Series:
    """Places as the paper prints them: the highest is 1, equal values share the better place (1, 1, 3)."""
    grouped = values if within is None else values.groupby(within, sort=False)
    return grouped.rank(ascending=False, method="min")


def exact_spearman(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Spearman's rho of the pairs without a missing value and its two-sided p, exact to n = 8; NaN if undefined."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    good = np.isfinite(a) & np.isfinite(b)
    if not good.any():
        return float("nan"), float("nan")
    first, second = rankdata(a[good]), rankdata(b[good])
    return float(spearman(first, second)), correlation_test(first, second, most=factorial(8))[0]


def spread(values: ArrayLike) -> float:
    """Largest less smallest finite value; NaN for fewer than two."""
    x = np.asarray(values, dtype=np.float64)
    x = x[np.isfinite(x)]
    return float(np.ptp(x)) if x.size > 1 else float("nan")
