"""What must not matter to a measure, and what must turn it over. Oracle: the measure of the other form of the data.

Mirrored and swapped fits of one table are in test_meta_d.py; names of models and the order of items in tests/measures.
"""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metacog.sdt import auroc2, brier_score, ece, fit_meta_d
from metacog.sdt.area_intervals import auroc2_interval
from metacog.sdt.decisions import holm
from metacog.sdt.information_bits import plugin_meta_i
from metacog.sdt.kendall_tau import kendall
from metacog.sdt.rank_correlations import spearman
from metacog.sdt.ranking import rank_sets
from metacog.sdt.selective import accuracy_coverage, aurc_from_counts, risk_coverage
from metacog.sdt.type1 import type1, z_roc
from metacog.sdt.type2 import auroc2_from_counts

CLOSE = dict(rtol=1e-9, atol=1e-12)
quickly = settings(max_examples=50, deadline=None, derandomize=True)
seeds = st.integers(0, 2**32 - 1)
#: Maps that rise, over confidence in [0, 1].
RISING = (lambda c: 100 * c, lambda c: np.log(c + 0.01), lambda c: c**3 - 2, np.exp)


@st.composite
def trials(draw, fewest=8):
    """Correctness and confidence with ties; both classes are there."""
    n = draw(st.integers(fewest, 60))
    correct = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n).filter(lambda c: 0 < sum(c) < n))
    levels = draw(st.lists(st.integers(0, 12), min_size=n, max_size=n).filter(lambda c: len(set(c)) > 1))
    return np.array(correct), np.array(levels) / 12


@st.composite
def tables(draw, least=0):
    """Counts of two classes over 2K ratings, K = 2 ... 4."""
    width = 2 * draw(st.integers(2, 4))
    half = st.lists(st.integers(least, 40), min_size=width, max_size=width).filter(sum)
    return np.array(draw(half)), np.array(draw(half))


def of_trials(correct, confidence):
    """Every measure that only knows the order of confidence."""
    curve = risk_coverage(correct, confidence)
    interval = auroc2_interval(correct, confidence)
    return np.hstack(
        [
            auroc2(correct, confidence),
            accuracy_coverage(correct, confidence, [0.25, 0.5, 1.0]),
            *(np.ravel(v) for v in vars(curve).values() if np.isscalar(v)),
            *(np.ravel(v) for v in vars(interval).values() if isinstance(v, float)),
            spearman(correct, confidence),
            kendall(correct, confidence).tau,
        ]
    )


def of_counts(nR_S1, nR_S2):
    """Every measure of a type-2 table that its shares alone decide, but for those that count trials."""
    return np.hstack([auroc2_from_counts(nR_S1, nR_S2), plugin_meta_i(nR_S1, nR_S2)])


@quickly
@given(trials(), st.sampled_from(RISING))
def test_a_rising_map_of_confidence_changes_no_measure_of_its_order(data, rising):
    correct, confidence = data
    np.testing.assert_allclose(
        of_trials(correct, rising(confidence)), of_trials(correct, confidence), **CLOSE
    )


@quickly
@given(trials(), seeds)
def test_the_order_of_rows_changes_nothing(data, seed):
    correct, confidence = data
    order = np.random.default_rng(seed).permutation(correct.size)
    there, here = of_trials(correct[order], confidence[order]), of_trials(correct, confidence)
    np.testing.assert_allclose(there, here, **CLOSE)
    by_bins = (partial(ece, n_bins=7, binning=name) for name in ("width", "mass", "unique"))
    for measure in (brier_score, *by_bins):
        there, here = measure(correct[order], confidence[order]), measure(correct, confidence)
        assert there == pytest.approx(here, abs=1e-12)


@quickly
@given(trials())
def test_wrong_for_right_or_doubt_for_confidence_turns_an_area_over(data):
    correct, confidence = data
    area = auroc2(correct, confidence)
    assert auroc2(1 - correct, confidence) == pytest.approx(1 - area, abs=1e-12)
    assert auroc2(correct, -confidence) == pytest.approx(1 - area, abs=1e-12)
    assert auroc2(1 - correct, -confidence) == pytest.approx(area, abs=1e-12)
    assert brier_score(1 - correct, 1 - confidence) == pytest.approx(
        brier_score(correct, confidence), abs=1e-12
    )
    assert spearman(correct, -confidence) == pytest.approx(-spearman(correct, confidence), abs=1e-12)


