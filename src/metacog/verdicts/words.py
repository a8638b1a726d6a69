"""Parts of sentences that many verdicts share."""

from __future__ import annotations

from collections.abc import Iterable

from metacog.core.words import listed
from metacog.verdicts.verdict import Verdict

#: How a sentence names an outcome.
OUTCOME = {True: "supported", False: "not supported", None: "undecided"}


def undecided_clause(units: Iterable[tuple[str, str]]) -> str:
    """`` Undecided: a and b (why), c (why).`` for the end of a sentence; empty if all are judged.

    Parameters
    ----------
    units : iterable of (str, str)
        Names and reasons, as :attr:`metacog.verdicts.verdict.Verdict.undecided` holds them.
    """
    by_reason: dict[str, list[str]] = {}
    for name, why in units:
        by_reason.setdefault(why, []).append(name)
    named = "; ".join(f"{listed(names)} ({why})" for why, names in by_reason.items())
    return f" Undecided: {named}." if named else ""


def over_units(verdict: Verdict) -> str:
    """What became of a rule: for which units it holds, for which it does not, and who is undecided and why."""
    held = [
        f"{how} for {listed(names)}"
        for how, holds in (("it holds", True), ("not", False))
        if (names := [name for name, one in verdict.units if one is holds])
    ]
    open_ = undecided_clause(verdict.undecided)
    if verdict.passed is None and not held:
        return open_.strip() or f"{OUTCOME[None].capitalize()}."
    told = ": " + ", ".join(held) if held else ""
    return f"{OUTCOME[verdict.passed].capitalize()}{told}.{open_}"


def counted(verdict: Verdict) -> str:
    """For how many units a rule holds, where there are more than anybody reads, as pairs of models."""
    if not verdict.units:
        return "Nothing is judged."
    held = sum(one is True for _, one in verdict.units)
    return f"{OUTCOME[verdict.passed].capitalize()}: {held:,} of {len(verdict.units):,}."
