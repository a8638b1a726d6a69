"""A GPU held against a processor. Oracle: answers that were made to agree or not. The table needs a GPU."""

import gpu
import pytest

from metacog.engines.base import Generation


def answer(*logprobs, ids=(5, 7)):
    return Generation("x", ids[: len(logprobs)], logprobs, len(logprobs), sum(logprobs), None, False)


def test_only_answers_of_the_same_tokens_are_held_against_each_other():
    ours = [answer(-1.0, -1.0), answer(-2.0), answer(-1.0, -3.0), answer()]
    theirs = [answer(-1.0, -1.5), answer(-2.0), answer(-9.0, -9.0, ids=(5, 8)), answer()]
    found = gpu.apart(ours, theirs, [True, False, True, False])
    assert found["same_answers"] == 0.75 and found["same_coldest"] == 0.5
    assert found["largest_difference"] == pytest.approx(0.25)
    assert found["mean_difference"] == found["median_difference"] == pytest.approx(0.125)
