"""The ranking. Oracles: observers whose order is known, and equal ones."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults, numbers_of
from simulated_frontier import frontier_trials

from metacog.studies.study6_frontier import ranking, ranking_shown
from metacog.studies.study6_frontier.ledger.rows import load
from metacog.studies.study6_frontier.ranking import PUT_IN, STATED, WHOLE, rank

FEW = {"n_resamples": 300, "n_permutations": 50}


@pytest.fixture(scope="module")
def atlas_cells():
    return ranking.domain_cells(load().stated)


def test_no_interval_rests_on_fewer_than_ten_errors(atlas_cells):
    few = atlas_cells[atlas_cells["n_wrong"] < 10]
    assert len(atlas_cells) == 198 and len(few) == 27
    assert few["lower"].isna().all() and few["why"].ne("").all()
    rest = atlas_cells[atlas_cells["n_wrong"] >= 10]
    assert (rest["lower"] < rest["auroc2"]).all() and (rest["auroc2"] < rest["upper"]).all()


def test_coverage_is_that_of_the_cells_that_have_an_interval(atlas_cells):
    table = ranking.simulated_cells()
    tied = table[table["confidence"] == ranking.TIED]
    mine = tied[tied["part"] == "domain"].set_index(["population", "name"])[["n", "n_wrong"]]
    shown_cells = atlas_cells[atlas_cells["lower"].notna()].set_index(["model", "domain"])[["n", "n_wrong"]]
    assert len(mine) >= 170 and set(shown_cells.index) <= set(mine.index)
    assert (mine.loc[shown_cells.index].to_numpy() == shown_cells.to_numpy()).all()
    assert (tied["part"] == "all items").sum() == 33 and (table["n_simulations"] >= 1000).all()
    assert (table["sound"] == table["coverage"].between(0.93, 0.97)).all() and table["wrong"].nunique() == 5


def test_models_that_know_and_models_that_do_not_are_told_apart():
    knows = frontier_trials(own=1.0, models=("Opus 4.6", "Sonnet 4", "GPT-5.4"))
    blind = frontier_trials(own=0.0, shared=0.0, models=("Qwen Think", "Gemini 3 Flash"), seed=8)
    made = rank(pd.concat([knows, blind], ignore_index=True), **FEW)
    sets = made.models.set_index("model")
    assert (sets.loc[["Opus 4.6", "Sonnet 4", "GPT-5.4"], "set_upper"] <= 3).all()
    assert (sets.loc[["Qwen Think", "Gemini 3 Flash"], "set_lower"] >= 4).all()
    (verdict,) = made.verdicts
    assert verdict.passed is True and verdict.values["apart"] == 6 and verdict.values["pairs"] == 10
    assert numbers_of(ranking_shown.VIEWS.sentence(verdict)) == ["6", "10"]


def test_equal_models_may_all_be_first():
    made = rank(frontier_trials(), **FEW)
    assert (made.models["set_lower"] == 1).all() and made.verdicts[0].passed is False
    counted = made.counted.set_index(["quantity", "rows"])
    assert counted.loc[("auroc2", STATED), "may_lead"] == 8 and counted.loc[("auroc2", WHOLE), "models"] == 8


def test_confidences_that_were_put_in_are_taken_out():
    trials = frontier_trials()
    own = (trials["model"] == "GPT-5.4") & (trials["question_id"] < "0200")
    trials.loc[own, ["score", "confidence", "stated"]] = [50.0, 0.5, False]
    made = rank(trials, **FEW)
    areas = made.unlike.set_index("rows")["auroc2"]
    assert made.unlike["model"].unique().tolist() == ["GPT-5.4"] and areas[STATED] > areas[PUT_IN] + 0.1
    told = numbers_of(ranking_shown.VIEWS.sentences["put_in"](made))
    assert told == [f"{areas[one]:.2f}" for one in (PUT_IN, STATED)]
    whole = rank(trials[trials["stated"]], **FEW)
    pd.testing.assert_frame_equal(made.models, whole.models)
    last = made.board.iloc[-1]
    assert last["model"] == "GPT-5.4" and last["uncounted"] and np.isnan(last["rank"])
    assert (
        made.n_ranked
        == len(made.board) - 1
        == made.board["rank"].max()
        == made.board_counted["models"].iloc[0]
    )
    assert whole.n_ranked == len(whole.board) and not whole.board["uncounted"].any()
    pd.testing.assert_frame_equal(made.cells, whole.cells)
    assert made.screen.equals(whole.screen) and whole.unlike.empty


@pytest.mark.parametrize(
    ("apart", "may_lead", "said"),
    [
        (0, 9, "None of 9 large models"),
        (5, 1, "one is certainly the best"),
        (5, 3, "3 of 9 large models may each"),
    ],
)
def test_the_head_says_how_far_the_order_goes(apart, may_lead, said):
    row = {"models": 9, "apart": apart, "may_lead": may_lead, "leader": "one", "pairs": 36}
    head = ranking_shown.answer(SimpleNamespace(board_counted=pd.DataFrame([row])))
    assert said in head and faults(head) == []


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
    made = rank(trials, **FEW)
    row = made.models.set_index("model").loc["Sonnet 4"]
    assert np.isnan(row["auroc2"]) and "all 300" in row["flag"]
    assert [name for name, _ in made.verdicts[0].undecided] == ["Sonnet 4"]
