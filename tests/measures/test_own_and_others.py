"""Own confidence against the others' in one call. Oracles: simulated models, and counts made by hand."""

import numpy as np
import pandas as pd
import pytest
from answerers import simulated_models
from crowd_observers import arranged, observers, with_gaps

from metacog.measures import own_and_others as measured
from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import (
    LEAST_ITEMS,
    WITH,
    WITHOUT,
    own_and_others,
    sharing,
    simulated_like,
)
from metacog.sdt import InputError

FEW = {"n_resamples": 60, "n_permutations": 40}


def answers(n_models, n_items, **gaps):
    """Right and wrong by turns; ``gaps`` are the items that a model lacks."""
    rng = np.random.default_rng(1)
    right = rng.integers(0, 2, (n_models, n_items)).astype(float)
    missing = np.zeros(right.shape, dtype=bool)
    for name, where in gaps.items():
        missing[int(name[1:]), where] = True
    return with_gaps(arranged(right, rng.normal(size=right.shape)), missing)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (answers(1, 200), "one model is too few: at least 3"),
        (answers(2, 200), "2 models are too few: at least 3"),
        (
            answers(3, 300, **{f"m{i}": [j for j in range(300) if j % 3 != i] for i in range(3)}),
            "no 3 of the 3 models share 100 items .* no item was answered by three",
        ),
        (answers(4, 99, m2=slice(50, 99)), r"most are shared by m0, m1 and m3 \(99\)"),
    ],
)
def test_too_few_models_or_items_are_named(made, words):
    with pytest.raises(InputError, match=words):
        sharing(made)


def test_three_that_share_enough_are_found_among_others():
    """m0 answered most items, and shares none with three others that share a hundred."""
    made = answers(
        5, 400, m0=slice(300, 400), m1=slice(0, 300), m2=slice(0, 300), m3=slice(0, 300), m4=slice(30, 400)
    )
    found = sharing(made)
    assert found.models == ("m1", "m2", "m3") and len(found.items) == LEAST_ITEMS
    assert found.answered.all()


def test_a_partial_run_takes_part_with_enough_answers():
    found = sharing(answers(5, 250, m3=slice(150, 250), m4=slice(99, 250)))
    assert found.models == ("m0", "m1", "m2", "m3") and len(found.items) == 250


def test_all_models_are_used_and_no_more_items_than_can_be_judged(monkeypatch):
    made = answers(4, 300, m1=slice(0, 100))
    assert sharing(made).models == made.models and sharing(made).items == made.items
    monkeypatch.setattr(measured, "MOST_COMPARED", 4**2 * 200)
    found = sharing(made)
    assert found.models == made.models and len(found.items) == 200
    assert found.items == sharing(made).items and found.items != sharing(made, seed=1).items


def test_two_models_have_no_matrix():
    found = own_and_others(observers(n_models=2, n_families=2, n_items=200), **FEW)
    assert found.means.empty and found.n_models == 2
    assert found.models["own_less_single_median"].notna().all()


def test_one_confidence_throughout_is_flagged_and_the_others_are_judged():
    made = observers(n_models=4, n_families=4, n_items=300)
    sure = made.confidence.copy()
    sure[1] = 5.0
    found = own_and_others(arranged(made.right, sure), cuts=measured.CUTS[:1], **FEW)
    rows = found.models.set_index("model")
    assert rows.loc["m1", ["flag", "why"]].str.startswith("one confidence").all()
    assert np.isnan(rows.loc["m1", "corrected"]) and rows.drop("m1")["own"].notna().all()
    flat = arranged(made.right, np.full_like(sure, 5.0))
    with pytest.raises(InputError, match="whose confidence varies"):
        own_and_others(flat, **FEW)


def with_wrong_keys():
    trials = simulated_models("wrong keys", n_items=600, seed=5)
    trials = trials[trials["model"].isin(trials["model"].unique()[::2][:14])]
    return ModelItems.of(trials, item="item", family="family", stratum="stratum", answer="answer", key="key")


def test_suspected_keys_are_left_out():
    items = with_wrong_keys()
    fewer = measured.unsuspected(items)
    odd = simulated_models("wrong keys", n_items=600, seed=5).query("odd")["item"]
    lost = {items.items[i] for i in np.flatnonzero(np.isnan(fewer.right).any(axis=0))}
    assert 3 <= len(lost) == measured.n_lost(items, fewer) and lost <= set(odd)
    assert [name for name, _ in measured.ways(items)] == [WITH, WITHOUT]
    alone = ModelItems.of(simulated_models("difficulty", n_items=50), item="item", family="family")
    assert measured.unsuspected(alone) is alone and len(list(measured.ways(alone))) == 1


def test_simulated_models_of_about_the_size_are_found():
    graded = pd.DataFrame({"own_levels": [5.0, 9.0, 7.0]})
    near = simulated_like(graded, 110)
    assert set(near["kind"]) == {"difficulty", "own state"} and near["n_judged"].gt(0).all()
    assert (
        set(near["n_models"]) == {3} and set(near["n_items"]) == {150} and set(near["values"]) == {"graded"}
    )
    yes_or_no = simulated_like(pd.concat([graded.assign(own_levels=2.0)] * 6), 2000)
    assert set(yes_or_no["n_models"]) == {20} and set(yes_or_no["values"]) == {"two"}
