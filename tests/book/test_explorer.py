"""The data that the explorers load, and the parts of their page."""

import json
import re
from dataclasses import replace

import pytest
from explorers import PAGE, STATIC, named

from metacog.book import explorer
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.studies import get_study
from metacog.studies.contributions import RatingTables, rating_table, rating_tables
from metacog.studies.reference import Shown
from metacog.studies.study import Study, analysis

LINE = re.compile(r"window\.METACOG_TABLES = (.*);\n")
OPEN = rating_table("A on bank", [5, 3, 2, 1], [1, 2, 3, 5], decision=False, pad=0.5)
CHOICE = rating_table("A, task B", [9, 1], [2, 8], decision=True, pad=0)


@analysis(returns=RatingTables)
def published_tables(inputs):
    """Which?"""
    return rating_tables([CHOICE])


@analysis(returns=RatingTables, needs=("open",))
def run_tables(inputs):
    """Which?"""
    return rating_tables([OPEN])


@pytest.fixture
def house(monkeypatch):
    """One study with both kinds of tables, in a book whose reference run leads."""
    study = Study("study1_qa", "Study 9: a toy", analyses=(published_tables, run_tables))
    asked = []

    def result(study, run, one, given):
        asked.append((one.name, run.name))
        return one(None)

    monkeypatch.setattr(explorer, "studies", lambda: (study,))
    monkeypatch.setattr(explorer, "result", result)
    monkeypatch.setattr(explorer, "shown", lambda profile, _: Shown(load_profile("reference"), profile))
    return asked


def written(folder):
    return json.loads(LINE.fullmatch((folder / "explorer-data.js").read_text())[1])


def test_tables_are_published_ones_then_those_of_both_runs(house, tmp_path):
    explorer.write_explorer_data(load_profile("default"), tmp_path)
    tables = written(tmp_path)
    assert [t["group"] for t in tables] == [
        "Study 9, published",
        "Study 9, the reference run (profile reference)",
        "Study 9, your run (profile default)",
    ]
    assert tables[0] == {
        "group": "Study 9, published",
        "name": "A, task B",
        "decision": True,
        "pad": 0.0,
        "s1": [9, 1],
        "s2": [2, 8],
    }
    assert (tables[1]["decision"], tables[1]["pad"], tables[1]["s1"]) == (False, 0.5, [5, 3, 2, 1])
    assert house[0] == ("published_tables", "reference")


def test_a_profile_that_does_not_run_a_study_has_its_published_tables_alone(house, tmp_path, monkeypatch):
    profile = load_profile("battery")
    monkeypatch.setattr(explorer, "shown", lambda profile, _: Shown(profile))
    monkeypatch.setattr(explorer, "runs", lambda profile, study: False)
    explorer.write_explorer_data(profile, tmp_path)
    assert [t["name"] for t in written(tmp_path)] == ["A, task B"]


def test_a_table_that_cannot_be_made_is_not_passed_over(house, tmp_path, monkeypatch):
    @analysis(returns=RatingTables, name="run_tables", needs=("open",))
    def broken(inputs):
        """Which?"""
        raise MetacogError("there are no trials to analyse")

    study = replace(explorer.studies()[0], analyses=(broken,))
    monkeypatch.setattr(explorer, "studies", lambda: (study,))
    with pytest.raises(MetacogError, match="no trials"):
        explorer.write_explorer_data(load_profile("default"), tmp_path)
    assert not (tmp_path / "explorer-data.js").exists()


def test_no_table_at_all_is_an_empty_list(tmp_path, monkeypatch):
    monkeypatch.setattr(explorer, "studies", lambda: ())
    explorer.write_explorer_data(load_profile("default"), tmp_path)
    assert written(tmp_path) == []


def published(study):
    return get_study(study).analysis("published_tables")(None).counts


def test_published_tables_of_study_1_are_its_counts():
    counts = published("study1_qa")
    sizes = counts.groupby("name", sort=False).agg(n=("nR_S1", "size"), pad=("pad", "first"))
    assert sizes["n"].tolist() == [8] * 8 + [4] * 6 and set(sizes["pad"]) == {0.5}
    one = counts[counts["name"] == "Llama-3-8B-Instruct on TriviaQA"]  # read in the file
    assert one["nR_S2"].tolist()[:7] == [76, 148, 209, 291, 369, 465, 555]
    assert one["nR_S1"].tolist()[:7] == [549, 477, 416, 334, 256, 160, 70]
    assert not counts["decision"].any()


def test_published_tables_of_study_2_are_its_counts():
    counts = published("study2_two_choice")
    assert counts["decision"].all() and set(counts.groupby("name").size()) == {10}
    one = counts[counts["name"] == "GPT-5, task A: negative or positive"]
    assert one["nR_S1"].tolist() == [4796, 2124, 542, 1017, 285, 33, 123, 65, 36, 6]


def test_tables_that_the_page_names_are_published():
    names = {name for study in ("study1_qa", "study2_two_choice") for name in published(study)["name"]}
    for pair in named("data-mx-tables"):
        assert set(pair.split("|")) <= names


def test_the_page_asks_for_files_that_there_are_and_nothing_from_outside():
    text = PAGE.read_text(encoding="utf-8")
    asked = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert {a.rsplit("/", 1)[0] for a in asked} == {"../_static"}
    files = {a.rsplit("/", 1)[1] for a in asked} - {explorer.SCRIPT}
    assert files == {f.name for f in STATIC.glob("explorer*")}
    for file in STATIC.glob("explorer*"):
        code = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "://" not in code and "fetch(" not in code and not re.search(r"^(import|export) ", code, re.M)
