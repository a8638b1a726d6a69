"""AUROC2 at equal accuracy: against plain numpy, and what must not matter."""

import numpy as np
import pytest

from metacog.measures.equal_accuracy import CHANGES, COLUMNS, equal_accuracy
from metacog.measures.model_items import ModelItems
from metacog.sdt import InputError, auroc2
from metacog.sdt.area_comparison import area_contrast


def conditions(
    n: int = 1500, gain: float = 0.8, noise: tuple[float, float] = (1.0, 1.0), seed: int = 1
) -> ModelItems:
    """Two conditions of one model, the second ``gain`` better, and twenty models of other families."""
    rng = np.random.default_rng(seed)
    ease = rng.normal(size=n)
    state = ease + rng.normal(size=(22, n)) + np.array([0, gain, *np.linspace(-1, 1, 20)])[:, None]
    sure = state + rng.normal(size=state.shape) * np.array([*noise, *[1.0] * 20])[:, None]
    names = ("off", "on", *(f"o{i}" for i in range(20)))
    families = ("own", "own", *names[2:])
    return ModelItems(
        names, tuple(map(str, range(n))), (state > 0).astype(float), np.round(sure, 1), families, ("",) * n
    )


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
    with pytest.raises(InputError, match="left_out or wrong"):
        equal_accuracy(made, [("off", "on")], missing="skip")


def test_a_better_condition_with_the_same_confidence_is_no_better_at_equal_accuracy():
    (found,) = equal_accuracy(conditions(40_000, gain=1.4), [("off", "on")]).itertuples()
    assert found.auroc2_lower > 0.01
    assert abs(found.equal_accuracy) < 0.01
    assert found.equivalent and not found.equivalent_auroc2
    (less_noise,) = equal_accuracy(conditions(40_000, noise=(1.2, 0.6)), [("off", "on")]).itertuples()
    assert less_noise.equal_accuracy == pytest.approx(0.088, abs=0.01)
