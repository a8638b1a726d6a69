"""Dimensions of the models' confidences."""

from __future__ import annotations

import numpy as np
import pytest
from crowd_observers import arranged, observers, with_gaps
from scipy.stats import spearmanr

from metacog.measures.own_and_others import confidence_factors
from metacog.sdt import InputError

FEW = {"n_permutations": 60}


def test_eigenvalues_are_those_of_rank_correlations() -> None:
    made = observers(n_models=5, n_items=200)
    found = confidence_factors(made, **FEW)
    correlations = spearmanr(made.confidence.T).statistic
    np.testing.assert_allclose(found.eigenvalues, np.sort(np.linalg.eigvalsh(correlations))[::-1], atol=1e-10)
    assert found.first_share == pytest.approx(found.eigenvalues[0] / 5)
    assert found.mean_correlation == pytest.approx(correlations[np.triu_indices(5, 1)].mean())
    np.testing.assert_allclose(np.square(found.loadings).sum(), found.eigenvalues[0])
    assert (found.n_items, found.n_models, found.left_out) == (200, 5, ())


def test_readers_of_difficulty_share_one_factor() -> None:
    found = confidence_factors(observers(), **FEW)
    assert found.n_factors == 1 and found.first_share > 0.3 and (found.loadings > 0).all()


def test_families_that_share_more_than_difficulty_add_factors() -> None:
    made = observers(reads_family=1.0, n_models=12, n_families=3, n_items=1500, noise=(0.3, 0.3))
    assert confidence_factors(made, **FEW).n_factors == 3  # difficulty, and two contrasts of three families


def test_confidences_without_relation_have_hardly_any_factor() -> None:
    rng = np.random.default_rng(0)
    n_found = [
        confidence_factors(
            arranged(rng.integers(0, 2, (6, 200)).astype(float), rng.integers(0, 4, (6, 200)).astype(float)),
            **FEW,
        ).n_factors
        for _ in range(30)
    ]
    assert (
        sum(n > 0 for n in n_found) <= 6
    )  # the first exceeds its 95th percentile in 5 %: 7 or more of 30 in .1 %


def test_short_runs_and_constants_are_left_out_and_named() -> None:
    made = observers(n_models=6, n_families=6, n_items=300)
    gaps = np.zeros((6, 300), dtype=bool)
    gaps[2, 50:] = True
    made = with_gaps(made, gaps)
    made.confidence[4] = 1.0
    found = confidence_factors(made, **FEW)
    assert found.left_out == ("m2", "m4") and found.n_models == 4 and found.n_items == 300


def test_too_few_models_are_named() -> None:
    with pytest.raises(InputError, match="at least 3 models"):
        confidence_factors(observers(n_models=2), **FEW)
    with pytest.raises(InputError, match="n_permutations"):
        confidence_factors(observers(n_models=4), n_permutations=0)
