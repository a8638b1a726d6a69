"""The ledgers of the registered studies, for those above the ledger that ask for them by name."""

from __future__ import annotations

import importlib
from collections.abc import Iterable

from metacog.core.code import module_file
from metacog.core.errors import MetacogError
from metacog.ledger.entry import StudyLedger
from metacog.studies.registry import STUDIES
from metacog.studies.study import Analysis, Study


def ledgers(names: Iterable[str] | None = None) -> tuple[StudyLedger, ...]:
    """What the registered studies hand to the ledger: ``LEDGER`` of those that have a module ``ledger``.

    Parameters
    ----------
    names : iterable of str, optional
        Only these, by their names in the column ``study``.

    Raises
    ------
    MetacogError
        If no study has a name asked for; lists those there are.
    """
    known = {one.name: one for one in _by_package().values()}
    wanted = list(known if names is None else names)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise MetacogError(f"the ledger knows no {', '.join(unknown)}; it knows: {', '.join(known)}")
    return tuple(known[name] for name in wanted)


def ledger_results(having: Iterable[str] | None = None) -> list[tuple[Study, Analysis]]:
    """The analyses whose stored results ledgers rest on.

    Parameters
    ----------
    having : iterable of str, optional
        Only of these ledgers, as in :func:`ledgers`.
    """
    wanted = {one.name for one in ledgers(having)}
    found = []
    for package, one in _by_package().items():
        if one.name in wanted and one.results:
            study = importlib.import_module(package).STUDY
            found += [(study, study.analysis(name)) for name in one.results]
    return found


def _by_package() -> dict[str, StudyLedger]:
    """The ledger of each study that has one, by the study's package."""
    having = [study for study in STUDIES if module_file(f"{study}.ledger")]
    return {study: importlib.import_module(f"{study}.ledger").LEDGER for study in having}
