"""results/summary.json. Oracles: its schema, and small results whose values are known."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from types import SimpleNamespace

import jsonschema
import numpy as np
import pandas as pd
import pytest

from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.report.views import Views
from metacog.studies import results
from metacog.studies import summary as made
from metacog.studies.codec import write_record
from metacog.studies.contributions import Headline, headline_values
from metacog.studies.steps import Step
from metacog.studies.study import Analysis, Study, analysis
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import Unit
from metacog.verdicts.verdict import Kind

RULES = json.loads((project_root() / "config" / "schema" / "summary.json").read_text(encoding="utf-8"))
FACTS = {"parameters": {"seed": 42}, "commit": "abc"}


@dataclass(frozen=True)
class Found:
    share: float
    unknown: float
    text: str
    table: pd.DataFrame
    outcomes: pd.DataFrame


@analysis(returns=Found)
def found(inputs) -> Found:
    """Is it so?"""
    return dataclasses.replace(FOUND, share=0.5)


@analysis(returns=Headline)
def headline(inputs) -> Headline:
    """What of each model?"""
    raise AssertionError("a result whose key is up to date is not computed again")


JUDGED = {
    "h1": Rule("it is so", "H1", Kind.SOUND, "topic"),
    "h2": Rule("it is not so", "H2", Kind.SOUND, "topic"),
}
#: The second says nothing, and is left out.
OUTCOMES = pd.concat([outcomes("h1", [Unit("m", False)]), outcomes("h2", [])], ignore_index=True)
FOUND = Found(0.25, float("nan"), "smollm2-135m", pd.DataFrame({"a": [1]}), OUTCOMES)


def profile_named(name):
    return dataclasses.replace(load_profile("smoke"), name=name)


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A clone with one study that stored one analysis of two runs, and lacks another."""
    views = Views(
        "found",
        sentences={"front": lambda result: f"A share of {result.share}, of {result.text}."},
        verdicts={"h1": lambda one: "It is not so."},
    )
    study = Study("toy", "A toy", analyses=(found, headline), views=(views,), rules=JUDGED)
    printed = pd.DataFrame({"model": ["P"], "estimate": [0.9]})
    run = pd.DataFrame({"model": ["smollm2-135m"], "estimate": [np.nan], "why": ["too few"]})
    records = {
        "found": FOUND,
        "headline": Headline("score", "points", float("nan"), headline_values(run, printed)),
    }
    for module in (made, results):
        monkeypatch.setattr(module, "project_root", lambda: tmp_path)
    steps = []
    for profile in ("lead", "mine"):
        for name, record in records.items():
            folder = tmp_path / "results" / profile / "toy" / name
            folder.mkdir(parents=True)
            key = results.making(study, profile_named(profile), study.analysis(name), {}).key
            write_record(record, folder, {"key": key, **FACTS})
            steps.append(Step(profile, "toy", name, "", f"results/{profile}/toy/{name}/result.json", ()))
    gone = dataclasses.replace(
        steps[0], analysis="gone", model="m", target="results/lead/toy/gone/result.json"
    )
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "intro.md").write_text(
        "{glue:text}`/_executed/x.ipynb::found_front:s` {glue:text}`/_executed/x.ipynb::found_share:.2f` "
        "{glue:text}`/_executed/x.ipynb::other_share`"
    )
    schema = tmp_path / "config" / "schema" / "summary.json"
    schema.parent.mkdir(parents=True)
    schema.write_text(json.dumps(RULES))
    monkeypatch.setattr(made, "load_profile", profile_named)
    monkeypatch.setattr(made, "steps", lambda profile: [*steps, gone])
    monkeypatch.setattr(made, "get_study", lambda name: study)
    return tmp_path


def test_it_holds_values_verdicts_states_and_what_made_them(house):
    path = made.write_summary(load_profile("smoke"))
    assert path == house / "results" / "smoke" / "summary.json"
    text = path.read_text(encoding="utf-8")
    assert "NaN" not in text and "Infinity" not in text
    content = json.loads(text)
    jsonschema.Draft202012Validator(RULES).validate(content)
    assert content["profile"] == "smoke" and content["versions"]["numpy"]
    toy = content["studies"]["toy"]
    assert toy["runs"]["lead"]["missing"] == ["gone-m"] and toy["runs"]["mine"]["missing"] == []
    one = toy["runs"]["lead"]["results"]["found"]
    assert one["numbers"] == {"share": 0.25, "unknown": None} and one["tables"] == [
        "outcomes.csv",
        "table.csv",
    ]
    assert one["commit"] == "abc" and one["key"]
    (verdict,) = one["verdicts"]
    assert (verdict["passed"], verdict["state"], verdict["sentence"]) == (
        False,
        "not supported",
        "It is not so.",
    )


