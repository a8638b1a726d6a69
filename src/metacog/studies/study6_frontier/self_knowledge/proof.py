"""What the measure of the remainder does where the truth is known, from a committed simulation."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root

#: Made by ``benchmarks/self_knowledge_frontier.py``: simulated leaderboards of 33 models and 1,500 items.
SIMULATED = "data/simulations/self_knowledge_frontier.csv"
#: Kinds of simulated models, as the file calls them.
DIFFICULTY, TWO, MIXTURE, OWN = "difficulty", "two difficulties", "mixture", "own state"
#: Share of runs in which something must be seen to say that it would have been.
POWER = 0.9


@cache
def _read() -> pd.DataFrame:
    path = project_root() / SIMULATED
    if not path.is_file():
        raise MetacogError(f"{SIMULATED} is missing: restore it from the repository")
    return pd.read_csv(path)


def simulated() -> pd.DataFrame:
    """By kind of models and share of their own state in what confidence reads, over the judged models.

    Returns
    -------
    DataFrame
        ``kind, self_share, runs`` (of a judged model each), ``above_0``, ``least_above_0`` and ``most_above_0`` (share
        of runs whose interval of the corrected area lies above 0: of all, and of the judged models with the smallest
        and the largest), ``corrected, true_share, share`` (means).
    """
    table = _read()
    table = table[table["kind"].isin((DIFFICULTY, TWO, MIXTURE, OWN)) & table["above_0"].notna()]
    rows = []
    for (kind, share), own in table.groupby(["kind", "self_share"], sort=False):
        seen = own["above_0"] / own["n_runs"]
        rows.append(
            {
                "kind": kind,
                "self_share": share,
                "runs": int(own["n_runs"].sum()),
                "above_0": float(own["above_0"].sum() / own["n_runs"].sum()),
                "least_above_0": float(seen.min()),
                "most_above_0": float(seen.max()),
                "corrected": float(own["corrected"].mean()),
                "true_share": float(own["true_share"].mean()),
                "share": float(own["share"].mean()),
            }
        )
    return pd.DataFrame(rows)


def seen_from(table: pd.DataFrame) -> float:
    """Smallest share of own state that is seen in :data:`POWER` of runs for every judged model; NaN if none is."""
    mixed = table[(table["kind"] == MIXTURE) & (table["least_above_0"] >= POWER)]
    return float(mixed["self_share"].min()) if len(mixed) else np.nan


def like(table: pd.DataFrame, share: float) -> float:
    """Share of own state at which simulated models have this share of the information; NaN beyond the mixtures."""
    known = table[table["kind"].isin((DIFFICULTY, MIXTURE))].sort_values("self_share")
    if not known["share"].min() <= share <= known["share"].max():
        return np.nan
    return float(np.interp(share, known["share"], known["self_share"]))
