"""Simulated runs of known M-ratio. Oracle: the fit of very many answers."""

import dataclasses

import numpy as np
import pytest
import verdict_power

from metacog.studies.study1_qa import cells


@pytest.mark.parametrize("whose", [pytest.param("theirs", marks=pytest.mark.proof), "ours"])
@pytest.mark.parametrize("place", [0, *(pytest.param(place, marks=pytest.mark.proof) for place in (2, 6))])
def test_models_of_a_run_have_the_d_prime_and_m_ratio_that_were_set(whose, place):
    effect = verdict_power.EFFECTS[place]
    of = tuple(
        dataclasses.replace(m, subjects={k: (100 * n, share) for k, (n, share) in m.subjects.items()})
        for m in verdict_power.RUNS[whose]()
    )
    run = verdict_power.trials(of, effect, np.random.default_rng(5))
    found = cells.estimate(cells.rate_trials(run).cells())
    d_prime = [np.mean([m.d_prime for m in of]) if effect.alike else m.d_prime for m in of]
    np.testing.assert_allclose(found["d_prime"], d_prime, atol=0.03)
    if effect.hypothesis != "h2":
        told = [effect.m_ratio(i, 0, 1.0, d) for i, d in enumerate(d_prime)]
        np.testing.assert_allclose(found["m_ratio"], told, atol=0.03)
    assert len(of) == len(found) == 4
