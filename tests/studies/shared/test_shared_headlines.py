"""One model's result of every study. Oracle: a small study whose models' places are counted by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from metacog.core.config import load_profile
from metacog.studies import get_study, results
from metacog.studies.contributions import Headline, headline_values
from metacog.studies.reference import Shown
from metacog.studies.shared.model_headlines import SHOWN, by_part, sides
from metacog.studies.steps import steps
from metacog.studies.study import Result


def headline(run: pd.DataFrame, published: pd.DataFrame) -> Headline:
    return Headline("score", "points", 0.0, headline_values(run, published))


PRINTED = pd.DataFrame(
    {"model": ["low", "near", "high"], "estimate": [1, 5, 9], "lower": [0, 4, 8], "upper": [2, 6, 10]}
)


def mine(**other: object) -> pd.DataFrame:
    return pd.DataFrame([{"model": "mine", "estimate": 5.5, "lower": 3.0, "upper": 7.0, **other}])


def test_a_model_stands_beside_the_range_of_the_published_ones_in_every_part():
    run = pd.concat([mine(part="A"), mine(model="other", part="B")])
    printed = pd.concat([PRINTED.assign(part="A"), PRINTED.assign(part="B", estimate=np.nan)])
    asked, unasked = by_part(headline(run, printed), "mine", "not asked")
    assert (asked["part"], asked["estimate"], asked["why"]) == ("A", 5.5, "")
    assert asked["published_range"] == "1.00 to 9.00" and unasked["published_range"] == ""
    assert (unasked["part"], unasked["why"]) == ("B", "not asked") and np.isnan(unasked["estimate"])


def test_a_result_counts_published_models_by_their_intervals():
    result = pd.Series(mine(why="").iloc[0])
    assert sides(result, PRINTED) == {"below": 1, "above": 1, "meets": 1}
    for change in ({"why": "too few"}, {"lower": np.nan}):
        assert np.isnan(list(sides(pd.Series({**result, **change}), PRINTED).values())).all()
    assert np.isnan(sides(result, PRINTED.assign(lower=np.nan))["meets"])


@pytest.fixture
def run_headlines(monkeypatch):
    """The analysis on studies' headlines that are given, without their trials."""

    def compute(model: str, across: dict):
        monkeypatch.setattr(results.Inputs, "across", lambda self: across)
        study, profile = get_study("shared"), load_profile("default")
        one = study.analysis("model_headlines")
        return one(results.Inputs(study, profile, one, {"model": model}), model=model)

    return compute


def test_results_have_a_row_per_study_and_part_and_can_be_shown(run_headlines):
    label = "SmolLM2-135M-Instruct"
    tasks = pd.concat([mine(model=label, part="A"), mine(model=label, part="B", estimate=np.nan, why="flat")])
    across = {
        "study1_qa": headline(mine(model=label), PRINTED),
        "study2_two_choice": headline(tasks, PRINTED.assign(part="A")),
    }
    record = Result(run_headlines("smollm2-135m", across))
    assert list(record.results["part"]) == ["", "A", "B"]
    assert set(record.results["short"].str[:5]) == {"Study"} and set(record.results["nothing"]) == {0}
    assert record.results["why"].tolist()[::2] == ["", "flat"]


def test_without_any_study_the_page_says_that_there_is_nothing(run_headlines):
    record = Result(run_headlines("smollm2-135m", {}))
    assert record.results.empty and set(SHOWN) <= set(record.results)


def test_every_study_that_asks_models_has_a_headline():
    asking = [study for study in map(get_study, load_profile("default").studies)]
    assert len(asking) == 5
    for study in asking:
        one = study.analysis("headline")
        assert one.returns is Headline and results.rests_on_trials(study, one)


def test_the_reference_run_is_read_of_the_studies_that_show_it(monkeypatch, tmp_path):
    study, profile = get_study("shared"), load_profile("default")
    reference = dataclasses.replace(profile, name="reference", reference="")
    owner = get_study("study5_battery")
    one, of_a_model = study.analysis("all_models"), study.analysis("model_headlines")
    inputs = results.Inputs(study, profile, one, {})
    monkeypatch.setattr(results, "shown", lambda p, s: Shown(p))
    assert inputs.reference() == {}
    before = results.making(study, profile, one, {}).key
    monkeypatch.setattr(
        results, "shown", lambda p, s: Shown(p, reference) if s.name == owner.name else Shown(p)
    )
    monkeypatch.setattr(results, "folder_of", lambda s, p, a, given: tmp_path / p.name / s.name / a.name)
    other, kept = owner.analysis("headline"), headline(mine(), PRINTED)
    folder = results.folder_of(owner, reference, other, {})
    results.store(kept, folder, {"key": results.making(owner, reference, other, {}).key})
    assert list(inputs.reference()) == [owner.name]
    assert results.Inputs(study, profile, of_a_model, {"model": "smollm2-135m"}).reference() == {}
    assert results.making(study, profile, one, {}).key != before


def test_a_profile_of_one_study_has_the_steps_that_its_general_pages_read():
    made = steps(load_profile("battery"))
    by_name = {(step.study, step.analysis, step.model): step for step in made}
    assert len(by_name) == len(made)
    assert ("study1_qa", "worked_tables", "") in by_name and ("study1_qa", "headline", "") not in by_name
    page = by_name["shared", "model_headlines", "gemma3-270m"]
    assert [f for f in page.inputs if f.endswith("headline/result.json")] == [
        "results/battery/study5_battery/headline/result.json"
    ]
    assert not [f for f in by_name["shared", "model_page", "gemma3-270m"].inputs if f.endswith(".parquet")]
