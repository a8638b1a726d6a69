"""Verdicts on the replies of this run: each computed, none typed.

A unit speaks against a rule only where the numbers do: an interval, or a relation with a small p, that lies
wholly on the other side. Where they lie on neither side the unit is undecided, and its numbers say why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import Unit, answer_of, judged, those
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study4_probe.ledger.published import TASKS, plain, short
from metacog.studies.study4_probe.replication.two_tasks import ALIKE

#: Largest permutation p that decides.
LEVEL = 0.05
#: Reasons that are numbers: they lie on neither side.
NUMBERS = re.compile(r"p = |-?[\d.]+ to -?[\d.]+")
#: What each rule judges of one model.
CLAIMS = {
    "calibration": "Right answers have more confidence (out of 10)",
    "dissociation": "One scale shows more than the other",
    "steadiness": "Steadier answers have more confidence",
    "entropy": "Scattered answers have less confidence",
}

RULES = {
    "calibration": (
        "Confidence follows correctness on T1-CC in every model: the 95 % interval of the score, over items, "
        f"lies above 50, and the permutation p of stated confidence with correctness is at most {LEVEL}. An "
        "interval below 50 with such a p refutes it."
    ),
    "dissociation": (
        "Confidence tells right from wrong better on one of T1-CC and T4-CR than on the other, in every "
        "model: the 95 % interval of the difference of their AUROC2 excludes 0. An interval within "
        f"-{ALIKE} and {ALIKE} refutes it."
    ),
    "steadiness": (
        "Stated confidence follows the agreement of resampled answers in every model and task: Spearman's "
        f"rho over items is above 0, with a permutation p of at most {LEVEL}. A rho below 0 with such a p "
        "refutes it."
    ),
    "entropy": (
        "Stated confidence falls as the decoding entropy of the answer rises in every model and task: "
        f"Spearman's rho over items is below 0, with a permutation p of at most {LEVEL}. A rho above 0 with "
        "such a p refutes it."
    ),
}


def verdicts_of(
    profile: pd.DataFrame, tasks_compared: pd.DataFrame, steady: pd.DataFrame, models: Iterable[str] = ()
) -> tuple[Verdict, ...]:
    """One verdict per rule; none where the run asked nothing that it is about.

    Parameters
    ----------
    profile : DataFrame
        As :func:`.scores.profile` gives it.
    tasks_compared : DataFrame
        As :func:`.two_tasks.by_one_measure` gives it.
    steady : DataFrame
        As :func:`.steadiness.correlations` gives it.
    models : iterable of str
        Everybody that "every model" means, in addition to the models of the profile: one without a row is undecided.
    """
    everybody = list(dict.fromkeys([*profile["model"], *models]))
    t1 = profile[profile["task"] == "T1-CC"]
    calibration = [
        _unit(
            r.model,
            r.lower > 50 and r.p <= LEVEL,
            r.upper < 50 and r.p <= LEVEL,
            r.note,
            f"{r.lower:.0f} to {r.upper:.0f}, p = {r.p:.2f}",
        )
        for r in rows_of(t1)
    ]
    apart = [
        _unit(
            r.model,
            r.lower > 0 or r.upper < 0,
            -ALIKE < r.lower and r.upper < ALIKE,
            r.why,
            f"{r.lower:.2f} to {r.upper:.2f}",
        )
        for r in rows_of(tasks_compared)
    ]
    return tuple(
        _verdict(topic, what, units)
        for topic, what, units in (
            (
                "calibration",
                "Confidence that follows correctness",
                _whole(calibration, everybody, "T1-CC was not asked"),
            ),
            (
                "dissociation",
                "A difference between the two scales of confidence",
                _whole(apart, everybody, "not asked both"),
            ),
            ("steadiness", "Confidence that follows agreement", _related(steady, 1, everybody)),
        )
        if units
    )


def entropy_verdict(table: pd.DataFrame, models: Iterable[str] = ()) -> tuple[Verdict, ...]:
    """The verdict on decoding entropy; none where no answer was drawn.

    Parameters
    ----------
    table : DataFrame
        One row per model and task: ``rho, p, items, why``.
    models : iterable of str
        As in :func:`verdicts_of`.
    """
    units = _related(table, -1, list(models))
    if not units:
        return ()
    return (_verdict("entropy", "Confidence that falls with decoding entropy", units),)


def claims_of(verdicts: Iterable[Verdict]) -> pd.DataFrame:
    """What verdicts say of each model: ``claim, model, answer, why``.

    A model whose numbers lie on neither side is undecided; one that has none is not testable.
    """
    rows = []
    for verdict in verdicts:
        reasons = dict(verdict.undecided)
        for name, holds in verdict.units:
            model, _, task = name.partition(" on ")
            why = reasons.get(name, "")
            rows.append(
                {
                    "claim": CLAIMS[verdict.topic]
                    + (f" ({plain(task).removeprefix('confidence ')})" if task else ""),
                    "model": model,
                    "answer": "undecided" if holds is None and NUMBERS.match(why) else answer_of(holds),
                    "why": _in_words(why),
                }
            )
    return pd.DataFrame(rows, columns=["claim", "model", "answer", "why"])


def _in_words(why: str) -> str:
    """A reason with the names of tasks that readers know."""
    for task in map(short, TASKS):
        why = why.replace(task, plain(task))
    return why


def _related(table: pd.DataFrame, sign: int, models: Sequence[str]) -> list[Unit]:
    """One unit per model and task: whether rho has the sign that a rule asks for, by its p."""
    units = [
        _unit(
            f"{r.model} on {r.task}",
            sign * r.rho > 0 and r.p <= LEVEL,
            sign * r.rho < 0 and r.p <= LEVEL,
            "" if r.p == r.p else r.why,
            f"p = {r.p:.2f}",
        )
        for r in rows_of(table)
    ]
    tasks = dict.fromkeys(r.task for r in rows_of(table))
    return _whole(units, [f"{model} on {task}" for model in models for task in tasks], "not asked again")


def _whole(units: list[Unit], names: Sequence[str], why: str) -> list[Unit]:
    """With an undecided unit for every name without one; none where there are no units at all."""
    there = {u.name for u in units}
    return units + [Unit(name, None, why) for name in names if name not in there] if units else []


def _unit(name: str, yes: object, no: object, flag: str, numbers: str) -> Unit:
    """A unit that holds, is refuted, or cannot be told."""
    if flag or not (yes or no):
        return Unit(name, None, flag or numbers)
    return Unit(name, bool(yes))


def _verdict(topic: str, what: str, units: list[Unit]) -> Verdict:
    return judged(
        units,
        topic.capitalize(),
        Kind.EXPLORATORY,
        RULES[topic],
        name="in_every_model",
        topic=topic,
        what=what,
        found=those(units, True),
        against=those(units, False),
    )
