"""How many dimensions do the models' confidences have over items?

If every model's confidence said the same of an item, one factor would carry all of it. The number of factors
is found by parallel analysis: an eigenvalue counts if it exceeds what confidences without any relation between
models reach (Horn 1965, Psychometrika 30, 179-185; Glorfeld 1995 for the 95th percentile).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from metacog.measures.model_items import FloatArray, ModelItems, panel
from metacog.sdt import InputError

MIN_MODELS = 3


@dataclass(frozen=True)
class ConfidenceFactors:
    """Eigenvalues of the rank correlations between M models' confidences, largest first.

    Attributes
    ----------
    eigenvalues : array, shape ``(M,)``
    parallel : array, shape ``(M,)``
        95th percentiles of the eigenvalues of shuffled confidences.
    n_factors : int
        Leading eigenvalues above their percentile.
    first_share : float
        The largest eigenvalue as a share of M.
    """

    eigenvalues: FloatArray = field(repr=False)
    parallel: FloatArray = field(repr=False)
    n_factors: int
    first_share: float


def confidence_factors(items: ModelItems, *, n_permutations: int = 200, seed: int = 42) -> ConfidenceFactors:
    """Eigenvalues of the models' confidences over items, with parallel analysis.

    Of the models and items of :func:`metacog.measures.model_items.panel`, so that all models in use answered all items
    in use; each permutation shuffles every model's confidences over the items by itself, which keeps their ties.

    Raises
    ------
    InputError
        Fewer than three models, or fewer items than models.

    Notes
    -----
    Spearman correlations, of mid-ranks. Difficulty moves all models' confidence alike, so one large factor is
    what readers of difficulty look like; further factors are what some models share beyond it.
    """
    if n_permutations < 1:
        raise InputError(f"n_permutations must be at least 1, got {n_permutations}")
    members, _ = panel(items, other_families=False)
    everyone = items.answered[members].all(axis=0)
    ranks = items.kept(everyone, [items.models[j] for j in members]).rank_shares()
    ranks = ranks[np.ptp(ranks, axis=1) > 0]
    n_models, n_items = ranks.shape
    if n_models < MIN_MODELS or n_items <= n_models:
        raise InputError(
            f"factors need at least {MIN_MODELS} models whose confidence varies and more items than models, "
            f"got {n_models} models and {n_items} items that all of them answered"
        )
    eigenvalues = np.linalg.eigvalsh(np.corrcoef(ranks))[::-1]
    rng = np.random.default_rng([seed, 4])
    null = np.array(
        [np.linalg.eigvalsh(np.corrcoef(rng.permuted(ranks, axis=1)))[::-1] for _ in range(n_permutations)]
    )
    parallel = np.quantile(null, 0.95, axis=0)
    above = eigenvalues > parallel
    n_factors = int(above.size if above.all() else above.argmin())
    return ConfidenceFactors(eigenvalues, parallel, n_factors, float(eigenvalues[0] / n_models))
