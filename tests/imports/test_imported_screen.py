"""The validity screen of imported trials. Oracles: counts of the file, and a cut that is named."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from made_trials import simulate_table

from metacog.imports.mapping import Columns
from metacog.imports.report import Request, import_trials, read_results
from metacog.imports.shown import CLAIMS, OwnTrials, _screen_answer
from metacog.measures.screen import screen
from metacog.measures.table import Options
from metacog.report.matrices import matrix

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
    own = OwnTrials(results)
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


def test_the_verdict_is_the_protocols_also_where_few_answers_break_a_rule(table):
    """114 of 120 wrong answers with high confidence are .95, and the interval begins at .895: beyond, not surely."""
    counted = {"right_high": 94, "right_low": 6}
    for wrong_high, wrong_low, tier, answer in (
        (24, 6, "valid", "yes"),
        (290, 10, "invalid", "no"),
        (114, 6, "indeterminate", "undecided"),
        (24, 1, "insufficient data", "not testable"),
    ):
        cells = {**counted, "wrong_high": wrong_high, "wrong_low": wrong_low}
        rows = [
            pd.DataFrame(
                {"model": "m", "correct": name[:5] == "right", "score": float(name[-4:] == "high")}, range(n)
            )
            for name, n in cells.items()
        ]
        made = screen(pd.concat(rows, ignore_index=True), confidence="score").iloc[0]
        found, why = _screen_answer(made)
        assert (made["tier"], found) == (tier, answer) and why
    nothing = screen(rows[0], confidence="score").iloc[0]
    assert _screen_answer(nothing)[0] == "not testable"


def test_being_too_sure_is_bad_news_and_passing_the_screen_good(table, tmp_path):
    too_sure = table.assign(stated=np.minimum(100, table["stated"] + 30))
    own = OwnTrials(imported(too_sure, tmp_path))
    claims = own.claims.set_index(["model", "claim"])
    sure = claims.xs(CLAIMS["overconfidence"], level="claim")
    assert (sure["answer"] == "yes").all() and not sure["good"].any()
    ranks = claims.xs(CLAIMS["auroc2"], level="claim")
    assert (ranks["answer"] == "yes").all() and ranks["good"].all()
    shown = matrix(own.claims, rows="model", columns="claim", value="answer", good="good", caption="")
    row = pd.DataFrame(re.findall(r'<td class="(\w+)"[^>]*>(\w[\w ]*)</td>', shown.source))
    assert set(map(tuple, row.to_numpy())) >= {("no", "yes"), ("yes", "yes")}
