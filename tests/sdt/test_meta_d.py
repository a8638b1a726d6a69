"""One meta-d' fit. Oracles: published figures, metadpy, a likelihood written again under scipy, symmetry."""

import numpy as np
import pytest
from metadpy.mle import fit_metad
from scipy.optimize import minimize
from scipy.stats import norm
from sdt_published import cacioli_cells, published

from metacog.sdt import InputError, fit_meta_d, meta_d_observer

A = np.array([36, 24, 17, 20, 10, 12, 9, 2.0])
B = np.array([1, 4, 10, 11, 19, 18, 28, 39.0])


def log_likelihood(x, a, b, s=1.0):
    """Sum of count x log P(rating | stimulus, response) for meta_d1 and log gaps, from the definition."""
    k = len(a) // 2
    zh, zf = norm.ppf(b[k:].sum() / b.sum()), norm.ppf(a[k:].sum() / a.sum())
    criterion = x[0] * (-(zh + zf) / (1 + s)) / (zh / s - zf)
    left = criterion - np.cumsum(np.exp(x[1:k]))[::-1]
    right = criterion + np.cumsum(np.exp(x[k:]))
    borders = np.concatenate([[-np.inf], left, [criterion], right, [np.inf]])
    total = 0.0
    for counts, mean, sd in ((a, -x[0] / 2, 1.0), (b, x[0] / 2, 1 / s)):
        area = np.diff(norm.cdf(borders, mean, sd))
        upper = -np.diff(norm.sf(borders, mean, sd))
        area = np.where(borders[:-1] > mean, upper, area)
        total += counts[:k] @ np.log(area[:k] / norm.cdf(criterion, mean, sd))
        total += counts[k:] @ np.log(area[k:] / norm.sf(criterion, mean, sd))
    return total


def unconstrained(fit):
    """The fit's own parameters as `log_likelihood` takes them."""
    scale = np.sqrt(2 / (1 + fit.s**2)) * fit.s
    left = np.log(np.diff(np.append(fit.t2_criteria_rS1, fit.meta_c)) / scale)[::-1]
    right = np.log(np.diff(np.insert(fit.t2_criteria_rS2, 0, fit.meta_c)) / scale)
    return np.concatenate([[fit.meta_d / scale], left, right])


def numerical_gradient(x, *args, step=1e-5):
    return np.array(
        [
            (log_likelihood(x + step * e, *args) - log_likelihood(x - step * e, *args)) / (2 * step)
            for e in np.eye(len(x))
        ]
    )


@pytest.mark.parametrize("row", published("cacioli_v1_h1_full_precision.csv"), ids=lambda r: r["model"])
def test_published_full_precision(row):
    a, b = cacioli_cells()[row["model"], "triviaqa"]
    fit = fit_meta_d(a + 0.5, b + 0.5)
    assert fit.d_prime == pytest.approx(float(row["d_prime"]), abs=1e-12)
    assert fit.meta_d == pytest.approx(float(row["meta_d"]), abs=1e-6)
    assert fit.m_ratio == pytest.approx(float(row["m_ratio"]), abs=1e-6)
    assert fit.m_diff == pytest.approx(fit.meta_d - fit.d_prime, abs=1e-15)


@pytest.mark.parametrize("cell", list(cacioli_cells()), ids="-".join)
@pytest.mark.parametrize("s", [1.0, 0.6316])
def test_gradient_is_zero_on_every_published_cell(cell, s):
    a, b = (x + 0.5 for x in cacioli_cells()[cell])
    fit = fit_meta_d(a, b, s=s)
    x = unconstrained(fit)
    assert fit.converged and fit.boundary == "" and not fit.multimodal
    assert fit.gradient_norm < 1e-9
    assert np.linalg.norm(numerical_gradient(x, a, b, s)) / fit.n_trials < 1e-6
    assert fit.log_likelihood == pytest.approx(log_likelihood(x, a, b, s), abs=1e-7)


@pytest.mark.parametrize("s", [1.0, 0.7, 1.3])
def test_metadpy_all_quantities(s):
    ours = fit_meta_d(A, B, s=s)
    theirs = fit_metad(nR_S1=A, nR_S2=B, nRatings=4, s=s)
    assert ours.d_prime == pytest.approx(theirs["dprime"], abs=1e-12)
    assert ours.meta_d == pytest.approx(theirs["meta_d"], abs=1e-4)
    assert ours.m_ratio == pytest.approx(theirs["m_ratio"], abs=1e-4)
    assert ours.meta_c == pytest.approx(theirs["meta_ca"], abs=1e-4)
    np.testing.assert_allclose(ours.t2_criteria_rS1, theirs["t2ca_rS1"], atol=1e-4)
    np.testing.assert_allclose(ours.t2_criteria_rS2, theirs["t2ca_rS2"], atol=1e-4)
    assert ours.log_likelihood == pytest.approx(theirs["logL"], abs=1e-6)
    assert ours.log_likelihood >= theirs["logL"] - 1e-9


