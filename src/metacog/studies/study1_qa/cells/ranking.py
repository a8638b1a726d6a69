"""Places of models, and rank correlations with exact chances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pandas as pd
from scipy.stats import rankdata, spearmanr


def place(values: pd.Series, within: pd.Series | None = None) -> pd.Series:
    """Places as the paper prints them: the highest is 1, equal values share the better place (1, 1, 3)."""
    grouped = values if within is None else values.groupby(within, sort=False)
    return grouped.rank(ascending=False, method="min")


def exact_spearman(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Spearman's rho and its exact two-sided p over all n! orders (n <= 8); NaN if undefined."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    good = np.isfinite(a) & np.isfinite(b)
    a, b = a[good], b[good]
    if a.size < 2 or np.unique(a).size < 2 or np.unique(b).size < 2:
        return float("nan"), float("nan")
    rho = float(spearmanr(a, b).statistic)
    if a.size > 8:
        return rho, float(spearmanr(a, b).pvalue)
    first, second = rankdata(a), rankdata(b)
    null = np.array([np.corrcoef(first, second[list(order)])[0, 1] for order in permutations(range(a.size))])
    return rho, float((np.abs(null) >= abs(rho) - 1e-12).mean())
