"""Is it self-knowledge? Oracles: simulated models whose confidence reads ease alone, their own state alone, or both."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import WITHOUT
from metacog.sdt.many_answerers import simulated_models
from metacog.studies.study6_frontier.self_knowledge import proof, shown
from metacog.studies.study6_frontier.self_knowledge.analysis import examine

NAN = float("nan")
N_MODELS = 14


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


def test_the_sentence_follows_the_verdict(results):
    answers = {kind: one.answer for kind, one in results.items()}
    assert answers["own state"] == "own" and answers["mixture"] == "some"
    assert answers["difficulty"] in ("at most", "difficulty", "open")
    heads = [shown.VIEWS.sentences["headline"](one) for one in results.values()]
    assert len({head.split(".")[0] for head in heads}) == 3
    for one in results.values():
        assert shown.ANSWERS[one.answer] in shown.VIEWS.sentences["front"](one)


def test_shares_are_ordered_as_they_were_made(results):
    shares = {kind: one.models["share"].median() for kind, one in results.items()}
    assert shares["difficulty"] < 0.15 < shares["mixture"] < 0.75 < shares["own state"]
    factors = {kind: one.factor_counts["first_share"].iloc[0] for kind, one in results.items()}
    assert factors["own state"] < factors["mixture"] < factors["difficulty"]


def test_the_sentence_on_factors_speaks_of_both_ways(results):
    say = shown.VIEWS.sentences["several_factors"]
    made = results["mixture"]
    one = made.factor_counts.iloc[0]
    assert f"{one.first_share:.0%} of the variance" in say(made) and "suspected" not in say(made)
    both = pd.concat([made.factor_counts, made.factor_counts.assign(rows=WITHOUT, n_factors=9)])
    assert "9 factors exceed chance" in say(replace(made, factor_counts=both))


def test_every_model_has_a_row_and_every_figure_can_be_drawn(results):
    for one in results.values():
        assert len(one.models) == N_MODELS and len(one.matrix) == N_MODELS**2
    for figure in shown.VIEWS.figures.values():
        assert figure(results["mixture"]).figure is not None
    page = shown.VIEWS.figures["signals"](results["mixture"]).markup()
    assert page.startswith('<figure><img alt="Own confidence') and "</p></figcaption></figure>" in page


def test_what_would_be_called_self_knowing_is_read_from_the_simulation(results):
    made = results["mixture"]
    say = shown.VIEWS.sentences["power"]
    nothing = made.worlds[made.worlds["self_share"] == 0]
    for world, own in nothing.groupby("world"):
        assert f"{own['called_self_knowing'].sum()} of {own['n_runs'].sum()} ({world})" in say(made)
    n = made.worlds["n_runs"]
    wrong = replace(made, worlds=made.worlds.assign(called_self_knowing=n))
    assert f"{n.iloc[:2].sum()} of {n.iloc[:2].sum()} ({made.worlds['world'].iloc[0]})" in say(wrong)
    assert "at most 100.0% over these worlds, and 100.0% where there are two difficulties" in say(wrong)
    assert proof.at_most(0, 59) < 0.05 < proof.at_most(0, 58) and proof.at_most(4, 4) == 1.0


def test_the_privileged_verdict_asks_for_more_than_the_world_without(results):
    bounds = {kind: one.diagonal_without for kind, one in results.items()}
    assert set(bounds.values()) == {bounds["difficulty"]} and 0.02 < bounds["difficulty"] < 0.04
    for one in results.values():
        row = one.means.query("quantity == 'advantage'").iloc[0]
        passed = next(v.passed for v in one.verdicts if v.name == "privileged")
        assert (passed is True) == bool(row["lower"] > one.diagonal_without and row["p"] < 0.05)
        assert f"{one.diagonal_without:+.3f}" in shown.VIEWS.sentences["diagonal"](one)


def test_shares_are_those_of_simulated_mixtures():
    table = proof.simulated()
    shares = table[table["kind"] == proof.MIXTURE]["share"]
    assert shares.is_monotonic_increasing
    assert 0.2 < proof.like(table, 0.2) < 0.35 and np.isnan(proof.like(table, 0.9))
