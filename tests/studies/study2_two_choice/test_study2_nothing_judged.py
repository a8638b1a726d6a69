"""Replies from which nothing can be judged stop no page, and the pages say why. Oracles: counts by hand."""

import re
from functools import cache
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from simulated_two_choice import SETS, confidence_trials, frame, risk_trials

from metacog.core.config import load_profile
from metacog.studies import get_study
from metacog.studies.codec import read_record, write_record
from metacog.studies.shared.all_models import compare
from metacog.studies.shared.model_headlines import by_part
from metacog.studies.study2_two_choice import replication_ratings as ratings
from metacog.studies.view import View, views_of
from metacog.verdicts.outcomes import those, together

STUDY = get_study("study2_two_choice")
SMALL = {"n_resamples": 100, "n_draws": 100, "n_warmup": 50}
ON_TRIALS = (
    *(f"replication_{name}" for name in ("asked", "ratings", "compared", "posterior", "risk")),
    *("run_tables", "headline"),
)
#: Decision and rating of each task, throughout; NaN is a reply that was not understood.
SAID = {
    "no digit": {task: (1.0, np.nan) for task in "ABC"},
    "no decision": {task: (np.nan, np.nan) for task in "ABC"},
    "the same": {task: (1.0, 1.0) for task in "ABC"},
    "weak": {"A": (1.0, 1.0), "B": (0.0, np.nan), "C": (1.0, 1.0)},
}


def says(said, models, n, risk="None", *, rated):
    """Trials of models that say the same throughout."""
    parts = []
    for model in models:
        for task in SETS:
            response, rating = said[task]
            whole = np.isfinite(response) and (np.isfinite(rating) or not rated)
            stimulus = np.arange(n) % 2
            drawn = stimulus, np.full(n, response), np.full(n, rating), np.full(n, np.nan)
            part = frame(model, task, risk, drawn, rated=rated)
            status = "ok" if whole else "unclear"
            parts.append(part.assign(parse_status=status, correct=(response == stimulus) & whole))
    return pd.concat(parts, ignore_index=True)


def inputs_of(confidence, warned, profile):
    trials = {"confidence": confidence, "warned": warned}

    @cache
    def result(name):
        return STUDY.analysis(name)(inputs, **small(name))

    inputs = SimpleNamespace(study=STUDY, profile=profile, trials=trials.get, result=result)
    return inputs


def small(name):
    return {k: v for k, v in SMALL.items() if k in STUDY.analysis(name).parameters}


@pytest.fixture(
    scope="module",
    params=[(s, m, n) for s in SAID for m, n in ((1, 12), (2, 40))],
    ids=lambda p: f"{p[0]}-{p[1]}",
)
def weak(request):
    said, n_models, n = request.param
    models = ["smollm2-135m", "gemma3-270m"][:n_models]
    confidence = says(SAID[said], models, n, rated=True)
    warned = pd.concat([says(SAID[said], models, n, risk, rated=False) for risk in ("None", "S1", "S2")])
    return said, confidence, inputs_of(confidence, warned.reset_index(drop=True), load_profile("smoke"))


def shown(name, record):
    """Sentences of a result, and whatever else a page shows of it, as text."""
    view = View(record, views_of(STUDY, name))
    sentences = view.sentences()
    rules = dict.fromkeys(record.outcomes["rule"]) if hasattr(record, "outcomes") else ()
    return sentences, [view.views.outcome(rule, record) for rule in rules]


@pytest.mark.parametrize("name", ON_TRIALS)
def test_every_analysis_is_made_stored_and_shown(weak, name, tmp_path):
    _, _, inputs = weak
    record = inputs.result(name)
    write_record(record, tmp_path, {})
    sentences, texts = shown(name, read_record(tmp_path))
    for text in (*sentences.values(), *texts):
        assert not re.search(r"\bnan\b|\b(0|none) of 0\b|\ball 0\b", text), text


