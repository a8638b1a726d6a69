"""The level of comparisons. Oracle: the nominal level, within the error of the simulation that is kept."""

from __future__ import annotations

import json
from pathlib import Path

import comparison_level
import numpy as np
import pandas as pd
import pytest

from metacog.imports.own_trials import level_text

ROOT = Path(__file__).resolve().parents[2]
KEPT = pd.read_csv(ROOT / "data" / "simulations" / "comparison_level.csv")
PAIRS, FAMILIES = KEPT[KEPT["kind"] == "pair"], KEPT[KEPT["kind"] == "family"]


def test_the_permutation_p_is_not_level_and_the_bootstrap_p_is():
    odd = PAIRS[PAIRS["scenario"] == "other scales, other accuracy"]
    assert (odd["permutation"] > 0.2).all()
    for n, part in PAIRS.groupby("n_questions"):
        pooled = np.average(part["bootstrap"], weights=part["runs"])
        assert pooled == pytest.approx(0.05, abs=2 * np.sqrt(0.05 * 0.95 / part["runs"].sum())), n
    # single designs: within what the largest of 23 strays by chance, Bonferroni at .05 (3.1 errors)
    assert ((PAIRS["bootstrap"] - 0.05).abs() < 3.1 * PAIRS["se"]).all()


def test_families_hold_their_level_and_their_ranks():
    assert (FAMILIES["bootstrap"] < 0.05 + 2 * FAMILIES["se"]).all()
    assert (FAMILIES["rank_sets"] > 0.95 - 2 * FAMILIES["se"]).all()
    assert (FAMILIES["rank_percentiles"] < 0.6).all()
    assert set(FAMILIES["n_groups"]) == {4, 12, 30}


def test_the_command_that_is_kept_makes_such_a_table(tmp_path):
    facts = json.loads((ROOT / "data" / "simulations" / "comparison_level.json").read_text(encoding="utf-8"))
    assert facts["made_by"]["seed"] == 42 and "--runs" in facts["command"]
    cell = comparison_level.pair_cell("other scales, other accuracy", 60, 1, True, 4, 19, 1)
    assert set(cell) <= set(KEPT.columns) and 0 <= cell["bootstrap"] <= 1
    cell = comparison_level.family_cell("equal", np.ones(3), 60, 2, 39, 1)
    assert cell["bootstrap"] + cell["rank_sets"] == 1


def test_the_page_says_what_the_table_holds():
    text = level_text(KEPT)
    assert f"{100 * FAMILIES['rank_sets'].min():.1f} to" in text
    assert "5.0 %" in level_text(KEPT.assign(bootstrap=0.05))
