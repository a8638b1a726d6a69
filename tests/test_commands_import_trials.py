"""``metacog import-trials`` from the user's side. Oracle: simulated models whose noise is known."""

from __future__ import annotations

import json
import re
import time

import nbformat
import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from made_trials import simulate_table

from metacog.cli import _Group
from metacog.commands.import_trials import command
from metacog.core.errors import MetacogError
from metacog.imports.page import markdown_html, notebook_html
from metacog.report.drawing import MARK
from metacog.trials import read_trials

group = _Group("metacog", commands={"import-trials": command})
ROLES = ["--correct", "is_right", "--confidence", "stated", "--confidence-scale", "percent", "--model", "llm"]


def run(table, folder, *words: str):
    """The command on a table, written down; its results go below the folder."""
    path = folder / "answers.csv"
    table.to_csv(path, index=False)
    return of_file(path, folder / "out", *words)


def of_file(path, out, *words: str):
    return CliRunner().invoke(group, ["import-trials", str(path), "--out", str(out), *words])


def test_5000_trials_are_imported_reported_and_judged_in_a_minute(tmp_path, capfd):
    started = time.perf_counter()
    done = run(simulate_table(5000), tmp_path, *ROLES, "--domain", "topic", "--question-id", "item")
    seconds = time.perf_counter() - started
    assert done.exit_code == 0, done.output
    assert capfd.readouterr() == ("", "")  # what the report's kernel says stays off the terminal
    assert seconds < 60
    assert "0 of 1 in accuracy, 1 of 1 in AUROC2" in done.output
    table = [
        line.split() for line in done.output.splitlines() if re.match(r"model |insightful |vague ", line)
    ]
    assert [cells[0] for cells in table] == ["model", "insightful", "vague"]
    assert [cells[-2:] for cells in table[1:]] == [["1", "a"], ["2", "b"]]
    assert "answered" not in done.output  # the sentences stand in the report
    assert len(read_trials(tmp_path / "out" / "trials.parquet")) == 5000
    assert len(pd.read_csv(tmp_path / "out" / "measures.csv")) == 2 + 6
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 6 == page.count("<figcaption>")
    assert "0 of 1 in accuracy" in page and "1 of 1 in AUROC2" in page
    assert len(re.findall(r'<svg role="img" aria-label="[^"]{10,}"', page)) == 6
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//|alt=""|<script|<aside""", page)
    assert page.count('<td class="yes"') >= 4  # what is claimed of each model
    assert not (tmp_path / "out" / "report.ipynb").exists()


BASE = simulate_table(400)


@pytest.mark.parametrize(
    ("table", "words", "reported"),
    [
        (BASE, ["--correct", "is_right"], "--confidence is needed"),
        (BASE, ["--correct", "isright", "--confidence", "stated"], "Did you mean --correct is_right?"),
        (BASE, ["--correct", "is_right", "--confidence", "stated"], "'llm' holds 2 models"),
        (BASE.assign(is_right=BASE["stated"] / 100), ROLES, "not binary"),
        (BASE.assign(stated=50), ROLES, "in all 400 trials"),
        (BASE.head(10), ROLES, "10 usable trials"),
        (BASE.assign(stated="sure"), ROLES, "is no confidence"),
        (BASE.assign(stated=np.nan), ROLES, "is empty"),
        (BASE.assign(stated=BASE["stated"] * 2), ROLES, "no percent"),
        (BASE.head(0), ROLES, "holds no rows"),
        (BASE, ["--stimulus", "s"], "--stimulus"),
        (BASE, ["--nr-table"], "nR_S1"),
    ],
)
def test_bad_input_is_a_named_error(tmp_path, table, words, reported):
    done = run(table, tmp_path, "--no-report", *words)
    assert done.exit_code == 2, done.output
    assert reported in done.output and "Traceback" not in done.output
    assert not (tmp_path / "out").exists()


