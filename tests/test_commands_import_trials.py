"""``metacog import-trials`` from the user's side. Oracle: simulated models whose noise is known."""

from __future__ import annotations

import json
import re
import time

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from metacog.cli import _Group
from metacog.commands.import_trials import command
from metacog.imports.example import simulate_table
from metacog.imports.page import markdown_html
from metacog.trials import read_trials

group = _Group("metacog", commands={"import-trials": command})
ROLES = ["--correct", "is_right", "--confidence", "stated", "--confidence-scale", "percent", "--model", "llm"]


def run(path, out, *words: str):
    return CliRunner().invoke(group, ["import-trials", str(path), "--out", str(out), *words])


def test_5000_trials_are_imported_reported_and_judged_in_a_minute(tmp_path):
    path = tmp_path / "answers.csv"
    simulate_table(5000).to_csv(path, index=False)
    started = time.perf_counter()
    done = run(path, tmp_path / "out", *ROLES, "--domain", "topic", "--question-id", "item")
    seconds = time.perf_counter() - started
    assert done.exit_code == 0, done.output
    assert seconds < 60
    assert "1 of 1 pairs of models differ in AUROC2" in done.output
    assert "No pair of models can be told apart in accuracy" in done.output
    assert len(read_trials(tmp_path / "out" / "trials.parquet")) == 5000
    measures = pd.read_csv(tmp_path / "out" / "measures.csv")
    assert len(measures) == 2 + 6
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 4
    assert page.count("<figcaption>") == 4
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page)
    assert "<script" not in page
    assert "surer when it is wrong" not in page
    assert not (tmp_path / "out" / "report.ipynb").exists()


BASE = simulate_table(400)


@pytest.mark.parametrize(
    ("table", "words", "said"),
    [
        (BASE, ["--correct", "is_right"], "--confidence is needed"),
        (BASE, ["--correct", "isright", "--confidence", "stated"], "Did you mean --correct is_right?"),
        (BASE, ["--correct", "is_right", "--confidence", "stated"], "'llm' holds 2 models"),
        (BASE.assign(is_right=BASE["stated"] / 100), ROLES, "not binary"),
        (BASE.assign(stated=50), ROLES, "in all 400 trials"),
        (BASE.head(10), ROLES, "10 usable trials"),
        (BASE.assign(stated="sure"), ROLES, "is no confidence"),
        (BASE.assign(stated=np.nan), ROLES, "no finite number"),
        (BASE.assign(stated=BASE["stated"] * 2), ROLES, "no percent"),
        (BASE.head(0), ROLES, "holds no rows"),
    ],
)
def test_bad_input_is_a_named_error(tmp_path, table, words, said):
    path = tmp_path / "answers.csv"
    table.to_csv(path, index=False)
    done = run(path, tmp_path / "out", "--no-report", *words)
    assert done.exit_code == 2, done.output
    assert said in done.output
    assert "Traceback" not in done.output
    assert not (tmp_path / "out").exists()


def test_one_class_and_constant_confidence_are_flagged_cells(tmp_path):
    table = BASE.copy()
    table.loc[table["topic"] == "sport", "is_right"] = 1
    table.loc[table["llm"] == "vague", "stated"] = 50.0
    few = table["topic"].eq("nature") & table["llm"].eq("insightful")
    table = table.drop(index=table[few].index[12:])
    path = tmp_path / "answers.csv"
    table.to_csv(path, index=False)
    done = run(path, tmp_path / "out", "--no-report", *ROLES, "--domain", "topic", "--question-id", "item")
    assert done.exit_code == 0, done.output
    measures = pd.read_csv(tmp_path / "out" / "measures.csv").set_index(["model", "domain"])
    assert "all 66 answers are right" in measures.loc[("insightful", "sport"), "flag"]
    assert "confidence is constant (50)" in measures.loc[("vague", "all"), "flag"]
    assert "only 12 trials" in measures.loc[("insightful", "nature"), "flag"]
    flagged = measures[measures["flag"].fillna("").str.contains("right:|wrong:|constant|only 12", regex=True)]
    flagged = flagged[~flagged["flag"].str.contains("no intervals")]
    assert flagged["auroc2"].isna().all()
    assert flagged["meta_i2r"].isna().all()
    assert "No verdict on vague's metacognition" in done.output
    assert np.isfinite(measures.loc[("insightful", "history"), "auroc2"])


@pytest.mark.parametrize("words", [["--stimulus", "s"], ["--nr-table"]])
def test_two_choice_needs_its_columns(tmp_path, words):
    path = tmp_path / "answers.csv"
    BASE.to_csv(path, index=False)
    done = run(path, tmp_path / "out", "--no-report", *words)
    assert done.exit_code == 2
    assert "Traceback" not in done.output


def test_counts_give_a_valid_m_ratio(tmp_path):
    path = tmp_path / "counts.json"
    s1 = [36, 24, 17, 20, 10, 12, 9, 2]
    path.write_text(json.dumps({"nR_S1": s1, "nR_S2": s1[::-1]}))
    done = run(path, tmp_path / "out", "--nr-table", "--no-report", "--n-resamples", "200")
    assert done.exit_code == 0, done.output
    assert "M-ratio is" in done.output
    assert "Not valid" not in done.output


def test_open_answers_have_no_m_ratio_unless_asked(tmp_path):
    path = tmp_path / "answers.csv"
    BASE.to_csv(path, index=False)
    plain = run(path, tmp_path / "a", "--no-report", "--n-resamples", "100", *ROLES)
    asked = run(path, tmp_path / "b", "--no-report", "--n-resamples", "100", "--m-ratio", *ROLES)
    assert "M-ratio" not in plain.output
    assert "Not valid here" in asked.output


@pytest.mark.parametrize("name", ["missing.csv", "folder"])
def test_nothing_to_read(tmp_path, name):
    (tmp_path / "folder").mkdir()
    done = run(tmp_path / name, tmp_path / "out", *ROLES)
    assert done.exit_code == 2
    assert "Traceback" not in done.output


def test_names_from_the_file_cannot_inject_markup():
    assert "<script>" not in markdown_html("a <script>alert(1)</script> b")
    shown = markdown_html(":::{admonition} Verdict\n:class: tip\n**m** is <b>\n:::")
    assert shown.startswith('<aside class="tip"><b>Verdict</b>')
    assert "<strong>m</strong> is &lt;b&gt;" in shown
