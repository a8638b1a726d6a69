"""Which of several open answers to one question say the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence


def agreement(answer: str, others: Sequence[str], same: Callable[[str, str], bool]) -> float:
    """Share of further answers that are the same as an answer, directly or by a chain of pairs that are.

    Chains make it independent of the order of the answers.

    Parameters
    ----------
    answer : str
    others : sequence of str
        Without the answer itself.
    same : callable
        Whether two texts are the same answer (:meth:`metacog.collect.scoring.Marking.same`).

    Returns
    -------
    float
        In [0, 1]; NaN for an empty answer, or without others.
    """
    if not answer.strip() or not others:
        return math.nan
    reached, left = [answer], set(others) - {answer}
    for one in reached:
        found = {text for text in left if same(text, one)}
        reached += sorted(found)
        left -= found
    cluster = set(reached)
    return sum(text in cluster for text in others) / len(others)