def test_one_class_and_constant_confidence_are_flagged_cells(tmp_path):
    table = BASE.copy()
    table.loc[table["topic"] == "sport", "is_right"] = 1
    table.loc[table["llm"] == "vague", "stated"] = 50.0
    few = table["topic"].eq("nature") & table["llm"].eq("insightful")
    table = table.drop(index=table[few].index[12:])
    done = run(table, tmp_path, "--no-report", *ROLES, "--domain", "topic", "--question-id", "item")
    assert done.exit_code == 0, done.output
    measures = pd.read_csv(tmp_path / "out" / "measures.csv").set_index(["model", "domain"])
    assert "all 66 answers are right" in measures.loc[("insightful", "sport"), "flag"]
    assert "confidence is constant (50)" in measures.loc[("vague", "all"), "flag"]
    assert "only 12 trials" in measures.loc[("insightful", "nature"), "flag"]
    flagged = measures[measures["flag"].fillna("").str.contains("right:|wrong:|constant|only 12", regex=True)]
    flagged = flagged[~flagged["flag"].str.contains("no intervals")]
    assert flagged[["auroc2", "meta_i2r"]].isna().all(axis=None)
    assert re.search(r"^vague .*confidence is constant \(50\)", done.output, re.M)
    assert np.isfinite(measures.loc[("insightful", "history"), "auroc2"])


def test_counts_give_a_valid_m_ratio(tmp_path):
    s1 = [36, 24, 17, 20, 10, 12, 9, 2]
    (tmp_path / "counts.json").write_text(json.dumps({"nR_S1": s1, "nR_S2": s1[::-1]}))
    words = ["--nr-table", "--no-report", "--n-resamples", "200", "--no-bayes"]
    done = of_file(tmp_path / "counts.json", tmp_path / "out", *words)
    assert done.exit_code == 0, done.output
    assert re.search(r"^model .*M-ratio$", done.output, re.M)
    assert not (tmp_path / "out" / "posterior.csv").exists() and "posteriors:" not in done.output


def test_open_answers_have_no_m_ratio_unless_asked(tmp_path):
    words = ["--no-report", "--n-resamples", "100", "--replace", *ROLES]
    assert "M-ratio" not in run(BASE, tmp_path, *words).output
    assert re.search(r"^model .*M-ratio \(not valid\)", run(BASE, tmp_path, *words, "--m-ratio").output, re.M)


@pytest.mark.parametrize("name", ["missing.csv", "folder"])
def test_nothing_to_read(tmp_path, name):
    (tmp_path / "folder").mkdir()
    done = of_file(tmp_path / name, tmp_path / "out", *ROLES)
    assert done.exit_code == 2 and "Traceback" not in done.output


def test_names_from_the_file_cannot_inject_markup():
    assert "<script>" not in markdown_html("a <script>alert(1)</script> b")
    shown = markdown_html(":::{admonition} Verdict\n:class: tip\n**m** is <b>\n:::")
    assert shown.startswith('<aside class="tip"><b>Verdict</b>')
    assert "<strong>m</strong> is &lt;b&gt;" in shown


def test_figures_carry_what_they_show_and_one_without_is_refused():
    def page(data, alt):
        metadata = {MARK: {"caption": "A caption", "alt": alt}} if alt else {}
        output = nbformat.v4.new_output("display_data", data, metadata=metadata)
        cell = nbformat.v4.new_code_cell("x", outputs=[output])
        return notebook_html(nbformat.v4.new_notebook(cells=[cell]))

    png = {"image/png": "iVBORw0KGgo=", "text/plain": "<Figure size 640x480>"}
    made = page(png, 'Curves of "a" & b')
    assert 'alt="Curves of &quot;a&quot; &amp; b"' in made and 'alt=""' not in made
    svg = page({"image/svg+xml": "<?xml?><svg><g/></svg>"}, "Intervals")
    assert '<figure><svg role="img" aria-label="Intervals"><g/></svg>' in svg
    with pytest.raises(MetacogError, match="no alternative text"):
        page(png, "")


def test_a_folded_section_holds_all_up_to_the_next_heading():
    def page(*texts):
        cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
        return notebook_html(nbformat.v4.new_notebook(cells=cells))

    texts = ["## First", "## Second\n<!-- fold -->\n\nheld", "### Part\n\nheld too", "## Third\n\nopen"]
    head, _, rest = page(*texts).partition('<details class="section"><summary><h2>Second</h2></summary>')
    within, _, after = rest.partition("</details>")
    assert "First" in head and "held" in within and "held too" in within and "Third" in after
    last = page(texts[1])
    assert last.count("<details") == last.count("</details>") == 1


