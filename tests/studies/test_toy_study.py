"""The toy study: how little a study's room holds, and that all of it works."""

import ast
import dataclasses

import numpy as np
import pandas as pd
import pytest
from toy_study import STUDY
from toy_study.keep_rates import keep_rates

from metacog.core.config import load_profile
from metacog.core.paths import project_root
from metacog.ledger.entry import Settings
from metacog.ledger.judging import make_ledger
from metacog.report.verdicts import Kind
from metacog.studies import results
from metacog.studies.chapters import results_read
from metacog.studies.run import Run
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
    return View(record, views_of(STUDY, "keep_rates"))


def test_its_result_is_stored_and_shown(view):
    html = view.table()._repr_html_()
    assert "Share of answers that were kept." in html and "95 % interval" in html
    data, metadata = view.figure()._repr_mimebundle_()
    assert data["image/svg+xml"].lstrip().startswith("<?xml") and metadata
    assert "Supported" in view.verdicts(Kind.PREREGISTERED)._repr_markdown_()
    assert view.numbers() == {"answers": 400}


def test_another_run_lies_in_one_fold_and_its_tables_say_whose_it_is(view, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    monkeypatch.setattr(Run, "result", lambda self, analysis: view)
    mine = dataclasses.replace(load_profile("smoke"), name="mine", reference="toy")
    toy = dataclasses.replace(mine, name="toy", reference="")
    Run(STUDY, mine).other_run("keep_rates", "rates")
    assert shown == []
    Run(STUDY, mine, toy).other_run("keep_rates", "rates", again="rates")
    text = shown.pop()._repr_markdown_()
    assert shown == [] and text.count("{dropdown}") == 1 and text.rstrip().endswith("\n::::::")
    assert text.startswith("::::::{dropdown} The same analysis: the reference run (")
    assert text.count("Share of answers that were kept. The reference run.") == text.count("<table") == 2
    assert text.count("{admonition}") == 2 and 'download="keep_rates-rates-toy.csv"' in text
    Run(STUDY, toy, mine).other_run("keep_rates", "rates")
    assert "kept. The run of the profile mine.<" in shown.pop()._repr_markdown_()


def test_its_three_ledger_rows_have_a_status():
    rows = make_ledger(Settings(), (STUDY.ledger,))
    assert list(rows["status"]) == ["match", "differs", "needs data"]


def test_its_chapter_is_thin():
    source = project_root() / "tests" / "toy_study" / "toy-keep.py"
    assert results_read(source) == [("toy_study", "keep_rates")]
    assert sum(isinstance(n, ast.ImportFrom) for n in ast.walk(ast.parse(source.read_text()))) == 1
