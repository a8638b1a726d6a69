"""How many dimensions do the models' confidences have over items?

If every model's confidence said the same of an item, one factor would carry all of it. The number of factors
is found by parallel analysis: an eigenvalue counts if it exceeds what confidences without any relation between
models reach (Horn 1965, Psychometrika 30, 179-185; Glorfeld 1995 for the 95th percentile).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from metacog.measures.model_items import FloatArray, ModelItems
from metacog.measures.panel import panel
from metacog.sdt import InputError

MIN_MODELS = 3


@dataclass(frozen=True)
class ConfidenceFactors:
    """Eigenvalues of the rank correlations between models' confidences.

    Attributes
    ----------
    models : tuple of str
        Models in use, M of them.
    eigenvalues : array, shape ``(M,)``
        Largest first; their sum is M.
    parallel : array, shape ``(M,)``
        95th percentiles of the eigenvalues of shuffled confidences.
    n_factors : int
        Leading eigenvalues above their percentile.
    first_share : float
        The largest eigenvalue as a share of M.
    loadings : array, shape ``(M,)``
        Correlation of each model's confidence with the first factor, positive on the whole.
    mean_correlation : float
        Mean rank correlation of two models.
    n_items, n_models : int
    left_out : tuple of str
        Models that do not enter: short runs, one confidence throughout.
    """

    models: tuple[str, ...] = field(repr=False)
    eigenvalues: FloatArray = field(repr=False)
    parallel: FloatArray = field(repr=False)
    n_factors: int
    first_share: float
    loadings: FloatArray = field(repr=False)
    mean_correlation: float
    n_items: int
    n_models: int
    left_out: tuple[str, ...]


def confidence_factors(items: ModelItems, *, n_permutations: int = 200, seed: int = 42) -> ConfidenceFactors:
    """Eigenvalues of the models' confidences over items, with parallel analysis.

    Parameters
    ----------
    items : ModelItems
        Of which the models and items of :func:`metacog.measures.panel.panel` are used, so that all models in
        use answered all items in use.
    n_permutations : int
        Each shuffles every model's confidences over the items by itself, which keeps their ties.
    seed : int

    Returns
    -------
    ConfidenceFactors

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
    varies = np.ptp(ranks, axis=1) > 0
    members, ranks = members[varies], ranks[varies]
    n_models, n_items = ranks.shape
    if n_models < MIN_MODELS or n_items <= n_models:
        raise InputError(
            f"factors need at least {MIN_MODELS} models whose confidence varies and more items than models, "
            f"got {n_models} models and {n_items} items that all of them answered"
        )
    correlations = np.corrcoef(ranks)
    values, vectors = np.linalg.eigh(correlations)
    eigenvalues = values[::-1]
    rng = np.random.default_rng([seed, 4])
    null = np.array(
        [np.linalg.eigvalsh(np.corrcoef(rng.permuted(ranks, axis=1)))[::-1] for _ in range(n_permutations)]
    )
    parallel = np.quantile(null, 0.95, axis=0)
    above = eigenvalues > parallel
    first = vectors[:, -1] * np.sqrt(eigenvalues[0])
    return ConfidenceFactors(
        tuple(items.models[j] for j in members),
        eigenvalues,
        parallel,
        int(above.size if above.all() else above.argmin()),
        float(eigenvalues[0] / n_models),
        first * (1 if first.sum() >= 0 else -1),
        float(correlations[np.triu_indices(n_models, 1)].mean()),
        n_items,
        n_models,
        tuple(name for j, name in enumerate(items.models) if j not in members),
    )