@pytest.mark.parametrize("unreadable", [False, True])
def test_what_was_stored_by_other_code_is_computed_anew(house, unreadable):
    folder = house / "results" / "mine" / "toy" / "found"
    record = json.loads((folder / "result.json").read_text())
    record["made_by"]["key"] = "of other code"
    if unreadable:  # a field that came later is not in it
        del record["record"]["fields"]["unknown"]
    (folder / "result.json").write_text(json.dumps(record))
    content = json.loads(made.write_summary(load_profile("smoke")).read_text())
    runs = content["studies"]["toy"]["runs"]
    assert runs["lead"]["results"]["found"]["numbers"]["share"] == 0.25
    one = runs["mine"]["results"]["found"]
    assert one["numbers"]["share"] == 0.5 and "other code" not in one["key"] and one["commit"] != "abc"


def test_the_short_names_are_the_default_profile_s_alone(house, monkeypatch):
    """Its book writes both; a smoke book afterwards writes its own and leaves them as they are."""
    rows = pd.DataFrame({"study": ["study 1"], "reproduced": [0.25]})
    one = Analysis("ledger", print, (), object, {"ledger_resamples": 100, "seed": 1}, ledgers=True)
    monkeypatch.setattr(made, "studies", lambda: (Study("toy", "A toy", analyses=(one,)),))
    monkeypatch.setattr("metacog.studies.ledgers.available_files", lambda asked: {})
    results_folder, short = house / "results", ("summary.json", "ledger.csv", "ledger.json")
    kept = {}
    for name, value in (("default", 0.25), ("smoke", 0.75)):
        found = SimpleNamespace(ledger=rows.assign(reproduced=value))
        made.write_summary(profile_named(name))
        with monkeypatch.context() as stored:
            stored.setattr(made, "result", lambda *a, found=found: found)
            made.write_ledger_rows(profile_named(name))
        kept[name] = {f: (results_folder / name / f).read_bytes() for f in short}
        assert {f: (results_folder / f).read_bytes() for f in short} == kept["default"]
    assert kept["smoke"]["ledger.csv"] != kept["default"]["ledger.csv"]
    assert json.loads(kept["smoke"]["ledger.json"])["n_resamples"] == 100


def test_headlines_have_every_model_once_for_each_run(house):
    made.write_summary(load_profile("smoke"))
    rows = json.loads((house / "results" / "smoke" / "summary.json").read_text())["studies"]["toy"][
        "headlines"
    ]
    assert [(row["profile"], row["model"], row["published"]) for row in rows] == [
        ("lead", "SmolLM2-135M-Instruct", False),
        ("lead", "P", True),
        ("mine", "SmolLM2-135M-Instruct", False),
    ]
    assert rows[0]["estimate"] is None and rows[0]["why"] == "too few" and rows[0]["knows_nothing"] is None
    assert rows[1]["estimate"] == 0.9 and rows[1]["why"] == ""


def test_what_the_front_page_pastes_is_in_it(house):
    made.write_summary(load_profile("smoke"))
    file = house / "results" / "smoke" / "summary.json"
    found = {"found_front": "A share of 0.25, of SmolLM2-135M-Instruct.", "found_share": 0.25}
    assert json.loads(file.read_text())["front_page"] == found

    def glued(name, shown):
        mime = "application/papermill.record/"
        return {
            "data": {f"{mime}text/plain": shown},
            "metadata": {"scrapbook": {"mime_prefix": mime, "name": name}},
        }

    said = [glued("other_share", "'By hand: it\\'s 3.'"), glued("elsewhere", "'No.'"), glued("n", "3")]
    chapter = house / "_executed" / "smoke" / "x.ipynb"
    chapter.parent.mkdir(parents=True)
    chapter.write_text(json.dumps({"cells": [{"cell_type": "markdown"}, {"outputs": said}]}))
    made.write_summary(load_profile("smoke"))
    assert json.loads(file.read_text())["front_page"] == {**found, "other_share": "By hand: it's 3."}


def test_a_summary_that_breaks_its_schema_is_not_written(house):
    rules = json.loads(json.dumps(RULES))
    rules["properties"]["profile"]["enum"] = ["another"]
    (house / "config" / "schema" / "summary.json").write_text(json.dumps(rules))
    with pytest.raises(MetacogError, match="breaks its schema at profile"):
        made.write_summary(load_profile("smoke"))
    assert not list((house / "results").rglob("summary.json"))


def test_the_schema_refuses_what_is_no_summary():
    jsonschema.Draft202012Validator.check_schema(RULES)
    good = {"commit": "c", "versions": {}, "profile": "p", "front_page": {}, "studies": {}}
    validator = jsonschema.Draft202012Validator(RULES)
    assert validator.is_valid(good)
    for broken in (
        {**good, "more": 1},
        {**good, "studies": {"one": {"title": "t"}}},
        {**good, "front_page": {"a": []}},
        {name: value for name, value in good.items() if name != "commit"},
    ):
        assert not validator.is_valid(broken)


def test_the_front_page_of_the_book_pastes_what_can_be_found():
    names = made.pasted_names(project_root() / made.FRONT_PAGE)
    assert len(names) > 3 and all("_" in name for name in names)
    assert made.pasted_names(project_root() / "book" / "nothing.md") == []
