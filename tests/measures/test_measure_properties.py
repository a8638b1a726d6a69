"""Measures of many tables, thinned, recut and made worse. Oracles: loops over trials, scipy, one table at a time."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from metacog.measures.measure_properties import (
    COMPARED,
    measures_of,
    part_of,
    randomised,
    recut,
    stacked,
    two_parts,
)
from metacog.sdt import MetaDObserver, fit_meta_d, meta_d_observer, meta_information_from_counts
from metacog.sdt.information_bits import normal_meta_information

RNG = np.random.default_rng(1)
#: Two tables of unequal K, in the order of Maniscalco and Lau.
S1 = [[36, 24, 17, 20, 10, 12, 9, 2], [30, 11, 6, 5]]
S2 = [[1, 4, 10, 11, 19, 18, 28, 39], [4, 9, 16, 33]]


def trials(row):
    """(correct, rating) of each trial of a table."""
    k, made = len(S1[row]) // 2, []
    for stimulus, cells in enumerate((S1[row], S2[row])):
        for place, n in enumerate(cells):
            rating = k - place if place < k else place - k + 1
            made += [(int((place >= k) == stimulus), rating)] * n
    return np.array(made).T


@pytest.fixture(scope="module")
def tables():
    return stacked(S1, S2)


@pytest.fixture(scope="module")
def found(tables):
    return measures_of(*tables)


def test_tables_of_unequal_scales_stand_side_by_side(tables):
    counts, k = tables
    assert counts.shape == (2, 2, 2, 4) and k.tolist() == [4, 2]
    assert counts[0, 0, 0].tolist() == [20, 17, 24, 36] and counts[0, 1, 1].tolist() == [19, 18, 28, 39]
    assert counts[1, 0, 1].tolist() == [6, 5, 0, 0] and counts[1, 1, 0].tolist() == [9, 4, 0, 0]


@pytest.mark.parametrize("row", [0, 1])
def test_gamma_phi_and_area_are_those_of_all_pairs_of_trials(found, row):
    correct, rating = trials(row)
    right, wrong = rating[correct == 1], rating[correct == 0]
    pairs = list(itertools.product(right, wrong))
    surer, less = sum(a > b for a, b in pairs), sum(a < b for a, b in pairs)
    mine = found.iloc[row]
    assert mine["gamma"] == pytest.approx((surer - less) / (surer + less))
    assert mine["auroc2"] == pytest.approx(0.5 + (surer - less) / (2 * len(pairs)))
    assert mine["phi"] == pytest.approx(stats.pearsonr(correct, rating).statistic)
    assert mine["trials"] == correct.size and mine["accuracy"] == pytest.approx(correct.mean())


@pytest.mark.parametrize("row", [0, 1])
def test_the_other_measures_are_those_of_one_table(found, tables, row):
    k = len(S1[row]) // 2
    fit = fit_meta_d(np.array(S1[row]) + 0.5 / k, np.array(S2[row]) + 0.5 / k)
    mine = found.iloc[row]
    assert mine[["d_prime", "meta_d", "m_ratio"]].tolist() == pytest.approx(
        [fit.d_prime, fit.meta_d, fit.m_ratio], rel=1e-6
    )
    assert mine["m_diff"] == pytest.approx(fit.meta_d - fit.d_prime, rel=1e-6)
    assert mine["log_m_ratio"] == pytest.approx(np.log(fit.m_ratio), rel=1e-6)
    correct, rating = trials(row)
    wrong, right = (np.bincount(rating[correct == side], minlength=k + 1)[1:] for side in (0, 1))
    info = meta_information_from_counts(wrong, right, correction="chi-square")
    assert mine["meta_i2r"] == pytest.approx(info.meta_i2r)
    assert mine["meta_i1r"] == pytest.approx(info.meta_i / normal_meta_information(fit.d_prime), rel=2e-4)


def test_what_is_undefined_has_no_number():
    all_right = measures_of(*stacked([[5, 5, 0, 0]], [[0, 0, 5, 5]])).iloc[0]
    assert all_right[["auroc2", "auroc2_over_ideal", "gamma", "phi", "meta_i2r", "meta_i1r"]].isna().all()
    upside_down = measures_of(*stacked([[5, 30, 10, 12]], [[12, 10, 30, 5]])).iloc[0]
    assert upside_down["m_ratio"] < 0 and np.isnan(upside_down["log_m_ratio"])


def test_two_parts_share_no_trial_and_hold_as_many_as_asked(tables):
    counts, _ = tables
    many = np.repeat(counts, 400, axis=0)
    first, second = two_parts(many, 50, np.random.default_rng(1))
    assert (first.sum(axis=(1, 2, 3)) == 50).all() and (second.sum(axis=(1, 2, 3)) == 50).all()
    assert (first >= 0).all() and (second >= 0).all() and (first + second <= many).all()
    for row in (0, 1):  # a cell of a part is hypergeometric
        cell, n = counts[row, 0, 0, 0], int(counts[row].sum())
        drawn = np.concatenate([first, second])[np.tile(np.repeat([0, 1], 400), 2) == row, 0, 0, 0]
        known = stats.hypergeom(n, int(cell), 50)
        assert drawn.mean() == pytest.approx(known.mean(), abs=4 * known.std() / np.sqrt(len(drawn)))
        assert drawn.std() == pytest.approx(known.std(), rel=0.15)


def test_a_part_of_everything_is_everything(tables):
    counts, _ = tables
    assert (part_of(counts, counts.sum(axis=(1, 2, 3)), np.random.default_rng(1)) == counts).all()


def test_two_ratings_become_one(tables):
    counts, k = tables
    low, fewer = recut(counts, k, "lowest")
    assert fewer.tolist() == [3, 1] and low[0, 0, 0].tolist() == [37, 24, 36, 0]
    high, _ = recut(counts, k, "highest")
    assert high[0, 0, 0].tolist() == [20, 17, 60, 0] and high[1, 0, 0].tolist() == [41, 0, 0, 0]
    assert (low.sum(axis=-1) == counts.sum(axis=-1)).all()


def test_random_ratings_keep_answers_and_the_use_of_ratings(tables):
    counts, k = tables
    many = np.repeat(counts[:1], 500, axis=0)
    all_replaced = randomised(many, 1.0, np.random.default_rng(1))
    assert (all_replaced.sum(axis=-1) == many.sum(axis=-1)).all()
    used = all_replaced.sum(axis=(0, 1)) / 500
    assert used == pytest.approx(counts[0].sum(axis=0), rel=0.03)
    assert (randomised(many, 0.0, np.random.default_rng(1)) == many).all()
    assert abs(np.mean(measures_of(all_replaced, np.repeat(k[:1], 500))["auroc2"]) - 0.5) < 0.05


def test_a_known_m_ratio_is_found_by_every_measure_that_has_one():
    observer = meta_d_observer(1.5, m_ratio=0.8)
    p1, p2 = observer.probabilities()
    mine = measures_of(*stacked([p1 * 1e8], [p2 * 1e8])).iloc[0]
    assert mine["m_ratio"] == pytest.approx(0.8, abs=1e-4) and mine["meta_d"] == pytest.approx(1.2, abs=1e-4)
    assert mine["m_diff"] == pytest.approx(-0.3, abs=1e-4) and np.isfinite(mine[list(COMPARED)]).all()


def test_whoever_uses_all_evidence_is_the_ideal_at_every_bias_and_use_of_ratings():
    """Oracle: an observer whose meta-d' is d' and whose cuts are placed unevenly."""
    observer = MetaDObserver(1.2, 1.2, 0.4, (-1.0, -0.5, 0.1), (0.6, 1.4, 1.7))
    p1, p2 = observer.probabilities()
    mine = measures_of(*stacked([p1 * 3e8], [p2 * 1e8])).iloc[0]
    assert mine["auroc2_over_ideal"] == pytest.approx(1, abs=1e-5) and mine["auroc2"] < 0.75


def test_random_ratings_have_none_of_what_the_ideal_has_unless_the_answer_tells():
    """Of an unbiased observer nothing is left; where one answer is right more often and rated otherwise, some is."""
    blind = randomised(cells_of(MetaDObserver(1.2, 1.2, 0.0, (-1.4, -0.7), (0.7, 1.4))), 1.0, RNG)
    assert measures_of(blind, [3])["auroc2_over_ideal"][0] == pytest.approx(0, abs=0.02)
    biased = randomised(cells_of(MetaDObserver(1.2, 1.2, 0.4, (-1.0, -0.5), (0.6, 1.4)), 3), 1.0, RNG)
    assert measures_of(biased, [3])["auroc2_over_ideal"][0] < -0.05


def cells_of(observer, s1=1):
    """Counts of an observer that saw S1 so many times as often as S2."""
    p1, p2 = observer.probabilities()
    return stacked([p1 * 1e6 * s1], [p2 * 1e6])[0]
