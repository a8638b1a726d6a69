"""Responses in the place of the published battery's, so that its verdicts can be put to worlds too.

``model`` and ``item`` are the published ones; what they got right, kept and bet on is drawn.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import norm

from metacog.studies.study5_battery.ledger import responses as published
from sweep.worlds import ACCURACIES, NOTHING_KNOWN, codes, odd_one

#: Right answers by ability and difficulty alone, and by items that discriminate unequally on one dimension.
RASCH, UNEQUAL = "one dimension", "one dimension, unequal discrimination"
#: The model that cannot be judged, where one cannot.
LAST = "Qwen 80B Inst"
WORLDS = (*ACCURACIES, RASCH, UNEQUAL)


def drawn(world: str, rng: np.random.Generator) -> pd.DataFrame:
    """The published table with other answers: models alike in a world where nothing differs."""
    rows = published.load()
    n, last = len(rows), (rows["model"] == LAST).to_numpy()
    item, model = codes(rows, "track", "item"), codes(rows, "model")
    if world in (RASCH, UNEQUAL):
        ability = rng.normal(1.5, 0.8, model.max() + 1)[model]
        difficulty = rng.standard_normal(item.max() + 1)[item]
        slope = np.exp(rng.normal(0, 0.6, item.max() + 1))[item] if world == UNEQUAL else 1.0
        right = rng.random(n) < expit(slope * (ability - difficulty))
    else:
        shared = rng.standard_normal(item.max() + 1)[item]
        z = np.sqrt(0.5) * (shared + rng.standard_normal(n))
        right = z < norm.ppf(ACCURACIES[world])
        right &= ~last if world == "one never right" else True
    yes = {name: _stands(world, right, last, rows, rng) for name in published.PROBES}
    return rows.assign(correct=right, score=right.astype(float), **yes)


def _stands(world: str, right: np.ndarray, last: np.ndarray, rows: pd.DataFrame, rng: np.random.Generator):
    """Whether answers are stood by: independently of being right, where nothing is known."""
    n = right.size
    if world in ("constant", "nearly constant"):
        return odd_one(world, codes(rows, "model", "track"), np.zeros(n), rng) == 0
    nothing = world in NOTHING_KNOWN or world in (RASCH, UNEQUAL)
    rate = np.full(n, 0.7) if nothing else np.where(right, 0.9, 0.4)
    if world == "one constant":
        rate = np.where(last, 1.0, rate)
    return rng.random(n) < rate


@contextmanager
def in_place(rows: pd.DataFrame) -> Iterator[None]:
    """These responses wherever the study loads the published ones."""
    room = published.__name__.partition(".ledger.")[0]
    modules = [
        m
        for name, m in list(sys.modules.items())
        if name.startswith(room) and getattr(m, "load", None) is published.load
    ]
    original = published.load
    for module in modules:
        module.load = lambda: rows.copy()
    try:
        yield
    finally:
        for module in modules:
            module.load = original
