"""Oracles: the published v2 structure table, exact model tables, scipy's optimiser, simulation."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm
from sdt_published import cacioli_cells, published

from metacog.sdt import InputError
from metacog.sdt.type1 import z_roc, z_roc_mle

EDGES = np.array([-1.2, -0.4, 0.3, 0.9, 1.7])


def model_table(slope, intercept, n1, n2, edges=EDGES):
    """Expected counts of the unequal-variance model."""
    c1 = np.r_[0, norm.cdf(edges), 1]
    c2 = np.r_[0, norm.cdf(slope * edges - intercept), 1]
    return n1 * np.diff(c1), n2 * np.diff(c2)


def test_slope_d_a_and_r2_of_all_eight_cells_are_the_published_ones():
    rows = published("cacioli_v2_sdt_structure.csv")
    for row in rows:
        line = z_roc(*cacioli_cells()[row["model"], row["dataset"]])
        assert line.slope == pytest.approx(float(row["zroc_slope"]), abs=1e-9)
        assert line.d_a == pytest.approx(float(row["da"]), abs=1e-9)
        assert line.r2 == pytest.approx(float(row["r2"]), abs=1e-9)
        assert line.n_clipped == 0
    assert len(rows) == 8


def test_regression_recovers_an_exact_line():
    line = z_roc(*model_table(0.8, 1.1, 1000, 1000))
    assert (line.slope, line.intercept, line.r2) == pytest.approx((0.8, 1.1, 1.0), abs=1e-12)
    assert line.d_a == pytest.approx(1.1 * np.sqrt(2 / 1.64), abs=1e-12)


def test_batches_equal_single_tables_and_clipping_is_counted():
    cells = list(cacioli_cells().values())
    tables = np.array(cells)
    tables[0, :, 0] = 0
    tables[0, 0, -3:] = 0
    batch = z_roc(tables[:, 0], tables[:, 1])
    for i, table in enumerate(tables):
        single = z_roc(*table)
        assert (batch.slope[i], batch.d_a[i]) == (single.slope, single.d_a)
        assert batch.n_clipped[i] == single.n_clipped
    # P(rating > 1) is 1 for both classes at one cut, and the three strictest rates of S1 are 0.
    assert batch.n_clipped[0] == 4


@pytest.mark.parametrize(("slope", "intercept"), [(1.0, 0.0), (0.6, 1.4), (1.5, -0.8), (0.9, 3.0)])
def test_mle_recovers_the_model_from_its_expected_table(slope, intercept):
    fit = z_roc_mle(*model_table(slope, intercept, 4000, 2500))
    assert fit.converged and fit.gradient_norm < 1e-9
    assert fit.slope == pytest.approx(slope, abs=1e-6)
    assert fit.intercept == pytest.approx(intercept, abs=1e-6)
    np.testing.assert_allclose(fit.criteria, EDGES, atol=1e-6)
    assert fit.g2 == pytest.approx(0, abs=1e-6) and fit.df == 3


@pytest.mark.parametrize("key", [("mistral_instruct", "triviaqa"), ("llama3_base", "nq")])
def test_mle_equals_a_general_optimiser_on_published_counts(key):
    s1, s2 = cacioli_cells()[key]

    def loss(theta):
        t = np.cumsum(np.r_[theta[2], np.exp(theta[3:])])
        p1 = np.diff(np.r_[0, norm.cdf(t), 1])
        p2 = np.diff(np.r_[0, norm.cdf(np.exp(theta[1]) * t - theta[0]), 1])
        return -(s1 @ np.log(p1) + s2 @ np.log(p2))

    t0 = norm.ppf(np.cumsum(s1 + 0.5)[:-1] / (s1 + 0.5).sum())
    start = np.r_[1.3, 0.0, t0[0], np.log(np.diff(t0))]
    best = minimize(loss, start, method="BFGS", options={"gtol": 1e-4})
    fit = z_roc_mle(s1, s2)
    assert fit.log_likelihood >= -best.fun - 1e-8
    assert fit.slope == pytest.approx(np.exp(best.x[1]), abs=1e-4)
    assert fit.intercept == pytest.approx(best.x[0], abs=1e-4)
    assert fit.gradient_norm < 1e-9


def test_standard_errors_match_the_spread_of_simulated_fits():
    rng = np.random.default_rng(8)
    s1, s2 = model_table(0.75, 1.2, 1, 1)
    fits = [z_roc_mle(rng.multinomial(1500, s1), rng.multinomial(1000, s2)) for _ in range(600)]
    expected = z_roc_mle(1500 * s1, 1000 * s2)
    assert all(f.converged for f in fits)
    for name in ("slope", "intercept", "d_a", "a_z"):
        spread = np.std([getattr(f, name) for f in fits], ddof=1)
        # 4 relative Monte-Carlo errors of a standard deviation
        assert getattr(expected, f"se_{name}") == pytest.approx(spread, rel=4 / np.sqrt(2 * 600))


def test_empty_ratings_carry_no_information():
    s1, s2 = model_table(0.8, 1.0, 500, 500)
    wide = z_roc_mle(np.insert(s1, 2, 0), np.insert(s2, 2, 0))
    assert wide.slope == pytest.approx(z_roc_mle(s1, s2).slope, abs=1e-12)
    assert wide.n_ratings == 6


def test_complete_separation_is_flagged():
    fit = z_roc_mle([50, 40, 0, 0], [0, 0, 30, 60])
    assert not fit.converged or fit.se_slope > 100


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="at least 3"):
        z_roc([1, 2], [2, 1])
    with pytest.raises(InputError, match="no correct"):
        z_roc([1, 2, 3], [0, 0, 0])
    with pytest.raises(InputError, match="three ratings in use"):
        z_roc_mle([5, 0, 3], [2, 0, 9])
    with pytest.raises(InputError, match="no line"):
        z_roc([5, 0, 0], [2, 2, 9])
    with pytest.raises(InputError, match="clip"):
        z_roc([5, 1, 1], [2, 2, 9], clip=0.6)
