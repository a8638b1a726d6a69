"""Agreement of raters. Oracles: krippendorff, pingouin, Krippendorff's worked example, a model of raters."""

from itertools import combinations

import krippendorff
import numpy as np
import pandas as pd
import pingouin
import pytest

from metacog.raters.precision import agreement_at, alpha_at, alpha_precision, simulate_raters
from metacog.raters.reliability import (
    NO_WIDTH,
    NOT_COMPLETE,
    NOT_NUMBERS,
    ONE_CATEGORY,
    ONE_ITEM,
    cronbach_alpha,
    krippendorff_alpha,
    pairwise_agreement,
    rater_pairs,
    rater_reliability,
)
from metacog.sdt import InputError
from metacog.sdt.correlations import spearman_brown

_ = None
#: Krippendorff (2011), section C: four observers, twelve units; alpha is .743 there.
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ],
    dtype=object,
).T


def test_krippendorffs_worked_example():
    assert round(krippendorff_alpha(KRIPPENDORFF), 3) == 0.743
    theirs = krippendorff.alpha(KRIPPENDORFF.T.astype(float), level_of_measurement="nominal")
    assert krippendorff_alpha(KRIPPENDORFF) == pytest.approx(theirs, abs=1e-14)
    found = rater_reliability(KRIPPENDORFF, n_resamples=50)
    assert (found.n_items, found.n_raters, found.n_judgements, found.n_unpaired) == (11, 4, 40, 1)
    assert found.n_complete == 8


def test_labels_are_names_only():
    words = pd.DataFrame(KRIPPENDORFF).map(lambda x: None if x is None else f"w{9 - x}")
    assert krippendorff_alpha(words) == pytest.approx(krippendorff_alpha(KRIPPENDORFF))
    assert krippendorff_alpha(KRIPPENDORFF.astype(float)) == pytest.approx(krippendorff_alpha(KRIPPENDORFF))


def test_two_raters_without_gaps_are_scotts_pi_with_krippendorffs_correction():
    table = simulate_raters(60, 2, 0.4, [0.3, 0.7], seed=3)[0]
    same = (table[:, 0] == table[:, 1]).mean()
    p = table.mean()
    scott = (same - (p**2 + (1 - p) ** 2)) / (1 - (p**2 + (1 - p) ** 2))
    assert pairwise_agreement(table) == pytest.approx(same)
    assert krippendorff_alpha(table) == pytest.approx(1 - (1 - 1 / 120) * (1 - scott))


def test_agreement_counts_every_pair_that_judged_an_item():
    by_hand = [
        float(x == y) for row in KRIPPENDORFF for x, y in combinations([x for x in row if x is not None], 2)
    ]
    assert pairwise_agreement(KRIPPENDORFF) == pytest.approx(np.mean(by_hand))
    pairs = rater_pairs(KRIPPENDORFF)
    assert sum(n for _, _, n, _ in pairs) == len(by_hand)
    assert sum(n * share for _, _, n, share in pairs) == pytest.approx(sum(by_hand))
    assert [(a, b) for a, b, _, _ in pairs] == list(combinations(range(4), 2))


def test_cronbach_is_that_of_pingouin():
    table = np.random.default_rng(4).normal(size=(30, 5)) + np.random.default_rng(5).normal(size=(30, 1))
    theirs = pingouin.cronbach_alpha(data=pd.DataFrame(np.round(table, 6)))[0]
    assert cronbach_alpha(np.round(table, 6)) == pytest.approx(theirs, abs=1e-12)
    by_hand = [[1, 1], [1, 0], [0, 0], [0, 0]]  # variances 1/3 and 1/4, of the sums 11/12: 2 (1 - 7/11)
    assert cronbach_alpha(by_hand) == pytest.approx(8 / 11)
    words = [["yes" if x else "no" for x in row] for row in by_hand]
    assert cronbach_alpha(words) == pytest.approx(8 / 11)
    assert cronbach_alpha([*by_hand, [1, _], [_, 0]]) == pytest.approx(8 / 11)  # items judged by all alone


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.85, 0.15), (0.2, 0.3, 0.5)])
@pytest.mark.parametrize("alpha", [0.0, 0.25, 0.66])
def test_the_alpha_that_was_put_in_is_found(alpha, shares):
    """Two raters agree with q^2 + (1 - q^2) S, S the sum of squared shares, so alpha is q^2."""
    table = simulate_raters(60_000, 4, alpha, shares, seed=7)[0]
    chance = sum(p * p for p in shares)
    assert krippendorff_alpha(table) == pytest.approx(alpha, abs=0.02)
    assert pairwise_agreement(table) == pytest.approx(alpha + (1 - alpha) * chance, abs=0.01)
    if len(shares) == 2:
        assert cronbach_alpha(table) == pytest.approx(spearman_brown(alpha, times=4), abs=0.02)


def test_agreement_and_alpha_of_the_same_raters():
    table = simulate_raters(60_000, 3, 0.3, (0.9, 0.1), seed=11)[0]
    assert pairwise_agreement(table) == pytest.approx(agreement_at(0.3, (0.9, 0.1)), abs=0.01)
    assert alpha_at(agreement_at(0.3, (0.9, 0.1)), (0.9, 0.1)) == pytest.approx(0.3)
    assert alpha_at(0.9, (0.5, 0.5)) == pytest.approx(0.8) and alpha_at(0.9, (0.96, 0.04)) < 0
    assert np.isnan(alpha_at(0.9, (1.0,)))


