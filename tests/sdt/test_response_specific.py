"""Response-specific meta-d'. Oracles: an independent likelihood under scipy, and known observers."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from metacog.sdt import InputError, fit_meta_d, fit_rs_meta_d, meta_d_observer
from metacog.sdt.meta_d import fit_rs_meta_d_batch

A = np.array([36, 24, 17, 20, 10, 12, 9, 2.0])
B = np.array([1, 4, 10, 11, 19, 18, 28, 39.0])


def side_log_likelihood(meta_d1, gaps, a, b, s, right):
    """Type-2 log-likelihood of one response, written from the model's definition."""
    k = len(a) // 2
    zh, zf = norm.ppf(b[k:].sum() / b.sum()), norm.ppf(a[k:].sum() / a.sum())
    criterion = meta_d1 * (-(zh + zf) / (1 + s)) / (zh / s - zf)
    total = 0.0
    for counts, mean, sd in ((a, -meta_d1 / 2, 1.0), (b, meta_d1 / 2, 1 / s)):
        if right:
            borders = np.concatenate([[criterion], criterion + np.cumsum(np.exp(gaps)), [np.inf]])
            area = norm.sf(borders[:-1], mean, sd) - norm.sf(borders[1:], mean, sd)
            total += counts[k:] @ np.log(area / norm.sf(criterion, mean, sd))
        else:
            borders = np.concatenate([[-np.inf], criterion - np.cumsum(np.exp(gaps))[::-1], [criterion]])
            area = norm.cdf(borders[1:], mean, sd) - norm.cdf(borders[:-1], mean, sd)
            total += counts[:k] @ np.log(area / norm.cdf(criterion, mean, sd))
    return total


@pytest.mark.parametrize("s", [1.0, 0.7, 1.3])
@pytest.mark.parametrize("right", [False, True])
def test_scipy_finds_the_same_maximum(s, right):
    fit = fit_rs_meta_d(A, B, s=s)
    found = minimize(
        lambda x: -side_log_likelihood(x[0], x[1:], A, B, s, right),
        [1.0, -1.0, -1.0, -1.0],
        method="Nelder-Mead",
        options={"xatol": 1e-9, "fatol": 1e-11, "maxiter": 20_000, "maxfev": 20_000},
    )
    side = "rS2" if right else "rS1"
    scale = np.sqrt(2 / (1 + s**2)) * s
    assert getattr(fit, f"converged_{side}")
    assert getattr(fit, f"meta_d_{side}") == pytest.approx(scale * found.x[0], abs=1e-5)
    assert getattr(fit, f"log_likelihood_{side}") == pytest.approx(-found.fun, abs=1e-8)
    assert getattr(fit, f"gradient_norm_{side}") < 1e-9


def test_different_sides_are_told_apart():
    """Left half of one observer's table, right half of another's with the same d' and c."""
    low, high = meta_d_observer(1.2, m_ratio=0.5, c=0.1), meta_d_observer(1.2, m_ratio=1.1, c=0.1)
    a, b = (
        1e6 * np.concatenate([x[:4], y[4:]])
        for x, y in zip(low.probabilities(), high.probabilities(), strict=True)
    )
    fit = fit_rs_meta_d(a, b)
    assert fit.m_ratio_rS1 == pytest.approx(0.5, abs=1e-6)
    assert fit.m_ratio_rS2 == pytest.approx(1.1, abs=1e-6)


def test_two_sides_fit_at_least_as_well_as_one_value():
    both, apart = fit_meta_d(A, B), fit_rs_meta_d(A, B)
    assert apart.log_likelihood_rS1 + apart.log_likelihood_rS2 >= both.log_likelihood
    assert min(apart.meta_d_rS1, apart.meta_d_rS2) < both.meta_d < max(apart.meta_d_rS1, apart.meta_d_rS2)


def test_batch_equals_singles_and_names_empty_ratings():
    tables = np.stack([A, A + 0.5, A]), np.stack([B, B + 0.5, B])
    tables[0][2, 1] = tables[1][2, 1] = 0.0
    batch = fit_rs_meta_d_batch(*tables)
    for i in range(3):
        one = fit_rs_meta_d(tables[0][i], tables[1][i])
        assert batch.rS1.meta_d[i] == pytest.approx(one.meta_d_rS1, abs=1e-12)
        assert batch.rS2.meta_d[i] == pytest.approx(one.meta_d_rS2, abs=1e-12)
    assert batch.rS1.boundary.tolist() == ["", "", "empty rating"]
    assert batch.rS2.boundary.tolist() == ["", "", ""]


def test_refused_tables():
    with pytest.raises(InputError, match="rate is 0 or 1"):
        fit_rs_meta_d([5, 5, 0, 0], [1, 2, 3, 4])
    flagged = fit_rs_meta_d_batch([[5, 5, 0, 0]], [[1, 2, 3, 4]], undefined="flag")
    assert flagged.rS1.boundary[0] == "undefined" and np.isnan(flagged.rS1.meta_d[0])
