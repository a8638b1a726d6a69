"""Own confidence against the run's other models'. Oracle: simulated models on the same questions."""

from simulated_trials import simulate_trials

from metacog.studies.study1_qa.shared_questions import COLUMNS, ONE_MODEL, examine

FEW = {"n_resamples": 60, "n_permutations": 40}


def test_one_model_has_nothing_to_compare_with():
    trials = simulate_trials(models={"alone": {"ability": 0.3, "noise": 0.5}}, n_questions=60)
    models, why_not = examine(trials, **FEW)
    assert models.empty and tuple(models.columns) == COLUMNS and why_not == ONE_MODEL


def test_two_models_are_compared_at_both_temperatures():
    models, why_not = examine(simulate_trials(n_questions=200, temperatures=(0.1, 1.0)), **FEW)
    assert models["temperature"].tolist() == [0.1, 0.1, 1.0, 1.0] and why_not == ""
    assert set(models["model"]) == {"alpha", "beta"} and set(COLUMNS) <= set(models.columns)
    by_model = models[models["temperature"] == 1.0].set_index("model")["own"]
    assert by_model["alpha"] > by_model["beta"]  # less noise


def test_where_t_1_is_the_lowest_it_is_shown_once():
    models, _ = examine(simulate_trials(n_questions=120, temperatures=(1.0, 2.0)), **FEW)
    assert models["temperature"].tolist() == [1.0, 1.0]
