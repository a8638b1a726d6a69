"""Table 2: how alike people answered each task, by agreement and Krippendorff's alpha, against the paper's bars."""

from __future__ import annotations

import pandas as pd

from metacog.studies.study4_probe import paper
from metacog.studies.study4_probe.paper import short

#: Bars of hypothesis H3.
AGREEMENT, LEAST_ALPHA = 0.90, 0.25


def reliability_table() -> pd.DataFrame:
    """One row per task: ``task, agreement, alpha``, their distance from the bars, and which bar is met."""
    frame = paper.as_text("table2_reliability")
    found = pd.DataFrame(
        {
            "task": frame["task"].map(short),
            "agreement": frame["pct_agree"].astype(float),
            "alpha": frame["alpha"].astype(float),
        }
    )
    found["gap_agreement"] = found["agreement"] - AGREEMENT
    found["gap_alpha"] = found["alpha"] - LEAST_ALPHA
    return found.assign(agrees=found["agreement"] >= AGREEMENT, reliable=found["alpha"] >= LEAST_ALPHA)


def partial(frame: pd.DataFrame) -> bool:
    """Whether some bar is met for some task and not both for all: what the paper calls a partial fail."""
    met = frame[["agrees", "reliable"]].to_numpy()
    return bool(met.any() and not met.all())
