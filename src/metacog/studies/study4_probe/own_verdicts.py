"""Verdicts on a run's own replies: each computed, none typed."""

from __future__ import annotations

import pandas as pd

from metacog.report.rules import Unit, every, those, undecided, unit
from metacog.report.verdicts import IN_WORDS, Kind, Verdict, listed, rows_of
from metacog.studies.study4_probe.scores import UNSTATED

RULES = {
    "calibration": (
        "Confidence follows correctness on T1-CC in every model: the 95 % interval of the score, over items, "
        "lies above 50."
    ),
    "dissociation": (
        "T1-CC and T4-CR part company in every model: the 95 % interval of their difference, over items, "
        "excludes 0."
    ),
    "steadiness": (
        "Stated confidence follows the agreement of resampled answers in every model and task: the 95 % "
        "interval of Spearman's rho, over items, lies above 0."
    ),
    "entropy": (
        "Stated confidence falls as the decoding entropy of the answer rises in every model and task: the "
        "95 % interval of Spearman's rho, over items, lies below 0."
    ),
}


def verdicts_of(
    profile: pd.DataFrame, differences: pd.DataFrame, steady: pd.DataFrame
) -> tuple[Verdict, ...]:
    """One verdict a rule; none where the run asked nothing that it is about."""
    own = profile[profile["task"] == "T1-CC"]
    calibration = [unit(r.model, r.lo > 50, flag=r.note) for r in rows_of(own)]
    flags = {r.model: r.note for r in rows_of(profile[profile["note"] == UNSTATED])}
    flags |= {r.model: r.note for r in rows_of(own) if r.note}
    apart = [unit(r.model, r.lo > 0 or r.hi < 0, flag=flags.get(r.model, "")) for r in rows_of(differences)]
    follows = [
        unit(f"{r.model} on {r.task}", r.lo > 0, known=r.lo == r.lo, flag="" if r.lo == r.lo else _why(r))
        for r in rows_of(steady)
    ]
    return tuple(
        _verdict(topic, what, units)
        for topic, what, units in (
            ("calibration", "Confidence that follows correctness", calibration),
            ("dissociation", "A difference of T1-CC and T4-CR", apart),
            ("steadiness", "Confidence that follows agreement", follows),
        )
        if units
    )


def entropy_verdict(table: pd.DataFrame) -> tuple[Verdict, ...]:
    """The verdict on decoding entropy; none where no answer was drawn.

    Parameters
    ----------
    table : DataFrame
        A row a model and task: ``rho, lo, hi, items, why``.
    """
    units = [
        unit(
            f"{r.model} on {r.task}",
            r.hi < 0,
            known=r.hi == r.hi,
            flag="" if r.hi == r.hi else r.why or _why(r),
        )
        for r in rows_of(table)
    ]
    if not units:
        return ()
    return (_verdict("entropy", "Confidence that falls with decoding entropy", units),)


def _verdict(topic: str, what: str, units: list[Unit]) -> Verdict:
    passed = every(units)
    found, missing = those(units, True), those(units, False)
    parts = [f"found in {listed(found)}"] if found else []
    parts += [f"not found in {listed(missing)}"] if missing else []
    where = f": it is {' and '.join(parts)}" if parts else ""
    said = f"{what} in every model is {IN_WORDS[passed]}{where}.{undecided(units)}"
    return Verdict(topic.capitalize(), Kind.EXPLORATORY, RULES[topic], passed, said, topic)


def _why(row: object) -> str:
    """Why there is no interval of rho."""
    items = int(getattr(row, "items", 0))
    return "one of the two never varies" if items >= 3 else f"{items} items with both"
