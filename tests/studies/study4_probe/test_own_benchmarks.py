"""The probe beside benchmarks whose scores somebody gives. Oracle: scipy, and files that do not fit."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from metacog.studies.study4_probe.own_benchmarks import FILE, external

OWN = pd.DataFrame({"model": list("abcdef"), "of_four": [30.0, 42, 41, 55, 60, 70]})
SCORES = [3.0, 1, 4, 2, 6, 5]


def written(tmp_path, status, scores=SCORES, models="abcdef"):
    rows = [(m, "MMLU", s, one) for m, s, one in zip(models, scores, status, strict=True)]
    path = tmp_path / "scores.csv"
    pd.DataFrame(rows, columns=["model", "benchmark", "score", "status"]).to_csv(path, index=False)
    return path


def test_the_correlation_is_scipys_and_filled_in_scores_stand_apart(tmp_path):
    table, why = external(OWN, written(tmp_path, ["verified"] * 4 + ["estimated"] * 2))
    assert not why and table["n"].tolist() == [4, 6]
    wanted = [spearmanr(OWN["of_four"][:n], SCORES[:n]).statistic for n in (4, 6)]
    assert table["rho"].tolist() == pytest.approx(wanted)
    assert (table["lower"] < table["rho"]).all() and (table["rho"] < table["upper"]).all()
    whole, _ = external(OWN, written(tmp_path, ["verified"] * 6))
    assert whole["status"].tolist() == ["verified scores alone"]


def test_what_does_not_fit_is_said_and_not_raised(tmp_path):
    said = external(OWN, tmp_path / "none.csv")
    assert said[0].empty and FILE in said[1]
    cases = {
        "status of a score": written(tmp_path, ["guessed"] * 6),
    }
    for words, path in cases.items():
        assert words in external(OWN, path)[1]
    assert "scores of 4 models" in external(OWN, written(tmp_path, ["verified"] * 6, models="uvwxyz"))[1]
    lost = OWN.assign(of_four=np.nan)
    assert "scores of 4 models" in external(lost, written(tmp_path, ["verified"] * 6))[1]
    (tmp_path / "x.csv").write_text("model,score\na,1\n")
    assert "no column benchmark" in external(OWN, tmp_path / "x.csv")[1]
    (tmp_path / "y.csv").write_bytes(b"\xff\xfe\x00\x81")
    assert "cannot be read" in external(OWN, tmp_path / "y.csv")[1]
    (tmp_path / "z.csv").write_text("")
    assert "cannot be read" in external(OWN, tmp_path / "z.csv")[1]
