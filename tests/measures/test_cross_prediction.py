"""The matrix of all pairs, and what the diagonal has beyond row and column."""

from __future__ import annotations

import numpy as np
import pytest
from crowd_observers import arranged, observers, with_gaps

from metacog.measures.cross_prediction import COLUMNS, CrossPrediction, cross_prediction
from metacog.measures.model_items import CONSTANT, FEW, ModelItems
from metacog.sdt import InputError, auroc2
from metacog.sdt.over_groups import additive_fit, multiplicative_fit


def small(items: ModelItems, **options: int) -> CrossPrediction:
    return cross_prediction(items, **{"n_resamples": 100, "n_permutations": 60, **options})


def test_the_matrix_is_that_of_the_items_that_both_answered():
    made = observers(n_models=4, n_items=300)
    gaps = np.random.default_rng(1).random((4, 300)) < 0.2
    made = with_gaps(made, gaps)
    found = small(made)
    for i in range(4):
        for j in range(4):
            both = ~gaps[i] & ~gaps[j]
            assert found.areas[i, j] == pytest.approx(auroc2(made.right[j, both], made.confidence[i, both]))
    assert tuple(found.advantage.columns) == COLUMNS


def test_advantages_are_own_areas_less_fits_to_the_other_cells():
    found = small(observers(n_models=5, n_families=3))  # families 0 1 2 0 1
    table, areas = found.advantage, found.areas
    off = ~np.eye(5, dtype=bool)
    family = np.array([0, 1, 2, 0, 1])
    apart = family[:, None] != family[None, :]
    own = np.diagonal(areas)
    np.testing.assert_allclose(table["own"], own)
    np.testing.assert_allclose(
        table["advantage"], own - 0.5 - np.diagonal(multiplicative_fit(areas - 0.5, off))
    )
    np.testing.assert_allclose(table["additive"], own - np.diagonal(additive_fit(areas, off)))
    left = areas - 0.5 - multiplicative_fit(areas - 0.5, apart)
    np.testing.assert_allclose(table["beyond_other_families"], np.diagonal(left))
    assert table["of_family"].iloc[1] == pytest.approx((left[1, 4] + left[4, 1]) / 2)
    assert np.isnan(table["of_family"].iloc[2])
    assert table["beyond_family"].iloc[1] == pytest.approx(left[1, 1] - (left[1, 4] + left[4, 1]) / 2)
    assert found.mean_advantage == pytest.approx(table["advantage"].mean())


def test_readers_of_difficulty_have_no_advantage():
    found = small(observers(n_models=12, n_families=6, n_items=1500, noise=(0.3, 6.0)), n_resamples=300)
    table = found.advantage
    assert found.lower < 0 < found.upper
    outside = (table["advantage_lower"] > 0) | (table["advantage_upper"] < 0)
    assert outside.sum() < 5  # of 12 intervals of 95 %: 5 or more in 2 of 10,000
    # Their confidence says more of difficulty than the number of right others does: shuffled, they lose it.
    # p is about an advantage of 0, so that it holds its level all the same: as few below .05.
    assert table["null_mean"].mean() < -0.01 and (table["p_value"] < 0.05).sum() < 5


def test_the_additive_fit_takes_bad_readers_of_hard_answers_for_self_knowledge():
    # Those who read worst answer by chance: nothing foretells them, and they foretell nobody.
    rng = np.random.default_rng(2)
    n_models, n_items = 12, 3000
    u = rng.normal(size=n_items)
    slope = np.repeat([0.0, 2.0], 6)[:, None]
    right = (rng.random((n_models, n_items)) < 1 / (1 + np.exp(slope * u - 0.5))).astype(float)
    noise = np.repeat([30.0, 0.7], 6)[:, None]
    found = small(arranged(right, np.round(2 * (noise * rng.normal(size=right.shape) - u))))
    blind = found.advantage.iloc[:6]
    assert np.abs(blind["advantage"]).max() < 0.04
    assert blind["additive"].min() > 0.05


