"""Own confidence against the others': one table against brute force, and observers of known kinds."""

from __future__ import annotations

import numpy as np
import pytest
from crowd_observers import arranged, observers, with_gaps

from metacog.measures.model_items import FEW
from metacog.measures.rivals import COLUMNS, RIVALS, rivals
from metacog.sdt import auroc2, auroc2_interval

FEW_DRAWS = {"n_resamples": 60}


def test_values_are_those_of_brute_force():
    made = observers(n_models=5, n_families=3, n_items=200)  # families 0 1 2 0 1
    found = rivals(made, **FEW_DRAWS)
    assert tuple(found.columns) == COLUMNS
    assert (found["n_others"] == 3).all() and (found["n"] == 200).all()
    row = found.set_index("model").loc["m0"]
    ranks = made.rank_shares()
    hits, others = made.right[0], [1, 2, 4]
    singles = [auroc2(hits, made.confidence[j]) for j in others]
    assert row["own"] == pytest.approx(auroc2(hits, made.confidence[0]))
    assert row["crowd"] == pytest.approx(auroc2(hits, ranks[others].mean(axis=0)))
    assert row["crowd_right"] == pytest.approx(auroc2(hits, made.right[others].mean(axis=0)))
    assert row["single_median"] == pytest.approx(np.median(singles))
    assert row["own_lower"] == pytest.approx(auroc2_interval(hits, made.confidence[0]).lower)
    for name in RIVALS:
        assert row[f"own_less_{name}"] == pytest.approx(row["own"] - row[name])
        assert row[f"own_less_{name}_lower"] < row[f"own_less_{name}"] < row[f"own_less_{name}_upper"]


def test_an_observer_of_difficulty_alone_beats_no_single_other():
    made = observers(noise=(1.0, 1.0), n_items=1500, n_models=12, n_families=6)
    table = rivals(made, n_resamples=200)
    # Equal readers: the difference is 0, its interval misses 0 in 5 % of 12 models (5 or more: 2 in 10,000).
    outside = (table["own_less_single_median_lower"] > 0) | (table["own_less_single_median_upper"] < 0)
    assert outside.sum() < 5
    assert (table["own_less_crowd_upper"] < 0).all()  # a mean of many reads difficulty better than one


def test_an_observer_that_knows_itself_alone_beats_every_rival():
    made = observers(reads_difficulty=0.0, reads_state=1.0, noise=(0.5, 0.5), n_items=1500)
    table = rivals(made, **FEW_DRAWS)
    for name in ("crowd", "single_median", "single_best"):
        assert (table[f"own_less_{name}_lower"] > 0).all()
        assert table[name].between(0.4, 0.6).all()


def test_the_best_of_equals_is_not_above_the_median_by_its_choice():
    # Others that know nothing: the best on all items looks good, the one chosen on other items does not.
    made = observers(reads_difficulty=0.0, n_models=30, n_families=30, n_items=300)
    assert np.mean([max(auroc2(hits, sure) for sure in made.confidence) for hits in made.right]) > 0.55
    table = rivals(made, **FEW_DRAWS)
    # 30 cross-fitted values of AUROC2 with a standard error near .034, which share their others.
    assert table["single_best"].mean() == pytest.approx(0.5, abs=0.02)


def test_a_family_that_shares_confidence_is_no_rival_unless_asked():
    made = observers(reads_difficulty=0.3, reads_family=1.0, noise=(0.5, 0.5), n_items=1500)
    apart = rivals(made, **FEW_DRAWS)
    together = rivals(arranged(made.right, made.confidence), **FEW_DRAWS)
    assert (together["single_best"] > apart["single_best"] + 0.05).all()
    assert (apart["n_others"] == 6).all() and (together["n_others"] == 7).all()


def test_partial_runs_constants_and_few_errors_are_flagged():
    made = observers(n_models=7, n_families=7, n_items=300)
    gaps = np.zeros((7, 300), dtype=bool)
    gaps[1, 100:] = True
    gaps[2, 20:] = True
    made = with_gaps(made, gaps)
    made.confidence[3] = 5.0
    right = made.right.copy()
    right[4] = 1.0
    table = rivals(arranged(right, made.confidence), **FEW_DRAWS).set_index("model")
    assert table.loc["m1", "n"] == 100 and table.loc["m1", "flag"] == "" and table.loc["m1", "own"] > 0.5
    assert table.loc["m2", "flag"] == FEW and np.isnan(table.loc["m2", "crowd"])
    assert "throughout" in table.loc["m3", "flag"] and np.isnan(table.loc["m3", "own"])
    assert table.loc["m3", "crowd"] > 0.5 and np.isnan(table.loc["m3", "own_less_crowd"])
    assert table.loc["m4", "flag"] == FEW and np.isnan(table.loc["m4", "own"])


def test_resamples_of_many_items_are_those_of_fewer_to_first_order(monkeypatch):
    made = observers(n_models=6, n_families=3, n_items=600)
    whole = rivals(made, n_resamples=400)
    monkeypatch.setattr("metacog.measures.rivals.LARGE", 100)
    quick = rivals(made, n_resamples=400)
    for name in ("single_median", "single_best"):
        np.testing.assert_allclose(quick[name], whole[name], atol=1e-12)
        half = [t[f"own_less_{name}_upper"] - t[f"own_less_{name}"] for t in (whole, quick)]
        np.testing.assert_allclose(half[1], half[0], rtol=0.1)
        assert not np.array_equal(half[0], half[1])
