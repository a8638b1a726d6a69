"""What would settle a question that an interval leaves open, and what that would cost.

By the normal approximation that planning uses too (:mod:`metacog.sdt.power`): an interval's half-width falls with
the square root of the number of trials, so it ends at a limit after ``n (half-width / distance)^2`` of them.
"""

from __future__ import annotations

import math


def trials_to_settle(n: int, estimate: float, lower: float, upper: float, limit: float) -> int | None:
    """Trials after which the interval would end at a limit, if the estimate stayed.

    Parameters
    ----------
    n : int
        Trials behind the interval.
    estimate, lower, upper, limit : float

    Returns
    -------
    int or None
        None where no number of trials would do: the estimate lies at the limit, or a value is missing.
    """
    side = upper if limit > estimate else lower
    distance = abs(limit - estimate)
    if not all(map(math.isfinite, (estimate, side, limit))) or not distance:
        return None
    return math.ceil(n * ((side - estimate) / distance) ** 2 - 1e-9)


def cost(n: int, needed: int | None, what: str = "question") -> str:
    """What would settle it, as the end of a sentence: how many trials it takes, and how many there are.

    Parameters
    ----------
    n : int
        Trials that there are.
    needed : int or None
        As from :func:`trials_to_settle`.
    what : str
        One trial, for readers.
    """
    if needed is None:
        return f"no number of {what}s would settle it at this estimate"
    digits = max(len(str(needed)) - 2, 0)  # two figures: the estimate will move
    rounded = math.ceil(needed / 10**digits) * 10**digits
    return f"it would take about {rounded:,} {what}s instead of {n:,} to settle it, if the estimate stayed"
