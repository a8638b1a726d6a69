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
