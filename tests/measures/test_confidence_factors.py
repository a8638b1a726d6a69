"""Dimensions of the models' confidences."""

from __future__ import annotations

import numpy as np
import pytest
from crowd_observers import arranged, observers, with_gaps
from scipy.stats import spearmanr

from metacog.measures.confidence_factors import confidence_factors
from metacog.sdt import InputError

FEW = {"n_permutations": 60}


def test_eigenvalues_are_those_of_rank_correlations():
    made = observers(n_models=5, n_items=200)
    found = confidence_factors(made, **FEW)
    correlations = spearmanr(made.confidence.T).statistic
    np.testing.assert_allclose(found.eigenvalues, np.sort(np.linalg.eigvalsh(correlations))[::-1], atol=1e-10)
    assert found.first_share == pytest.approx(found.eigenvalues[0] / 5)


def test_readers_of_difficulty_share_one_factor():
    found = confidence_factors(observers(), **FEW)
    assert found.n_factors == 1 and found.first_share > 0.3


def test_families_that_share_more_than_difficulty_add_factors():
    made = observers(reads_family=1.0, n_models=12, n_families=3, n_items=1500, noise=(0.3, 0.3))
    assert confidence_factors(made, **FEW).n_factors == 3  # difficulty, and two contrasts of three families


def test_confidences_without_relation_have_hardly_any_factor():
    rng = np.random.default_rng(0)
    shape = (6, 200)
    unrelated = [
        arranged(rng.integers(0, 2, shape) * 1.0, rng.integers(0, 4, shape) * 1.0) for _ in range(30)
    ]
    # the first exceeds its 95th percentile in 5 %: 7 or more of 30 in .1 %
    assert sum(confidence_factors(made, **FEW).n_factors > 0 for made in unrelated) <= 6


def test_short_runs_and_constants_are_left_out():
    made = observers(n_models=6, n_families=6, n_items=300)
    gaps = np.zeros((6, 300), dtype=bool)
    gaps[2, 50:] = True
    made = with_gaps(made, gaps)
    made.confidence[4] = 1.0
    kept = confidence_factors(made.kept(models=["m0", "m1", "m3", "m5"]), **FEW)
    np.testing.assert_array_equal(confidence_factors(made, **FEW).eigenvalues, kept.eigenvalues)


def test_too_few_models_are_named():
    with pytest.raises(InputError, match="at least 3 models"):
        confidence_factors(observers(n_models=2), **FEW)
    with pytest.raises(InputError, match="n_permutations must be at least 1"):
        confidence_factors(observers(n_models=4), n_permutations=0)
