"""Coverage of AUROC2's interval in cells of few errors. Oracles: known areas, the committed simulation."""

from __future__ import annotations

import cell_coverage as simulation
import numpy as np
import pandas as pd
import pytest

from metacog.sdt.type2 import auroc2_from_counts


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(simulation.OUT, dtype={"population": str}, keep_default_na=False)


KEYS = ["confidence", "population", "part", "name", "n", "n_wrong"]


def test_the_committed_table_has_every_design(table):
    made = [tuple(vars(design).values()) for design in simulation.designs()]
    assert [*table[KEYS].itertuples(index=False, name=None)] == made
    assert (table["n_simulations"] >= 1_000).all() and table["coverage"].between(0, 1).all()
    assert (table["coverage"] + table["too_high"] + table["too_low"]).to_numpy() == pytest.approx(1, abs=3e-4)


@pytest.mark.parametrize(
    "design", [("continuous", "0.8", "domain", "", 250, 10), ("tied", "Opus 4.6", "all items", "", 1500, 74)]
)
def test_a_design_run_again_gives_its_row(table, design):
    row = table[(table[KEYS] == list(design)).all(axis=1)].iloc[0]
    made = simulation.run(simulation.Design(*design), int(row["n_simulations"]))
    names = ["area", "coverage", "too_high", "too_low", "width", "cannot_tell"]
    assert [made[c] for c in names] == pytest.approx([row[c] for c in names], rel=2e-3, abs=1e-4)


@pytest.mark.parametrize(
    "design",
    [("continuous", "0.7", "domain", "", 250, 20), ("tied", "GPT-5.4 nano", "domain", "humanities", 250, 75)],
)
def test_cells_have_the_area_that_is_called_true(design):
    one = simulation.Design(*design)
    wrong, right = simulation.tables(one, 400, np.random.default_rng(1))
    assert (wrong.sum(axis=1) == one.n_wrong).all() and ((wrong + right).sum(axis=1) == one.n).all()
    found = auroc2_from_counts(wrong, right)
    # an area is unbiased: the mean of 400 lies within four standard errors
    assert np.mean(found) == pytest.approx(simulation.truth(one), abs=4 * np.std(found) / 20)


def test_many_answers_that_never_tie_are_covered_as_often_as_called(table):
    """Where both classes are large the interval is that of a normal distribution: its coverage is .95."""
    large = table[(table["confidence"] == "continuous") & (table["n_wrong"] == 620)]
    room = 4 * np.sqrt(0.95 * 0.05 / large["n_simulations"])
    assert ((large["coverage"] - 0.95).abs() < room + 0.005).all()


def test_confidences_are_those_of_the_rows():
    wrong, right = simulation.stated()["Opus 4.6"]
    assert wrong.sum() == 74 and right.sum() == 1426 and wrong.size == right.size
    few = [design for design in simulation.designs() if min(design.n_wrong, design.n - design.n_wrong) < 10]
    assert not few
