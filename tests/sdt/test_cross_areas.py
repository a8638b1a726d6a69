"""Areas of many confidences against many answers: as trial by trial, under weights, shuffled."""

import numpy as np
import pytest

from metacog.sdt import InputError, auroc2
from metacog.sdt.area_comparison import CrossAreas, shuffled_areas

M, K, N = 4, 3, 60


@pytest.fixture()
def table() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    correct = rng.integers(0, 2, (K, N)).astype(float)
    confidence = rng.integers(0, 6, (M, N)).astype(float)
    correct[rng.random((K, N)) < 0.2] = np.nan
    confidence[rng.random((M, N)) < 0.2] = np.nan
    return correct, confidence


def one_by_one(correct: np.ndarray, confidence: np.ndarray) -> np.ndarray:
    made = np.full((len(confidence), len(correct)), np.nan)
    for i, sure in enumerate(confidence):
        for j, marks in enumerate(correct):
            both = np.isfinite(sure) & np.isfinite(marks)
            made[i, j] = auroc2(marks[both], sure[both])
    return made


def test_areas_are_those_of_the_items_that_have_both(table: tuple[np.ndarray, np.ndarray]) -> None:
    correct, confidence = table
    asked = CrossAreas.of(correct, confidence)
    np.testing.assert_allclose(asked.areas(), one_by_one(correct, confidence), atol=1e-12)
    both = np.isfinite(confidence)[:, None] & (correct == 1)[None]
    np.testing.assert_array_equal(asked.n_right, both.sum(axis=2))


def test_a_weight_is_a_repeated_item(table: tuple[np.ndarray, np.ndarray]) -> None:
    correct, confidence = table
    weights = np.random.default_rng(4).integers(0, 3, (5, N))
    made = CrossAreas.of(correct, confidence).areas(weights)
    for drawn, areas in zip(weights, made, strict=True):
        repeated = np.repeat(np.arange(N), drawn)
        np.testing.assert_allclose(
            areas, one_by_one(correct[:, repeated], confidence[:, repeated]), atol=1e-12
        )


def test_one_class_has_no_area() -> None:
    made = CrossAreas.of([[1.0, 1.0, 1.0], [1.0, 0.0, np.nan]], [[1.0, 2.0, 3.0]]).areas()
    assert np.isnan(made[0, 0]) and made[0, 1] == 0.0


def test_shuffles_within_strata_keep_what_strata_say(table: tuple[np.ndarray, np.ndarray]) -> None:
    correct, confidence = table
    asked = CrossAreas.of(correct, confidence)
    rng = np.random.default_rng(5)
    level = np.nan_to_num(confidence[1], nan=-1).astype(int)
    kept = shuffled_areas(correct, asked, 1, level, 20, rng)
    np.testing.assert_allclose(kept, np.repeat(asked.areas()[1:2], 20, axis=0))
    free = shuffled_areas(correct, asked, 1, np.zeros(N, dtype=int), 400, rng)
    assert free.shape == (400, K)
    # The null mean of an area is 1/2; its standard error over 400 shuffles is free.std / 20.
    assert (np.abs(free.mean(axis=0) - 0.5) < 4 * free.std(axis=0) / 20).all()


def test_a_shuffle_of_two_items_has_the_two_known_areas() -> None:
    correct = np.array([[1.0, 0.0, 1.0, 0.0]])
    asked = CrossAreas.of(correct, [[4.0, 1.0, 3.0, 2.0]])
    made = shuffled_areas(correct, asked, 0, [0, 0, 1, 2], 50, np.random.default_rng(0))
    assert set(made.ravel()) == {1.0, 0.25}  # as it is, and with the first two changed: one pair of four


@pytest.mark.parametrize(
    ("correct", "confidence", "words"),
    [
        ([[1.0, 0.0]], [[1.0]], "answers \\(K, N\\)"),
        ([[1.0, 2.0]], [[1.0, 2.0]], "0, 1 or NaN"),
        ([[1.0, 0.0]], [[np.nan, np.nan]], "no confidence at all"),
    ],
)
def test_what_is_wrong_is_named(correct: list, confidence: list, words: str) -> None:
    with pytest.raises(InputError, match=words):
        CrossAreas.of(correct, confidence)


def test_weights_of_another_length_are_refused() -> None:
    with pytest.raises(InputError, match="weights of shape"):
        CrossAreas.of([[1.0, 0.0]], [[1.0, 2.0]]).areas(np.ones((2, 3)))
