"""Paths chosen on T6, before an answer."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.studies.study5_battery.ledger.published import models_of
from metacog.studies.study5_battery.ledger.responses import PATHS


def path_rates(responses: pd.DataFrame) -> pd.DataFrame:
    """How often each path of T6 was chosen, in percent: ``model, direct, hint, decline``."""
    subset = responses[responses["track"] == "T6"]
    shares = pd.crosstab(subset["model"], subset["path"], normalize="index") * 100
    shares = shares.reindex(index=models_of(responses), columns=list(PATHS.values()))
    shares.columns = pd.Index(["direct", "hint", "decline"])
    return (
        shares.fillna(0.0)
        .where(shares.notna().any(axis=1), np.nan, axis=0)
        .rename_axis("model")
        .reset_index()
    )
