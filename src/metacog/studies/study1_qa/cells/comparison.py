"""What a question's comparison of the published numbers with a run's is made of."""

from __future__ import annotations

import pandas as pd

RECOMPUTED = "published, recomputed from counts"
PUBLISHED = "published, as printed"
RUN = "this run"


def stacked(**parts: pd.DataFrame) -> pd.DataFrame:
    """Tables one below the other, with a first column ``source``."""
    table = pd.concat([frame.assign(source=source) for source, frame in parts.items()], ignore_index=True)
    return table[["source", *(c for c in table.columns if c != "source")]]


def agreeing(recomputed: pd.Series, printed: pd.Series, digits: int) -> int:
    """How many recomputed values round to the printed ones (half the last printed digit)."""
    return int(((recomputed - printed).abs() <= 0.5 * 10.0**-digits + 1e-9).sum())
