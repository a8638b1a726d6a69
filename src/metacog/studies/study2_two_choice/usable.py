"""What was asked of each cell and what of it can be used: no reply leaves the count unseen."""

from __future__ import annotations

import pandas as pd

#: A cell of the design.
CELL = ("model", "dataset", "task", "risk")


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
        One row a cell in the order met: :data:`CELL`, ``asked``, ``usable``, ``unparsed`` (their sum is
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
    found = by_cell.sum().astype("int64")
    found.insert(0, "asked", by_cell.size())
    found["correct"] = found.pop("right") / found["usable"].where(found["usable"] > 0)
    return found.reset_index()
