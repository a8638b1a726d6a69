"""Oracles: every threshold tried, shares counted by hand, confidence that knows nothing."""

import numpy as np
import pytest

from metacog.sdt import InputError
from metacog.sdt.abstention import abstain_at, abstain_held_out, choose_threshold, resample_held_out
from metacog.sdt.intervals import percentile_limits


def test_shares_are_those_counted_by_hand():
    correct, confidence = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.5, 0.1]
    found = abstain_at(correct, confidence, 0.6)
    assert (found.n, found.n_answered) == (5, 3)
    assert found.r_acc == pytest.approx(2 / 3) and found.coverage == pytest.approx(0.6)
    assert found.a_acc == pytest.approx(4 / 5)  # two right answers, two wrong ones left out
    assert found.accuracy == pytest.approx(0.4)
    none = abstain_at(correct, confidence, np.inf)
    assert np.isnan(none.r_acc) and none.a_acc == pytest.approx(3 / 5) and none.n_answered == 0
    assert abstain_at(correct, confidence, 0.0).a_acc == pytest.approx(0.4)


def test_the_chosen_threshold_is_the_best_of_all():
    rng = np.random.default_rng(0)
    for _ in range(100):
        n = int(rng.integers(2, 30))
        correct, confidence = rng.integers(0, 2, n), rng.integers(0, 5, n) / 4
        tried = [*np.unique(confidence), np.inf]
        shares = [abstain_at(correct, confidence, t).a_acc for t in tried]
        assert choose_threshold(correct, confidence) == tried[int(np.argmax(shares))]  # the lowest of equals
    assert choose_threshold([1, 1], [0.2, 0.9]) == 0.2 and choose_threshold([0, 0], [0.2, 0.9]) == np.inf


def test_confidence_that_knows_gains_and_questions_stay_whole():
    rng = np.random.default_rng(2)
    question = np.repeat(np.arange(200), 4)
    correct = np.repeat(rng.integers(0, 2, 200), 4)
    confidence = 0.5 * correct + rng.random(800)
    found = abstain_held_out(correct, confidence, clusters=question)
    assert found.pooled.a_acc > 0.65 and found.pooled.r_acc > found.pooled.accuracy
    first, second = found.halves
    assert first.n == second.n == 400 and first.n_answered + second.n_answered == found.pooled.n_answered
    assert np.isnan(found.pooled.threshold) and np.isfinite([first.threshold, second.threshold]).all()
    assert abstain_held_out(correct, confidence, clusters=question).halves == found.halves
    assert abstain_held_out(correct, confidence, clusters=question, seed=1).halves != found.halves


@pytest.mark.parametrize("accuracy", [0.05, 0.25, 0.5, 0.75, 0.95])
def test_random_confidence_gains_nothing_at_any_accuracy(accuracy):
    """Oracle: confidence that knows nothing is worth nothing; intervals may lie above 0 in 5 % of runs."""
    rng, runs, n = np.random.default_rng(int(100 * accuracy)), 200, 120
    gains, below = 0, []
    for seed in range(runs):
        correct, confidence = rng.random(n) < accuracy, rng.integers(0, 8, n) / 8
        weights = rng.multinomial(n, np.full(n, 1 / n), size=200)
        low = percentile_limits(
            resample_held_out(correct, confidence, np.arange(n), weights, seed=seed).gain
        )[0]
        gains += low > 0
        below.append(abstain_held_out(correct, confidence, seed=seed).gain)
    assert gains / runs <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs)
    assert np.mean(below) <= 2 * np.std(below) / np.sqrt(runs)


def test_the_constant_strategy_comes_from_the_other_half():
    """Worked by hand: one half all right, the other all wrong, so that each takes the wrong strategy."""
    first = np.isin(np.arange(20), np.random.default_rng(5).permutation(20)[:10])
    correct, confidence = first.astype(int), np.full(20, 0.5)
    assert abstain_held_out(correct, confidence, seed=5).constant == 0.0
    assert abstain_held_out(np.ones(20), confidence, seed=5).constant == 1.0
    never = abstain_held_out(np.zeros(20), confidence, seed=5)
    assert (never.constant, never.pooled.a_acc, never.gain) == (
        1.0,
        1.0,
        0.0,
    )  # nothing gained by silence alone


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="two clusters"):
        abstain_held_out([1, 0], [0.5, 0.6], clusters=["q", "q"])
    with pytest.raises(InputError, match="one label"):
        abstain_held_out([1, 0], [0.5, 0.6], clusters=["q"])
    with pytest.raises(InputError, match="NaN"):
        abstain_at([1, 0], [0.5, 0.6], float("nan"))
    with pytest.raises(InputError, match="NaN or infinite"):
        choose_threshold([1, 0], [0.5, np.nan])


def test_resampled_shares_are_those_of_the_trials_drawn():
    """Oracle: each resample's trials written out, thresholds chosen and judged by the plain functions."""
    rng = np.random.default_rng(3)
    questions = np.repeat(np.arange(24), 2)
    correct, confidence = rng.integers(0, 2, 48), rng.integers(0, 6, 48) / 5
    weights = np.concatenate([np.ones((1, 24)), rng.multinomial(24, np.full(24, 1 / 24), size=30)])
    found = resample_held_out(correct, confidence, questions, weights, seed=5)
    held = abstain_held_out(correct, confidence, clusters=questions, seed=5).pooled
    assert (found.r_acc[0], found.a_acc[0], found.coverage[0], found.accuracy[0]) == pytest.approx(
        (held.r_acc, held.a_acc, held.coverage, held.accuracy)
    )
    plain = abstain_held_out(correct, confidence, clusters=questions, seed=5)
    assert (found.constant[0], found.gain[0]) == pytest.approx((plain.constant, plain.gain))
    first = np.isin(questions, np.random.default_rng(5).permutation(24)[:12])
    for b, w in enumerate(weights):
        times = w[questions].astype(int)
        decided, answered, good, constant = 0.0, 0.0, 0.0, 0.0
        for own in (first, ~first):
            far, near = (np.repeat(np.arange(48), np.where(side, times, 0)) for side in (~own, own))
            one = abstain_at(correct[near], confidence[near], choose_threshold(correct[far], confidence[far]))
            decided += one.a_acc * one.n
            answered += one.n_answered
            good += one.r_acc * one.n_answered if one.n_answered else 0.0
            constant += np.mean(correct[near] == (correct[far].mean() >= 0.5)) * one.n
        assert found.a_acc[b] == pytest.approx(decided / times.sum())
        assert found.coverage[b] == pytest.approx(answered / times.sum())
        assert found.constant[b] == pytest.approx(constant / times.sum())
        share = good / answered if answered else np.nan
        assert found.r_acc[b] == pytest.approx(share, nan_ok=True)
    with pytest.raises(InputError, match="one column per question"):
        resample_held_out(correct, confidence, questions, weights[:, 1:])
