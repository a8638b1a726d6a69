"""Responses in the place of the published battery's, so that its verdicts can be put to worlds too.

``model`` and ``item`` are the published ones; what they got right, kept and bet on is drawn.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import norm

from metacog.collect.models import load_models
from metacog.studies.study5_battery.ledger import responses as published
from metacog.studies.study6_frontier.ledger import rows as atlas
from sweep import worlds
from sweep.worlds import ACCURACIES, AT_EDGE, NOTHING_KNOWN, codes, odd_one

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
        right = z < norm.ppf(ACCURACIES.get(world, AT_EDGE))
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
    if world == worlds.UNKNOWING:
        rate = np.where(last, 0.7, rate)
    if world == "one constant":
        rate = np.where(last, 1.0, rate)
    return rng.random(n) < rate


def odd_names(study: str, world: str) -> tuple[tuple[str, ...], ...]:
    """What a name must hold to be about what a world's edge is named after: one of each group."""
    if world == worlds.TOO_FEW:
        names = spread(atlas.load().trials)
        return (names[: worlds.n_self_knowing(len(names))],)
    if study == "study6_frontier":
        return (spread(atlas.load().trials)[-N_UNLIKE:],)
    last = worlds.MODELS[1 if study == "study3_dmc" else -1]
    who = (last, load_models()[last].label, LAST)
    return (who, worlds.odd_way()) if (study, world) == ("study3_dmc", worlds.UNLIKE) else (who,)


#: Models and questions of what is drawn for verdicts on many models, and how many models' confidence says more: 18 of
#: 36 pairs differ then.
LEADERBOARD = (9, 300)
N_UNLIKE = 3


def spread(rows: pd.DataFrame) -> tuple[str, ...]:
    """Names of as many models, spread over those of a table."""
    names = rows["model"].drop_duplicates().to_numpy()
    return tuple(names[np.linspace(0, len(names) - 1, LEADERBOARD[0]).round().astype(int)])


def leaderboard(world: str, rng: np.random.Generator) -> atlas.Rows:
    """The atlas's rows with other answers, of fewer models and questions.

    ``one unlike``: all know the same but :data:`N_UNLIKE`, who know more, and the same.
    """
    rows = atlas.load().trials
    m, n = LEADERBOARD
    kept = spread(rows)
    items = rows["question_id"].drop_duplicates().sort_values().to_numpy()[:n]
    rows = rows[rows["model"].isin(kept) & rows["question_id"].isin(items)]
    rows = rows.drop_duplicates(["model", "question_id"]).reset_index(drop=True)
    model, item = codes(rows, "model"), codes(rows, "question_id")
    if world in (worlds.DIFFICULTY, worlds.TOO_FEW):
        made = worlds.one_difficulty(world, rng, m, n).set_index(["model", "item"])
        mine = made.loc[list(zip(model, item, strict=True))]
        right, sure = mine["correct"].to_numpy(bool), mine["confidence"].to_numpy()
    else:
        right = rng.random(len(rows)) < 0.7
        known = np.where(model >= m - N_UNLIKE, 2 * worlds.MUCH, worlds.KNOWN)
        sure = np.round(expit(known * (right - 0.5) + rng.standard_normal(len(rows))), 2)
    other = rows["key"].map({"A": "B", "B": "C", "C": "D", "D": "A"})
    answers = rows["key"].where(right, other)
    drawn = rows.assign(correct=right, answer=answers, score=100 * sure, confidence=sure, stated=True)
    return atlas.Rows(drawn, len(drawn), 0, "")


@contextmanager
def in_place(rows: Any, of: ModuleType = published) -> Iterator[None]:
    """These rows wherever a study loads the published ones, with ``load`` of the module ``of``."""
    room, original = of.__name__.partition(".ledger.")[0], of.load
    modules = [
        m
        for name, m in list(sys.modules.items())
        if name.startswith(room) and getattr(m, "load", None) is original
    ]
    for module in modules:
        module.load = lambda: copy(rows)
    try:
        yield
    finally:
        for module in modules:
            module.load = original
