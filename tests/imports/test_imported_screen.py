"""The validity screen of imported trials. Oracles: counts of the file, and a cut that is named."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.imports.mapping import Columns
from metacog.imports.report import Request, import_trials, read_results
from metacog.imports.shown import CLAIMS, OwnTrials, simulate_table
from metacog.measures.table import Options

ROLES = Columns(correct="is_right", confidence="stated", model="llm", question_id="item")
FEW = Options(n_resamples=100, n_permutations=100)


@pytest.fixture(scope="module")
def table():
    return simulate_table(800)


def imported(table, folder, **request):
    path = folder / "answers.csv"
    table.to_csv(path, index=False)
    import_trials(path, folder / "out", Request(ROLES, scale="percent", options=FEW, **request), page=False)
    return read_results(folder / "out")


def test_each_model_is_split_at_its_median(table, tmp_path):
    results = imported(table, tmp_path)
    rows = results.screen.set_index("model")
    for model, part in table.groupby("llm"):
        high = part["stated"] >= part["stated"].median()
        wrong = part["is_right"] == 0
        assert rows.loc[model, "L"] == pytest.approx(high[wrong].mean())
        assert rows.loc[model, "cut"] == pytest.approx(part["stated"].median())
    stored = pd.read_csv(tmp_path / "out" / "screen.csv")
    np.testing.assert_allclose(stored["RBS"], results.screen["RBS"])
    own = OwnTrials(results, simulated=False)
    assert own.screen["broken"].tolist() == ["none", "none"]
    claims = own.claims.set_index(["model", "claim"])["answer"]
    assert claims["insightful", CLAIMS["screen"]] == claims["insightful", CLAIMS["auroc2"]] == "yes"


def test_a_cut_may_be_named(table, tmp_path):
    results = imported(table, tmp_path, high_from=20.0)
    high = table["stated"] >= 20
    right = table["is_right"] == 1
    rows = results.screen
    assert rows[["right_high", "right_low"]].to_numpy().sum(axis=0).tolist() == [
        int((high & right).sum()),
        int((~high & right).sum()),
    ]
    assert (rows["split"] == "value").all()


def test_a_folder_of_an_earlier_import_is_screened_too(table, tmp_path):
    results = imported(table, tmp_path)
    del results.facts["high_from"]
    assert (results.screen["split"] == "median").all()
