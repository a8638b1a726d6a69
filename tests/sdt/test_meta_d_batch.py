"""Batched fits. Oracles: JAX's own derivatives, single fits, a dense grid of starts, metadpy."""

import jax
import jax.numpy as jnp
import metadpy_agreement
import numpy as np
import pytest

from metacog.sdt import InputError, fit_meta_d, fit_meta_d_batch, meta_d_observer
from metacog.sdt import _meta_d_kernel as kernel
from metacog.sdt.meta_d import fittable


def random_tables(n, k, trials, seed, pad=0.5):
    """Tables of observers with random d', criteria, lapses and base rates."""
    rng = np.random.default_rng(seed)
    a, b = np.empty((n, 2 * k)), np.empty((n, 2 * k))
    for i in range(n):
        observer = meta_d_observer(
            rng.uniform(-0.5, 2.5), m_ratio=rng.uniform(0.2, 1.4), c=rng.normal(0, 0.3), n_ratings=k
        )
        p1, p2 = observer.probabilities()
        n2 = rng.binomial(trials, rng.uniform(0.3, 0.7))
        mix = rng.uniform(0, 0.3)
        a[i] = rng.multinomial(trials - n2, (1 - mix) * p1 + mix * rng.dirichlet(np.ones(2 * k)))
        b[i] = rng.multinomial(n2, (1 - mix) * p2 + mix * rng.dirichlet(np.ones(2 * k)))
    return a + pad, b + pad


def random_problem(n, k, seed):
    """Random weights, criteria and parameters for the kernel, one criterion of table 0 switched off."""
    rng = np.random.default_rng(seed)
    w = rng.dirichlet(np.ones(4 * k), size=n).T.reshape(2, 2, k, n)
    active = np.ones((2, k - 1, n), dtype=bool)
    active[0, -1, 0] = False
    w[:, 0, -1, 0] = 0.0
    s = rng.uniform(0.6, 1.5, n)
    ratio = rng.normal(0, 0.5, n)
    ratio[-1] = 30.0  # one side deep in the tail
    a = np.stack([-0.5 - ratio, 0.5 - ratio])
    problem = kernel.Problem(*map(jnp.asarray, (w, active, a, np.stack([np.ones(n), 1 / s]))))
    u = np.cumsum(rng.uniform(0.2, 0.8, (2, k - 1, n)), axis=1)
    return problem, jnp.asarray(rng.uniform(-1.5, 2.5, n)), jnp.asarray(u)


