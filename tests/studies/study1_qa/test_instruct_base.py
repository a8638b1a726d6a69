"""Instruct against base. Oracles: published tables, planted differences."""

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.report.verdicts import Kind
from metacog.studies.named import with_labels
from metacog.studies.study1_qa.cells.counts import rate_trials
from metacog.studies.study1_qa.instruct_base.analysis import InstructBase
from metacog.studies.study1_qa.instruct_base.estimates import (
    NUMBERS,
    TITLES,
    compare_counts,
    compare_trials,
    describe,
    find_pairs,
)
from metacog.studies.study1_qa.instruct_base.shown import VIEWS, pair_sentence
from metacog.studies.view import View

PAGE = project_root() / "notebooks" / "study1-qa" / "study1-instruct-base.py"


def test_pairs_come_from_base_of():
    base_of = {"small": "small-instruct", "small-instruct": "", "other": "missing"}
    assert find_pairs(["small", "small-instruct", "other"], base_of) == [("small-instruct", "small")]
    assert find_pairs(["small"], base_of) == []


def test_instruct_and_base_from_counts(cells):
    result = compare_counts(cells, n_resamples=500)
    table = result.table.set_index("measure")
    assert table.loc["accuracy", "difference"] == pytest.approx(0.5434 - 0.4284)
    assert table.loc["z-ROC slope", "upper"] < 0 and not result.paired
    with pytest.raises(MetacogError, match="0 cells for nobody"):
        compare_counts(cells, "nobody")


@pytest.mark.parametrize(("dataset", "topic"), [("triviaqa", "TriviaQA"), ("nq", "Natural Questions")])
def test_what_is_published_is_told_under_its_question_set_and_called_so(cells, dataset, topic):
    pair = compare_counts(cells, dataset=dataset, n_resamples=50)
    record = InstructBase(
        pair.table.head(0), pair.table, pair.table, (describe(pair, Kind.PUBLISHED).under(dataset),)
    )
    page = View(with_labels(record, VIEWS.names), VIEWS)
    box = page.verdicts(topic=topic).source
    assert f"On {topic} Llama-3-8B-Instruct" in box and "**Published values and ours.**" in box
    assert f'verdicts(topic="{topic}")' in PAGE.read_text(encoding="utf-8")


def test_instruct_and_base_from_trials_pairs_questions(trials):
    twin = trials[trials["model"] == "alpha"].assign(model="twin")
    rated = rate_trials(pd.concat([trials, twin], ignore_index=True))
    same = compare_trials(rated, "alpha", "twin", n_resamples=50)
    assert same.paired and same.table[["difference", "lower", "upper"]].eq(0).all(axis=None)
    apart = compare_trials(rated, "alpha", "beta", n_resamples=400).table.set_index("measure")
    assert apart.loc["AUROC2", "lower"] > 0  # alpha's confidence is the less noisy one
    with pytest.raises(MetacogError, match="no trial of nobody at T = 1"):
        compare_trials(rated, "alpha", "nobody")


def test_a_pair_of_which_one_has_no_confidence_is_named_and_not_compared(trials):
    silent = trials["model"] == "beta"
    rated = rate_trials(trials.assign(nlp=trials["nlp"].mask(silent)))
    pair = compare_trials(rated, "alpha", "beta", n_resamples=50)
    assert pair.table[list(NUMBERS)].isna().all(axis=None) and len(pair.table) == len(TITLES)
    said = pair_sentence(describe(pair))
    assert said == "alpha and beta cannot be compared: at T = 1 no question has a confidence of both."
