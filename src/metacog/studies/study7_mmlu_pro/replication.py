"""Do the atlas's effects show again in 83 models on the questions of MMLU-Pro? The rule, fixed before any was computed.

An effect is one number of a whole set of models and items, defined alike for both sets, with a reference value and a
bound around it within which it is no effect. Models of one family count together as one, and runs of the same weights
as one of their family, so that the set's 33 variants of one family weigh no more than three models of another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Runs of one family that stand as others (in crowds, counts of difficulty, and as placebos), one of the same weights:
#: those that answered most.
MOST_OF_FAMILY = 6
#: What an interval says of an effect.
ABOVE, BELOW, NONE, OPEN = "above", "below", "no effect", "open"
#: What the second set says of the atlas's effect.
HOLDS, FAILS, CANNOT_TELL, NOTHING = "holds", "fails", "cannot be told", "nothing to replicate"


@dataclass(frozen=True)
class Effect:
    """One effect and what counts as none.

    Attributes
    ----------
    name : str
    called : str
        As readers know it.
    reference : float
        Where there is none.
    bound : float
        The largest distance from the reference that counts as none; 0 for a count, which is above or below.
    """

    name: str
    called: str
    reference: float = 0.0
    bound: float = 0.01


#: Differences are of AUROC2, averaged over runs of the same weights, then over weights of a family, then over families,
#: with a 95 % interval over items. Two are of bits and shares of bits. Counts are of as many models and items as the
#: atlas has, drawn from the second set again and again; their interval holds 95 % of the draws.
EFFECTS = (
    Effect("single_median", "own confidence less a single other's (median)"),
    Effect("single_best", "own confidence less the best single other's"),
    Effect("crowd", "own confidence less the others' mean confidence"),
    Effect("crowd_right", "own confidence less the share of others that are right"),
    Effect("remains", "own confidence less another family's in its place, among equally hard questions"),
    Effect("diagonal", "own confidence less what row and column make one expect"),
    Effect("added", "bits that own confidence adds to the others' answers and mean confidence"),
    Effect("share", "share of the bits in own confidence beyond difficulty", 0.5, 0.05),
    Effect("factors", "factors of the models' confidences beyond chance", 1.5, 0.0),
    Effect("apart", "share of pairs of models whose AUROC2 differ, all judged together", 0.5, 0.0),
)
RULE = (
    "An effect is above (below) its reference where its 95 % interval lies above (below) it and not wholly within the "
    "bound around it; no effect where the interval lies wholly within the bound; open otherwise. An effect of the "
    "atlas holds in the second set where the same is found there, fails where something else is, and cannot be told "
    "where the second set leaves it open. An effect that the atlas leaves open is nothing to replicate."
)


def found(effect: Effect, lower: float, upper: float) -> str:
    """What an interval says of an effect: :data:`ABOVE`, :data:`BELOW`, :data:`NONE` or :data:`OPEN`."""
    if not (np.isfinite(lower) and np.isfinite(upper)):
        return OPEN
    least, most = effect.reference - effect.bound, effect.reference + effect.bound
    if effect.bound > 0 and least <= lower and upper <= most:
        return NONE
    return ABOVE if lower > effect.reference else BELOW if upper < effect.reference else OPEN


def replicated(first: str, second: str) -> str:
    """What the second set says of what the first found."""
    if first == OPEN:
        return NOTHING
    if second == OPEN:
        return CANNOT_TELL
    return HOLDS if first == second else FAILS