@pytest.mark.parametrize("k", [pytest.param(2, marks=pytest.mark.real), 4])
def test_derivatives_are_those_of_the_one_likelihood(k):
    """Oracle: automatic differentiation of the mean log-likelihood per trial, on six tables at once."""
    with jax.enable_x64(True):
        problem, m, u = random_problem(6, k, seed=k)

        def total(m, u):
            r = kernel.areas(m, u, problem)
            return (problem.w * (jnp.log(r.p) - jnp.log(r.total)[:, :, None])).sum()

        @jax.jit
        def automatic(m, u):
            gradient = jax.grad(total, argnums=(0, 1))
            return gradient(m, u), jax.jacfwd(gradient, argnums=(0, 1))(m, u)

        d = jax.tree.map(np.asarray, jax.jit(kernel.derivatives)(m, u, problem))
        (g_m, g_u), (second_m, second_u) = jax.tree.map(np.asarray, automatic(m, u))
        np.testing.assert_allclose(d.f.sum(), total(m, u), rtol=1e-13)
    np.testing.assert_allclose(d.g_m, g_m, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(d.g_u, g_u, rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(d.h_m, np.diag(second_m[0]), rtol=1e-7, atol=1e-8)
    for b in range(6):
        np.testing.assert_allclose(d.cross[:, :, b], second_u[0][:, :, b, b], rtol=1e-7, atol=1e-8)
        for side in range(2):
            live = np.asarray(problem.active[side, :, b])
            dense = -second_u[1][side, :, b, side, :, b][np.ix_(live, live)]
            built = np.diag(d.diag[side, :, b]) + np.diag(d.off[side, :, b], 1)
            built = (built + np.diag(d.off[side, :, b], -1))[np.ix_(live, live)]
            np.testing.assert_allclose(built, dense, rtol=1e-7, atol=1e-8)
            if b < 5 and live.any():  # concave in the criteria; the last table underflows to a flat one
                assert np.linalg.eigvalsh(dense).min() > 0


@pytest.mark.parametrize("k", [2, 4])
def test_batch_equals_singles(k):
    a, b = random_tables(12, k, 400, seed=1)
    s = np.tile([0.7, 1.0, 1.3], 4)
    batch = fit_meta_d_batch(a, b, s=s)
    for i, one in enumerate(batch):
        single = fit_meta_d(a[i], b[i], s=s[i])
        for name in ("d_prime", "meta_d", "m_ratio", "m_diff", "c", "meta_c", "log_likelihood"):
            assert getattr(one, name) == pytest.approx(getattr(single, name), abs=1e-10), name
        np.testing.assert_allclose(one.t2_criteria_rS1, single.t2_criteria_rS1, atol=1e-10)
        assert one.s == s[i] and one.converged and one.boundary == single.boundary


def test_chunks_and_threads_do_not_matter():
    a, b = random_tables(50, 4, 300, seed=2)
    order = np.random.default_rng(3).integers(0, 50, 9_000)
    small, large = fit_meta_d_batch(a, b), fit_meta_d_batch(a[order], b[order])
    np.testing.assert_allclose(large.meta_d, small.meta_d[order], atol=1e-10)
    assert large.converged.all()


@pytest.mark.parametrize("k", [2, 4, 10])
@pytest.mark.parametrize("trials", [20, 200, 10_000_000])
def test_hundreds_of_random_tables_converge(k, trials):
    a, b = random_tables(60, k, trials, seed=4)
    fit = fit_meta_d_batch(a, b, undefined="flag")
    defined = fit.boundary != "undefined"
    assert defined.mean() > 0.8
    assert fit.converged[defined].all()
    assert fit.gradient_norm[defined].max() < 1e-9


def test_rows_that_cannot_be_fitted():
    a = [[9, 3, 2, 1], [9, 3, 0, 0], [5, 5, 5, 5], [0, 0, 0, 0], [9, 0, 2, 1]]
    b = [[1, 3, 2, 9], [1, 3, 2, 9], [5, 5, 5, 5], [1, 3, 2, 9], [1, 0, 2, 9]]
    with pytest.raises(InputError, match="Table 1: A hit or false-alarm rate"):
        fit_meta_d_batch(a, b)
    fit = fit_meta_d_batch(a, b, undefined="flag")
    assert fit.boundary.tolist() == ["", "undefined", "undefined", "undefined", "empty rating"]
    np.testing.assert_array_equal(np.isnan(fit.meta_d), [False, True, True, True, False])
    np.testing.assert_array_equal(fit.converged, [True, False, False, False, True])
    assert fit[4].meta_d == pytest.approx(fit_meta_d(a[4], b[4]).meta_d, abs=1e-10)


def test_which_tables_can_be_fitted():
    """Oracle: tables whose rates are equal, 0, missing, equal but for rounding, and different."""
    a = [[3, 1, 2, 4], [5, 5, 0, 0], [0, 0, 0, 0], [0.1, 0.2, 0.3, 0.4], [4, 3, 2, 1]]
    b = [[1, 3, 4, 2], [0, 1, 3, 3], [1, 2, 3, 4], [0.3, 0.6, 0.9, 1.2], [1, 2, 3, 4]]
    assert fittable(a, b).tolist() == [False, False, False, False, True]
    assert fittable(a, b, pad=0.5).tolist()[:2] == [False, True]
    np.testing.assert_array_equal(
        fittable(a, b), fit_meta_d_batch(a, b, undefined="flag").boundary != "undefined"
    )
    with pytest.raises(InputError, match="equal shapes"):
        fittable([[1, 2, 3, 4]], [[1, 2]])


def test_all_rows_undefined_and_no_rows():
    fit = fit_meta_d_batch([[9, 3, 0, 0]], [[1, 3, 2, 9]], undefined="flag")
    assert np.isnan(fit.meta_d).all() and not fit.converged.any()
    assert len(fit_meta_d_batch(np.empty((0, 8)), np.empty((0, 8)))) == 0


# |c'| of 4.8, 2.2 and 57: tables whose likelihood has maxima of both signs
TWO_MAXIMA = [
    ([904.5, 332.5, 233.5, 57.5], [2106.5, 583.5, 353.5, 432.5], 0.7),
    ([1.5, 10.5, 3.5, 5.5, 1.5, 20.5], [2.5, 3.5, 0.5, 0.5, 0.5, 15.5], 1.0),
    ([200.0, 461.0, 1037.0, 1681.0], [170.0, 143.0, 396.0, 912.0], 1.0),
]


@pytest.mark.parametrize(("a", "b", "s"), TWO_MAXIMA)
def test_the_higher_of_several_maxima_is_kept(a, b, s):
    """Oracle: the best of scipy's local maxima of an independent likelihood from 7 starts."""
    from scipy.optimize import minimize
    from test_meta_d import log_likelihood, unconstrained

    a, b = np.array(a), np.array(b)
    fit = fit_meta_d(a, b, s=s)
    assert fit.converged and fit.multimodal
    base = unconstrained(fit)
    found = []
    for start in (-3.0, -1.0, -0.4, 0.2, 0.6, 1.5, 3.0):
        with np.errstate(all="ignore"):
            x0 = np.concatenate([[start], base[1:]])
            run = minimize(lambda x: -log_likelihood(x, a, b, s), x0, method="Nelder-Mead")
        found.append(-run.fun)
    assert fit.log_likelihood >= np.nanmax(found) - 1e-6


def test_float64_is_not_switched_on_for_the_caller():
    before = jnp.zeros(1).dtype
    fit_meta_d_batch(*random_tables(3, 3, 100, seed=5))
    assert jnp.zeros(1).dtype == before
    assert fit_meta_d_batch(*random_tables(3, 3, 100, seed=5)).meta_d.dtype == np.float64


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        (np.ones((2, 3)), np.ones((2, 3)), {}, "even number"),
        (np.ones((2, 4)), np.ones((3, 4)), {}, "equal shapes"),
        (np.ones(4), np.ones(4), {}, "must have shape"),
        (np.array([[1, 2, 3, 4], [1, -1, 3, 4]]), np.ones((2, 4)), {}, r"nR_S1\[1, 1\] = -1.0 is negative"),
        (np.ones((2, 4)), np.array([[1, 2, 3, 4], [1, np.inf, 3, 4]]), {}, r"nR_S2\[1, 1\] = inf"),
        (np.ones((2, 4)), np.ones((2, 4)), {"s": [1.0, 1.0, 1.0]}, "one for each of the 2"),
        (np.ones((2, 4)), np.ones((2, 4)), {"s": [1.0, -1.0]}, "positive"),
        (np.ones((2, 4)), np.ones((2, 4)), {"undefined": "drop"}, "undefined must be"),
    ],
)
def test_bad_batches(a, b, options, message):
    with pytest.raises(InputError, match=message):
        fit_meta_d_batch(a, b, **options)


def test_metadpy_on_random_tables():
    """The first 8 of the 200 tables of `benchmarks/metadpy_agreement.py`, fitted by metadpy here."""
    table = metadpy_agreement.compare(8)
    assert table["converged"].all()
    assert set(table["verdict"]) <= {"equal", "ours is higher"}
    assert (table["verdict"] == "equal").sum() >= 6


def test_committed_comparison_with_metadpy_holds():
    """The committed table of 200: never is metadpy's likelihood the higher one, and ours are refitted."""
    import pandas as pd

    if not metadpy_agreement.OUT.exists():
        pytest.skip("no committed comparison: run benchmarks/metadpy_agreement.py")
    table = pd.read_csv(metadpy_agreement.OUT, comment="#")
    assert len(table) == 200 and set(table["verdict"]) <= {"equal", "ours is higher"}
    rng = np.random.default_rng(metadpy_agreement.SEED)
    for row in table.itertuples():
        a, b, s, _ = metadpy_agreement.random_table(rng)
        assert fit_meta_d(a, b, s=s).meta_d == pytest.approx(row.meta_d, abs=1e-7)
