"""The ledgers of the registered studies, for those above the ledger that ask for them by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from metacog.core.errors import MetacogError
from metacog.ledger.entry import Settings, StudyLedger
from metacog.ledger.judging import available_files
from metacog.studies.registry import studies
from metacog.studies.study import Analysis, Study


def ledgers(names: Iterable[str] | None = None) -> tuple[StudyLedger, ...]:
    """What the registered studies hand to the ledger, of those that have one; of some, by the column ``study``."""
    known = {study.ledger.name: study.ledger for study in studies() if study.ledger}
    wanted = list(known if names is None else names)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise MetacogError(f"the ledger knows no {', '.join(unknown)}; it knows: {', '.join(known)}")
    return tuple(known[name] for name in wanted)


def settings_of(parameters: Mapping[str, Any]) -> Settings:
    """How ledgers are made with these parameters of an analysis, on the files that are there."""
    return Settings(parameters["ledger_resamples"], parameters["seed"], available_files(ledgers()))


def ledger_results(having: Iterable[str] | None = None) -> list[tuple[Study, Analysis]]:
    """The analyses whose stored results ledgers rest on; only of these ledgers, as in :func:`ledgers`."""
    wanted = {one.name for one in ledgers(having)}
    return [
        (study, study.analysis(name))
        for study in studies()
        if study.ledger and study.ledger.name in wanted
        for name in study.ledger.results
    ]
