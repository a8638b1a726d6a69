"""Oracles: scipy and closed forms (McNemar, DeLong, Holm by hand), published counts, simulation."""

import numpy as np
import pytest
from scipy import stats
from sdt_published import cacioli_cells

from metacog.sdt import InputError
from metacog.sdt.calibration import brier_score, ece
from metacog.sdt.compare import MEASURES, compare_counts, compare_paired, compare_unpaired, get_measure
from metacog.sdt.decisions import tost, tost_draws
from metacog.sdt.families import family
from metacog.sdt.information import meta_information
from metacog.sdt.selective import accuracy_coverage, risk_coverage
from metacog.sdt.type1 import z_roc
from metacog.sdt.type2 import auroc2, auroc2_variance


def answers(rng, n, shift=1.0, hardness=None):
    """Correctness and 8-level ratings of one model; hardness is shared over models."""
    hardness = rng.normal(size=n) if hardness is None else hardness
    correct = (hardness + rng.normal(size=n) < 0.3).astype(int)
    evidence = shift * correct - 0.5 * hardness + rng.normal(size=n)
    edges = np.quantile(evidence, np.arange(1, 8) / 8)
    return correct, np.searchsorted(edges, evidence, side="right") + 1


@pytest.fixture(scope="module")
def two_models():
    rng = np.random.default_rng(0)
    hardness = rng.normal(size=900)
    return (*answers(rng, 900, 1.5, hardness), *answers(rng, 900, 0.6, hardness))


def test_every_measure_equals_its_own_estimator():
    rng = np.random.default_rng(1)
    correct, rating = answers(rng, 800)
    probability = rating / 9
    table = np.array([np.bincount(rating[correct == c], minlength=9)[1:] for c in (0, 1)], dtype=float)
    info = meta_information(correct, rating, correction="chi-square")
    line = z_roc(*table)
    expected = {
        "accuracy": correct.mean(),
        "auroc2": auroc2(correct, rating),
        "meta_i_chi_square": info.meta_i,
        "meta_i2r_chi_square": info.meta_i2r,
        "d_a": line.d_a,
        "z_slope": line.slope,
        "aurc": risk_coverage(correct, rating).aurc,
        "accuracy_at_50": float(accuracy_coverage(correct, rating, 0.5)),
        "ece": ece(correct, probability),
        "brier": brier_score(correct, probability),
    }
    for name, value in expected.items():
        levels = np.arange(1, 9) / 9 if MEASURES[name].scale == "probability" else np.arange(1.0, 9)
        got = get_measure(name).on_tables(levels)(table.reshape(1, -1))
        assert got.shape == (1,)
        assert got[0] == pytest.approx(value, abs=1e-12), name
    assert set(MEASURES) - set(expected) == {"d_prime", "meta_d", "m_ratio"}


def test_m_ratio_is_that_of_fit_meta_d():
    from metacog.sdt.meta_d import fit_meta_d

    table = cacioli_cells()["llama3_instruct", "triviaqa"]
    fit = fit_meta_d(table[0] + 0.5, table[1] + 0.5)
    cells = np.concatenate(table)[None].astype(float)
    levels = np.arange(1.0, 9)
    for name, value in (("m_ratio", fit.m_ratio), ("meta_d", fit.meta_d), ("d_prime", fit.d_prime)):
        assert get_measure(name).on_tables(levels)(cells)[0] == pytest.approx(value, abs=1e-8)


def test_paired_accuracy_is_mcnemar():
    rng = np.random.default_rng(2)
    base = rng.random(400)
    a, b = (base + 0.3 * rng.random(400) < 0.75).astype(int), (base < 0.5).astype(int)
    result = compare_paired(a, np.ones(400), b, np.ones(400), measure="accuracy")
    wins, losses = int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum())
    assert result.difference == pytest.approx((wins - losses) / 400)
    variance = (wins + losses - (wins - losses) ** 2 / 400) / 400**2
    assert result.interval.se == pytest.approx(np.sqrt(variance), rel=0.08)
    exact = stats.binomtest(wins, wins + losses, 0.5).pvalue
    assert abs(result.p_permutation - exact) < 4 * np.sqrt(exact / 2000) + 1 / 2001


def test_pairing_narrows_the_interval(two_models):
    ca, sa, cb, sb = (x.copy() for x in two_models)
    same = np.random.default_rng(7).random(900) < 0.6  # B answers these exactly as A does
    cb[same], sb[same] = ca[same], sa[same]
    paired = compare_paired(ca, sa, cb, sb)
    unpaired = compare_unpaired(ca, sa, cb, sb)
    assert paired.paired and paired.n_clusters == 900 and paired.n_unshared == 0
    assert paired.difference == unpaired.difference
    # 60 % of the variance of each is shared: sd falls to about sqrt(.4) = .63
    assert 0.5 < paired.interval.se / unpaired.interval.se < 0.75
    assert paired.p_permutation < 0.05 and paired.interval.excludes(0)


