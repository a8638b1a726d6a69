"""What several analyses share."""

from __future__ import annotations

import pandas as pd

from metacog.collect.models import labels_of

#: The paper's counts and printed figures.
PUBLISHED = ("data/published/servajean_*.csv",)


def with_labels(frame: pd.DataFrame) -> pd.DataFrame:
    """The same rows with ``name``: the label of the row's model."""
    return frame.assign(name=frame["model"].map(labels_of(frame["model"])))
