"""The ledgers of the registered studies, for those above the ledger that ask for them by name."""

from __future__ import annotations

import importlib
from collections.abc import Iterable

from metacog.core.code import module_file
from metacog.core.errors import MetacogError
from metacog.ledger.entry import StudyLedger
from metacog.studies.registry import STUDIES


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
    having = [f"{study}.ledger" for study in STUDIES if module_file(f"{study}.ledger")]
    known = {one.name: one for one in (importlib.import_module(name).LEDGER for name in having)}
    wanted = list(known if names is None else names)
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise MetacogError(f"the ledger knows no {', '.join(unknown)}; it knows: {', '.join(known)}")
    return tuple(known[name] for name in wanted)
