"""AUROC2 at equal accuracy: against plain numpy, and what must not matter."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from crowd_observers import arranged
from scipy import stats
from scipy.optimize import brentq

from metacog.measures.equal_accuracy import CHANGES, COLUMNS, equal_accuracy
from metacog.measures.model_items import ModelItems
from metacog.sdt import InputError, auroc2
from metacog.sdt.area_contrasts import area_contrast


def conditions(
    n: int = 1500, gain: float = 0.8, noise: tuple[float, float] = (1.0, 1.0), seed: int = 1
) -> ModelItems:
    """Two conditions of one model, the second ``gain`` better, and twenty models of other families."""
    rng = np.random.default_rng(seed)
    ease = rng.normal(size=n)
    state = ease + rng.normal(size=(22, n)) + np.array([0, gain, *np.linspace(-1, 1, 20)])[:, None]
    sure = state + rng.normal(size=state.shape) * np.array([*noise, *[1.0] * 20])[:, None]
    names = ("off", "on", *(f"o{i}" for i in range(20)))
    return arranged(state > 0, np.round(sure, 1), ("own", "own", *names[2:]), names=names)


def test_changes_are_what_plain_counting_gives():
    made = conditions()
    table = equal_accuracy(made, [("off", "on")])
    assert tuple(table.columns) == COLUMNS
    (found,) = table.itertuples()
    right, sure = made.right[:2] > 0, made.confidence[:2]
    assert found.accuracy == pytest.approx(right[1].mean() - right[0].mean())
    areas = [[auroc2(r, c) for r in right] for c in sure]
    assert found.auroc2 == pytest.approx(areas[1][1] - areas[0][0])
    assert found.by_answers + found.by_confidence == pytest.approx(found.auroc2)
    same = right[0] == right[1]
    assert found.same_outcome == pytest.approx(
        auroc2(right[0, same], sure[1, same]) - auroc2(right[0, same], sure[0, same])
    )


def test_the_interval_is_near_that_of_delong():
    made = conditions()
    (found,) = equal_accuracy(made, [("off", "on")]).itertuples()
    exact = area_contrast(made.right[:2], made.confidence[:2], (-1, 1))
    assert found.auroc2_upper - found.auroc2_lower == pytest.approx(exact.upper - exact.lower, rel=0.25)


def test_the_order_of_conditions_turns_every_sign():
    made = conditions()
    there, back = equal_accuracy(made, [("off", "on"), ("on", "off")]).to_dict("records")
    for name in CHANGES:
        assert there[name] == pytest.approx(-back[name], abs=1e-9)


def test_bad_pairs_are_named():
    made = conditions(200)
    for pairs, words in (
        ([], "no pair"),
        ([("off", "away")], "no model away"),
        ([("on", "on")], "paired with itself"),
    ):
        with pytest.raises(InputError, match=words):
            equal_accuracy(made, pairs)
    with pytest.raises(InputError, match="left_out or lowest"):
        equal_accuracy(made, [("off", "on")], missing="skip")


def test_a_better_condition_with_the_same_confidence_is_no_better_at_equal_accuracy():
    (found,) = equal_accuracy(conditions(40_000, gain=1.4), [("off", "on")]).itertuples()
    assert found.auroc2_lower > 0.01
    assert abs(found.equal_accuracy) < 0.01
    assert found.equivalent and not found.equivalent_auroc2
    (less_noise,) = equal_accuracy(conditions(40_000, noise=(1.2, 0.6)), [("off", "on")]).itertuples()
    assert less_noise.equal_accuracy == pytest.approx(0.088, abs=0.01)


def weighted(right: np.ndarray, sure: np.ndarray, w: np.ndarray) -> float:
    """Weighted share of pairs of a right and a wrong answer in the right order, ties one half."""
    gap = sure[right][:, None] - sure[~right][None]
    pair = w[right][:, None] * w[~right][None]
    return float((((gap > 0) + 0.5 * (gap == 0)) * pair).sum() / pair.sum())


def test_both_weightings_make_the_conditions_equally_often_right_and_areas_are_of_these_weights():
    made = conditions()
    (found,) = equal_accuracy(made, [("off", "on")]).itertuples()
    right, sure = made.right[:2] > 0, made.confidence[:2]
    only = [right[0] & ~right[1], ~right[0] & right[1]]
    w = np.where(only[1], only[0].sum() / only[1].sum(), 1.0)
    assert w @ right[0] == pytest.approx(w @ right[1])
    assert found.matched == pytest.approx(weighted(right[1], sure[1], w) - weighted(right[0], sure[0], w))
    solved = made.right[2:].sum(axis=0)
    ease = np.log((solved + 0.5) / (20.5 - solved))
    target = right.mean()
    areas = []
    for hits, level in zip(right, sure, strict=True):
        tilt = brentq(lambda t, h=hits: np.average(h, weights=np.exp(t * ease)) - target, -5, 5)
        areas.append(weighted(hits, level, np.exp(tilt * ease)))
    assert found.equal_accuracy == pytest.approx(areas[1] - areas[0], abs=1e-9)


def test_missing_answers_are_left_out_or_wrong_and_below_all_others():
    made = conditions()
    gone = np.random.default_rng(3).random(made.right.shape) < 0.1
    holes = replace(
        made, right=np.where(gone, np.nan, made.right), confidence=np.where(gone, np.nan, made.confidence)
    )
    (out,) = equal_accuracy(holes, [("off", "on")]).itertuples()
    both = ~gone[:2].any(axis=0)
    assert (out.n, out.n_missing_first) == (both.sum(), gone[0].sum())
    assert out.auroc2_second == pytest.approx(auroc2(made.right[1, both], made.confidence[1, both]))
    (wrong,) = equal_accuracy(holes, [("off", "on")], missing="lowest").itertuples()
    right = np.where(gone, 0.0, made.right)
    assert wrong.n == right.shape[1]
    assert wrong.accuracy == pytest.approx(right[1].mean() - right[0].mean())
    assert wrong.auroc2_second == pytest.approx(auroc2(right[1], np.where(gone, -99, made.confidence)[1]))


def test_a_missing_number_is_the_median_or_the_highest_of_its_condition():
    made = conditions(800)
    gone = np.random.default_rng(3).random(made.right.shape) < 0.1
    holes = replace(
        made, right=np.where(gone, np.nan, made.right), confidence=np.where(gone, np.nan, made.confidence)
    )
    for way, read in (("median", np.nanmedian), ("highest", np.nanmax)):
        (found,) = equal_accuracy(holes, [("off", "on")], missing=way).itertuples()
        for value, marks, gaps, sure in zip(
            (found.auroc2_first, found.auroc2_second), made.right, gone, holes.confidence, strict=False
        ):
            hits = np.where(gaps, 0.0, marks)
            assert value == pytest.approx(auroc2(hits, np.where(gaps, read(sure), sure)))
    lowest, left_out = (equal_accuracy(holes, [("off", "on")], missing=way) for way in ("lowest", "left_out"))
    assert lowest["auroc2_second"].item() > left_out["auroc2_second"].item() > found.auroc2_second


def readers(noise: float, others_noise: float = 1.0, n: int = 10_000) -> ModelItems:
    """Confidences that read difficulty and do not change, while luck in answers gets less; eight other families."""
    rng = np.random.default_rng(5)
    ease = rng.normal(size=n)
    luck = rng.normal(size=(10, n)) * np.array([1.5, 0.7, *[1.0] * 8])[:, None]
    state = ease + luck
    own = ease + noise * rng.normal(size=n)
    sure = np.vstack([own, own, state[2:] + others_noise * rng.normal(size=(8, n))])
    names = ("off", "on", *"abcdefgh")
    return arranged(state > 0, np.round(sure, 1), ("own", "own", *names[2:]), names=names)


@pytest.mark.parametrize("noise", [0.3, 1.0, 2.0])
def test_what_unchanged_confidence_gains_is_no_excess_however_well_it_reads(noise):
    (found,) = equal_accuracy(readers(noise), [("off", "on")]).itertuples()
    assert found.equal_accuracy_lower > 0.03
    assert abs(found.excess) < 0.02 and found.beyond_lower < 0 < found.beyond_upper
    assert 0.01 < found.unchanged and found.n_unchanged == 8 and found.beyond == found.excess


def test_the_excess_is_that_of_plain_counting():
    made = conditions()
    (found,) = equal_accuracy(made, [("off", "on")], unchanged=["on", "o3", "o7", "o9"]).itertuples()
    right = made.right[:2] > 0
    solved = made.right[2:].sum(axis=0)
    ease = np.log((solved + 0.5) / (20.5 - solved))
    areas = []
    for hits in right:
        tilt = brentq(lambda t, h=hits: np.average(h, weights=np.exp(t * ease)) - right.mean(), -5, 5)
        areas.append(
            [weighted(hits, made.confidence[i], np.exp(tilt * ease)) - 0.5 for i in (0, 1, 5, 9, 11)]
        )
    off, on = np.array(areas)
    root = np.sqrt(on[2:].mean() / off[2:].mean())
    assert found.excess == pytest.approx(on[1] / root - off[0] * root)
    assert found.unchanged == pytest.approx((on - off)[2:].mean())
    each = (on / root - off * root)[2:]
    assert found.as_much == pytest.approx((each >= found.excess).mean())
    half = (found.excess_upper - found.excess_lower) / 2 / stats.t.ppf(0.975, 99)
    wide = stats.t.ppf(0.975, 2) * np.sqrt((each**2).mean() * 4 / 2 + half**2)
    assert found.beyond_upper - found.excess == pytest.approx(wide)


def test_two_families_carry_no_spread_and_unknown_models_are_named():
    made = conditions(400)
    two = equal_accuracy(made, [("off", "on")], unchanged=["o1", "o2"])
    assert np.isfinite(two["excess_lower"].item()) and np.isnan(two["beyond_lower"].item())
    assert np.isnan(equal_accuracy(made, [("off", "on")], unchanged=[])["excess"].item())
    with pytest.raises(InputError, match="no model away"):
        equal_accuracy(made, [("off", "on")], unchanged=["away"])


def test_a_monotone_scale_and_the_models_of_no_pair_change_nothing_they_should_not():
    made = conditions(600)
    found = equal_accuracy(made, [("off", "on")])
    scaled = equal_accuracy(replace(made, confidence=np.exp(made.confidence)), [("off", "on")])
    pd.testing.assert_frame_equal(found, scaled)
    alone = equal_accuracy(made.kept(models=["off", "on"]), [("off", "on")])
    assert np.isnan(alone["equal_accuracy"].item())
    drop = [
        c
        for c in COLUMNS
        if c.startswith(("equal_accuracy", "equivalen", "excess", "beyond", "unch", "as_m", "n_un"))
    ]
    pd.testing.assert_frame_equal(found.drop(columns=drop), alone.drop(columns=drop))


def test_why_values_are_missing_is_said():
    made = conditions(400)
    right = made.right.copy()
    right[1] = 1
    sure = made.confidence.copy()
    sure[0] = 1
    for changed, words in (
        (replace(made, right=right), "fewer than 10 right or wrong"),
        (replace(made, confidence=sure), "one confidence throughout"),
        (
            replace(made, right=np.vstack([made.right[:1], 1 - made.right[:1], made.right[2:]])),
            "both are right, or both",
        ),
    ):
        table = equal_accuracy(changed, [("off", "on")])
        assert words in table["flag"].item()
        assert np.isnan(table["auroc2"].item())


def test_of_few_items_each_is_left_out_once():
    made = conditions(70, noise=(0.5, 0.5))
    (found,) = equal_accuracy(made, [("off", "on")]).itertuples()
    assert np.isfinite(
        [getattr(found, f"{name}_{end}") for name in CHANGES for end in ("lower", "upper")]
    ).all()
    exact = area_contrast(made.right[:2], made.confidence[:2], (-1, 1))
    assert found.auroc2_upper - found.auroc2_lower == pytest.approx(exact.upper - exact.lower, rel=0.25)
