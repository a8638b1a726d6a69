"""Over which items the printed mean discrimination of T3-KB can have been taken."""

from __future__ import annotations

from dataclasses import dataclass

from scipy.stats import binom

from metacog.ledger.judging import inside
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.published import ITEMS


@dataclass(frozen=True)
class Discriminating:
    """Bounds of the upper end of the printed interval.

    An item on which all models score alike does so in every resample of models, so a mean that counts it as
    0 cannot exceed the share of the others. Where items are resampled, that share is binomial.

    Attributes
    ----------
    items, discriminating : int
        Of T3-KB, and those whose discrimination is printed as other than 0.
    by_models, by_items : float
        Largest upper end with models, and with items, resampled.
    printed : float
    fits : bool
        Whether the printed end could be that of a mean over all items.
    """

    items: int
    discriminating: int
    by_models: float
    by_items: float
    printed: float
    fits: bool


def t3_items() -> Discriminating:
    """The bounds for T3-KB."""
    some, n = int(published.claim("discriminating_items")), ITEMS["T3_KB"]
    by_items = float(binom.ppf(0.975, n, some / n)) / n
    printed = published.claim("discrimination", "upper")
    fits = inside(printed, 0.0, max(some / n, by_items))
    return Discriminating(n, some, some / n, by_items, float(printed), fits)