def test_the_higher_maximum_is_found_on_the_other_side_of_zero():
    """|c'| is 1.6 and d' above 0. Oracle: SciPy, held below 0 and held above."""
    a, b = np.array([0.5, 14.5, 20.5, 36.5, 5.5, 5.5]), np.array([22.5, 5.5, 2.5, 22.5, 0.5, 30.5])
    fit = fit_meta_d(a, b)
    below, above = (
        minimize(
            lambda x: -log_likelihood(x, a, b),
            [sum(ends) / 4, 0.5, 0.0, -1.0, -1.0],
            method="Nelder-Mead",
            bounds=[ends, *[(-5, 3)] * 4],
        )
        for ends in ((-4, 0), (0, 4))
    )
    assert below.fun < above.fun - 9 and fit.multimodal
    assert fit.log_likelihood == pytest.approx(-below.fun, abs=1e-5)
    assert fit.meta_d == pytest.approx(below.x[0], abs=1e-3)


def test_mirrored_stimuli_give_the_mirrored_fit():
    fit, mirror = fit_meta_d(A, B), fit_meta_d(B[::-1], A[::-1])
    assert mirror.meta_d == pytest.approx(fit.meta_d, abs=1e-9)
    assert mirror.c == pytest.approx(-fit.c, abs=1e-12)
    np.testing.assert_allclose(mirror.t2_criteria_rS2, -fit.t2_criteria_rS1[::-1], atol=1e-9)


def test_swapped_stimuli_negate_both_sensitivities():
    fit, swapped = fit_meta_d(A, B), fit_meta_d(B, A)
    assert swapped.d_prime == pytest.approx(-fit.d_prime, abs=1e-12)
    assert swapped.meta_d == pytest.approx(-fit.meta_d, abs=1e-9)
    assert swapped.m_ratio == pytest.approx(fit.m_ratio, abs=1e-9)


def test_empty_rating_equals_the_table_without_it():
    a, b = A.copy(), B.copy()
    a[2] = b[2] = a[7] = b[7] = 0
    fit = fit_meta_d(a, b)
    assert fit.converged and fit.boundary == "empty rating" and fit.zero_cells == 4
    assert fit.t2_criteria_rS1[1] == fit.t2_criteria_rS1[2]  # the two borders of rating 3 touch
    assert fit.t2_criteria_rS2[2] == np.inf
    shorter = fit_meta_d(a[[0, 1, 3, 4, 5, 6]], b[[0, 1, 3, 4, 5, 6]])
    assert fit.meta_d == pytest.approx(shorter.meta_d, abs=1e-9)
    assert fit.log_likelihood == pytest.approx(shorter.log_likelihood, abs=1e-9)


def test_zero_cells_inside_are_fitted_as_they_are():
    a, b = A.copy(), B.copy()
    a[7] = b[0] = 0
    fit = fit_meta_d(a, b)
    assert fit.converged and fit.boundary == "" and fit.zero_cells == 2
    assert np.linalg.norm(numerical_gradient(unconstrained(fit), a, b)) / fit.n_trials < 1e-6
    assert fit.meta_d != pytest.approx(fit_meta_d(a + 0.5, b + 0.5).meta_d, abs=0.01)


def test_likelihood_without_a_maximum_is_named_and_not_converged():
    """Perfect separation by confidence on both sides: the likelihood rises with meta-d' for ever."""
    fit = fit_meta_d([90, 10, 10, 0], [0, 10, 10, 90])
    assert fit.boundary == "meta-d' limit" and not fit.converged
    assert abs(fit.meta_d) == pytest.approx(10.0)


@pytest.mark.parametrize("d_prime", [1e-3, -1e-3, -1.0])
def test_d_prime_near_zero_or_negative(d_prime):
    observer = meta_d_observer(d_prime, m_ratio=0.7, c=d_prime / 10)
    p1, p2 = observer.probabilities()
    fit = fit_meta_d(5e5 * p1, 5e5 * p2)
    assert fit.converged
    assert fit.m_ratio == pytest.approx(0.7, abs=1e-4)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, 2, 3], [1, 2, 3], "even number"),
        ([1, 2], [2, 1], "At least 2 ratings"),
        ([1, 2, 3, 4], [1, 2, 3, 4, 5, 6], "equal shapes"),
        ([1, -2, 3, 4], [1, 2, 3, 4], r"nR_S1\[1\] = -2.0 is negative"),
        ([1, 2, 3, 4], [1, 2, np.nan, 4], r"nR_S2\[2\] = nan is not a finite number"),
        ([0, 0, 0, 0], [1, 2, 3, 4], "nR_S1 has no trials"),
        ([1, 2, 3, 4], [0, 0, 0, 0], "nR_S2 has no trials"),
        ([9, 0, 0, 0], [7, 0, 0, 0], "one rating"),
        ([9, 3, 0, 0], [7, 1, 2, 3], "rate is 0 or 1"),
        ([9, 3, 2, 1], [9, 3, 2, 1], "d' is 0"),
        ([[9, 3, 2, 1]], [[1, 3, 2, 9]], "one-dimensional"),
    ],
)
def test_bad_input_is_one_clear_error(a, b, message):
    with pytest.raises(InputError, match=message):
        fit_meta_d(a, b)
