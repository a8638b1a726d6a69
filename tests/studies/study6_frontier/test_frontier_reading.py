"""What is in the rows. Oracle: rows from which it is known what was taken."""

import pytest
from simulated_frontier import MODELS, frontier_trials

from metacog.studies.study6_frontier.ledger.rows import Rows, load
from metacog.studies.study6_frontier.reading import read
from metacog.studies.study6_frontier.reading_shown import VIEWS


def reading_of(trials):
    return read(Rows(trials, len(trials), 0, ""))


def test_the_atlas_is_read_as_it_is():
    made = read(load())
    assert (made.n_partial, made.n_shared, made.n_no_answer, made.n_imputed) == (12, 129, 13, 980)
    assert made.share_at_100 * (47_151 - 980) == pytest.approx(15_892, abs=200)
    partial = made.runs[made.runs["missing"] > 0]
    assert len(partial) == 12 and partial["missing"].max() == 902 and partial["stretches"].max() < 10


def test_a_run_that_lacks_the_hard_items_is_named():
    trials = frontier_trials()
    ease = trials.groupby("question_id")["correct"].mean().sort_values()
    lost = (trials["model"] == "GPT-5.4") & trials["question_id"].isin(ease.index[:60])
    made = reading_of(trials[~lost])
    row = made.runs.set_index("model").loc["GPT-5.4"]
    assert row["missing"] == 60 and row["p_holm"] < 1e-6 and row["lacking"] < row["there"]


def test_a_run_that_broke_off_is_one_stretch_and_like_the_rest():
    trials = frontier_trials()
    lost = (trials["model"] == "GPT-5.4") & (trials["question_id"] >= "0200")
    made = reading_of(trials[~lost])
    row = made.runs.set_index("model").loc["GPT-5.4"]
    assert row["missing"] == 100 and row["stretches"] == 1 and row["p_holm"] > 0.05
    assert made.n_partial == 1 and made.n_shared == 200


def test_whole_runs_are_called_whole():
    made = reading_of(frontier_trials())
    assert made.n_partial == 0 and made.n_shared == 300
    assert VIEWS.sentences["footnote"](made) == "" and len(made.runs) == len(MODELS)
