"""Models and tasks of a run compared. Oracles: equal trials, the page's own cells, statsmodels' Holm."""

import numpy as np
import pandas as pd
import pytest
from simulated_two_choice import confidence_trials
from statsmodels.stats.multitest import multipletests

from metacog.studies.study2_two_choice import replication_compared as replication
from metacog.studies.study2_two_choice import replication_ratings
from metacog.verdicts.outcomes import of_rule, those, together
from metacog.verdicts.rules import ZERO

MODELS = {"smollm2-135m": (1.6, 1.6, 1.6), "gemma3-270m": (2.6, 1.6, 0.4)}
LABELS = {"smollm2-135m": "Small", "gemma3-270m": "Larger"}


def cells_of(trials, n_resamples=200):
    fitted = replication_ratings.fitted(replication_ratings.rating_cells(trials), 100, 1)
    return replication.measured(trials, n_resamples, 1), fitted


@pytest.fixture(scope="module")
def trials():
    return confidence_trials(MODELS, n=400, lost=0.02)


@pytest.fixture(scope="module")
def cells(trials):
    return cells_of(trials)


def test_values_are_those_of_the_page(cells):
    made, fitted = cells
    rows = fitted.set_index(["task", "model"])
    shown = {cell: one.values["m_ratio"] for cell, one in made.items() if "m_ratio" in one.values}
    assert len(shown) >= 4
    assert [*shown.values()] == pytest.approx([rows.at[cell, "m_ratio"] for cell in shown], abs=1e-6)


def test_models_are_paired_on_the_same_sentences_and_tasks_are_not(trials):
    twin = trials[trials["model"] == "smollm2-135m"]
    both = pd.concat([twin, twin.assign(model="gemma3-270m")], ignore_index=True)
    pairs = replication.compared(cells_of(both)[0], LABELS)
    models = pairs[(pairs["kind"] == "models") & (pairs["quantity"] != "m_ratio")]
    assert (models["difference"] == 0).all() and (models[["lower", "upper"]].abs() < 1e-9).all(axis=None)
    made, _ = cells_of(both)
    draws = {task: made[task, "smollm2-135m"].draws["accuracy"] for task in "ABC"}
    # 4 errors of as many independent resamples; of paired ones it is near 1
    assert abs(np.corrcoef(draws["A"], draws["B"])[0, 1]) < 4 / np.sqrt(200)


def test_p_is_adjusted_over_all_pairs_of_a_kind_and_intervals_exclude_0_where_it_is_small(cells):
    pairs = replication.compared(cells[0], LABELS)
    for _, family in pairs.groupby(["kind", "quantity"], sort=False):
        known = family[family["p"].notna()]
        if len(known):
            assert known["p_holm"].to_numpy() == pytest.approx(multipletests(known["p"], method="holm")[1])
        clear = known[(known["lower"] > 0) | (known["upper"] < 0)]
        assert clear["differs"].all()
    first = pairs[(pairs["kind"] == "models") & (pairs["quantity"] == "auroc2")].set_index("within")
    assert list(first.index) == ["task A", "task B", "task C"]
    # the first model of the run comes first
    assert first["difference"]["task A"] < 0 < first["difference"]["task C"]
    tasks = pairs[(pairs["kind"] == "tasks") & (pairs["quantity"] == "auroc2")]
    assert len(tasks) == 6 and set(tasks["within"]) == set(LABELS.values())


def test_below_the_floors_confidence_is_not_compared(trials):
    flat = trials.assign(rating=trials["rating"].where(trials["task"] != "A", 3.0))
    made, _ = cells_of(flat)
    one = made["A", "smollm2-135m"]
    assert "accuracy" in one.values and not set(one.values) & set(replication.QUANTITIES)
    assert "constant" in one.why["auroc2"] and "same rating" in one.why["m_ratio"]
    few = trials[trials["question_id"].str[-4:].astype(int) < 20]
    made, _ = cells_of(few)
    assert all(set(replication.QUANTITIES) == set(cell.why) for cell in made.values())
    pairs = replication.compared(made, LABELS)
    assert pairs["difference"].isna().all() and (pairs["why"] != "").all()
    told = replication.judge(pairs)
    assert set(told["rule"]) == set(replication.RULES)
    for rule in replication.RULES:
        assert together(told, rule) is None
        assert those(told, rule, None) == list(of_rule(told, rule)["unit"]) != []


def test_verdicts_are_drawn_on_the_pairs_that_can_be_judged(cells):
    pairs = replication.compared(cells[0], LABELS)
    told = replication.judge(pairs)
    assert list(told["rule"].unique()) == ["models_m_ratio", "models_auroc2", "tasks_m_ratio", "tasks_auroc2"]
    for rule in replication.RULES:
        kind, _, quantity = rule.partition("_")
        rows = pairs[(pairs["kind"] == kind) & (pairs["quantity"] == quantity)]
        units = of_rule(told, rule)
        assert units["holds"].isna().sum() == (~rows["differs"].astype(bool)).sum(), "none is refuted"
        assert (units["why"] == ZERO).sum() == units["holds"].isna().sum() - rows["p_holm"].isna().sum()
        assert (together(told, rule) is True) == bool(rows["differs"].any())
    alone = {cell: one for cell, one in cells[0].items() if cell[1] == "gemma3-270m"}
    of_one = replication.compared(alone, LABELS)
    assert together(replication.judge(of_one), "models_m_ratio") is None
    assert of_rule(replication.judge(of_one), "models_m_ratio").empty
    assert of_one["kind"].value_counts().to_dict() == {"tasks": 3 * len(replication.QUANTITIES)}
