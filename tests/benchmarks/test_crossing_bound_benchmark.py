"""The proof of the crossing's bound: no size at which unequal readers are called self-knowing, and its resuming."""

import sys

import pandas as pd
import pytest

from metacog.core.paths import project_root
from metacog.studies.study1_qa import crossing_bound as bounds

sys.path.insert(0, str(project_root() / "benchmarks"))
import crossing_bound as proof


def test_no_unequal_readers_are_called_at_any_size():
    rows = bounds.simulations().query("section == 'rule'")
    unequal, known = (rows[rows["reads"] == kind] for kind in (bounds.DIFFICULTY, bounds.OWN_STATE))
    assert set(unequal["n_questions"]) == set(proof.SIZES) and unequal["called"].max() <= 0.05
    assert (known.loc[known["n_questions"] >= 1304, "called"] > 0.9).all()


def test_a_row_can_be_made_again():
    design = next(d for d in proof.designs() if d.section == bounds.RULE and d.n_questions == 200)
    rows = bounds.simulations()
    row = rows[(rows["section"] == bounds.RULE) & (rows["n_questions"] == 200)].iloc[0]
    made = proof.run(design, 100)
    assert made["crossing"] == pytest.approx(row["crossing"], abs=1e-4)
    assert made["bound"] == pytest.approx(row["bound"], abs=0.01)


def test_rows_that_are_there_are_kept_and_the_missing_made(tmp_path, monkeypatch):
    out = tmp_path / "bound.csv"
    monkeypatch.setattr(proof, "N_TRUTH", 2000)
    monkeypatch.setattr(proof, "SIZES", (50, 100))
    monkeypatch.setattr(proof, "SLOPES", (1.4,))
    monkeypatch.setattr(proof, "ABILITIES", ((0.0, 0.0),))
    proof.main(["--out", str(out), "--runs", "3"])
    whole = pd.read_csv(out)
    assert len(whole) == len(list(proof.designs())) and out.with_suffix(".json").is_file()
    whole.iloc[2:].assign(crossing=9.0).to_csv(out, index=False)
    proof.main(["--out", str(out), "--runs", "3"])
    again = pd.read_csv(out)
    assert len(again) == len(whole) and (again["crossing"] == 9.0).sum() == len(whole) - 2
    fresh = again[again["crossing"] != 9.0].reset_index(drop=True)
    pd.testing.assert_frame_equal(fresh, whole.iloc[:2])
