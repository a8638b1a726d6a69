"""Own confidence against the run's other models'. Oracle: simulated models on the same questions."""

from simulated_trials import simulate_trials

from metacog.studies.study1_qa.shared_questions import COLUMNS, ONE_MODEL, examine

FEW = {"n_resamples": 60, "n_permutations": 40}


def test_one_model_has_nothing_to_compare_with():
    trials = simulate_trials(models={"alone": {"ability": 0.3, "noise": 0.5}}, n_questions=60)
    found = examine(trials, **FEW)
    assert found.at_one is None and found.at_lowest is None and found.why_not == ONE_MODEL
    assert found.models.empty and tuple(found.models.columns) == COLUMNS


def test_two_models_are_compared_at_both_temperatures():
    found = examine(simulate_trials(n_questions=200, temperatures=(0.1, 1.0)), **FEW)
    assert found.models["temperature"].tolist() == [0.1, 0.1, 1.0, 1.0] and found.why_not == ""
    assert set(found.models["model"]) == {"alpha", "beta"} and set(COLUMNS) <= set(found.models.columns)
    by_model = found.models[found.models["temperature"] == 1.0].set_index("model")["own"]
    assert by_model["alpha"] > by_model["beta"]  # less noise


def test_where_t_1_is_the_lowest_it_is_shown_once():
    found = examine(simulate_trials(n_questions=120, temperatures=(1.0, 2.0)), **FEW)
    assert found.at_one is not None and found.at_lowest is None and found.lowest == 1.0
    assert found.models["temperature"].unique().tolist() == [1.0]
