"""Thresholds that keep a promise. Oracles: the rule written out with scipy's beta and binomial distributions."""

import numpy as np
import pytest
from scipy.stats import beta, binom, binomtest

from metacog.sdt import InputError, clopper_pearson, fewest_answers, promise_held_out, promised_threshold
from metacog.sdt.abstention import cluster_halves
from metacog.sdt.intervals import effective_trials


def trials(n=2000, seed=1, accuracy=0.8, apart=2.0):
    rng = np.random.default_rng(seed)
    correct = rng.random(n) < accuracy
    return correct, rng.normal(apart * correct, 1)


def by_hand(correct, confidence, most):
    """The rule of ``promised_threshold``, one threshold after the other: what a test was given goes on if it passes."""
    ordered = np.sort(confidence)[::-1]
    levels = list(
        dict.fromkeys(ordered[int(np.ceil(step / 20 * ordered.size - 1e-9)) - 1] for step in range(1, 21))
    )
    passing = [int((confidence >= one).sum()) for one in levels]
    enough = [n for n in passing if binom.cdf(0, n, most) <= 0.025] or [
        n for n in passing if binom.cdf(0, n, most) <= 0.05
    ]
    if not enough:
        return np.inf
    starts = {next(n for n in passing if n >= share * ordered.size - 1e-9) for share in (0.25, 0.5, 0.75)}
    starts = {n for n in starts if n > enough[0]}
    best, error = np.inf, 0.0
    for threshold, n in zip(levels, passing, strict=True):
        error += 0.05 / (2 if starts else 1) * (n == enough[0]) + 0.025 / max(len(starts), 1) * (n in starts)
        wrong = (~correct[confidence >= threshold]).sum()
        if error and (wrong == n or beta.ppf(1 - error, wrong + 1, n - wrong) > most):
            error = 0.0
        elif error:
            best = threshold
    return best


@pytest.mark.parametrize("most", [0.02, 0.05, 0.1, 0.3])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("digits", [8, 0])
def test_the_threshold_is_that_of_the_rule_written_out(most, seed, digits):
    correct, confidence = trials(700, seed)
    confidence = np.round(confidence, digits)  # with no decimals, it ties
    found, why = promised_threshold(correct, confidence, most)
    assert found == by_hand(correct, confidence, most)
    assert (why == "") == np.isfinite(found)


def test_so_many_right_answers_are_the_fewest_that_can_keep_a_promise():
    for most in (0.01, 0.02, 0.05, 0.1):
        n = fewest_answers(most)
        assert (1 - most) ** n <= 0.05 < (1 - most) ** (n - 1)
        confidence = np.arange(n, dtype=float)
        assert np.isfinite(promised_threshold(np.ones(n), confidence, most)[0])
        missing, why = promised_threshold(np.ones(n - 1), confidence[1:], most)
        assert np.isinf(missing) and f"{n:,} answers" in why


def test_the_other_half_is_judged_with_whole_questions_and_the_interval_of_scipy():
    correct, confidence = trials(1500)
    asked = np.repeat(np.arange(750), 2)
    found = promise_held_out(correct, confidence, 0.1, clusters=asked, seed=3)
    unit, first = cluster_halves(asked, 1500, seed=3)
    half = first[unit]
    assert set(asked[half]).isdisjoint(asked[~half])
    through = ~half & (confidence >= found.threshold)
    assert (found.chosen_on, found.n) == (half.sum(), (~half).sum())
    assert (found.n_through, found.errors) == (through.sum(), (~correct[through]).sum())
    assert found.error_rate == pytest.approx(1 - correct[through].mean())
    alone = promise_held_out(correct, confidence, 0.1, seed=3)
    expected = binomtest(alone.errors, alone.n_through).proportion_ci(method="exact")
    assert (alone.error_rate_lower, alone.error_rate_upper) == pytest.approx((expected.low, expected.high))


def test_an_answer_without_confidence_passes_at_no_threshold_and_counts():
    correct, confidence = trials(2000)
    gone = np.where(np.arange(2000) % 4 == 0, np.nan, confidence)
    found = promise_held_out(correct, gone, 0.1)
    assert found.n == 1000 and found.coverage < 0.8
    unit, first = cluster_halves(None, 2000)
    held = ~first[unit]
    assert found.coverage == pytest.approx(
        np.nanmean(np.where(np.isnan(gone[held]), 0, gone[held] >= found.threshold))
    )
    nothing, why = promised_threshold(correct, np.full(2000, np.nan), 0.1)
    assert np.isinf(nothing) and "no answer" in why


def test_copies_of_an_answer_are_worth_no_more_than_the_answer():
    correct, confidence = trials(150, accuracy=0.7)
    asked = np.arange(150)
    six = [np.repeat(one, 6) for one in (correct, confidence, asked)]
    once = promised_threshold(correct, confidence, 0.1, clusters=asked)
    copied = promised_threshold(six[0], six[1], 0.1, clusters=six[2])
    fooled = promised_threshold(six[0], six[1], 0.1)
    assert copied[0] == once[0] and fooled[0] < once[0]
    assert effective_trials(np.repeat(6.0, 3), np.repeat(6.0, 3)) == pytest.approx(3)


def test_a_promise_out_of_range_and_bad_confidence_are_refused():
    for most in (0.0, 1.0, -0.1):
        with pytest.raises(InputError, match="between 0 and 1"):
            promised_threshold([1, 0], [0.1, 0.2], most)
    with pytest.raises(InputError, match="finite"):
        promised_threshold([1, 0], [0.1, np.inf], 0.1)


@pytest.mark.parametrize(("hits", "n"), [(0, 20), (3, 40), (40, 40), (17, 30)])
def test_clopper_pearson_is_scipys(hits, n):
    expected = binomtest(hits, n).proportion_ci(method="exact")
    assert clopper_pearson(hits / n, n) == pytest.approx((expected.low, expected.high))


def test_errors_among_the_very_surest_do_not_end_the_search():
    """One of ten of the very surest is wrong, of the next one of fifty, where one of twenty is promised."""
    rng = np.random.default_rng(3)
    confidence = rng.random(3000)
    correct = np.where(confidence > 0.4, rng.random(3000) < 0.98, rng.random(3000) < 0.6)
    surest = np.argsort(-confidence)[:100]
    correct[surest] = np.arange(100) % 10 > 0
    threshold, why = promised_threshold(correct, confidence, 0.05)
    assert why == "" and 0.35 < threshold < 0.6
    assert 1 - correct[confidence >= threshold].mean() < 0.05
