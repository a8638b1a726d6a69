"""Oracles: numpy quantiles and loops, pandas.cut, a trial table counted by hand."""

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.sdt.binning import counts, counts_by, equal_width_edges, quantile_edges, rate, rate_by


def test_quantile_edges_are_numpys_and_bins_hold_equal_counts():
    x = np.random.default_rng(0).normal(size=5000)
    edges = quantile_edges(x, 8)
    np.testing.assert_array_equal(edges, np.percentile(x, [12.5, 25, 37.5, 50, 62.5, 75, 87.5]))
    np.testing.assert_array_equal(np.bincount(rate(x, edges))[1:], 625)
    assert not edges.degenerate and len(edges) == 7


def test_a_value_on_an_edge_goes_up_or_down_as_asked():
    np.testing.assert_array_equal(rate([0.9, 1.0, 1.5, 2.0, 9], [1, 2]), [1, 2, 2, 3, 3])
    np.testing.assert_array_equal(rate([0.9, 1.0, 1.5, 2.0, 9], [1, 2], closed="right"), [1, 1, 2, 2, 3])


def test_equal_width_right_closed_equals_pandas_cut():
    x = np.round(np.random.default_rng(1).random(400), 1)
    expected = pd.cut(x, 4, labels=False) + 1
    np.testing.assert_array_equal(rate(x, equal_width_edges(x, 4, closed="right"), closed="right"), expected)


def test_ties_flag_degenerate_edges():
    edges = quantile_edges([1, 1, 1, 1, 1, 2, 3, 4], 4)
    assert edges.degenerate and edges.empty == (1, 2)
    assert equal_width_edges([3, 3, 3], 4).degenerate
    inner_gap = equal_width_edges([0, 1, 4], 4)
    assert inner_gap.empty == (3,) and not inner_gap.degenerate


def test_counts_equal_a_loop():
    rng = np.random.default_rng(2)
    correct, rating = rng.integers(0, 2, 300).astype(bool), rng.integers(1, 5, 300)
    table = counts(correct, rating, 6)
    for r in range(1, 7):
        assert table.nR_S1[r - 1] == sum(1 for c, x in zip(correct, rating, strict=True) if not c and x == r)
        assert table.nR_S2[r - 1] == sum(1 for c, x in zip(correct, rating, strict=True) if c and x == r)
    assert table.n_empty == 2


@pytest.fixture
def trials():
    rng = np.random.default_rng(3)
    n = 900
    frame = pd.DataFrame(
        {
            "model": rng.choice(["a", "b"], n),
            "temperature": rng.choice([0.3, 1.0], n),
            "nlp": rng.normal(size=n),
            "correct": rng.integers(0, 2, n).astype(bool),
        },
        index=np.arange(n) * 3 + 7,
    )
    frame.loc[frame["model"] == "b", "nlp"] += 10
    return frame


def test_rate_by_holds_each_groups_reference_edges(trials):
    rating, edges = rate_by(trials, "model", 8, reference=trials["temperature"] == 1.0)
    for model, part in trials.groupby("model"):
        base = part.loc[part["temperature"] == 1.0, "nlp"]
        expected = np.digitize(part["nlp"], np.quantile(base, np.arange(1, 8) / 8)) + 1
        np.testing.assert_array_equal(rating.loc[part.index].to_numpy(dtype=int), expected)
        assert not edges[(model,)].degenerate


def test_counts_by_equals_single_counts(trials):
    trials["rating"], _ = rate_by(trials, "model", 4)
    trials.loc[trials.index[:5], "rating"] = pd.NA
    grouped = counts_by(trials, ["model", "temperature"], 4)
    assert grouped.n_dropped == 5 and grouped.nR_S1.shape == (4, 4)
    for i, key in grouped.groups.iterrows():
        part = trials[(trials[["model", "temperature"]] == key).all(axis=1)].dropna()
        single = counts(part["correct"], part["rating"].astype(int), 4)
        np.testing.assert_array_equal(grouped.nR_S1[i], single.nR_S1)
        np.testing.assert_array_equal(grouped.nR_S2[i], single.nR_S2)


def test_missing_confidence_has_no_rating(trials):
    trials.loc[trials.index[:3], "nlp"] = np.nan
    rating, _ = rate_by(trials, ["model"], 4, method="width")
    assert rating.isna().sum() == 3


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quantile_edges([], 4), "non-empty"),
        (lambda: quantile_edges([1, np.nan], 4), "NaN"),
        (lambda: quantile_edges([1, 2], 1), "n_bins"),
        (lambda: rate([1], [2, 1]), "rising"),
        (lambda: rate([1], [1, 2], closed="both"), "closed"),
        (lambda: counts([0, 1], [0, 1], 4), "1 to 4"),
        (lambda: counts([0, 1], [1, 1.5], 4), "whole numbers"),
        (lambda: counts([0, 3], [1, 1], 4), "0/1"),
        (lambda: counts([0, 1], [1], 4), "one each"),
        (lambda: counts_by(pd.DataFrame({"a": [1]}), "a", 4), "no column"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(MetacogError, match=message):
        call()
