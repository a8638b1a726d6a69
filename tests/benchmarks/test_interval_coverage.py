"""The simulation of coverage: its population and its questions are what they are said to be."""

from __future__ import annotations

import interval_coverage as simulation
import numpy as np
import pytest


def test_questions_have_the_population_table_and_resemble_themselves():
    design = simulation.Design(7 * 20_000, 20_000, 0.3, 0.12)
    right, rating = simulation.simulate_questions(design, np.random.default_rng(1))
    table = np.concatenate([np.bincount(rating[side], minlength=8) for side in (~right, right)])
    # answers of a question resemble one another: shares move as those of a seventh of the trials at most
    error = np.sqrt(7 * 0.25 / right.size)
    np.testing.assert_allclose(table / right.size, design.population.cells(), atol=4 * error)
    one, other = right.reshape(-1, 7)[:, :2].T
    assert np.corrcoef(one, other)[0, 1] > 0.3
    levels = np.where(right, np.nan, rating).reshape(-1, 7)[:, :2]
    both = levels[np.isfinite(levels).all(axis=1)]
    assert np.corrcoef(both.T)[0, 1] == pytest.approx(simulation.NOISE_ALIKE, abs=0.06)


@pytest.mark.parametrize("questions", [0, 40])
def test_a_design_gives_a_row_for_each_interval(questions):
    design = simulation.Design(280, questions, 0.43, 0.28)
    info, area = simulation.run(design, 12, 60, seed=3)
    assert (info["interval"], area["interval"]) == ("meta_i2r", "auroc2")
    assert info["value"] == pytest.approx(0.28, abs=1e-6)
    assert info["rejected"] == 1.0
    for row in (info, area):
        assert row["n_used"] == row["n_simulations"] == (12 if row is info else 12 * simulation.MORE)
        assert row["coverage"] + row["too_high"] + row["too_low"] == pytest.approx(1)
