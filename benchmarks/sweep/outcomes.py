"""What a result says: its outcomes by its study's rules, and outcome words of tables on their rows."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, is_dataclass, replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

from metacog.studies import get_study
from metacog.studies.study import Result
from metacog.studies.view import fields_of
from metacog.verdicts import outcomes
from metacog.verdicts.measures import RULES as MEASURED
from metacog.verdicts.measures import said_of
from metacog.verdicts.outcomes import Rule, judged_by, of_rule, together
from metacog.verdicts.rules import Unit

#: supported, refuted, undecided
Outcome = bool | None
#: Whether one outcome could have been supported: None where nothing tells.
Could = bool | None
#: Reasons of undecided units that say that their numbers are on neither side; others say that they have none.
NUMBERS = re.compile(
    r"interval|, p = |^p = |shuffling|as much|pairs cannot be told|bound|placebo|\d to -?\d|rise is not shown|median"
)


@dataclass(frozen=True, order=True)
class Key:
    """Which verdict: those of one key in one result are of the same rule, one a model or row.

    ``kind`` is ``words`` for an outcome that a table's column holds. ``level`` is ``unit`` for the single models,
    pairs or cells that a verdict's rule was applied to: at an edge those alone in which nothing is; ``family``:
    whether any of these was called so.
    """

    study: str
    analysis: str
    hypothesis: str
    kind: str
    topic: str
    rule: str
    level: str = "verdict"


@dataclass(frozen=True)
class Asked:
    """What a rule was asked of: units, and how many of them it wants; None for every one."""

    units: tuple[Unit, ...]
    k: int | None = None

    def could_pass(self, nothing_is: Callable[[str], bool]) -> bool:
        """Whether it would pass if the units in which nothing is had held, as far as they can be judged."""
        held = [True if nothing_is(u.name) and judgeable(u) else u.holds for u in self.units]
        if self.k is not None:
            return held.count(True) >= self.k
        return bool(held) and all(held)


def judgeable(one: Unit) -> bool:
    """Whether a unit has numbers."""
    return one.holds is not None or bool(NUMBERS.search(one.why))


@dataclass
class Judged:
    """How many units each rule wanted, by the rule's name and what it was asked of, while it watches."""

    wanted: dict[tuple[str, tuple[Unit, ...]], int | None] = field(default_factory=dict)

    @contextmanager
    def watching(self) -> Iterator[Judged]:
        """Note what ``outcomes`` is asked, wherever it was imported."""
        original = outcomes.outcomes

        def noting(rule: str, units: Any, k: int | None = None) -> pd.DataFrame:
            units = list(units)
            self.wanted[rule, tuple(units)] = k
            return original(rule, units, k)

        with ExitStack() as stack:
            for module in [m for m in list(sys.modules.values()) if getattr(m, "outcomes", None) is original]:
                stack.enter_context(patch.object(module, "outcomes", noting))
            yield self

    def of(self, table: pd.DataFrame, rule: str) -> Asked | None:
        """What a rule of a table of outcomes was asked of: its units, as they stand in it."""
        rows = of_rule(table, rule)[["unit", "holds", "why"]].itertuples(index=False)
        units = tuple(Unit(u, None if pd.isna(holds) else bool(holds), why) for u, holds, why in rows)
        return Asked(units, self.wanted.get((rule, units))) if units else None


#: Whether nothing is in what a unit or a row names.
Nothing = Callable[[str], bool]
#: Words for rows without numbers.
NO_NUMBERS = ("undefined", "constant", "few points")


def found(
    study: str,
    analysis: str,
    record: Any,
    judged: Judged | None = None,
    edge_of: Callable[[Key], tuple[Nothing, bool] | None] = lambda key: None,
) -> Iterator[tuple[Key, Outcome, Could]]:
    """Every outcome of one result and whether it could have been another, and the units that were noted.

    ``edge_of`` says of the verdict of a key at an edge in what nothing is, and whether it is asked of them together;
    it is None in worlds where nothing is in all or in none.
    """
    judged = judged or Judged()
    record = Result(record) if isinstance(record, dict) else record
    if analysis == "model_page":
        for of, passed, could in _of_rows(record.overall):
            yield Key(study, analysis, of.hypothesis, of.kind.value, "model", of.text), passed, could
    for name, rule, table, of in _outcomes(study, record):
        topic = f"{name} {of.topic}".strip()
        key = Key(study, analysis, of.hypothesis, of.kind.value, topic, of.text)
        passed = together(table, rule)
        yield from _levels(key, passed, judged.of(table, rule), edge_of(key), passed is not None)
    for what, read in WORDS.get((study, analysis), {}).items():
        key = Key(study, analysis, what.split(":")[0], "words", "", what)
        edge = edge_of(key)
        for names, outcome, could in read(record):
            if edge is None or edge[0](names):
                yield key, outcome, could


def _levels(
    key: Key, passed: Outcome, asked: Asked | None, edge: tuple[Nothing, bool] | None, alone: bool
) -> Iterator[tuple[Key, Outcome, Could]]:
    """One outcome, those of the units in which nothing is, and whether any of these was called so; ``alone``: whether
    one that was asked of no units could be another.
    """
    nothing, of_all = edge or (lambda name: True, False)
    yield key, passed, asked.could_pass(nothing) if asked else alone
    mine = [u for u in asked.units if nothing(u.name)] if asked else []
    for one in mine:
        yield replace(key, level="unit"), one.holds, judgeable(one)
    if of_all and mine:
        yield replace(key, level="family"), any(u.holds for u in mine) or None, any(map(judgeable, mine))


