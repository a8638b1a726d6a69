"""Own confidence against the run's other models'. Oracle: simulated models on the same questions."""

from simulated_trials import simulate_trials

from metacog.studies.study1_qa.luck.others import ONE_MODEL, examine
from metacog.studies.study1_qa.luck.others_shown import VIEWS

FEW = {"n_resamples": 60, "n_permutations": 40}


def test_one_model_has_nothing_to_compare_with():
    trials = simulate_trials(models={"alone": {"ability": 0.3, "noise": 0.5}}, n_questions=60)
    found = examine(trials, **FEW)
    assert found.at_one is None and found.at_lowest is None
    assert VIEWS.sentences["answer"](found) == VIEWS.sentences["compared"](found) == ONE_MODEL
    table = VIEWS.tables["models"]
    assert "one model" in table.html(table.data(found))


def test_two_models_are_compared_and_no_answer_is_given():
    found = examine(simulate_trials(n_questions=200, temperatures=(0.1, 1.0)), **FEW)
    answer = VIEWS.sentences["answer"](found)
    assert "cannot be told" in answer and "at most 1 other here" in answer and "luck of the draw" in answer
    compared = VIEWS.sentences["compared"](found)
    assert compared.index("At T = 0.1") < compared.index("At T = 1:")
    table = VIEWS.tables["models"]
    shown = table.shown(table.data(found))
    assert shown["temperature"].tolist() == [0.1, 0.1, 1.0, 1.0] and set(shown["model"]) == {"alpha", "beta"}
    by_model = shown[shown["temperature"] == 1.0].set_index("model")["own"]
    assert by_model["alpha"] > by_model["beta"]  # less noise


def test_where_t_1_is_the_lowest_it_is_shown_once():
    found = examine(simulate_trials(n_questions=120, temperatures=(1.0, 2.0)), **FEW)
    assert found.at_one is not None and found.at_lowest is None and found.lowest == 1.0
