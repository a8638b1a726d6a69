"""Claims about models' self-knowledge that open data can test, and the rule, fixed before any was computed by it.

Not unseen were the changes with thinking that are printed with the published counts, and what the sets' pages say.
Makers were put in the place of series and of pairs with thinking afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metacog.verdicts.bounds import ABOVE, BELOW, NONE, OPEN, Effect, found

#: What a set of answers says of a claim.
HOLDS, FAILS, CANNOT_TELL, UNTESTED = "holds", "fails", "cannot be told", "cannot be tested"
#: Makers or categories that an interval over them needs at least.
FEWEST = 3


@dataclass(frozen=True)
class Claim(Effect):
    """A claim: an effect (what is computed, in words), what of it is ``claimed``, and over what its interval is."""

    claimed: tuple[str, ...] = (ABOVE,)
    over: str = "questions"
    effect: str = ""


CLAIMS = (
    Claim(
        "confidence",
        "confidence tells right from wrong",
        0.0,
        0.02,
        effect="AUROC2 less one half, mean over makers",
    ),
    Claim(
        "saturated",
        "stated numbers are saturated",
        0.5,
        0.05,
        over="makers",
        effect="share of a model's answers at its two commonest numbers, mean over makers",
    ),
    Claim(
        "size",
        "larger models know themselves better",
        0.0,
        0.005,
        over="makers",
        effect="AUROC2 per doubling of parameters within a series, mean over series of a maker, then over makers",
    ),
    Claim(
        "size_equal",
        "larger models know themselves better, at equal accuracy",
        0.0,
        0.005,
        over="makers",
        effect="AUROC2 at equal accuracy, largest less smallest of a series, per doubling, mean over makers",
    ),
    Claim(
        "accuracy",
        "accuracy and self-monitoring: unrelated or inverted",
        0.0,
        0.2,
        (NONE, BELOW),
        over="makers",
        effect="Spearman correlation of accuracy with AUROC2 over sets of weights",
    ),
    Claim(
        "thinking",
        "thinking helps",
        0.0,
        0.02,
        over="makers",
        effect="AUROC2 with thinking on less off, mean over pairs of a maker, then over makers",
    ),
    Claim(
        "domains",
        "domains differ",
        0.0,
        0.02,
        effect="standard deviation of the true AUROC2 over categories, of the mean over makers",
    ),
    Claim(
        "tokens",
        "log-probability beats words",
        0.0,
        0.02,
        effect="AUROC2 of token probability less that of the stated number in the same replies, mean over makers",
    ),
)
RULE = (
    "A claim names an effect with a reference value, a bound around it, and a side. It holds in a set of answers where "
    "the 95 % interval of the effect lies on the claimed side of the reference and not wholly within the bound. It "
    "fails where the interval lies wholly within the bound or on the other side. It cannot be told where the interval "
    "contains the reference and reaches beyond the bound. It cannot be tested where the effect has no value there, or "
    f"an interval over makers or categories has fewer than {FEWEST}: models of one maker have much in common, so that "
    "many of them say little of others. That accuracy and self-monitoring are unrelated or inverted holds where the "
    "interval lies wholly within the bound or below the reference, and fails where it lies above."
)


def judged_claim(claim: Claim, lower: float, upper: float) -> str:
    """What an interval says of a claim: :data:`HOLDS`, :data:`FAILS`, :data:`CANNOT_TELL` or :data:`UNTESTED`."""
    if not (np.isfinite(lower) and np.isfinite(upper)):
        return UNTESTED
    says = found(claim, lower, upper)
    return CANNOT_TELL if says == OPEN else HOLDS if says in claim.claimed else FAILS
