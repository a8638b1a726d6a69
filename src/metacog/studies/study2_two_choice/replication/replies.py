"""What was asked of each cell and what of it can be used: every reply is counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from metacog.collect.models import labels_of
from metacog.studies.study2_two_choice.ledger.published import TASKS as NAMES
from metacog.studies.study2_two_choice.settings import TASKS

#: A cell of the design.
CELL = ("model", "dataset", "task", "risk")
#: How readers know the collections.
EXPERIMENTS = {"confidence": "with confidence", "warned": "under risk"}


def usable(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials whose reply was understood, ``response`` (and ``rating``, if there is one) as whole numbers."""
    kept = trials[trials["parse_status"] == "ok"]
    whole = {name: "int64" for name in ("response", "rating") if name in kept}
    return kept.astype(whole).reset_index(drop=True)


def asked_by_cell(trials: pd.DataFrame) -> pd.DataFrame:
    """How many trials each cell has, and how many of them can be used.

    Parameters
    ----------
    trials : DataFrame
        Of one of the study's collections.

    Returns
    -------
    DataFrame
        One row per cell in the order met: :data:`CELL`, ``asked``, ``usable``, ``unparsed`` (their sum is
        ``asked``), ``repaired`` (usable after being asked once more), ``refused`` and ``truncated`` (of the
        unparsed), ``correct`` (share of the usable; NaN if there is none).
    """
    ok = trials["parse_status"] == "ok"
    flags = trials[list(CELL)].assign(
        usable=ok,
        unparsed=~ok,
        repaired=ok & (trials["repairs"] > 0),
        refused=~ok & trials["refusal"],
        truncated=~ok & trials["truncated"],
        right=ok & trials["correct"],
    )
    by_cell = flags.groupby(list(CELL), sort=False)
    cells = by_cell.sum().astype("int64")
    cells.insert(0, "asked", by_cell.size())
    cells["correct"] = cells.pop("right") / cells["usable"].where(cells["usable"] > 0)
    return cells.reset_index()


def of_both(trials: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """:func:`asked_by_cell` of both collections, with ``experiment``; one row per cell."""
    parts = [
        asked_by_cell(rows).assign(experiment=EXPERIMENTS[name]) for name, rows in trials.items() if len(rows)
    ]
    return pd.concat(parts, ignore_index=True).sort_values(
        ["model", "task"], kind="stable", ignore_index=True
    )


def groups(trials: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Usable trials of each task and model, tasks in order, models as met."""
    kept = usable(trials)
    for task in TASKS:
        for model, part in kept[kept["task"] == task].groupby("model", sort=False):
            yield task, str(model), part


def with_labels(frame: pd.DataFrame) -> pd.DataFrame:
    """The same rows with ``name``, the label of the row's model, and ``task_name`` where they have a task."""
    found = frame.assign(name=frame["model"].map(labels_of(frame["model"])).astype("str"))
    return found.assign(task_name=found["task"].map(NAMES).astype("str")) if "task" in found else found
