"""Ease read from others' answers, and what is related to it, against simulated truth."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, log_expit, log_softmax

from metacog.sdt import InputError
from metacog.sdt.ease_alone import EaseAlone, few_levels
from metacog.sdt.item_ease import (
    NODES,
    ItemResponse,
    _better_curves,
    item_response,
    shares_given_ease,
    shares_in_cells,
)


def crowd(n: int = 2000, m: int = 20, seed: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    ease = rng.normal(size=n)
    level = rng.uniform(-1, 2, (m, 1))
    return ease, (rng.random((m, n)) < expit(level + 1.4 * ease)).astype(float)


def test_ease_is_found_with_its_error() -> None:
    ease, right = crowd()
    made = item_response(right)
    mean = made.posterior @ NODES
    assert np.corrcoef(mean, ease)[0, 1] ** 2 == pytest.approx(made.reliability, abs=0.03)
    right[:, :50] = np.nan  # nothing is known of items without an answer
    again = item_response(right)
    np.testing.assert_allclose(again.posterior[0], again.weights, atol=0.002)


def test_a_relation_to_ease_is_found_without_the_error_of_reading_it() -> None:
    ease, right = crowd()
    made = item_response(right[:8])  # a poor reading
    rng = np.random.default_rng(5)
    hits = rng.random(ease.size) < expit(0.5 + 2 * ease)
    found = shares_given_ease(made.posterior, hits.astype(int), 2)[:, 1]
    np.testing.assert_allclose(found[8:17], expit(0.5 + 2 * NODES[8:17]), atol=0.08)


def test_an_answerers_curve_is_the_most_probable_one() -> None:
    """Oracle: scipy's optimum of the binomial likelihood with priors of level N(0, 4) and slope N(1, 6)."""
    rng = np.random.default_rng(8)
    trials = rng.uniform(0, 0.4, (2, NODES.size))  # few, so that the priors weigh
    hit = trials * np.array([np.full(NODES.size, 0.97), expit(1 - 0.8 * NODES)])

    def loss(at: np.ndarray, k: int) -> float:
        odds = at[0] + at[1] * NODES
        told = hit[k] @ log_expit(odds) + (trials - hit)[k] @ log_expit(-odds)
        return -told + at[0] ** 2 / (2 * 4**2) + (at[1] - 1) ** 2 / (2 * 6**2)

    level, slope = np.zeros(2), np.ones(2)
    for _ in range(50):
        level, slope = _better_curves(level, slope, hit, trials - hit)
    best = [minimize(loss, [0.0, 1.0], (k,), tol=1e-12).x for k in (0, 1)]
    np.testing.assert_allclose(np.stack([level, slope], axis=1), best, atol=1e-5)
    near = np.array([2e-4, -3e-4])  # a step of Newton's from nearby leaves an error of second order alone
    moved = _better_curves(level + near[0], slope + near[1], hit, trials - hit)
    assert np.abs(moved - np.stack([level, slope])).max() < 1e-3 * np.abs(near).max()


def test_shares_by_ease_are_the_most_probable_ones() -> None:
    """Oracle: scipy's optimum of the mixture's likelihood; logits in ease and its square about the mean."""
    rng = np.random.default_rng(9)
    posterior = np.exp(-((NODES - rng.normal(0, 1.5, (30, 1))) ** 2))
    posterior /= posterior.sum(axis=1, keepdims=True)
    found = np.where(posterior @ NODES + rng.normal(size=30) > 1.0, 0, rng.integers(1, 3, 30))
    x = NODES - (posterior @ NODES).mean()
    bend = x**2 / 4 - (x**2 / 4).mean()

    def shares(beta: np.ndarray) -> np.ndarray:
        return np.exp(log_softmax(np.stack([np.ones_like(x), x, bend], axis=1) @ beta.reshape(3, 3), axis=1))

    def loss(beta: np.ndarray) -> float:
        told = np.log((posterior @ shares(beta))[np.arange(30), found]).sum()
        return -told + (beta.reshape(3, 3) ** 2 / (2 * np.array([[64.0], [36.0], [36.0]]))).sum()

    best = minimize(loss, np.zeros(9), tol=1e-10)
    np.testing.assert_allclose(shares_given_ease(posterior, found, 3), shares(best.x), atol=2e-3)
    # the same of cells, also beside a set that has a category less
    members = np.eye(3)[found]
    fewer = np.eye(3)[np.minimum(found, 1)]
    both, alone = (
        shares_in_cells(posterior, np.stack([members, fewer])),
        shares_given_ease(posterior, found > 0, 2),
    )
    np.testing.assert_allclose(both[0], shares(best.x), atol=2e-3)
    np.testing.assert_allclose(both[1], np.column_stack([alone, np.zeros(NODES.size)]), atol=2e-3)