@pytest.mark.parametrize("raw", [False, True])
def test_unpaired_error_is_delongs(two_models, raw):
    """Of ratings, and of raw confidence, where a cell would hold a trial."""
    ca, sa, cb, sb = two_models
    noise = 0.9 * raw * np.random.default_rng(8).random((2, 900))
    trials = [(ca, sa + noise[0]), (cb, sb + noise[1])]
    result = compare_unpaired(*trials[0], *trials[1])
    variance = 0.0
    for c, s in trials:
        level = np.unique(s, return_inverse=True)[1]
        tables = [np.bincount(level[c == k], minlength=level.max() + 1) for k in (0, 1)]
        variance += float(auroc2_variance(*tables))
    assert result.n_clusters == 1800 and result.value_a == pytest.approx(auroc2(*trials[0]), abs=1e-12)
    assert result.interval.se == pytest.approx(np.sqrt(variance), rel=0.07)


def test_shared_questions_are_found_and_the_rest_counted(two_models):
    ca, sa, cb, sb = two_models
    few = {"n_resamples": 50, "n_permutations": 50}
    whole = compare_paired(ca[100:], sa[100:], cb[100:], sb[100:], **few)
    names = np.array([f"q{i:04d}" for i in range(900)])
    order = np.random.default_rng(3).permutation(850)
    shared = {"clusters_a": names[100:], "clusters_b": names[order]}
    part = compare_paired(ca[100:], sa[100:], cb[order], sb[order], **shared, **few)
    assert part.n_clusters == 750 and part.n_unshared == 50 + 100
    same = compare_paired(ca[100:850], sa[100:850], cb[100:850], sb[100:850], n_resamples=50)
    assert part.difference == pytest.approx(same.difference, abs=1e-14)
    assert whole.n_clusters == 800


def test_raw_confidence_and_calibration_can_be_compared(two_models):
    ca, _, cb, _ = two_models
    rng = np.random.default_rng(4)
    pa, pb = rng.beta(2 + 2 * ca, 2), np.full(900, 0.99)
    for name, function in (("ece", ece), ("brier", brier_score), ("auroc2", auroc2)):
        result = compare_paired(ca, pa, cb, pb, measure=name, n_resamples=300, n_permutations=100)
        assert result.value_a == pytest.approx(function(ca, pa), abs=1e-12)
        assert result.value_b == pytest.approx(function(cb, pb), abs=1e-12)
        assert result.interval.lower <= result.difference <= result.interval.upper or name == "ece"


def test_m_ratio_difference_from_published_counts():
    a, b = cacioli_cells()["gemma2_instruct", "triviaqa"], cacioli_cells()["mistral_instruct", "triviaqa"]
    result = compare_counts(a, b, measure="m_ratio", n_resamples=400, n_permutations=200)
    assert result.difference == pytest.approx(1.0478487788917519 - 0.8522439331432204, abs=1e-6)
    assert result.interval.lower > 0 and result.p_permutation < 0.05
    # published half-widths .139 and .088 add in quadrature
    assert result.interval.half_width == pytest.approx(np.hypot(0.139, 0.088), rel=0.12)


def test_clustered_groups_are_wider(two_models):
    ca, sa, cb, sb = two_models
    triple = [np.repeat(x, 3) for x in two_models]
    question = np.repeat(np.arange(900), 3)
    naive = compare_unpaired(*triple, n_resamples=500, n_permutations=100)
    honest = compare_unpaired(
        *triple, clusters_a=question, clusters_b=question, n_resamples=500, n_permutations=100
    )
    single = compare_unpaired(ca, sa, cb, sb, n_resamples=500, n_permutations=100)
    assert honest.interval.se == pytest.approx(single.interval.se, rel=0.15)
    assert honest.interval.se == pytest.approx(np.sqrt(3) * naive.interval.se, rel=0.15)


def test_family_of_pairs(two_models):
    ca, sa, cb, sb = two_models
    sides = {"a": (ca, sa), "b": (cb, sb), "c": (cb, sb)}
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    few = {"n_resamples": 300, "n_permutations": 300}
    made = family(pairs, [compare_paired(*sides[a], *sides[b], **few) for a, b in pairs])
    assert made.pairs == tuple(pairs)
    assert made.differences[2].difference == 0 and made.p_holm[2] == 1.0
    assert (made.p_holm <= made.p_bonferroni).all()
    for d, wide in zip(made.differences, made.bonferroni_intervals, strict=True):
        assert wide.lower <= d.interval.lower and wide.upper >= d.interval.upper
    assert made.level_bonferroni == pytest.approx(1 - 0.05 / 3)


