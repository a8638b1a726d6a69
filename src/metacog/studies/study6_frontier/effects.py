"""The atlas's effects, one number each over its models, for a set of other models to be held against."""

from __future__ import annotations

import pandas as pd

from metacog.measures.set_effects import SetEffects, counted, set_effects
from metacog.studies.study import Inputs, analysis
from metacog.studies.study6_frontier.ledger.rows import model_items, partly_stated
from metacog.studies.study6_frontier.paper import FILES


@analysis(returns=SetEffects, files=FILES)
def effects(inputs: Inputs, *, n_resamples: int = 200, seed: int = 42) -> SetEffects:
    """What do the atlas's models show together, to be held against another set?"""
    items, uncounted = model_items(), partly_stated()
    names = [model for model in items.models if model not in uncounted]
    counts = pd.DataFrame([counted(items.kept(models=names), seed=seed)])
    return set_effects(items, models=names, counts=counts, n_resamples=n_resamples, seed=seed)
