"""What an interval says of an effect that has a reference value and a bound around it within which it is no effect."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: What an interval says of an effect.
ABOVE, BELOW, NONE, OPEN = "above", "below", "no effect", "open"


@dataclass(frozen=True)
class Effect:
    """One effect, as readers know it (``called``), and what counts as none.

    That is the ``reference``, and what lies no farther than the ``bound`` from it; 0 for a count, which is above or
    below.
    """

    name: str
    called: str
    reference: float = 0.0
    bound: float = 0.01


def found(effect: Effect, lower: float, upper: float) -> str:
    """What an interval says of an effect: :data:`ABOVE`, :data:`BELOW`, :data:`NONE` or :data:`OPEN`."""
    if not (np.isfinite(lower) and np.isfinite(upper)):
        return OPEN
    least, most = effect.reference - effect.bound, effect.reference + effect.bound
    if effect.bound > 0 and least <= lower and upper <= most:
        return NONE
    return ABOVE if lower > effect.reference else BELOW if upper < effect.reference else OPEN
