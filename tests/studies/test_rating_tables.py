"""Tables that readers can load hold every trial that the study's own counts hold, once."""

import pytest

from metacog.studies import get_study
from metacog.studies.results import Inputs, parameters_of


def tables(run_of, name):
    study = get_study(name)
    profile, trials = run_of(study)
    one = study.analysis("run_tables")
    counts = one(Inputs(study, profile, one, parameters_of(study, one, profile, {}))).counts
    return counts, trials


def test_open_answers_of_a_run_are_counted_once_by_model_and_set(run_of):
    counts, trials = tables(run_of, "study1_qa")
    kept = trials["open"]
    kept = kept[(kept["temperature"] == 1) & kept["nlp"].notna()]
    assert counts["nR_S2"].sum() == kept["correct"].sum()
    assert counts["nR_S1"].sum() == (~kept["correct"]).sum()
    assert counts.groupby("name").size().tolist() == [8] * len(kept.groupby(["model", "dataset"]))
    assert any("SmolLM2-135M-Instruct" in name for name in counts["name"])  # as readers know it


def test_decisions_of_a_run_are_counted_once_by_model_and_task(run_of):
    counts, trials = tables(run_of, "study2_two_choice")
    kept = trials["confidence"]
    kept = kept[kept["parse_status"] == "ok"]
    assert counts[["nR_S1", "nR_S2"]].to_numpy().sum() == len(kept)
    assert counts["nR_S2"].sum() == (kept["stimulus"] == 1).sum()
    right = counts[counts["rating"] <= 5]["nR_S1"].sum() + counts[counts["rating"] > 5]["nR_S2"].sum()
    assert right == kept["correct"].sum()
    assert counts["pad"].unique() == pytest.approx([0.1]) and counts["decision"].all()