def test_gaps_at_random_leave_alpha_where_it_is():
    table = simulate_raters(40_000, 5, 0.4, (0.3, 0.7), seed=8)[0].astype(float)
    table[np.random.default_rng(9).random(table.shape) < 0.4] = np.nan
    assert krippendorff_alpha(table) == pytest.approx(0.4, abs=0.02)
    theirs = krippendorff.alpha(table[:200].T, level_of_measurement="nominal")
    assert krippendorff_alpha(table[:200]) == pytest.approx(theirs, abs=1e-12)


def test_intervals_hold_the_truth_as_often_as_they_say():
    found = alpha_precision(80, 5, 0.4, (0.5, 0.5), n_simulations=400, n_resamples=400, seed=1)
    assert abs(found.coverage - 0.95) < 3 * found.coverage_se + 0.01
    assert found.half_width == pytest.approx(1.96 * found.sd, rel=0.15)
    assert found.undefined == 0 and found.agreement == pytest.approx(0.7, abs=0.01)


def test_few_items_of_the_rarer_kind_make_intervals_too_narrow():
    assert alpha_precision(12, 5, 0.25, (0.9, 0.1), n_simulations=200, seed=1).coverage < 0.8


def test_the_seed_decides_and_the_chunks_do_not(monkeypatch):
    from metacog.sdt import resampling

    table = simulate_raters(30, 4, 0.4, (0.4, 0.6), seed=2)[0]
    first = rater_reliability(table, n_resamples=300, seed=3)
    monkeypatch.setattr(resampling, "_CHUNK_NUMBERS", 500)
    again, other = (rater_reliability(table, n_resamples=300, seed=s) for s in (3, 4))
    ends = [(x.alpha.lower, x.alpha.upper, x.cronbach.lower, x.agreement.upper) for x in (first, again)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)
    assert first.alpha.lower != other.alpha.lower and first.alpha.estimate == other.alpha.estimate
    assert first.alpha.method == "bca" and first.alpha.lower < first.alpha.estimate < first.alpha.upper


def test_raters_who_agree_throughout():
    one = rater_reliability(np.ones((20, 3)), n_resamples=50)
    assert one.agreement.estimate == 1 and one.agreement.reason == NO_WIDTH
    assert np.isnan(one.alpha.estimate) and one.alpha.reason == ONE_CATEGORY
    assert np.isnan(one.cronbach.estimate)
    two = np.repeat([[0], [1]], 3, axis=1)
    assert krippendorff_alpha(two) == 1 and cronbach_alpha(two) == pytest.approx(1)


def test_duplicate_rows_are_items_of_their_own():
    table = simulate_raters(20, 3, 0.5, (0.5, 0.5), seed=6)[0]
    twice = np.vstack([table, table])
    assert pairwise_agreement(twice) == pytest.approx(pairwise_agreement(table))
    assert rater_reliability(twice, n_resamples=20).n_items == 40


def test_one_item_has_values_and_no_interval():
    found = rater_reliability([[1, 1, 0]], n_resamples=20)
    assert found.agreement.estimate == pytest.approx(1 / 3) and found.alpha.estimate == pytest.approx(0)
    assert np.isnan(found.agreement.lower) and found.agreement.reason == ONE_ITEM
    assert np.isnan(found.cronbach.estimate)


def test_cronbach_says_why_there_is_none():
    words = [["a", "b"], ["b", "c"], ["c", "c"]]
    assert rater_reliability(words, n_resamples=20).cronbach.reason == NOT_NUMBERS
    gaps = [[0, 1, _], [_, 1, 1], [1, _, 0]]
    assert rater_reliability(gaps, n_resamples=20).cronbach.reason == NOT_COMPLETE
    assert np.isnan(cronbach_alpha([[1, 0], [1, 0], [1, 0]]))  # two raters who never vary
    assert krippendorff_alpha([[1, 0], [1, 0], [1, 0]]) < 0


@pytest.mark.parametrize(
    ("table", "reported"),
    [
        (np.full((4, 3), np.nan), "no judgement"),
        (np.empty((0, 3)), "no judgement"),
        ([[1], [0], [1]], "one rater only"),
        ([[1, _], [0, _]], "one rater only"),
        ([[1, _], [_, 0]], "no item was judged by two"),
        ([[1, "yes"], [0, "no"]], "mix number and str"),
        ([[1, np.inf], [0, 1]], "infinite"),
        ([[(1,), (2,)], [(1,), (1,)]], "table with items as rows"),
        ([1, 0, 1], "table with items as rows"),
        ([[1, 0], [1]], "table with items as rows"),
        ([[b"x", b"y"], [b"x", b"x"]], "numbers or text, not bytes"),
    ],
)
def test_tables_that_cannot_be_judged(table, reported):
    for estimate in (krippendorff_alpha, rater_reliability):
        with pytest.raises(InputError, match=reported):
            estimate(table)


def test_bad_options():
    with pytest.raises(InputError, match="two resamples"):
        rater_reliability([[1, 0]], n_resamples=1)
    with pytest.raises(InputError, match="between 0 and 1"):
        simulate_raters(5, 2, 1.5, (0.5, 0.5))
    with pytest.raises(InputError, match="sum to 1"):
        simulate_raters(5, 2, 0.5, (0.5, 0.6))
    with pytest.raises(InputError, match="two raters"):
        alpha_precision(5, 1, 0.5, (0.5, 0.5))
