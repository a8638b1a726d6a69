"""Simulated coverage of an interval, and the committed simulations themselves."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.measures import table as table_page
from metacog.measures.table import coverage_notes, simulated_coverage


@pytest.fixture
def designs(monkeypatch):
    """A table of designs whose coverages are known."""
    rows = [
        ("meta_i2r", False, 100, 10, 0.05, 0.91),
        ("meta_i2r", False, 100, 10, 0.28, 0.88),
        ("meta_i2r", False, 1000, 400, 0.05, 0.95),
        ("meta_i2r", True, 1000, 400, 0.05, 0.98),
        ("auroc2", False, 100, 10, 0.7, 0.92),
        ("auroc2", False, 1000, 400, 0.7, 0.94),
    ]
    columns = ["interval", "clustered", "n_trials", "minority", "value", "coverage"]
    table = pd.DataFrame(rows, columns=columns).assign(coverage_se=0.004)
    monkeypatch.setattr(table_page, "simulations", lambda: table)
    return table


def test_the_nearest_design_is_taken(designs):
    assert simulated_coverage("meta_i2r", 120, 12, 0.3) == 0.88
    assert simulated_coverage("meta_i2r", 120, 12, 0.01) == 0.91
    assert simulated_coverage("meta_i2r", 3000, 900, 0.06) == 0.95
    assert simulated_coverage("meta_i2r", 3000, 900, 0.06, clustered=True) == 0.98
    assert simulated_coverage("auroc2", 90, 11, 0.3) == 0.92  # mirrored: .7
    assert simulated_coverage("d_a", 90, 11, 1.0) is None
    assert simulated_coverage("auroc2", 90, 11, np.nan) is None


def test_notes_are_empty_where_coverage_is_as_promised(designs):
    assert coverage_notes({"meta_i2r": 0.05}, 1000, 400) == ""
    assert coverage_notes({"meta_i2r": 0.05}, 100, 10) == "meta-I2r 91 %"
    both = {"auroc2": 0.7, "meta_i2r": 0.05}
    assert coverage_notes(both, 100, 90) == "AUROC2 92 %; meta-I2r 91 %"
    assert coverage_notes(both, 1000, 600) == ""
    assert coverage_notes(both, 1000, 600, clustered=True) == "meta-I2r 98 %"


def test_without_simulations_there_is_no_note(monkeypatch, tmp_path):
    monkeypatch.setattr(table_page, "committed", lambda name: tmp_path / name)
    assert table_page.simulations().empty
    assert coverage_notes({"meta_i2r": 0.05}, 100, 10) == ""


def committed() -> pd.DataFrame:
    table = table_page.simulations()
    assert len(table) > 100
    return table


def test_committed_coverage_is_sound_or_named():
    """Every design of 300 trials and more, true meta-I2r .05 and more, whose coverage is off has a note."""
    table = committed()
    assert (table["coverage_se"].max() < 0.02) and (table["n_used"] > 100).all()
    large = table[(table["n_trials"] >= 300) & ((table["interval"] == "auroc2") | (table["value"] > 0.049))]
    for row in large.to_dict("records"):
        found = simulated_coverage(
            row["interval"], row["n_trials"], row["minority"], row["value"], row["clustered"]
        )
        note = "" if 0.93 <= found <= 0.97 else f"{100 * found:.0f} %"
        near = 0.93 - 2 * row["coverage_se"] <= row["coverage"] <= 0.97 + 2 * row["coverage_se"]
        assert near or f"{100 * row['coverage']:.0f} %" in note
    # before: null mean taken off percentile draws, and percentiles of AUROC2
    off = large[~large["coverage"].between(0.93, 0.97)]
    off_before = large[~large["coverage_before"].between(0.93, 0.97)]
    assert len(off) < len(off_before) / 3