def test_confidence_that_reads_ease_alone_is_foretold() -> None:
    ease, right = crowd(3000)
    rng = np.random.default_rng(6)
    hits = rng.random(ease.size) < expit(1 + 2 * ease)
    sure = np.round(ease + 0.3 * rng.normal(size=ease.size), 1)
    group = right.sum(axis=0)
    alone = EaseAlone(item_response(right).posterior, hits, sure, group)
    assert alone.right.sum() + alone.wrong.sum() == pytest.approx(ease.size)
    expected = float(alone.areas(np.ones((1, ease.size)))[0])
    from metacog.sdt.within_strata import StratifiedAnswers

    seen = StratifiedAnswers.of(hits, sure, group).area()
    assert seen > 0.6  # what error in difficulty leaves
    assert expected == pytest.approx(seen, abs=0.04)
    assert np.isfinite(alone.log_odds()).all()


def test_the_influence_of_an_item_is_how_the_expected_area_moves_with_its_weight() -> None:
    ease, right = crowd(n=80)
    rng = np.random.default_rng(6)
    hits, sure = rng.random(80) < expit(1 + 2 * ease), np.round(2 * ease + rng.normal(size=80))
    alone = EaseAlone(item_response(right).posterior, hits, sure, right.sum(axis=0) // 3)
    moved = (alone.areas(1 + 1e-5 * np.eye(80)) - alone.area()) / 1e-5
    np.testing.assert_allclose(alone.area_and_influence()[1], moved, atol=1e-5)
    assert alone.area_and_influence()[1].std() > 1e-4
    other = -sure
    posterior, group = item_response(right).posterior, right.sum(axis=0) // 3
    again = EaseAlone(posterior, hits, other, group)
    (beside,) = EaseAlone(posterior, hits, sure, group, also=[other]).others
    assert beside.area() == pytest.approx(again.area()) != pytest.approx(alone.area())


def test_items_that_share_a_posterior_can_be_counted_together() -> None:
    """Of cells of one item the values and influences are those of items; of wider ones nearly so."""
    ease, right = crowd(n=400)
    rng = np.random.default_rng(6)
    hits, sure = rng.random(400) < expit(1 + 2 * ease), np.round(2 * ease + rng.normal(size=400))
    fit, group = item_response(right), right.sum(axis=0).astype(int)
    exact = EaseAlone(fit.posterior, hits, sure, group, also=[-sure])
    everyone = np.ones(len(right), dtype=bool)
    for width, near in ((1e-7, 1e-3), (0.05, 5e-3)):
        cell, posterior = fit.cells(right, everyone, group, width)
        assert len(posterior) < 400  # items that the same answerers got right are one cell
        quick = EaseAlone(posterior, hits, sure, group, cell, also=[-sure])
        for one, other in ((exact, quick), (exact.others[0], quick.others[0])):
            area, moves = other.area_and_influence()
            assert area == pytest.approx(one.area(), abs=near)
            assert area == pytest.approx(other.area(), abs=1e-12)
            moved = (other.areas(1 + 1e-5 * np.eye(400)) - area) / 1e-5
            np.testing.assert_allclose(moves, moved, atol=1e-5)
            np.testing.assert_allclose(other.log_odds(), one.log_odds(), atol=30 * near)


def test_a_cell_is_of_one_stratum_however_hard_its_items_are() -> None:
    right = (np.arange(40)[:, None] < np.arange(41)).astype(float)  # from none right to all
    right, strata = np.tile(right, 2), np.repeat([0, 1], 41)
    flat = np.full(NODES.size, 1 / NODES.size)
    fit = ItemResponse(NODES, flat, np.zeros(40), np.full(40, 0.8), np.tile(flat, (82, 1)), 1.0)
    for width in (0.02, 0.1, 0.3):
        cell, _ = fit.cells(right, np.arange(40), strata, width)
        assert not set(cell[:41]) & set(cell[41:])
        assert (np.diff(cell[:41]) >= 0).all()


def test_ease_is_read_from_some_of_the_answerers() -> None:
    ease, right = crowd(n=500)
    made = item_response(right)
    np.testing.assert_allclose(made.posterior_of(right, np.arange(20)), made.posterior, atol=0.01)
    changed = right.copy()
    changed[:12] = 1 - changed[:12]
    few = made.posterior_of(right, np.arange(12, 20))
    np.testing.assert_array_equal(few, made.posterior_of(changed, np.arange(12, 20)))
    assert 0.3 < np.corrcoef(few @ NODES, ease)[0, 1] ** 2 < made.reliability


def test_levels_keep_order_and_ties() -> None:
    assert few_levels([5, 1, 5, 3]).tolist() == [2, 0, 2, 1]
    many = np.random.default_rng(7).integers(0, 50, 500)
    levels = few_levels(many)
    assert few_levels(range(12)).tolist() == [*range(12)] and few_levels(range(13)).max() < 12
    assert levels.max() == 11 and (np.diff(levels[np.argsort(many, kind="stable")]) >= 0).all()


def test_bad_answers_are_refused() -> None:
    with pytest.raises(InputError, match="0, 1 or missing"):
        item_response([[0, 2]])
    with pytest.raises(InputError, match="answerers, items"):
        item_response([0, 1])
    with pytest.raises(InputError, match="one category"):
        shares_given_ease(np.ones((2, NODES.size)) / NODES.size, [0, 3], 2)
