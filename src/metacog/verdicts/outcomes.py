"""What rules say of models, pairs or cells, and of all of them together: rows of one table.

A rule is written once, as a :class:`Rule` in its study's table of rules. A result that judges by it holds a table
``outcomes``: one row a rule and unit, and one of all units together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from metacog.core.words import listed
from metacog.verdicts.rules import Unit, at_least, every
from metacog.verdicts.verdict import Kind
from metacog.verdicts.words import OUTCOME, undecided_clause

COLUMNS = ("rule", "unit", "holds", "why")
#: The unit that stands for all of them.
ALL = "all"


@dataclass(frozen=True)
class Rule:
    """One rule, as it is quoted (``text``), with what it is a rule of: a ``hypothesis`` such as ``H2``.

    Attributes
    ----------
    topic : str
        What sets rules of one hypothesis and kind apart.
    claim : str
        What it judges, short enough for a row of a matrix; empty where the first sentence of its text is.
    null : tuple of str
        Simulated worlds in which it must not hold (``benchmarks/sweep/worlds.py``).
    worst : str
        The world at its edge: all but one of what it asks for is there.
    no_null : str
        Why it has no world of its own, or where else it is simulated.
    """

    text: str
    hypothesis: str
    kind: Kind = Kind.EXPLORATORY
    topic: str = ""
    claim: str = ""
    null: tuple[str, ...] = ()
    worst: str = ""
    no_null: str = ""


def outcomes(rule: str, units: Sequence[Unit], k: int | None = None) -> pd.DataFrame:
    """What one rule says of each unit, and of all of them: every one must hold, or at least ``k``.

    ``rule, unit, holds, why``: None where it is undecided, with the reason; the last row is of :data:`ALL`.
    """
    together = every(units) if k is None else at_least(units, k)
    rows = [*((u.name, u.holds, u.why) for u in units), (ALL, together, "")]
    return pd.DataFrame([(rule, *row) for row in rows], columns=list(COLUMNS)).astype({"holds": object})


def of_rule(table: pd.DataFrame, rule: str) -> pd.DataFrame:
    """Rows of one rule's units, without that of all together."""
    return table[(table["rule"] == rule) & (table["unit"] != ALL)]


def together(table: pd.DataFrame, rule: str) -> bool | None:
    """Whether a rule holds over all units; None where it is undecided, or was not judged."""
    found = table.loc[(table["rule"] == rule) & (table["unit"] == ALL), "holds"]
    return None if found.empty or found.isna().all() else bool(found.iloc[0])


def those(table: pd.DataFrame, rule: str, holds: bool | None) -> list[str]:
    """Units of which a rule holds, does not hold, or is undecided."""
    units = of_rule(table, rule)
    is_so = units["holds"].isna() if holds is None else units["holds"].eq(holds) & units["holds"].notna()
    return list(units.loc[is_so, "unit"])


def undecided(table: pd.DataFrame, rule: str) -> str:
    """Clause at the end of a sentence: which units a rule leaves undecided, and why; empty if it judges all."""
    units = of_rule(table, rule)
    open_ = units[units["holds"].isna()]
    return undecided_clause(zip(open_["unit"], open_["why"], strict=True))


def tally(table: pd.DataFrame | None, rule: str) -> dict[str, int]:
    """For how many units a rule holds (``n_yes``), does not hold (``n_no``) or is undecided (``n_open``)."""
    counted = {"n_yes": True, "n_no": False, "n_open": None}
    return {name: 0 if table is None else len(those(table, rule, one)) for name, one in counted.items()}


def over_units(table: pd.DataFrame, rule: str) -> str:
    """What became of a rule: for which units it holds, for which it does not, and who is undecided and why."""
    held = [
        f"{how} for {listed(names)}"
        for how, holds in (("it holds", True), ("not", False))
        if (names := those(table, rule, holds))
    ]
    passed, open_ = together(table, rule), undecided(table, rule)
    if passed is None and not held:
        return open_.strip() or f"{OUTCOME[None].capitalize()}."
    return f"{OUTCOME[passed].capitalize()}{': ' if held else ''}{', '.join(held)}.{open_}"


def counted(table: pd.DataFrame, rule: str) -> str:
    """For how many units a rule holds, where there are more than anybody reads, as pairs of models."""
    n = len(of_rule(table, rule))
    if not n:
        return "Nothing is judged."
    return f"{OUTCOME[together(table, rule)].capitalize()}: {len(those(table, rule, True)):,} of {n:,}."


def judged_by(table: pd.DataFrame | None, rules: Mapping[str, Rule]) -> Iterable[tuple[str, Rule]]:
    """Rules that a table of outcomes judges by, in its order."""
    names: Iterable[Any] = () if table is None or "rule" not in table else dict.fromkeys(table["rule"])
    return [(str(name), rules[str(name)]) for name in names]
