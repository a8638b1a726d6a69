"""The toy study: how little a study's room holds, and that all of it works."""

import ast
import dataclasses
import io

import numpy as np
import pandas as pd
import pytest
from toy_study import STUDY
from toy_study.keep_rates import keep_rates

from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.ledger.entry import Settings
from metacog.ledger.judging import make_ledger
from metacog.report.guarded import WHY, written_for_other_data
from metacog.studies import results
from metacog.studies.chapters import results_read
from metacog.studies.run import OWN, REFERENCE
from metacog.studies.view import View, views_of


@pytest.fixture
def view(tmp_path, monkeypatch):
    """Its result on 400 simulated answers, 8 in 10 right ones kept and 3 in 10 wrong ones."""
    rng = np.random.default_rng(0)
    correct = rng.random(400) < 0.6
    trials = pd.DataFrame(
        {"model": "m", "correct": correct, "kept": rng.random(400) < np.where(correct, 0.8, 0.3)}
    )
    monkeypatch.setattr(results, "project_root", lambda: tmp_path)
    monkeypatch.setattr(results, "read_collected", lambda *a: trials)
    monkeypatch.setattr(results, "input_files", lambda *a: [])
    profile = dataclasses.replace(load_profile("smoke"), name="toy")
    for _ in range(2):  # computed, then read
        record = results.result(STUDY, profile, keep_rates, {"verdicts": True})
    assert len(record.rates) == 2 and record.answers == 400
    return View(record, views_of(STUDY, "keep_rates"), study=STUDY.name, judged_by=STUDY.rules)


def test_its_result_is_stored_and_told(view):
    assert set(view.rates.columns) == {"model", "correct", "n", "kept", "kept_lower", "kept_upper"}
    assert "more often" in view.answer().source
    assert view.numbers() == {"answers": 400}
    with pytest.raises(AttributeError, match="keep_rates has no 'rate'; it has: rates, outcomes, answers"):
        view.rate  # noqa: B018


def test_a_matrix_says_of_each_model_and_of_all_whether_the_rule_holds(view):
    cells = pd.read_csv(io.StringIO(view.matrix(caption="Kept.").csv))
    assert cells["claim"].unique().tolist() == ["right answers are kept more often"]
    assert cells["unit"].tolist()[-1] == "together" and cells["answer"].tolist()[-1] == "yes"


def test_of_two_runs_the_second_shows_what_the_first_did_not_ask(view):
    both = dataclasses.replace(view, second=lambda: view.record, runs=(REFERENCE, OWN))
    rates = both.rates
    assert len(rates) == 2 * len(view.rates) and rates["run"].unique().tolist() == [REFERENCE, OWN]
    assert "run" not in view.rates
    units = pd.read_csv(io.StringIO(both.matrix().csv))["unit"].tolist()
    assert units == ["m", "together", f"m ({OWN})"]

    alone = dataclasses.replace(both, of_lead=frozenset(view.rates["model"]))
    assert len(alone.rates) == len(view.rates)
    assert not [name for name in pd.read_csv(io.StringIO(alone.matrix().csv))["unit"] if OWN in name]


def test_a_sentence_by_hand_stands_as_long_as_it_holds(view, monkeypatch):
    glued = {}
    monkeypatch.setattr("myst_nb.glue", lambda name, value, display: glued.update({name: value}))
    counted = dataclasses.replace(view.views, numbers=lambda record: {"n_models": len(record.rates)})
    one = dataclasses.replace(view, views=counted)
    held = one.says("kept", "All {n_models} keep.", "{n_models} were asked.", holds=True, head=True)
    assert "page-answer\nAll 2 keep." in held.source and "other-data" not in held.source
    other = one.says("kept", "All {n_models} keep.", "{n_models} were asked.", holds=None, head=True)
    assert other.source.startswith(":::{div} page-answer other-data kept\n2 were asked.\n:::\n")
    below = one.says("kept", "All {n_models} keep.", holds=False)
    noted = one.says("kept", "All {n_models} keep.", holds=False, head=True, note=below).source
    inner = ":::{div} other-data kept\nThese data do not tell.\n:::\n"
    assert noted.endswith(f"\n::::{{div}} page-note\n*{WHY}*\n\n{inner}\n::::\n"), "a fence in a fence"
    assert below.source.startswith(":::{div} other-data kept\nThese data do not tell.\n")
    one.says("kept", "All {n_models} keep.", "{n_models} were asked.", holds=False)
    assert glued == {"keep_rates_kept": "2 were asked."}
    cell = {"outputs": [{"data": {"text/markdown": other.source}}]}
    assert written_for_other_data({"cells": [cell]}) == ["kept"]
    cell["outputs"][0]["data"]["text/markdown"] = held.source
    assert written_for_other_data({"cells": [cell]}) == []
    with pytest.raises(MetacogError, match="names n_others, which its result does not give"):
        one.says("kept", "{n_others} keep.")
    with pytest.raises(MetacogError, match="number or sentence 'n_models' already"):
        one.says("n_models", "Here.")


def test_its_three_ledger_rows_have_a_status():
    rows = make_ledger(Settings(), (STUDY.ledger,))
    assert list(rows["status"]) == ["match", "differs", "needs data"]


def test_its_chapter_is_thin():
    source = project_root() / "tests" / "toy_study" / "toy-keep.py"
    assert results_read(source) == [("toy_study", "keep_rates")]
    assert sum(isinstance(n, ast.ImportFrom) for n in ast.walk(ast.parse(source.read_text()))) == 2
