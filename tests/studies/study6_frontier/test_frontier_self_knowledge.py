"""Is it self-knowledge? Oracles: simulated models whose confidence reads ease alone, their own state alone, or both."""

from dataclasses import replace

import pytest
from answerers import simulated_models
from heads_checked import faults, numbers_of

from metacog.measures.model_items import ModelItems
from metacog.studies.study6_frontier import self_knowledge, self_knowledge_shown
from metacog.studies.study6_frontier.self_knowledge import examine
from metacog.verdicts.self_knowledge import at_most

NAN = float("nan")
N_MODELS = 10


def simulated(kind, n_items=900):
    trials = simulated_models(kind, n_items=n_items, seed=5)
    trials = trials[trials["model"].isin(trials["model"].unique()[::2][:N_MODELS])]
    return ModelItems.of(trials, item="item", family="family", stratum="stratum", answer="answer", key="key")


def examined(kind):
    return examine(simulated(kind), n_resamples=60, n_permutations=40, n_cuts=1)


@pytest.fixture(scope="module")
def results():
    return {kind: examined(kind) for kind in ("difficulty", "own state", "mixture")}


def outcome(result):
    return {v.name: v.passed for v in result.verdicts}


def test_the_verdict_follows_what_the_models_read(results):
    by_kind = {kind: outcome(one) for kind, one in results.items()}
    assert by_kind["difficulty"]["remains"] is not True and by_kind["difficulty"]["most"] is not True
    assert by_kind["own state"]["remains"] is True and by_kind["own state"]["most"] is True
    assert by_kind["mixture"]["remains"] is True and by_kind["mixture"]["most"] is not True
    assert by_kind["own state"]["privileged"] is True and by_kind["difficulty"]["privileged"] is not True
    assert by_kind["own state"]["single"] is True and by_kind["difficulty"]["single"] is not True


def test_the_head_follows_what_the_models_read(results):
    heads = {kind: self_knowledge_shown.VIEWS.sentences["answer"](one) for kind, one in results.items()}
    assert all(faults(head) == [] for head in heads.values())
    assert "know something" in heads["own state"] and "know something" not in heads["difficulty"]
    assert results["own state"].outcome == "own" and results["mixture"].outcome == "some"
    assert all(len(one.compared) == N_MODELS and one.n_ranked == N_MODELS for one in results.values())


def test_shares_are_ordered_as_they_were_made(results):
    shares = {kind: one.models["share"].median() for kind, one in results.items()}
    assert shares["difficulty"] < 0.15 < shares["mixture"] < 0.75 < shares["own state"]
    factors = {kind: one.factor_counts["first_share"].iloc[0] for kind, one in results.items()}
    assert factors["own state"] < factors["mixture"] < factors["difficulty"]


def test_what_would_be_called_self_knowing_is_read_from_the_simulation(results):
    made = results["mixture"]
    say = self_knowledge_shown.VIEWS.sentences["power"]
    nothing = made.worlds[made.worlds["self_share"] == 0]
    counted = [f"{nothing[name].sum()}" for name in ("called_self_knowing", "n_runs")]
    assert numbers_of(say(made))[:2] == counted
    wrong = replace(made, worlds=made.worlds.assign(called_self_knowing=made.worlds["n_runs"]))
    assert numbers_of(say(wrong))[2] == "100.0"
    assert at_most(0, 59) < 0.05 < at_most(0, 58) and at_most(4, 4) == 1.0


def test_the_privileged_verdict_asks_for_more_than_the_world_without(results):
    bounds = {kind: one.diagonal_without for kind, one in results.items()}
    assert set(bounds.values()) == {bounds["difficulty"]} and 0.02 < bounds["difficulty"] < 0.04
    for one in results.values():
        row = one.means.query("quantity == 'advantage'").iloc[0]
        passed = next(v.passed for v in one.verdicts if v.name == "privileged")
        assert (passed is True) == bool(row["lower"] > one.diagonal_without and row["p"] < 0.05)
        assert f"{one.diagonal_without:+.3f}" in self_knowledge_shown.VIEWS.sentences["diagonal"](one)


def test_shares_are_those_of_simulated_mixtures():
    table = self_knowledge.simulated()
    shares = table[table["kind"] == self_knowledge.MIXTURE]["share"]
    assert shares.is_monotonic_increasing
