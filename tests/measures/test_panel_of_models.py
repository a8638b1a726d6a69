"""Who stands as the others, and how hard an item was for them."""

from __future__ import annotations

import numpy as np
import pytest
from crowd_observers import arranged, observers, with_gaps

from metacog.measures.model_items import difficulty, others_of, panel
from metacog.sdt import InputError


def test_short_runs_are_judged_but_do_not_stand_as_others():
    made = observers(n_models=5, n_families=5, n_items=100)
    gaps = np.zeros((5, 100), dtype=bool)
    gaps[1, 40:] = True  # 5 x 40 < 4 x 100
    gaps[3, 95:] = True  # 4 x 95 > 3 x 100
    members, n = panel(with_gaps(made, gaps))
    np.testing.assert_array_equal(members, [0, 2, 3, 4])
    assert n == 3  # a member has three others, the short run four


def test_the_number_of_others_is_that_of_the_largest_family():
    made = observers(n_models=7, n_families=3)  # families of 3, 2 and 2
    assert panel(made)[1] == 4
    assert panel(made, other_families=False)[1] == 6
    members, _ = panel(made)
    drawn = others_of(made, "m0", members, 2, seed=1)
    assert drawn.size == 2 and not {0, 3, 6} & set(drawn.tolist())
    again = others_of(made, "m0", members, 2, seed=1)
    np.testing.assert_array_equal(drawn, again)


def test_one_confidence_throughout_is_no_other():
    made = observers(n_models=4, n_families=4)
    made.confidence[2] = 7.0
    np.testing.assert_array_equal(panel(made)[0], [0, 1, 3])


def test_too_few_others_are_named():
    made = observers(n_models=3, n_families=3)
    with pytest.raises(
        InputError, match="not every model has another of another family.*other_families=False"
    ):
        panel(arranged(made.right, made.confidence, ("x", "x", "x")))


def test_models_that_share_no_item_are_named():
    made = observers(n_models=3, n_families=3, n_items=90)
    gaps = np.ones((3, 90), dtype=bool)
    for i in range(3):
        gaps[i, 30 * i : 30 * i + 30] = False
    with pytest.raises(InputError, match="share no item"):
        panel(with_gaps(made, gaps))


def test_difficulty_counts_right_others_on_one_scale():
    right = np.array([[1.0, 1, 1, 1], [1, 0, 1, 0], [1, 0, 0, np.nan], [0, 0, 1, 1]])
    made = arranged(right, np.where(np.isfinite(right), np.arange(4.0), np.nan), ("a", "b", "c", "a"))
    np.testing.assert_array_equal(
        difficulty(made, "m0", other_families=False), [2, 0, 2, 2]
    )  # 1 of 2 of 3: 1.5
    np.testing.assert_array_equal(difficulty(made, "m0"), [2, 0, 1, 0])
