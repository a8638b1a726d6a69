"""Oracles: noiseless tables, scipy's constrained SLSQP on the paper's problem, type1, Bayes' rule by hand."""

import time
import warnings

import numpy as np
import pytest
from answerers import DMCObserver, dmc_rows
from scipy.optimize import minimize
from scipy.special import ndtr

from metacog.sdt import InputError, fit_meta_d, meta_d_observer
from metacog.sdt.dmc import (
    ABILITY,
    ZERO,
    cognitive_ability,
    counts_matrix,
    fit_dmc,
    fit_dmc_batch,
    tables_of_matrix,
)
from metacog.sdt.resampling import resample_tables
from metacog.sdt.type1 import type1


def random_observer(rng: np.random.Generator) -> DMCObserver:
    c0 = float(rng.uniform(-0.7, 0.7))
    below, above = np.cumsum(rng.uniform(0.1, 0.8, (2, 3)), axis=1)
    return DMCObserver(
        float(rng.uniform(0.3, 3)),
        float(rng.uniform(0.05, 3)),
        c0,
        tuple(c0 - below[::-1]),
        tuple(c0 + above),
        float(rng.uniform(0.2, 0.8)),
    )


def accuracy_by_rating(rows):
    """Equation 21: the share right among answers A and among answers B at each rating; rows ``(..., 4, K)``."""
    ta, fa, tb, fb = np.moveaxis(np.asarray(rows, dtype=float), -2, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack([ta / (ta + fa), tb / (tb + fb)], axis=-2)


def fitted_rows(fit):
    """The areas that a fit predicts for TA, FA, TB and FB, each adding to 1."""
    scale = fit.d_star / fit.d_hat if fit.variant == "released" else 1.0
    return dmc_rows(fit.d_star, fit.c0 * scale, fit.axes_A, fit.axes_B)


def noiseless(observer) -> tuple[np.ndarray, np.ndarray]:
    """A thousand trials, as fractions: the observer's own probabilities."""
    p1, p2 = observer.probabilities()
    return 1000 * (1 - observer.base_rate) * p1, 1000 * observer.base_rate * p2


def test_noiseless_tables_give_d_star_back():
    rng = np.random.default_rng(0)
    for observer in (random_observer(rng) for _ in range(60)):
        fit = fit_dmc(*noiseless(observer), pad=0)
        assert abs(fit.d_star - observer.d_star) < 1e-4 and abs(fit.mc - observer.mc) < 1e-3
        assert fit.d_hat == pytest.approx(observer.d_hat) and fit.c0 == pytest.approx(observer.c0)
        assert fit.axes_A == pytest.approx(observer.axes_A, abs=1e-4)
        assert fit.axes_B == pytest.approx(observer.axes_B, abs=1e-4)
        assert fit.converged and fit.constraint_met and fit.boundary == "" and fit.loss < 1e-12


def test_the_released_variant_gives_meta_d_back_up_to_one():
    """It scales c0 with d, as meta-d' does, so a meta-d' observer is its own; above 1 it stops at 1."""
    for ratio in (0.3, 0.8, 1.0, 1.4):
        observer = meta_d_observer(1.3, m_ratio=ratio, c=0.4)
        fit = fit_dmc(*noiseless(observer), pad=0, variant="released")
        assert fit.mc == pytest.approx(min(ratio, 1.0), abs=1e-4)
        if ratio != 1:
            assert (fit.boundary == ABILITY) == (ratio > 1)
            # as printed, c0 stays: the same table gives another MC, by more than ten times the tolerance
            assert abs(fit_dmc(*noiseless(observer), pad=0).mc - ratio) > 1e-3
    even = meta_d_observer(1.3, m_ratio=0.6)  # without bias both criteria are 0 and the estimators agree
    for variant in ("paper", "released"):
        assert fit_dmc(*noiseless(even), pad=0, variant=variant).mc == pytest.approx(0.6, abs=1e-4)
    assert fit_meta_d(*noiseless(even)).m_ratio == pytest.approx(0.6, abs=1e-6)


def paper_problem(s1: np.ndarray, s2: np.ndarray) -> tuple[float, float]:
    """Loss and d of the paper's constrained problem by SLSQP: ordered axes, accuracy rising."""
    matrix = counts_matrix(s1 + 0.125, s2 + 0.125)
    target = matrix / matrix.sum(axis=1, keepdims=True)
    c0 = fit_dmc(s1, s2).c0

    def rows(x: np.ndarray) -> np.ndarray:
        ladder = np.concatenate([[-np.inf], x[1:4], [c0], x[4:], [np.inf]])
        below, above = (np.diff(ndtr(ladder - m * x[0] / 2)) for m in (-1, 1))
        parts = (below[3::-1], above[3::-1], above[4:], below[4:])
        return np.stack([p / p.sum() for p in parts])

    def loss(x: np.ndarray) -> float:
        return float(((rows(x) - target) ** 2).sum())

    def rises(x: np.ndarray) -> np.ndarray:
        return np.diff(accuracy_by_rating(np.maximum(rows(x), 1e-300)), axis=-1).ravel()

    def ordered(x: np.ndarray) -> np.ndarray:
        return np.diff(np.concatenate([x[1:4], [c0], x[4:]])) - 1e-6

    found = [
        minimize(
            loss,
            np.concatenate([[d], c0 + np.array([-1.2, -0.8, -0.4, 0.4, 0.8, 1.2])]),
            method="SLSQP",
            constraints=[{"type": "ineq", "fun": ordered}, {"type": "ineq", "fun": rises}],
            bounds=[(0, 10)] + [(-8, 8)] * 6,
            options={"ftol": 1e-14, "maxiter": 500},
        )
        for d in (0.5, 1.5)
    ]
    best = min((f for f in found if ordered(f.x).min() > -1e-8), key=lambda f: f.fun)
    return best.fun, best.x[0]


def test_the_fit_is_the_minimum_of_the_papers_constrained_problem():
    checked = 0
    for seed, (d, ratio, n) in enumerate(
        [(1.0, 0.7, 300), (2.0, 0.5, 200), (0.6, 1.2, 500), (1.5, 0.9, 120)]
    ):
        s1, s2 = (x[0] for x in meta_d_observer(d, m_ratio=ratio, c=0.2).counts(n, 1, seed=seed))
        fit = fit_dmc(s1, s2)
        loss, d_star = paper_problem(s1, s2)
        assert fit.loss <= loss + 1e-9
        assert fit.loss == pytest.approx(loss, abs=1e-6) and fit.d_star == pytest.approx(d_star, abs=2e-3)
        checked += fit.constraint_met
    assert checked == 4


def test_the_accuracy_constraint_holds_by_itself_and_base_rates_cancel():
    """Ordered axes, equal variance, d > 0: accuracy rises, whatever the base rate; d < 0: it falls."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        o = random_observer(rng)
        rows = dmc_rows(o.d_star, o.c0, o.axes_A, o.axes_B)
        assert rows.sum(axis=1) == pytest.approx(np.ones(4))  # equation 19: so do the weights of equation 21
        assert (np.diff(accuracy_by_rating(rows), axis=1) > 0).all()
        weighted = rows * rng.uniform(0.05, 1, 4)[:, None]  # any base rates and answer rates
        assert (np.diff(accuracy_by_rating(weighted), axis=1) > 0).all()
        again = weighted / weighted.sum(axis=1, keepdims=True)
        assert accuracy_by_rating(again) == pytest.approx(accuracy_by_rating(rows))
        turned = dmc_rows(-o.d_star, o.c0, o.axes_A, o.axes_B)
        assert (np.diff(accuracy_by_rating(turned), axis=1) < 0).all()


def test_confidence_that_knows_the_wrong_way_round_ends_at_zero():
    """Surer when wrong: the constrained infimum lies at d* = 0, where accuracy no longer strictly rises."""
    matrix = np.array([[40, 30, 20, 10], [5, 10, 15, 20], [40, 30, 20, 10], [5, 10, 15, 20]])
    fit = fit_dmc(*tables_of_matrix(matrix))
    assert fit.d_star == 0 and fit.mc == 0 and fit.boundary == ZERO
    assert fit.converged and not fit.constraint_met
    right = fit_dmc(*tables_of_matrix(matrix[[0, 1, 2, 3]][:, ::-1]))
    assert right.mc > 0 and right.constraint_met


def test_the_constraint_is_met_wherever_the_fit_knows_anything():
    """Oracle: accuracy from the fitted areas of sparse tables, ratings without an area left out."""
    rng = np.random.default_rng(6)
    s1, s2 = np.moveaxis(rng.multinomial(60, rng.dirichlet(np.full(16, 0.7), 120)).reshape(-1, 2, 8), 1, 0)
    met = 0
    for variant in ("paper", "released"):
        for fit in fit_dmc_batch(s1, s2, variant=variant):
            if fit.boundary == "undefined":
                continue
            rows = fitted_rows(fit).reshape(2, 2, 4)
            rises = []
            for side, of in zip(rows, accuracy_by_rating(rows.reshape(4, 4)), strict=True):
                rises += (np.diff(of[side.min(axis=0) > 1e-9]) > 0).tolist()
            assert fit.constraint_met == (fit.d_star > 0) and (not fit.constraint_met or all(rises))
            met += fit.constraint_met
    assert 40 < met < 200


def test_without_knowledge_the_released_loss_is_that_of_the_mean_tails():
    """At d* = 0 right and wrong answers have the same tails, best halfway: a loss of half their squared gap."""
    s1, s2 = np.array([[12, 8, 43, 8], [5, 20, 30, 9]]), np.array([[29, 4, 55, 4], [30, 9, 6, 20]])
    found = fit_dmc_batch(s1, s2, variant="released")
    matrix = counts_matrix(s1 + found.pad, s2 + found.pad)
    above = matrix[..., 1] / matrix.sum(axis=-1)
    assert (found.boundary == ZERO).all()
    expected = ((above[:, 0] - above[:, 1]) ** 2 + (above[:, 2] - above[:, 3]) ** 2) / 2
    assert found.loss == pytest.approx(expected, abs=1e-9)


def test_rows_of_the_matrix_and_ability_are_those_of_the_rating_table():
    """By hand: TA 1 to 4, FA 5 to 8, TB 9 to 12, FB 13 to 16."""
    matrix = np.arange(1, 17).reshape(4, 4)
    s1, s2 = tables_of_matrix(matrix)
    assert s1.dtype == s2.dtype == counts_matrix(s1, s2).dtype
    assert s1.tolist() == [4, 3, 2, 1, 13, 14, 15, 16] and s2.tolist() == [8, 7, 6, 5, 9, 10, 11, 12]
    assert np.array_equal(counts_matrix(s1, s2), matrix)
    both = np.stack([s1, s1]), np.stack([s2, s2])
    assert np.array_equal(counts_matrix(*both)[1], matrix)
    s1, s2 = (x[0] for x in meta_d_observer(1.2, c=0.3).counts(500, 1, seed=1))
    fit, plain = fit_dmc(s1, s2), type1(s1, s2, correction="pad-2k")
    assert fit.d_hat == pytest.approx(plain.d_prime) and fit.c0 == pytest.approx(plain.c)
    assert fit.pad == 0.125 and fit.n_trials == 500
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        always_b = cognitive_ability([[0, 0], [0, 0], [3, 4], [2, 1]])
    assert np.isnan(always_b[0]) and always_b[1] == -np.inf


def test_a_fit_says_what_it_predicts():
    s1, s2 = (x[0] for x in meta_d_observer(1.2, m_ratio=0.7, c=0.3).counts(400, 1, seed=5))
    for variant in ("paper", "released"):
        fit = fit_dmc(s1, s2, variant=variant)
        rows = counts_matrix(s1 + fit.pad, s2 + fit.pad)
        off = fitted_rows(fit) - rows / rows.sum(axis=1, keepdims=True)
        if variant == "released":
            off = np.cumsum(off[:, ::-1], axis=1)[:, :-1]
        assert (off**2).sum() == pytest.approx(fit.loss, abs=1e-12)


def test_a_row_counts_alike_however_few_trials_it_rests_on():
    """Ten times the right answers leave DMC's rows, and so nearly d*, where they were."""
    matrix = np.array([[10, 15, 20, 30], [9, 6, 4, 2], [8, 14, 22, 31], [8, 7, 3, 2]], dtype=float)
    more = matrix * np.array([[10], [1], [10], [1]])
    a, b = (fit_dmc(*tables_of_matrix(m), pad=0) for m in (matrix, more))
    assert a.loss == pytest.approx(b.loss, rel=0.2) and b.d_hat > a.d_hat + 1
    assert abs(b.d_star - a.d_star) < 0.1


def test_ten_thousand_resamples_take_under_ten_seconds():
    s1, s2 = (x[0] for x in meta_d_observer(1.2, m_ratio=0.8).counts(1000, 1, seed=1))
    tables = resample_tables(s1, s2, 10_000, np.random.default_rng(0))
    started = time.process_time()
    fits = fit_dmc_batch(*tables)
    assert time.process_time() - started < 10
    assert len(fits) == 10_000 and fits.converged.all() and fits.constraint_met.all()
    one = fit_dmc(tables[0][77], tables[1][77])
    assert fits[77].d_star == pytest.approx(one.d_star, abs=1e-9)
    released = fit_dmc_batch(*tables, variant="released")
    assert released.mc.max() <= 1 + 1e-12 < fits.mc.max()


def test_tables_without_an_ability_are_flagged_or_refused():
    flat = np.full(8, 10.0)
    fits = fit_dmc_batch(np.stack([flat, flat + np.arange(8)[::-1]]), np.stack([flat, flat + np.arange(8)]))
    assert fits.boundary.tolist() == ["undefined", ""] and fits.converged.tolist() == [False, True]
    assert np.isnan(fits.mc[0]) and np.isfinite(fits.mc[1])
    none = fit_dmc_batch(flat[None, :6], flat[None, :6])
    assert none.axes_A.shape == none.axes_B.shape == (1, 2) and np.isnan(none.axes_A).all()
    with pytest.raises(InputError, match="d\\^ is 0"):
        fit_dmc(flat, flat)
    never_wrong = np.array([5, 5, 5, 5, 0, 0, 0, 0.0]), np.array([0, 0, 0, 0, 5, 5, 5, 5.0])
    with pytest.raises(InputError, match="never wrong"):
        fit_dmc(*never_wrong, pad=0)
    assert fit_dmc(*never_wrong).zero_cells == 8  # the rows of padding alone count like the others
    with pytest.raises(InputError, match="no variant"):
        fit_dmc(flat, flat + 1, variant="mle")
    with pytest.raises(InputError, match="pad"):
        fit_dmc(flat, flat + np.arange(8), pad=-1)
    with pytest.raises(InputError, match="TA, FA, TB, FB"):
        tables_of_matrix(np.ones((3, 4)))
    with pytest.raises(InputError, match="increase"):
        dmc_rows(1.0, 0.0, [-1, -2], [1, 2])