def test_the_page_says_what_came_back_and_what_is_missing(weak):
    said, trials, inputs = weak
    record = inputs.result("replication_ratings")
    told = views_of(STUDY, "replication_ratings").numbers(record)
    n_cells, usable = len(record.unfitted), int((trials["parse_status"] == "ok").sum())
    decided = {"no decision": 0}.get(said, len(trials))
    assert record.cells.empty and n_cells == trials.groupby(["model", "task"]).ngroups
    assert record.unfitted[["asked", "decided", "usable"]].sum().tolist() == [len(trials), decided, usable]
    assert np.isnan(told["rating_n"]) or told["rating_clear"] == 0
    (word,) = {one.split()[0] for one in record.unfitted["why"]} - ({"no"} if said == "weak" else set())
    assert word == ("no" if said.startswith("no") else "the")


def test_verdicts_are_undecided_with_reasons(weak):
    _, trials, inputs = weak
    found = inputs.result("replication_compared")
    one_model = trials["model"].nunique() == 1
    assert all(together(found.outcomes, rule) is None for rule in STUDY.rules)
    undecided = [len(those(found.outcomes, rule, None)) for rule in STUDY.rules]
    assert undecided == ([0, 0, 3, 3] if one_model else [3, 3, 6, 6])
    assert (found.pairs["why"] != "").all() and found.pairs["difference"].isna().all()


def test_nothing_is_sampled_and_the_record_says_so(weak):
    _, _, inputs = weak
    found = inputs.result("replication_posterior")
    assert found.cells.empty and "m_ratio" in found.cells
    assert found.pairs.empty and {"within", "pair", "decision"} <= set(found.pairs)


def test_pages_across_studies_name_the_model_without_a_result(weak):
    _, trials, inputs = weak
    assert inputs.result("run_tables").counts.empty
    found = inputs.result("headline")
    mine = found.values[~found.values["published"]]
    assert len(mine) == trials.groupby(["model", "task"]).ngroups
    assert mine["estimate"].isna().all() and (mine["why"] != "").all()
    table = compare({"study2_two_choice": found}, {}, {"study2_two_choice": "Study 2"})
    assert len(table["models"]) == len(found.values)
    assert set(table["studies"]["part"]) == {"task A", "task B", "task C"}
    (label, *_) = mine["model"]
    assert {row["why"] for row in by_part(found, label)} <= set(mine["why"])


def test_tables_without_rows_have_the_columns_of_those_with_rows():
    trials, lost = confidence_trials(n=40), confidence_trials(n=40).assign(parse_status="unclear")
    some, none = (inputs_of(one, risk_trials(n=40), load_profile("smoke")) for one in (trials, lost))
    both = [one.result("replication_ratings") for one in (some, none)]
    for name in ("cells", "unfitted", "signals", "accuracy"):
        full, empty = (getattr(one, name) for one in both)
        assert full.dtypes.to_dict() == empty.dtypes.to_dict(), name
    warned = risk_trials(n=40)
    both = (warned, warned.assign(parse_status="unclear"))
    full, empty = (inputs_of(trials, one, None).result("replication_risk").cells for one in both)
    assert full.dtypes.to_dict() == empty.dtypes.to_dict()


def test_one_cell_that_can_be_used_is_judged_as_it_was_beside_others_that_cannot():
    """Oracle: the same cell alone."""
    trials = confidence_trials({"gemma3-270m": (2.0, 1.5, 1.0)}, n=100)
    alone = trials[trials["task"] == "A"]
    lost = trials.assign(parse_status=trials["parse_status"].where(trials["task"] == "A", "unclear"))
    one, among = (ratings.fitted(ratings.rating_cells(part), 100, 1) for part in (alone, lost))
    pd.testing.assert_frame_equal(one, among)
    assert len(ratings.unfitted(lost, among)) == 2 and ratings.unfitted(alone, one).empty
