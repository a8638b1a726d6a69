"""What a result says: verdicts as they stand, and outcome words of tables as verdicts on their rows."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

from metacog.report import rules
from metacog.report.verdicts import Kind, Verdict
from metacog.studies import get_study
from metacog.studies.view import views_of

#: supported, refuted, undecided
Outcome = bool | None


@dataclass(frozen=True, order=True)
class Key:
    """Which verdict: those of one key in one result are of the same rule, one a model or row.

    Attributes
    ----------
    study, analysis, hypothesis, kind, topic, rule : str
        ``kind`` is ``words`` for an outcome that a table's column holds.
    level : str
        ``unit`` for the single models, pairs or cells that a verdict's rule was applied to.
    """

    study: str
    analysis: str
    hypothesis: str
    kind: str
    topic: str
    rule: str
    level: str = "verdict"


@dataclass
class Judged:
    """Units that verdicts were drawn from, by hypothesis and rule, while it watches."""

    by: dict[tuple[str, str], tuple[Outcome, ...]] = field(default_factory=dict)
    waiting: list[Outcome] = field(default_factory=list)

    @contextmanager
    def watching(self) -> Iterator[Judged]:
        """Note what ``every`` and ``at_least`` are asked, and which verdict is made next."""
        init = Verdict.__init__

        def made(verdict: Verdict, *args: Any, **named: Any) -> None:
            init(verdict, *args, **named)
            if self.waiting:
                self.by[verdict.hypothesis, verdict.rule] = tuple(self.waiting)
                self.waiting.clear()

        with ExitStack() as stack:
            stack.enter_context(patch.object(Verdict, "__init__", made))
            for name in ("every", "at_least"):
                original = getattr(rules, name)
                for module in [m for m in list(sys.modules.values()) if getattr(m, name, None) is original]:
                    stack.enter_context(patch.object(module, name, self._noting(original)))
            yield self

    def _noting(self, original: Callable[..., Outcome]) -> Callable[..., Outcome]:
        def asked(units: Any, *rest: Any) -> Outcome:
            units = list(units)
            self.waiting = [u.holds for u in units]
            return original(units, *rest)

        return asked


def found(
    study: str, analysis: str, record: Any, judged: Judged | None = None
) -> Iterator[tuple[Key, Outcome]]:
    """Every outcome of one result, and the units of its verdicts where they were noted."""
    for v in getattr(record, "verdicts", ()):
        key = Key(study, analysis, v.hypothesis, v.kind.value, v.topic, v.rule)
        yield key, v.passed
        for one in judged.by.get((v.hypothesis, v.rule), ()) if judged else ():
            yield replace(key, level="unit"), one
    for topic, make in views_of(get_study(study), analysis).sentences.items():
        made = make(record)
        for one in () if isinstance(made, str) else made:
            yield Key(study, analysis, "Measures", Kind.FINDING, topic, one.rule), one.passed
    for what, read in WORDS.get((study, analysis), {}).items():
        key = Key(study, analysis, what.split(":")[0], "words", "", what)
        yield from ((key, one) for one in read(record))


def counted(outcomes: Iterator[tuple[Key, Outcome]]) -> dict[Key, Counter]:
    """Outcomes by key."""
    by: dict[Key, Counter] = {}
    for key, passed in outcomes:
        by.setdefault(key, Counter())[passed] += 1
    return by


def beyond(rows: pd.DataFrame, lower: str, upper: str, at: float) -> Iterator[Outcome]:
    """Intervals against a value: above, below, or not told."""
    for low, high in zip(rows[lower], rows[upper], strict=True):
        yield True if low > at else False if high < at else None


def words(column: pd.Series, yes: tuple[str, ...], no: tuple[str, ...] = ()) -> Iterator[Outcome]:
    """Words that say a thing, and those that say its opposite; others leave it open."""
    for one in column.astype(str):
        yield True if one.endswith(yes) else False if no and one.endswith(no) else None


def _signals(of: str) -> Callable[[Any], Iterator[Outcome]]:
    return lambda r: beyond(r.signals[r.signals["signal"] == of], "auroc2_lower", "auroc2_upper", 0.5)


def _apart(table: str, measure: str) -> Callable[[Any], Iterator[Outcome]]:
    def read(record: Any) -> Iterator[Outcome]:
        rows = getattr(record, table)
        return words(rows.loc[rows["measure"] == measure, "outcome"], ("higher",))

    return read


def _risk(measure: str) -> Callable[[Any], Iterator[Outcome]]:
    def read(record: Any) -> Iterator[Outcome]:
        pairs = record.pairs[record.pairs["measure"] == measure]
        return iter([None if one == "not significant" else True for one in pairs["decision_wide"]])

    return read


def _points(record: Any) -> Iterator[Outcome]:
    """One row per measure and share: any relation at all."""
    return words(record.relations["outcome"], ("rises", "falls"))


_MEASURES = ("mc", "m_ratio", "meta_i2r", "auroc2", "ece", "brier")
#: Outcome words of tables, by study and analysis: what is claimed, and how to read it from the result.
WORDS: Mapping[tuple[str, str], Mapping[str, Callable[[Any], Iterator[Outcome]]]] = {
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
        "abstaining: a way gains": lambda r: words(r.abstained["outcome"], ("gains",), ("loses",)),
        "relation: a measure goes with what abstaining gives": _points,
        **{f"ways: two ways of a model differ in {m}": _apart("ways", m) for m in _MEASURES},
        **{f"models: two models differ in {m}": _apart("models", m) for m in _MEASURES},
    },
}


def share(counts: Counter, of: Outcome) -> float:
    """Share of one outcome."""
    total = sum(counts.values())
    return counts[of] / total if total else float(np.nan)
