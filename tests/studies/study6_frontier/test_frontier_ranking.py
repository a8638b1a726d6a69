"""The ranking. Oracles: observers whose order is known, and equal ones."""

import numpy as np
import pandas as pd
import pytest
from heads_checked import numbers_of
from simulated_frontier import frontier_trials

from metacog.studies.study6_frontier import ranking
from metacog.studies.study6_frontier.ledger.rows import load
from metacog.studies.study6_frontier.ranking import PUT_IN, STATED, VIEWS
from metacog.verdicts.outcomes import those, together

FEW = {"n_resamples": 300, "n_permutations": 50}


def rank(trials):
    return ranking.ranking(None, trials=trials, **FEW)


@pytest.fixture(scope="module")
def answers():
    """Answers and wrong ones of each model in each domain."""
    right = load().stated.groupby(["model", "domain"], sort=False)["correct"]
    return pd.DataFrame({"n": right.size(), "n_wrong": right.size() - right.sum()})


def test_no_interval_rests_on_fewer_than_ten_errors(answers):
    cells = ranking.domain_cells(load().stated)
    few = answers["n_wrong"] < 10
    assert len(cells) == len(answers) == 198 and few.sum() == 27
    assert cells["model"].tolist() == list(answers.index.get_level_values("model"))
    assert cells["why"].tolist() == [f"{n} wrong answers" if n < 10 else "" for n in answers["n_wrong"]]


def test_coverage_is_that_of_the_cells_that_have_an_interval(answers):
    table = ranking.simulated_cells()
    tied = table[table["confidence"] == ranking.TIED]
    mine = tied[tied["part"] == "domain"].set_index(["population", "name"])[["n", "n_wrong"]]
    shown_cells = answers[answers["n_wrong"] >= 10]
    assert len(mine) >= 170 and set(shown_cells.index) <= set(mine.index)
    assert (mine.loc[shown_cells.index].to_numpy() == shown_cells.to_numpy()).all()
    assert (tied["part"] == "all items").sum() == 33 and (table["n_simulations"] >= 1000).all()
    assert (table["sound"] == table["coverage"].between(0.93, 0.97)).all()


def test_models_that_know_and_models_that_do_not_are_told_apart():
    knows = frontier_trials(own=1.0, models=("Opus 4.6", "Sonnet 4", "GPT-5.4"))
    blind = frontier_trials(own=0.0, shared=0.0, models=("Qwen Think", "Gemini 3 Flash"), seed=8)
    made = rank(pd.concat([knows, blind], ignore_index=True))
    sets = made.board.set_index("model")
    assert (sets.loc[["Opus 4.6", "Sonnet 4", "GPT-5.4"], "rank_upper"] <= 3).all()
    assert (sets.loc[["Qwen Think", "Gemini 3 Flash"], "rank_lower"] >= 4).all()
    assert together(made.outcomes, "order") is True
    assert made.board_counted.loc[0, ["apart", "pairs"]].tolist() == [6, 10]
    assert numbers_of(VIEWS.outcome("order", made)) == ["6", "10"]


def test_equal_models_may_all_be_first():
    made = rank(frontier_trials())
    assert (made.board["rank_lower"] == 1).all() and together(made.outcomes, "order") is False
    assert made.board_counted.loc[0, ["may_lead", "models"]].tolist() == [8, 8]


def test_confidences_that_were_put_in_are_taken_out():
    trials = frontier_trials()
    own = (trials["model"] == "GPT-5.4") & (trials["question_id"] < "0200")
    trials.loc[own, ["score", "confidence", "stated"]] = [50.0, 0.5, False]
    made = rank(trials)
    areas = made.unlike.set_index("rows")["auroc2"]
    assert made.unlike["model"].unique().tolist() == ["GPT-5.4"] and areas[STATED] > areas[PUT_IN] + 0.1
    told = VIEWS.numbers(made)
    assert (told["with_pairs"], told["without_pairs"]) == (100 * areas[PUT_IN], 100 * areas[STATED])
    whole = rank(trials[trials["stated"]])
    areas = ["model", "n", "n_wrong", "auroc2", "auroc2_lower", "auroc2_upper", "flag"]
    pd.testing.assert_frame_equal(
        *(one.board[areas].sort_values("model", ignore_index=True) for one in (made, whole))
    )
    last = made.board.iloc[-1]
    assert last["model"] == "GPT-5.4" and last["uncounted"] and np.isnan(last["rank"])
    assert len(made.board) - 1 == made.board["rank"].max() == made.board_counted["models"].iloc[0]
    assert len(whole.board) == whole.board_counted["models"].iloc[0] and not whole.board["uncounted"].any()
    pd.testing.assert_frame_equal(made.cells, whole.cells)
    assert whole.unlike.empty


def test_draws_of_two_models_are_of_the_same_items():
    trials = frontier_trials(models=("Opus 4.6", "Sonnet 4"))
    twin = trials[trials["model"] == "Opus 4.6"].assign(model="GPT-5.4", family="OpenAI")
    made = ranking.measured(pd.concat([trials, twin]), seed=1, **FEW)
    assert np.array_equal(made["Opus 4.6"].draws["auroc2"], made["GPT-5.4"].draws["auroc2"])
    partial = twin[twin["question_id"] < "0250"]
    part = ranking.measured(pd.concat([trials, partial]), seed=1, **FEW)
    r = np.corrcoef(part["Opus 4.6"].draws["auroc2"], part["GPT-5.4"].draws["auroc2"])[0, 1]
    assert r > 0.7


def test_a_model_without_errors_is_left_out_and_named():
    trials = frontier_trials(models=("Opus 4.6", "Sonnet 4", "GPT-5.4"))
    trials.loc[trials["model"] == "Sonnet 4", "correct"] = True
    made = rank(trials)
    row = made.board.set_index("model").loc["Sonnet 4"]
    assert np.isnan(row["auroc2"]) and "all 300" in row["flag"]
    assert those(made.outcomes, "order", None) == ["Sonnet 4"]
