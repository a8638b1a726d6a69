"""Several draws a question.

Oracles: counting by hand on a few draws; populations in which confidence reads the question, or the draw too.
"""

import sys
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from metacog.sdt import InputError
from metacog.sdt.repeated_draws import repeated_draws
from metacog.sdt.type2 import auroc2

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
from self_knowledge import DRAWS, draws


def test_small_example_by_counting():
    """Two questions with both outcomes, of two and three draws; one without; one with a single draw."""
    question = ["a", "a", "b", "b", "b", "c", "c", "d"]
    right = [1, 0, 1, 0, 0, 1, 1, 0]
    sure = [5, 5, 4, 1, 6, 7, 2, 9]
    found = repeated_draws(right, sure, question, n_resamples=200)
    # a: one tie, 1/2; b: above one wrong draw of two, 1/2
    assert found.within == pytest.approx(0.5)
    assert (found.n_questions, found.n_mixed, found.n_draws, found.n_single) == (3, 2, 7, 1)
    assert found.same_draw == pytest.approx(auroc2(right[:7], sure[:7]))
    given, seen, weight = [], [], []
    for label in "abc":
        rows = [i for i in range(7) if question[i] == label]
        for i, j in permutations(rows, 2):
            given.append(right[i]), seen.append(sure[j]), weight.append(6 // (len(rows) - 1))
    expected = auroc2(np.repeat(given, weight), np.repeat(seen, weight))
    assert found.other_draw == pytest.approx(expected)
    assert found.luck == pytest.approx(found.same_draw - expected)


def test_within_weighs_questions_alike():
    """Nine pairs of one question in order, one pair of the other not: a half, not nine tenths."""
    right = [1, 1, 1, 0, 0, 0, 1, 0]
    sure = [9, 8, 7, 3, 2, 1, 1, 5]
    assert repeated_draws(right, sure, [0] * 6 + [1] * 2, n_resamples=50).within == 0.5


def test_confidence_that_reads_the_question_alone_has_no_luck():
    rng = np.random.default_rng(1)
    runs = [
        repeated_draws(*draws(400, DRAWS["confidence reads the question"], rng), n_resamples=200)
        for _ in range(40)
    ]
    assert np.mean([f.luck_lower <= 0 <= f.luck_upper for f in runs]) >= 0.8
    assert np.mean([f.within_lower <= 0.5 <= f.within_upper for f in runs]) >= 0.8
    assert np.mean([f.luck for f in runs]) == pytest.approx(0, abs=0.004)
    assert min(f.same_draw for f in runs) > 0.65


def test_confidence_that_reads_the_draw_has():
    reads = DRAWS["confidence reads the draw too"]
    whole = repeated_draws(*draws(60_000, reads, np.random.default_rng(2)), n_resamples=2)
    # a right draw lies 1.5 higher at a noise of 1: Phi(1.5 / sqrt 2)
    assert whole.within == pytest.approx(0.8556, abs=0.005)
    rng = np.random.default_rng(3)
    runs = [repeated_draws(*draws(400, reads, rng), n_resamples=200) for _ in range(40)]
    assert np.mean([f.luck_lower <= whole.luck <= f.luck_upper for f in runs]) >= 0.8
    assert min(f.luck_lower for f in runs) > 0.1


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