def test_models_that_know_themselves_alone_have_all_on_the_diagonal():
    made = observers(reads_difficulty=0.0, reads_state=1.0, noise=(0.5, 0.5), n_items=1000)
    found = small(made)
    table = found.advantage
    assert found.lower > 0 and found.p_value == pytest.approx(1 / 61)
    # A cell has a standard error near .02, and the fit to noise around 1/2 one of that size too.
    np.testing.assert_allclose(table["advantage"], table["own"] - 0.5, atol=0.08)
    assert found.mean_advantage == pytest.approx(table["own"].mean() - 0.5, abs=0.02)
    assert (table["advantage_lower"] > 0).all()
    assert np.abs(table["of_family"]).max() < 0.05


def test_what_a_family_shares_is_no_knowledge_of_oneself():
    made = observers(reads_difficulty=0.5, reads_family=1.0, noise=(0.5, 0.5), n_items=2000)
    means = small(made).means.set_index("quantity")
    assert means.loc["beyond_other_families", "lower"] > 0.05
    assert means.loc["of_family", "lower"] > 0.05
    assert abs(means.loc["beyond_family", "mean"]) < 0.02
    assert means.loc["beyond_family", "lower"] < 0 < means.loc["beyond_family", "upper"]


def test_without_families_nothing_is_said_of_them():
    made = observers(n_models=4, n_families=4)
    found = small(made)
    assert (
        found.advantage["of_family"].isna().all() and found.advantage["beyond_other_families"].notna().all()
    )
    one = small(arranged(made.right, made.confidence, ("x",) * 4))
    assert one.advantage["beyond_other_families"].isna().all() and one.advantage["p_value"].notna().all()


def test_the_interval_of_an_advantage_has_the_spread_of_new_samples():
    draws = [small(observers(n_models=4, n_items=400, seed=s), n_permutations=1) for s in range(25)]
    spread = np.std([d.mean_advantage for d in draws], ddof=1)
    half = np.mean([(d.upper - d.lower) / 2 / 1.96 for d in draws])
    # 24 (spread / sd)^2 is chi-squared with 24 degrees of freedom: .1 % points 8.1 and 51.2 of both sides.
    assert np.sqrt(24 / 51.2) < half / spread < np.sqrt(24 / 8.1)


def test_what_cannot_be_told_is_flagged():
    made = observers(n_models=6, n_families=6, n_items=200)
    gaps = np.zeros((6, 200), dtype=bool)
    gaps[1, 12:] = True
    gaps[2, :100] = gaps[3, 100:] = True  # these two share no item
    made = with_gaps(made, gaps)
    made.confidence[4] = 3.0
    found = small(made)
    table = found.advantage.set_index("model")
    assert table.loc["m1", "flag"] == FEW and table.loc["m4", "flag"] == CONSTANT
    assert np.isnan(found.areas[2, 3])
    assert np.isnan(found.areas[4]).all() and np.isfinite(found.areas[0, 4])
    assert table.loc[["m0", "m2", "m3", "m5"], "advantage"].notna().all()
    assert table.loc[["m1", "m4"], ["advantage", "advantage_lower", "p_value"]].isna().all(axis=None)
    assert found.means["n_models"].iloc[0] == 4


def test_two_models_and_models_without_items_in_common_are_refused():
    with pytest.raises(InputError, match="three models"):
        small(observers(n_models=2))
    gaps = np.ones((3, 300), dtype=bool)
    for i in range(3):
        gaps[i, 100 * i : 100 * i + 100] = False
    with pytest.raises(InputError, match="no two models"):
        small(with_gaps(observers(n_models=3, n_items=300), gaps))


def test_resamples_of_many_items_are_those_of_fewer_to_first_order(monkeypatch):
    made = observers(n_models=6, n_families=3, n_items=600)
    made = with_gaps(made, np.random.default_rng(2).random((6, 600)) < 0.05)
    whole = small(made, n_resamples=400, n_permutations=2)
    monkeypatch.setattr("metacog.measures.cross_prediction.LARGE", 100)
    quick = small(made, n_resamples=400, n_permutations=2)
    np.testing.assert_allclose(quick.areas, whole.areas, atol=1e-12)
    half = [m.advantage["advantage_upper"] - m.advantage["advantage"] for m in (whole, quick)]
    assert not np.array_equal(half[0], half[1])
    np.testing.assert_allclose(half[1], half[0], rtol=0.2)
