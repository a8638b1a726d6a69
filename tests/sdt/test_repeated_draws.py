"""Several draws a question.

Oracles: counting by hand on a few draws; populations in which confidence reads the question, or the draw too; the
optimal combination of two Gaussian readings.
"""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from self_knowledge import DRAWS, draws

from metacog.core.paths import project_root
from metacog.sdt import InputError
from metacog.sdt.information_parts import normal_scores
from metacog.sdt.repeated_draws import _readings, mean_of_others, repeated_draws
from metacog.sdt.type2 import auroc2


def test_small_example_by_counting():
    """Two questions with both outcomes, of two and three draws; one without; one with a single draw."""
    question = ["a", "a", "b", "b", "b", "c", "c", "d"]
    right = [1, 0, 1, 0, 0, 1, 1, 0]
    sure = [5, 5, 4, 1, 6, 7, 2, 9]
    found = repeated_draws(right, sure, question, n_resamples=200)
    # a: one tie, 1/2; b: above one wrong draw of two, 1/2
    assert found.within == pytest.approx(0.5)
    assert np.isnan(found.within_lower) and np.isnan(found.within_upper) and "does not vary" in found.why
    assert (found.n_questions, found.n_mixed, found.n_draws, found.n_single) == (3, 2, 7, 1)
    assert found.same_draw == pytest.approx(auroc2(right[:7], sure[:7]))
    given, seen, weight = [], [], []
    for label in "abc":
        rows = [i for i in range(7) if question[i] == label]
        for i, j in permutations(rows, 2):
            given.append(right[i]), seen.append(sure[j]), weight.append(6 // (len(rows) - 1))
    expected = auroc2(np.repeat(given, weight), np.repeat(seen, weight))
    assert found.other_draw == pytest.approx(expected)
    # without a reference what is known of the question is the mean of its other draws
    others = mean_of_others(np.array(sure[:7], dtype=float), np.array([0, 0, 1, 1, 1, 2, 2]))
    assert found.question == pytest.approx(auroc2(right[:7], others))
    assert found.luck == pytest.approx(found.same_draw - found.question)


def test_within_weighs_questions_alike():
    """Nine pairs of one question in order, one pair of the other not: a half, not nine tenths."""
    right = [1, 1, 1, 0, 0, 0, 1, 0]
    sure = [9, 8, 7, 3, 2, 1, 1, 5]
    assert repeated_draws(right, sure, [0] * 6 + [1] * 2, n_resamples=50).within == 0.5


def drawn(n, reads, rng, **options):
    right, sure, question, reading, state = draws(n, reads, rng)
    return repeated_draws(right, sure, question, reference=reading, **options), state, right


def test_confidence_that_reads_the_draw_has_luck():
    reads = DRAWS["much luck"]
    whole = drawn(60_000, reads, np.random.default_rng(2), n_resamples=2)[0]
    # a right draw lies 1.5 higher at a noise of 1: Phi(1.5 / sqrt 2)
    assert whole.within == pytest.approx(0.8556, abs=0.005)
    rng = np.random.default_rng(3)
    runs = [drawn(400, reads, rng, n_resamples=200)[0] for _ in range(30)]
    assert np.mean([f.luck_lower <= whole.luck <= f.luck_upper for f in runs]) >= 0.8
    assert min(f.luck_lower for f in runs) > 0.05
    # the luck of both draws is more than that of this one
    assert min(f.same_draw - f.other_draw - f.luck for f in runs) > 0.02


def test_readings_are_weighed_by_a_logistic_regression():
    """Oracle: scipy's optimum, priors of standard deviation 2 on both slopes and none on the constant."""
    right, sure, question, reading, _ = draws(40, (1.0, 0.0), np.random.default_rng(8))
    right = right & (
        np.random.default_rng(9).random(right.size) < 0.2
    )  # rare, so that the constant is far from 0
    x = normal_scores(np.stack([reading, mean_of_others(sure, question)], axis=1))

    def loss(beta):
        odds = x @ beta[:2] + beta[2]
        return np.logaddexp(0, np.where(right, -odds, odds)).sum() + (beta[:2] ** 2).sum() / (2 * 2**2)

    best = minimize(loss, np.zeros(3), tol=1e-10).x
    assert best[2] < -1.5
    assert _readings(right, sure, question, reading, 1)[0] == pytest.approx(x @ best[:2], abs=1e-4)


def test_a_question_has_no_part_in_its_own_weights():
    """A reference of mere noise, of few questions: weights fitted to the same questions would gain by it."""
    rng, found = np.random.default_rng(6), []
    for _ in range(60):
        right, sure, question, _, _ = draws(30, (1.0, 0.0), rng)
        noise = np.repeat(rng.normal(size=30), 5)
        with_it = repeated_draws(right, sure, question, reference=noise, n_resamples=2)
        found.append(with_it.question - repeated_draws(right, sure, question, n_resamples=2).question)
    assert np.mean(found) == pytest.approx(0, abs=2.5 * np.std(found) / np.sqrt(60) + 0.002)


def test_draws_without_a_reading_at_the_reference_are_left_out():
    right, sure, question, reading, _ = draws(60, (1.0, 0.5), np.random.default_rng(7))
    reading = np.where(question < 3, np.nan, reading)
    found = repeated_draws(right, sure, question, reference=reading, n_resamples=50)
    kept = question >= 3
    same = repeated_draws(right[kept], sure[kept], question[kept], reference=reading[kept], n_resamples=50)
    assert found.n_single == 3 and found.n_questions == 57 and found.luck == same.luck
    with pytest.raises(InputError):
        repeated_draws(right, sure, question, reference=reading[:5])


def test_mean_of_others_leaves_out_itself_and_one_other():
    scores, unit = np.array([1.0, 2.0, 4.0, 3.0, 5.0]), np.array([0, 0, 0, 1, 2])
    own = mean_of_others(scores, unit)
    z = np.array([own[1] + own[2] - own[0], own[0] + own[2] - own[1], own[0] + own[1] - own[2]])
    assert np.isnan(own[3:]).all() and z[0] < z[1] < z[2]
    assert own[0] == pytest.approx((z[1] + z[2]) / 2)


def test_the_stored_simulation_finds_luck_where_it_is():
    """200 runs of 82 and 400 questions: at most 0 of irrelevant noise, .02 from known luck, intervals hold it."""
    stored = pd.read_csv(project_root() / "data/simulations/self_knowledge.csv").set_index("design")
    for n in (82, 400):
        for name in DRAWS:
            row = stored.loc[f"{name}, {n} questions"].set_index("quantity").loc["luck"]
            assert row["n_used"] == 200 and abs(row["bias"]) <= 0.02 and 0.90 <= row["coverage"] <= 0.98
            if name in ("irrelevant noise", "luck drowned in noise"):
                assert row["truth"] + row["bias"] <= 0 and row["above_zero"] <= 0.025
            if name == "luck drowned in noise":  # one other draw has the noise too, and would make luck of it
                areas = stored.loc[f"{name}, {n} questions"].set_index("quantity")["truth"]
                assert (
                    areas["same_draw"] - areas["other_draw"] > 0.1 and areas["same_draw"] < areas["question"]
                )
            if name == "much luck":
                assert row["truth"] > 0.1 and row["above_zero"] == 1


def test_what_cannot_be_told_says_why():
    one = repeated_draws([1, 0, 1], [1, 2, 3], ["a", "b", "c"])
    assert one.why and np.isnan(one.same_draw) and one.n_single == 3
    right = repeated_draws([1, 1], [1, 2], ["a", "a"])
    assert right.why and np.isnan(right.same_draw)
    apart = repeated_draws([1, 1, 0, 0], [4, 3, 2, 1], ["a", "a", "b", "b"], n_resamples=50)
    assert np.isnan(apart.within) and apart.n_mixed == 0 and apart.same_draw == 1 and apart.why
    with pytest.raises(InputError):
        repeated_draws([1, 0], [1, 2], ["a"])
    with pytest.raises(InputError):
        repeated_draws([1, 0], [1, np.nan], ["a", "a"])


def test_pairs_of_wrong_answers_and_equally_usual_ones_by_counting():
    """One question: two wrong answers of different usualness, one right one as usual as the first."""
    right = [1, 0, 0, 1, 0]
    sure = [5, 4, 6, 1, 2]
    same = [1, 1, 0, 0, 0]
    found = repeated_draws(right, sure, ["a"] * 3 + ["b"] * 2, agreement=same, n_resamples=20)
    # a: of the wrong ones the usual is less sure; a's right one leads the equally usual wrong one, b's does not
    assert (found.usual, found.alike) == (0, 0.5)
    assert found.counted == pytest.approx(auroc2(right, same))
    assert found.beyond == pytest.approx(found.same_draw - found.counted)
    assert np.isnan(repeated_draws(right, sure, ["a"] * 3 + ["b"] * 2, n_resamples=20).counted)
    with pytest.raises(InputError, match="agreement must hold"):
        repeated_draws(right, sure, ["a"] * 3 + ["b"] * 2, agreement=[1, np.nan, 0, 0, 0])


def test_the_gap_between_kinds_of_pairs_has_the_interval_of_resampled_questions():
    """Oracle: both means over questions drawn anew, together."""
    rng = np.random.default_rng(5)
    n, draws = 150, 6
    question = np.repeat(np.arange(n), draws)
    chance = rng.random(n)[question]
    same = rng.integers(0, 3, question.size)
    right = rng.random(question.size) < 0.25 + 0.5 * chance
    sure = same + right + 1.5 * rng.normal(size=question.size)

    def gap(kept):
        found = repeated_draws(
            right.reshape(n, draws)[kept].ravel(),
            sure.reshape(n, draws)[kept].ravel(),
            question,
            agreement=same.reshape(n, draws)[kept].ravel(),
            n_resamples=2,
        )
        return found.usual - found.alike

    found = repeated_draws(right, sure, question, agreement=same, n_resamples=2)
    spread = np.std([gap(rng.integers(0, n, n)) for _ in range(400)])
    assert found.gap == pytest.approx(found.usual - found.alike) == pytest.approx(gap(np.arange(n)))
    assert (found.gap_upper - found.gap_lower) / (2 * 1.96) == pytest.approx(spread, rel=0.12)
