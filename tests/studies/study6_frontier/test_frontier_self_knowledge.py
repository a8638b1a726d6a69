"""Is it self-knowledge? Oracles: simulated models whose confidence reads ease alone, their own state alone, or both."""

import pytest
from answerers import simulated_models
from heads_checked import faults, numbers_of

from metacog.measures.confidence_factors import confidence_factors
from metacog.measures.model_items import ModelItems
from metacog.studies.study import Result
from metacog.studies.study6_frontier.self_knowledge import VIEWS, self_knowledge
from metacog.verdicts.outcomes import together
from metacog.verdicts.self_knowledge import BETTER, UNDECIDED

NAN = float("nan")
N_MODELS = 16


def simulated(kind, n_items=600):
    trials = simulated_models(kind, n_items=n_items, seed=5)
    trials = trials[trials["model"].isin(trials["model"].unique()[::2][:N_MODELS])]
    return ModelItems.of(trials, item="item", family="family", stratum="stratum", answer="answer", key="key")


def examined(kind):
    return self_knowledge(None, items=simulated(kind), n_resamples=60, n_permutations=40, n_cuts=1)


@pytest.fixture(scope="module")
def results():
    return {kind: examined(kind) for kind in ("difficulty", "own state", "mixture")}


def outcome(result):
    return {name: together(result.outcomes, name) for name in result.outcomes["rule"].unique()}


def test_the_verdict_follows_what_the_models_read(results):
    by_kind = {kind: outcome(one) for kind, one in results.items()}
    assert by_kind["difficulty"]["most"] is not True and by_kind["own state"]["most"] is True
    assert by_kind["mixture"]["most"] is not True
    assert by_kind["own state"]["privileged"] is True and by_kind["difficulty"]["privileged"] is not True
    assert by_kind["own state"]["single"] is True and by_kind["difficulty"]["single"] is not True


def test_own_confidence_beats_a_placebo_where_it_reads_the_own_state(results):
    ahead = {kind: one.n_ahead for kind, one in results.items()}
    assert ahead["difficulty"] < N_MODELS / 4 and min(ahead["own state"], ahead["mixture"]) > N_MODELS / 2


def test_what_others_say_of_the_same_answer_leaves_nothing_even_of_the_own_state(results):
    """Who gave this answer all but tells whether it is right, so that most models stay open, whatever they read."""
    for one in results.values():
        assert outcome(one)["remains"] is not True and one.n_better <= 1
        assert one.models["blend"].mean() < 0.1 * max(one.models["added"].mean(), 0.05)


def test_the_head_follows_what_the_models_read(results):
    says = VIEWS.sentences
    for one in results.values():
        heads = says["answer"](one), says["ahead"](one)
        assert all(faults(head) == [] for head in heads)
        assert f"{one.n_better or 'none'} of {N_MODELS}" in heads[0]
        assert f"another model's in {one.n_ahead or 'none'}, " in heads[1]
        assert len(one.compared) == N_MODELS and one.n_ranked == N_MODELS


def test_what_is_left_is_said_with_the_models_that_have_it(results):
    made, say = results["mixture"], VIEWS.sentences["left"]
    assert "for no model" in say(made) if made.n_better == 0 else "for no model" not in say(made)
    table = made.compared.assign(outcome=BETTER, blend=0.02, blend_lower=0.01, blend_upper=0.03)
    table.loc[1:, ["outcome", "blend_lower"]] = UNDECIDED, -0.01
    told = say(Result({**made, "compared": table}))
    assert (
        f"{table['model'].iloc[0]} (0.0200 bits, 0.0100 to 0.0300)" in told
        and table["model"].iloc[1] not in told
    )
    assert f"over {N_MODELS} models" in told and "intervals 1 lies above 0" in told
    none = say(Result({**made, "compared": table.assign(uncounted=[True] + [False] * (N_MODELS - 1))}))
    assert "for no model" in none and f"over {N_MODELS - 1} models" in none and "intervals none lie" in none


def test_shares_are_ordered_as_they_were_made(results):
    shares = {kind: one.models["share"].median() for kind, one in results.items()}
    assert shares["difficulty"] < 0.15 < shares["mixture"] < 0.75 < shares["own state"]
    factors = {kind: confidence_factors(simulated(kind), n_permutations=2).first_share for kind in results}
    assert factors["own state"] < factors["mixture"] < factors["difficulty"]


def test_what_would_be_called_self_knowing_is_read_from_the_simulation(results):
    made = results["mixture"]
    say = VIEWS.sentences["power"]
    by_world = (
        made.worlds[made.worlds["self_share"] == 0].groupby("world")[["called_self_knowing", "n_runs"]].sum()
    )
    worst = by_world.loc[(by_world["called_self_knowing"] / by_world["n_runs"]).idxmax()]
    assert numbers_of(say(made))[:2] == [str(worst["called_self_knowing"]), str(worst["n_runs"])]
    one = made.worlds["world"].eq("wrong keys")
    wrong = made.worlds.assign(called_self_knowing=made.worlds["n_runs"].where(one, 0))
    told = say(Result({**made, "worlds": wrong}))
    n, of_all = by_world["n_runs"]["wrong keys"], by_world["n_runs"].sum()
    assert (
        f"{n} of {n} are called" in told
        and "(wrong keys)" in told
        and f"0 of {of_all - n} in the others" in told
    )


def test_the_privileged_verdict_asks_for_more_than_the_world_without(results):
    bounds = {kind: one.diagonal_without for kind, one in results.items()}
    assert set(bounds.values()) == {bounds["difficulty"]} and 0.02 < bounds["difficulty"] < 0.04
    for one in results.values():
        row = one.means.query("quantity == 'advantage'").iloc[0]
        passed = outcome(one)["privileged"]
        assert (passed is True) == bool(row["lower"] > one.diagonal_without and row["p"] < 0.05)
        assert f"{one.diagonal_without:+.3f}" in VIEWS.sentences["diagonal"](one)