def other_scales(rng, n):
    """Two models with the same AUROC2: one right in a fifth, one in four fifths, scores far apart."""
    trials = []
    for accuracy, level in ((0.2, 0.0), (0.8, 100.0)):
        correct = (rng.random(n) < accuracy).astype(int)
        trials += [correct, level + np.clip(np.round(2 * (rng.normal(size=n) + correct)), -5, 6)]
    return trials


def test_scores_on_other_scales_are_no_difference():
    """The family adjusts the bootstrap p; the permutation p rejects .22 of such pairs at .05."""
    rng = np.random.default_rng(9)
    judged, permuted = [], []
    for i in range(300):
        ca, sa, cb, sb = other_scales(rng, 300)
        pair = compare_paired(ca, sa, cb, sb, n_resamples=199, n_permutations=99, seed=i)
        made = family([("a", "b")], [pair])
        judged.append(made.p_holm[0])
        permuted.append(made.differences[0].p_permutation)
    assert np.mean(np.array(judged) <= 0.05) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)
    assert np.mean(np.array(permuted) <= 0.05) > 0.15  # what adjusting it would have let through


def test_tost_equals_two_one_sided_tests():
    result = tost(0.02, 0.03, -0.1, 0.1)
    assert result.p_value == pytest.approx(stats.norm.sf((0.1 - 0.02) / 0.03))
    assert result.equivalent and -0.1 < result.lower and result.upper < 0.1
    edge = tost(0.1 - 1.6448536269514722 * 0.03 + 1e-9, 0.03, -0.1, 0.1)
    assert not edge.equivalent
    assert tost(0.5, 0.03, -0.1, 0.1).different


def test_tost_by_draws_agrees_with_tost():
    draws = np.random.default_rng(6).normal(0.02, 0.04, 50_000)
    a, b = tost_draws(draws, 0.02, -0.1, 0.1), tost(0.02, 0.04, -0.1, 0.1)
    assert a.equivalent == b.equivalent
    assert (a.lower, a.upper) == pytest.approx((b.lower, b.upper), abs=0.002)
    assert a.p_value == pytest.approx(b.p_value, abs=0.004)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: compare_paired([0, 1], [1, 2], [0, 1, 1], [1, 2, 2]), "different length"),
        (
            lambda: compare_paired([0, 1], [1, 2], [0, 1], [1, 2], clusters_a=[1, 2], clusters_b=[3, 4]),
            "fewer than two",
        ),
        (lambda: compare_paired([0, 0], [1, 2], [0, 1], [1, 2]), "undefined"),
        (lambda: compare_paired([0, 1], [1, 2], [0, 1], [1, 2], measure="magic"), "no measure"),
        (lambda: compare_paired([0, 1], [1, 2], [0, 1], [1, 2], measure="ece"), r"\[0, 1\]"),
        (lambda: compare_unpaired([0, 1], [1, 2], [0, 1], [1, 3], measure="m_ratio"), "even number"),
        (lambda: compare_counts(([1, 2], [3, 4]), ([1, 2, 3], [3, 4, 5])), "one shape"),
        (
            lambda: compare_paired(*(np.arange(300) % 2, np.arange(300.0)) * 2, measure="meta_i_chi_square"),
            "needs ratings, got 300",
        ),
        (lambda: tost_draws([0.0, None, 0.1], 0.05, -0.2, 0.2), "all finite"),
        (lambda: tost(0.0, 0.1, 0.2, 0.1), "margins"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_the_interval_of_two_count_tables_is_of_their_difference():
    first, second = ([40, 30, 20, 10], [10, 20, 30, 140]), ([30, 30, 20, 20], [20, 40, 50, 90])
    there, back = compare_counts(first, second, seed=3), compare_counts(second, first, seed=3)
    low, high = there.interval.lower, there.interval.upper
    assert low < there.difference < high < low + 0.3
    assert there.difference == pytest.approx(-back.difference, abs=1e-12)
    assert abs(low + back.interval.upper) < 0.02 and abs(high + back.interval.lower) < 0.02
    assert not there.paired


def test_margins_are_passed_by_counted_draws():
    draws = np.r_[np.linspace(-1, 1, 98), -3.0, 3.0]
    found = tost_draws(draws, 0.0, -2.0, 2.0)
    assert (found.p_low, found.p_high) == (pytest.approx(2 / 101), pytest.approx(2 / 101))
