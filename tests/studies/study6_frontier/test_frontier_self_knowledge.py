"""Is it self-knowledge? Oracles: simulated models whose confidence reads ease alone, their own state alone, or both."""

import pytest
from answerers import simulated_models

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


def test_numbers_of_what_is_left_leave_out_uncounted_models(results):
    made = results["mixture"]
    table = made.compared.assign(outcome=BETTER, blend=0.02, blend_lower=0.01, blend_upper=0.03)
    table.loc[1:, ["outcome", "blend_lower"]] = UNDECIDED, -0.01
    told = VIEWS.numbers(Result({**made, "compared": table}))
    assert (told["bits_left"], told["n_left"], told["by_chance"]) == (0.02, 1, N_MODELS / 40)
    assert told["placebo"] == pytest.approx(table["placebo"].median())
    assert told["pass_knowing"] == told["seen"] / told["known"]
    first = table.assign(uncounted=[True] + [False] * (N_MODELS - 1))
    told = VIEWS.numbers(Result({**made, "compared": first}))
    assert (told["n_left"], told["by_chance"]) == (0, (N_MODELS - 1) / 40)


def test_shares_are_ordered_as_they_were_made(results):
    shares = {kind: one.models["share"].median() for kind, one in results.items()}
    assert shares["difficulty"] < 0.15 < shares["mixture"] < 0.75 < shares["own state"]
    factors = {kind: confidence_factors(simulated(kind), n_permutations=2).first_share for kind in results}
    assert factors["own state"] < factors["mixture"] < factors["difficulty"]


def test_what_would_be_called_self_knowing_is_read_from_the_simulation(results):
    made = results["mixture"]
    by_world = (
        made.worlds[made.worlds["self_share"] == 0].groupby("world")[["called_self_knowing", "n_runs"]].sum()
    )
    worst = by_world.loc[(by_world["called_self_knowing"] / by_world["n_runs"]).idxmax()]
    told = VIEWS.numbers(made)
    assert (told["worst_called"], told["worst_runs"]) == tuple(worst)
    one = made.worlds["world"].eq("wrong keys")
    wrong = made.worlds.assign(called_self_knowing=made.worlds["n_runs"].where(one, 0))
    told = VIEWS.numbers(Result({**made, "worlds": wrong}))
    n, of_all = by_world["n_runs"]["wrong keys"], by_world["n_runs"].sum()
    assert (told["worst_world"], told["worst_called"], told["worst_runs"]) == ("wrong keys", n, n)
    assert (told["rest_called"], told["rest_runs"]) == (0, of_all - n)


def test_the_privileged_verdict_asks_for_more_than_the_world_without(results):
    bounds = {kind: one.diagonal_without for kind, one in results.items()}
    assert set(bounds.values()) == {bounds["difficulty"]} and 0.02 < bounds["difficulty"] < 0.04
    for one in results.values():
        row = one.means.query("quantity == 'advantage'").iloc[0]
        passed = outcome(one)["privileged"]
        assert (passed is True) == bool(row["lower"] > one.diagonal_without and row["p"] < 0.05)
        assert VIEWS.numbers(one)["diagonal_lower"] == row["lower"]
