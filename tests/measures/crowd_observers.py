"""Simulated models whose confidence reads difficulty, their own state, or that of their family."""

from __future__ import annotations

import numpy as np
from answerers import simulated_answers
from scipy.special import expit

from metacog.measures.model_items import ModelItems


def observers(
    *,
    reads_difficulty: float = 1.0,
    reads_state: float = 0.0,
    reads_family: float = 0.0,
    n_models: int = 8,
    n_families: int = 4,
    n_items: int = 600,
    noise: tuple[float, float] = (0.5, 2.0),
    seed: int = 0,
) -> ModelItems:
    """Models that know an item with log-odds a - 1.3 u + v + w: difficulty, own state, the family's state."""
    rng = np.random.default_rng(seed)
    shape = (n_models, n_items)
    u, own = rng.normal(size=n_items), rng.normal(size=shape)
    family = np.arange(n_models) % n_families
    kin = rng.normal(size=(n_families, n_items))[family]
    ability = rng.permutation(np.linspace(0.2, 2.5, n_models))[:, None]
    right = rng.random(shape) < expit(ability - 1.3 * u + own + kin)
    spread = np.linspace(*noise, n_models)[:, None]
    read = -reads_difficulty * u + reads_state * own + reads_family * kin + spread * rng.normal(size=shape)
    return arranged(right.astype(float), np.round(2 * read), tuple(f"family {f}" for f in family))


def arranged(
    right, confidence, families=None, *, names=None, answer=None, key=None, strata=None
) -> ModelItems:
    """Arrays ``(M, N)`` as answers of models m0, m1 ... to items; answers are four options."""
    models = tuple(names or (f"m{i}" for i in range(len(right))))
    items = tuple(f"i{j:04}" for j in range(right.shape[1]))
    strata = ("",) * len(items) if strata is None else strata
    known = () if answer is None else (answer, tuple("ABCD"), key)
    return ModelItems(models, items, np.asarray(right, float), confidence, families or models, strata, *known)


def with_gaps(items: ModelItems, gaps) -> ModelItems:
    """Without the answers where ``gaps`` is true."""
    right, sure = items.right.copy(), items.confidence.copy()
    right[gaps], sure[gaps] = np.nan, np.nan
    return arranged(right, sure, items.families)


def leaderboard(kind, n_items=1500, seed=1, share=None, **more) -> ModelItems:
    """Simulated answers of 33 models of several families, of which it is known what their confidence reads."""
    made = simulated_answers(kind, n_items=n_items, seed=seed, self_share=share, **more)
    families, names = tuple(m.family for m in made.models), tuple(m.name for m in made.models)
    return arranged(made.right, made.confidence, families, names=names, answer=made.answer, key=made.key)