def _parts(record: Any) -> Iterator[tuple[str, Any]]:
    """A result, and the results that it holds by name."""
    yield "", record
    for name, value in (
        fields_of(record).items() if isinstance(record, Result) or is_dataclass(record) else ()
    ):
        if isinstance(value, dict) and "outcomes" in value:
            yield name, Result(value)
        elif is_dataclass(value):
            yield name, value


def _outcomes(study: str, record: Any) -> Iterator[tuple[str, str, pd.DataFrame, Rule]]:
    """Rules of the tables of outcomes in a result, with the part of it that holds the table."""
    for part, value in _parts(record):
        table: Any = getattr(value, "outcomes", None)
        for rule, of in judged_by(table, get_study(study).rules):
            yield part, rule, table, of


def _of_rows(measured: pd.DataFrame) -> Iterator[tuple[Rule, Outcome, bool]]:
    """What is judged of each model's row of measures, as in a report of imported trials."""
    for _, row in measured.iterrows():
        numbers = [x for x in row if isinstance(x, float)]
        for name, passed in said_of(row).items():
            if name in MEASURED:
                yield MEASURED[name], passed, passed is not None or bool(np.isfinite(numbers).all())


def counted(outcomes: Iterator[tuple[Key, Outcome, Could]]) -> dict[Key, Counter]:
    """Outcomes by key, and under ``could`` how many of them could have been supported."""
    by: dict[Key, Counter] = {}
    for key, passed, could in outcomes:
        counts = by.setdefault(key, Counter())
        counts[passed] += 1
        counts["could"] += bool(could)
    return by


Read = Callable[[Any], Iterator[tuple[str, Outcome, bool]]]


def _named(rows: pd.DataFrame) -> Iterator[str]:
    """What rows are about: models, ways and pairs, in one string."""
    columns = [c for c in ("model", "name", "first", "second", "task") if c in rows]
    return (" | ".join(map(str, r)) for r in rows[columns].itertuples(index=False))


def beyond(rows: pd.DataFrame, lower: str, upper: str, at: float) -> Iterator[tuple[str, Outcome, bool]]:
    """Intervals against a value: above, below, or not told."""
    for names, low, high in zip(_named(rows), rows[lower], rows[upper], strict=True):
        yield names, True if low > at else False if high < at else None, bool(np.isfinite(low))


def words(
    rows: pd.DataFrame, yes: tuple[str, ...], no: tuple[str, ...] = (), none: tuple[str, ...] = ("undefined",)
) -> Iterator[tuple[str, Outcome, bool]]:
    """Words of the column ``outcome`` that say a thing, and those that say its opposite; others leave it open.

    One with ``none`` has no numbers.
    """
    for names, one in zip(_named(rows), rows["outcome"].astype(str), strict=True):
        outcome = True if one.endswith(yes) else False if no and one.endswith(no) else None
        yield names, outcome, one not in none


def _signals(of: str) -> Read:
    return lambda r: beyond(r.signals[r.signals["signal"] == of], "auroc2_lower", "auroc2_upper", 0.5)


def _apart(table: str) -> Read:
    return lambda r: words(getattr(r, table), ("higher",), none=NO_NUMBERS)


def _risk(measure: str) -> Read:
    def read(record: Any) -> Iterator[tuple[str, Outcome, bool]]:
        rows = record.pairs[record.pairs["measure"] == measure]
        told = rows["decision_wide"].ne("not significant").map({True: "differs", False: "open"})
        return words(rows.assign(outcome=told), ("differs",))

    return read


def _points(record: Any) -> Iterator[tuple[str, Outcome, bool]]:
    """One row per measure and share: any relation at all."""
    return words(record.relations, ("rises", "falls"), none=NO_NUMBERS)


#: Outcome words of tables, by study and analysis: what is claimed, and how to read it from the result.
WORDS: Mapping[tuple[str, str], Mapping[str, Read]] = {
    ("study2_two_choice", "replication_ratings"): {
        **{
            f"signal: AUROC2 of {s} lies above 0.5 in a cell": _signals(s)
            for s in ("rating", "expected_confidence", "p_decision")
        },
        "finer: a finer signal orders a cell's answers better than the digit": lambda r: beyond(
            r.signals[r.signals["gain"].notna()], "gain_lower", "gain_upper", 0.0
        ),
    },
    ("study2_two_choice", "replication_risk"): {
        "warning: c differs between two warnings (wide interval)": _risk("c"),
        "warning: d' differs between two warnings (wide interval)": _risk("d_prime"),
    },
    ("study3_dmc", "replication"): {
        "abstaining: a way gains": lambda r: words(r.abstained, ("gains",), ("loses",), NO_NUMBERS),
        "relation: a measure goes with what abstaining gives": _points,
    },
    ("study3_dmc", "contrasts"): {
        "ways: two ways of a model differ when all pairs are judged": _apart("ways"),
        "models: two models differ when all pairs are judged": _apart("models"),
    },
}