@quickly
@given(tables(), st.integers(2, 50))
def test_as_many_times_the_counts_give_the_same_shares(table, times):
    nR_S1, nR_S2 = table
    np.testing.assert_allclose(of_counts(times * nR_S1, times * nR_S2), of_counts(nR_S1, nR_S2), **CLOSE)
    np.testing.assert_allclose(
        z_roc(times * nR_S1, times * nR_S2, clip=1e-3).slope, z_roc(nR_S1, nR_S2, clip=1e-3).slope, **CLOSE
    )


@quickly
@given(tables(), st.data())
def test_a_rating_that_nobody_gave_changes_nothing_and_merged_ones_tell_no_more(table, data):
    """Merging two ratings can lose information and makes none; it ties what it merges."""
    at = data.draw(st.integers(0, table[0].size - 1))
    wider = [np.insert(counts, at, 0) for counts in table]
    np.testing.assert_allclose(of_counts(*wider), of_counts(*table), **CLOSE)
    np.testing.assert_allclose(aurc_from_counts(*wider), aurc_from_counts(*table), **CLOSE)
    at = min(at, table[0].size - 2)
    merged = [np.concatenate([c[:at], [c[at] + c[at + 1]], c[at + 2 :]]) for c in table]
    assert plugin_meta_i(*merged) <= plugin_meta_i(*table) + 1e-12
    alike = [np.insert(counts, at, counts[at]) for counts in table]  # two ratings that say the same
    both = [counts + np.eye(counts.size, dtype=int)[at] * counts[at] for counts in table]
    np.testing.assert_allclose(of_counts(*alike), of_counts(*both), **CLOSE)


@quickly
@given(tables(least=1), st.integers(2, 20))
def test_type_1_knows_no_confidence_and_mirrors_with_the_stimuli(table, times):
    nR_S1, nR_S2 = table
    here, mirrored, more = (
        type1(nR_S1, nR_S2),
        type1(nR_S2[::-1], nR_S1[::-1]),
        type1(times * nR_S1, times * nR_S2),
    )
    k = nR_S1.size // 2
    plain = type1(*([counts[:k].sum(), counts[k:].sum()] for counts in table))
    swapped = type1(nR_S2, nR_S1)
    for other, sign_d, sign_c in ((mirrored, 1, -1), (more, 1, 1), (plain, 1, 1), (swapped, -1, 1)):
        assert other.d_prime == pytest.approx(sign_d * here.d_prime, abs=1e-9)
        assert other.c == pytest.approx(sign_c * here.c, abs=1e-9)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.floats(0.8, 2.0), seeds, st.integers(2, 5))
def test_meta_d_is_of_shares(d, seed, times):
    """Of tables of a real observer, in whose fits the best is no edge."""
    rng = np.random.default_rng(seed)
    edges = np.array([-np.inf, -1.2, -0.5, 0.1, 0.7, 1.3, np.inf])
    nR_S1, nR_S2 = (np.histogram(rng.normal(mean, 1, 400), edges)[0] + 1 for mean in (-d / 2, d / 2))
    here = fit_meta_d(nR_S1, nR_S2)
    assert fit_meta_d(times * nR_S1, times * nR_S2).meta_d == pytest.approx(here.meta_d, abs=1e-7)


@quickly
@given(st.integers(2, 8), seeds)
def test_models_under_other_names_and_places_keep_their_ranks(n, seed):
    rng = np.random.default_rng(seed)
    strength, order = rng.integers(0, 4, n), rng.permutation(n)
    higher = strength[:, None] > strength[None, :] + 1
    for there, here in zip(rank_sets(higher[np.ix_(order, order)]), rank_sets(higher), strict=True):
        np.testing.assert_array_equal(there, here[order])
    p = np.where(rng.random(n) < 0.2, np.nan, rng.random(n))
    np.testing.assert_allclose(holm(p[order]), holm(p)[order], **CLOSE)
