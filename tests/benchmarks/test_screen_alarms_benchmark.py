"""False alarms of the validity screen. Oracles: probabilities in closed form, and the committed simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import screen_alarms as simulation
from scipy.stats import binom

from metacog.sdt.screen import screen_counts


@pytest.fixture(scope="module")
def table():
    return pd.read_csv(simulation.OUT)


def test_the_committed_table_has_every_design(table):
    assert len(table) == len(list(simulation.designs())) and (table["n_simulations"] == 4_000).all()
    assert set(table["n"]) == {48, 100, 524, 1500} and {0.6, 0.98} < set(table["accuracy"])


def test_a_design_run_again_gives_its_row(table):
    design = simulation.Design("sound", 0.9, 100, "share", 0.95)
    row = table[
        (table[["observer", "accuracy", "n", "split", "share"]] == [*vars(design).values()]).all(axis=1)
    ].iloc[0]
    made = simulation.run(design, 4_000)
    assert [made[c] for c in ("L", "Fp", "invalid", "TRIN")] == pytest.approx(
        [row[c] for c in ("L", "Fp", "invalid", "TRIN")], rel=2e-3
    )


def test_probabilities_of_L_and_Fp_alone_are_binomial(table):
    """Over the numbers of wrong and of right answers; four standard errors of 4,000 runs."""
    rows = table[(table["split"] == "share") & (table["n"] == 100) & table["accuracy"].isin([0.6, 0.9, 0.98])]
    for row in rows.to_dict("records"):
        cells = simulation.cells(
            simulation.Design(row["observer"], row["accuracy"], 100, "share", row["share"])
        )
        wrong = np.arange(1, 101)
        chances = binom.pmf(wrong, 100, 1 - row["accuracy"])
        q = cells[1] / (1 - row["accuracy"])
        p = (chances * binom.sf(np.ceil(0.95 * wrong - 1e-9) - 1, wrong, q)).sum()
        assert row["L"] == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 4_000) + 1e-3)


def test_at_one_half_sound_confidence_is_random(table):
    half = table[(table["accuracy"] == 0.5) & (table["split"] != "median of steps")]
    both = half.pivot_table(index=["split", "share", "n"], columns="observer", values="invalid", dropna=False)
    both = both.dropna()
    assert len(both) >= 28 and (both["sound"] - both["random"]).abs().max() <= 4 * np.sqrt(2 * 0.25 / 4_000)


def test_what_the_simulation_shows(table):
    """RBS alarms are rare; a median split makes TRIN one half, and the screen of random confidence a coin's toss."""
    known = table[(table["observer"] == "sound") & (table["accuracy"] > 0.5)]
    assert known["RBS"].max() <= 0.025
    median = table[(table["split"] == "median") & (table["n"] >= 524)]
    assert (median["TRIN"] - 0.5).abs().max() < 0.001
    random = median[(median["observer"] == "random") & median["accuracy"].between(0.3, 0.8)]
    assert random["invalid"].between(0.5, 0.56).all() and (random["Fp"] == random["invalid"]).all()
    sound = median[(median["observer"] == "sound") & (median["accuracy"] > 0.5)]
    assert sound["invalid"].max() < 0.01
    ties = table[(table["split"] == "median of steps") & (table["accuracy"] == 0.98) & (table["n"] == 1500)]
    assert (ties["TRIN"] > 0.75).all()
    passes = table[(table["observer"] == "random") & (table["share"] == 0.8) & (table["n"] == 1500)]
    assert (passes["invalid"] < 0.04).all()


def test_median_split_ties_fp_to_rbs():
    """Half of an even number of answers is high: Fp reaches one half exactly where RBS reaches 0."""
    right_high = np.arange(20, 51)
    made = screen_counts(right_high, 50 - right_high, 70 - right_high, right_high - 20)
    assert ((made.Fp >= 0.5) == (made.RBS >= 0)).all()
