"""Rules over several models or cells: supported, refuted, or undecided, and who is undecided.

One logic for every verdict that speaks of all models or of some of them. A unit that cannot be judged
(no fit, a flagged cell) counts neither for nor against a rule:

* *every* unit must hold: refuted by one counterexample, supported only if every unit is judged;
* *at least k* units must hold: supported when k do, refuted when the undecided ones cannot make up k.

This is Kleene's (1952) three-valued logic of "for all" and "at least k".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: Beginning of a reason that leaves a question open although it was judged: the data allow both.
OPEN = "the interval contains"
NOT_TESTABLE = "not testable"
#: Why a difference that is not shown leaves a unit open.
ZERO = f"{OPEN} 0"


@dataclass(frozen=True)
class Unit:
    """What one model, pair or cell says about a rule: ``holds`` is None where it cannot be judged, for ``why``."""

    name: str
    holds: bool | None
    why: str = ""

    def __post_init__(self) -> None:
        if self.holds is None and not self.why:
            raise ValueError(f"{self.name} is undecided without a reason")


def unit(name: str, holds: object, known: object = True, flag: str = "") -> Unit:
    """A unit from a row of a table, where the numbers that decide are ``known``.

    A ``flag`` says what is unsound about the row: a flagged row decides nothing.
    """
    if flag:
        return Unit(name, None, flag)
    return Unit(name, bool(holds)) if known else Unit(name, None, "no estimate")


def shown(name: str, holds: object, known: object = True, flag: str = "") -> Unit:
    """A unit of a rule that asks for a difference to be shown, as of :func:`unit`: one that is not shown is open."""
    one = unit(name, holds, known, flag)
    return Unit(name, None, ZERO) if one.holds is False else one


def beyond(name: str, lower: float, upper: float, limit: float, why: str = "no estimate") -> Unit:
    """Whether an interval lies above a limit: no if it lies below, undecided while it contains it.

    Its ends are NaN where there is none; ``why`` says what is in the way.
    """
    if lower > limit:
        return Unit(name, True)
    if upper < limit:
        return Unit(name, False)
    known = lower <= limit <= upper
    return Unit(name, None, f"{OPEN} {limit:g}" if known else why)


def every(units: Iterable[Unit]) -> bool | None:
    """Whether a rule that asks something of every unit is supported; None without units."""
    held = [u.holds for u in units]
    if False in held:
        return False
    return None if None in held or not held else True


def at_least(units: Sequence[Unit], k: int) -> bool | None:
    """Whether a rule that asks something of at least ``k`` units is supported.

    With fewer than ``k`` units there is nothing that could have held: undecided, not refuted.
    """
    yes = sum(u.holds is True for u in units)
    open_ = sum(u.holds is None for u in units)
    if yes >= k:
        return True
    return False if len(units) >= k and yes + open_ < k else None


def those(units: Iterable[Unit], holds: bool | None) -> list[str]:
    """Names of the units that hold, do not hold, or are undecided."""
    return [u.name for u in units if u.holds is holds]


def answer_of(holds: bool | None, why: str = "") -> str:
    """What a cell says of a claim about one model: undecided where an interval holds both, else not testable."""
    if holds is not None:
        return "yes" if holds else "no"
    return "undecided" if why.startswith(OPEN) else NOT_TESTABLE
