"""What a command may spend on servers, over all the runs that it names, and what each run has spent.

A run's account is ``spent.json`` in its folder, written after every request. So a limit counts what earlier calls of
the command spent, and one that is raised goes on from there. Accounts stay where they were made: packs leave them out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from metacog.collect.models import ModelEntry
from metacog.collect.plan import open_engine
from metacog.core.errors import MetacogError
from metacog.engines.budget import Budget, Limits, Prices, Tally
from metacog.engines.engine import Engine

ACCOUNT = "spent.json"


def prices_of(entry: ModelEntry) -> Prices | None:
    """A model's prices, from its entry."""
    return Prices(**entry.prices) if entry.prices else None


def account(folder: Path) -> Tally:
    """What a run has spent; nothing where it has no account.

    Raises
    ------
    MetacogError
        If its account cannot be read.
    """
    path = folder / ACCOUNT
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return Tally(**{one.name: known[one.name] for one in fields(Tally)})
    except FileNotFoundError:
        return Tally()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MetacogError(
            f"{path}, which says what the run has spent, cannot be read ({type(error).__name__}): "
            "write down there what you know was spent, or delete it to count from nothing"
        ) from None


class Spending:
    """A command's budget, and the account of the run that is asked now.

    Parameters
    ----------
    limits : Limits
    runs : iterable of Path
        Folders of all runs that the command names; what they have spent counts.

    Attributes
    ----------
    budget : Budget
    tally : Tally
        Of the run that is asked now.
    """

    def __init__(self, limits: Limits | None = None, runs: Iterable[Path] = ()) -> None:
        spent = Tally()
        for folder in set(runs):
            spent.add(account(folder))
        self.budget = Budget(limits, spent)
        self.tally = Tally()

    def open(self, entry: ModelEntry, settings: dict[str, Any] | None = None) -> Engine:
        """Load a model, within the budget where it is an endpoint."""
        within = {"budget": self.budget} if entry.is_endpoint else {}
        return open_engine(entry, {**(settings or {}), **within})

    def turn_to(self, entry: ModelEntry, folder: Path | None) -> None:
        """Go on with a run; without a folder its account is kept nowhere (a dry run).

        Raises
        ------
        MetacogError
            If cost is limited and the model has no prices.
        """
        prices = prices_of(entry)
        if self.budget.limits.cost is not None and prices is None and entry.is_endpoint:
            raise MetacogError(
                f"--max-cost needs to know what model {entry.name!r} costs: add `prices: {{prompt: ..., answer: ...}}` "
                "(per million tokens) to its entry in config/models.yaml"
            )
        self.tally = account(folder) if folder else Tally()
        self.budget.turn_to(prices, self._keeper(folder) if folder else self.tally.add)

    def _keeper(self, folder: Path) -> Any:
        path, temporary = folder / ACCOUNT, folder / f"{ACCOUNT}.tmp{os.getpid()}"
        tally = self.tally

        def keep(took: Tally) -> None:
            tally.add(took)
            temporary.write_text(json.dumps(asdict(tally), indent=1) + "\n", encoding="utf-8")
            os.replace(temporary, path)

        return keep
