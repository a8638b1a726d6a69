"""How often a promise on the answers that pass a gate can be made, in simulated files."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table

#: How often promises are made and broken, by ``benchmarks/promised_threshold.py``.
SIMULATED = "data/simulations/promised_threshold.csv"
#: Promised shares of wrong answers, and AUROC2, for which it is told how often a promise can be made.
FOR_PROMISES, AREAS = (0.10, 0.05, 0.01), (0.65, 0.8, 0.92)


def rows_needed() -> pd.DataFrame:
    """In what share of simulated files a promise can be made (``made``), by the answers that are marked (``rows``).

    ``files`` names the promise and the share of right answers, ``signal`` how well confidence tells them apart.
    """
    table = committed_table(SIMULATED)
    ours = table[(table["rule"] == "sequence") & (table["world"] == "continuous")]
    ours = ours[ours["auroc2"].isin(AREAS) & ours["most_errors"].isin(FOR_PROMISES)]
    ours = ours.assign(promised=1 - ours["most_errors"], rows=2 * ours["n"], made=ours["reached"])
    ours["files"] = [
        f"{100 * right:.0f} % promised, {100 * of_all:.0f} % right of all"
        for right, of_all in zip(ours["promised"], ours["accuracy"], strict=True)
    ]
    ours["signal"] = [f"AUROC2 {area:g}" for area in ours["auroc2"]]
    columns = ["files", "promised", "accuracy", "signal", "auroc2", "rows", "made"]
    return ours[columns].sort_values(columns, ignore_index=True)


def fewest_rows(promised: float, accuracy: float, auroc2: float) -> float:
    """The fewest marked answers of :func:`rows_needed` with which four in five such files can promise; or infinity."""
    table = rows_needed()
    own = np.isclose(table[["promised", "accuracy", "auroc2"]], (promised, accuracy, auroc2)).all(axis=1)
    enough = np.asarray(own & table["made"].ge(0.8).to_numpy(), dtype=bool)
    return float(min(table.loc[enough, "rows"], default=np.inf))