def many_models(n_models: int, n: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(6)
    x = rng.normal(size=n)
    frames = []
    for g in range(n_models):
        right = (rng.random(n) < 1 / (1 + np.exp(-2 * x))).astype(int)
        stated = (100 / (1 + np.exp(-x - 0.25 * g * rng.normal(size=n)))).round(1)
        made = {"llm": f"model {g:02d}", "item": np.arange(n), "is_right": right, "stated": stated}
        frames.append(pd.DataFrame(made))
    return pd.concat(frames, ignore_index=True)


def test_many_models_are_ranked_with_what_cannot_be_told_apart(tmp_path):
    """Twelve models, 66 pairs: more than were compared before."""
    done = run(many_models(12), tmp_path, *ROLES, "--question-id", "item", "--n-resamples", "400")
    assert done.exit_code == 0, done.output
    assert "too many" not in done.output
    pairs, ranks = (pd.read_csv(tmp_path / "out" / f"{name}.csv") for name in ("pairs", "ranks"))
    assert len(pairs) == 3 * 66 and pairs["paired"].all()
    assert pairs["p_holm"].notna().all() and (pairs["p_holm"] >= pairs["p"]).all()
    area = ranks[ranks["quantity"] == "auroc2"].set_index("model")
    assert area["rank"].tolist() == sorted(area["rank"])
    assert ((area["set_lower"] <= area["rank"]) & (area["rank"] <= area["set_upper"])).all()
    assert area.loc["model 00", "set_upper"] < 12 and area.loc["model 11", "set_lower"] > 1
    # models with no letter in common are those whose difference is significant
    told = pairs[(pairs["quantity"] == "auroc2") & pairs["differs"]]
    shared = [
        bool(set(area.loc[a, "group"].split()) & set(area.loc[b, "group"].split()))
        for a, b in zip(told["first"], told["second"], strict=True)
    ]
    assert len(told) and not any(shared)
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert f"{len(told)} of 66 in AUROC2" in page
    assert page.count("<svg") == 7 and "Is it self-knowledge?" in page


def test_flags_of_parts_are_one_line_behind_the_table(tmp_path):
    rng, n = np.random.default_rng(8), 400
    topic = np.where(np.arange(n) < 200, "large", [f"small {i % 9}" for i in range(n)])
    right, stated = rng.integers(0, 2, n), rng.integers(0, 100, n)
    table = pd.DataFrame({"is_right": right, "stated": stated, "llm": "m", "topic": topic})
    table["topic"] = table["topic"].replace("small 0", "large")
    table.loc[(table["topic"] == "large") & (rng.random(n) < 0.5), "topic"] = "all right"
    table.loc[table["topic"] == "all right", "is_right"] = 1
    done = run(table, tmp_path, "--no-report", "--n-resamples", "100", *ROLES, "--domain", "topic")
    lines = done.output.splitlines()
    (flagged,) = [i for i, line in enumerate(lines) if line.startswith("flagged")]
    assert lines[flagged] == (
        "flagged: 9 of 10 domains and temperatures (8 few trials, 1 one class): measures.csv names each"
    )
    assert flagged > next(i for i, line in enumerate(lines) if line.startswith("m  "))
    measures = pd.read_csv(tmp_path / "out" / "measures.csv")
    assert measures.loc[measures["domain"] == "all right", "flags"].tolist() == ["one class"]
    assert (measures["flags"].fillna("") == "few trials").sum() == 8


def test_answers_without_confidence_need_resamples(tmp_path):
    table = pd.DataFrame({"item": np.repeat(np.arange(30), 3), "said": ["Paris", "paris", "Rome"] * 30})
    table["is_right"] = (table["said"] != "Rome").astype(int)
    words = ["--no-report", "--n-resamples", "100", "--correct", "is_right", "--answer", "said"]
    done = run(table, tmp_path, *words, "--question-id", "item", "--confidence", "agreement")
    assert done.exit_code == 0, done.output
    assert "confidence was not in the file: it is the share of the model's other answers" in done.output
    assert "(2 other answers each)" in done.output
