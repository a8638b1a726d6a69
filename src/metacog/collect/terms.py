"""On which terms a command asks endpoints: what may be spent, in which batch, and which share of the items twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metacog.collect.plan import Plan
from metacog.collect.spending import Spending
from metacog.core.errors import MetacogError
from metacog.engines.batch import Batch, Inbox, Outbox
from metacog.engines.budget import Limits


@dataclass(frozen=True)
class Terms:
    """On which terms endpoints are asked.

    Attributes
    ----------
    spending : Spending
    batch : Batch or None
        Takes requests, or answers them, in a server's place.
    file : Path or None
        The batch's file, or that of its results.
    ask_twice : float or None
        Share of the items to be asked twice; None is that of the model's entry.
    server_wait : float or None
        Seconds that a server which is not there is waited for; None is that of the model's entry.
    """

    spending: Spending
    batch: Batch | None = None
    file: Path | None = None
    ask_twice: float | None = None
    server_wait: float | None = None

    @classmethod
    def of(
        cls,
        limits: Limits | None,
        ask_twice: float | None,
        batch_out: Path | None,
        batch_in: Path | None,
        *,
        runs: Iterable[Path],
        unasked: bool,
        server_wait: float | None = None,
    ) -> Terms:
        """From the options of ``metacog collect``.

        Parameters
        ----------
        limits, ask_twice, batch_out, batch_in, server_wait
            As :func:`metacog.collect.jobs.run` takes them.
        runs : iterable of Path
            Folders of the runs that are named.
        unasked : bool
            Nothing is to be asked (a dry run, or replies from packs).

        Raises
        ------
        MetacogError
            If options exclude each other, or a results file is none.
        """
        if (batch_out or batch_in) and (unasked or (batch_out and batch_in)):
            raise MetacogError(
                "--batch-out and --batch-in stand alone, without --packed, --dry-run and each other"
            )
        spending = Spending(limits, runs)
        batch = Outbox(spending.budget) if batch_out else Inbox(batch_in) if batch_in else None
        return cls(spending, batch, batch_out or batch_in, ask_twice, server_wait)

    def plan(self, plan: Plan) -> Plan:
        """The plan, of a model whose entry says what these terms say."""
        said = {"ask_twice": self.ask_twice, "server_wait": self.server_wait}
        given: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
        return replace(plan, entry=replace(plan.entry, **given)) if given else plan

    def finish(self, echo: Callable[[str], object]) -> None:
        """Write the batch file, or say what became of the results.

        Raises
        ------
        MetacogError
            If the batch would be of several models, or the limits allow no request.
        """
        if isinstance(self.batch, Outbox) and self.file:
            _write(self.batch, self.file, echo)
        if isinstance(self.batch, Inbox) and self.file:
            _tell(self.batch, self.file, echo)


def _write(batch: Outbox, path: Path, echo: Callable[[str], object]) -> None:
    if len(models := {line["body"].get("model") for line in batch.lines.values()}) > 1:
        raise MetacogError(f"a batch is of one model, and these are {len(models)}: name one with --model")
    left = f"{batch.left.requests:,} requests are left, which could take {_most(batch)}"
    if batch.cut and not batch.lines:
        raise MetacogError(f"{batch.cut} allows no request more: {left}. A higher limit writes a batch file")
    if not batch.lines:
        echo("nothing is left to be asked: no batch file was written")
        return
    batch.write(path)
    echo(
        f"wrote {len(batch.lines):,} requests to {path}; when the batch has ended, read its results file with "
        "the same command and --batch-in FILE in the place of --batch-out"
    )
    if batch.cut:
        echo(
            f"cut before {batch.cut} is passed, counting the most that each request can take: {left}. Answers mostly "
            "take less: when these are read, the same command goes on as far as the limit then allows"
        )


def _most(batch: Outbox) -> str:
    """The most that the requests can take that were left out, in words."""
    cost = f" and cost {batch.left.cost:.4g}" if batch.budget.prices else ""
    return f"{batch.left.read + batch.left.written:,} tokens{cost} at most"


def _tell(batch: Inbox, path: Path, echo: Callable[[str], object]) -> None:
    echo(f"{path}: {len(batch.used):,} of {len(batch):,} answers were used")
    if batch.failed:
        name, why = next(iter(batch.failed.items()))
        echo(f"{len(batch.failed):,} answers could not be used (first: {name}: {why})")
    if batch.failed or batch.missing:
        echo("what has no answer yet goes into the next batch: --batch-out again")
