"""Ease read from others' answers, and what is related to it, against simulated truth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from metacog.sdt import InputError
from metacog.sdt.within_strata import NODES, EaseAlone, few_levels, item_response, shares_given_ease


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
    np.testing.assert_allclose(alone.influence(), moved, atol=1e-5)
    assert alone.influence().std() > 1e-4
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
    assert levels.max() == 11 and (np.diff(levels[np.argsort(many, kind="stable")]) >= 0).all()


def test_bad_answers_are_refused() -> None:
    with pytest.raises(InputError, match="0, 1 or missing"):
        item_response([[0, 2]])
    with pytest.raises(InputError, match="answerers, items"):
        item_response([0, 1])
    with pytest.raises(InputError, match="one category"):
        shares_given_ease(np.ones((2, NODES.size)) / NODES.size, [0, 3], 2)
