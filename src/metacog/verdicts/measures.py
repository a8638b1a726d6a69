"""What a row of measures says of one model, and the parts of each model by their rank."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from metacog.verdicts.outcomes import Rule
from metacog.verdicts.rules import beyond
from metacog.verdicts.verdict import Kind

#: Level of the permutation test of meta-I2r.
ALPHA = 0.05
RULES = {
    "auroc2": Rule("AUROC2 of one model lies above 0.5", "Measures", Kind.FINDING),
    "meta_i2r": Rule("meta-I2r of one model is more than nothing", "Measures", Kind.FINDING),
}


def said_of(row: pd.Series) -> dict[str, bool | None]:
    """What a model's row of :func:`metacog.measures.table.measure_table` says, by the measure; None where it is open.

    Two rules (:data:`RULES`), and whether the model is too sure on average. Empty where nothing is judged.
    """
    if not _known(row, "auroc2"):
        return {}
    told = {
        "auroc2": beyond("AUROC2", row["auroc2_lower"], row["auroc2_upper"], 0.5).holds,
        "meta_i2r": True if row.get("p_meta_i2r", np.nan) <= ALPHA else None,
    }
    if _known(row, "overconfidence"):
        ends = row["overconfidence_lower"], row["overconfidence_upper"]
        told["overconfidence"] = beyond("overconfidence", *ends, 0.0).holds
    return told


def _known(row: pd.Series, name: str) -> bool:
    return bool(pd.notna(row.get(name, np.nan)) and pd.notna(row.get(f"{name}_lower", np.nan)))


def ranked_parts(orders: pd.DataFrame | None, by: str) -> Iterator[tuple[str, pd.DataFrame]]:
    """Domains or temperatures of each model by rank, of models of which at least two have one.

    Lowest and highest are picked after looking, so their two intervals tell nothing about the order; the confidence
    set of ranks (:func:`metacog.measures.table.order_table`) is made over all pairs.
    """
    if orders is None:
        return
    known = orders[(orders["by"] == by) & orders["rank"].notna()].sort_values("rank", kind="stable")
    for model, own in known.groupby("model", sort=False):
        if len(own) > 1:
            yield str(model), own
