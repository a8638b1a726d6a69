"""Own words against second opinions: the main figure again in plain numpy, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
from few_models import area, few

from metacog.studies.study7_mmlu_pro import second_opinions
from metacog.verdicts.outcomes import those, together


@pytest.fixture(scope="module")
def rows():
    return few()


@pytest.fixture(scope="module")
def found(rows):
    return second_opinions.second_opinions(None, rows=rows, n_draws=4)


def gap(rows, name, asked):
    """Mean over the others asked of the area of their agreement, and the area of the model's own word."""
    names, stated = list(rows.models["model"]), rows.signals["stated"]
    own = names.index(name)
    there = (rows.answer >= 0) & (stated >= 0) & (stated <= 1)  # an answer without a confidence is none here
    kept = there[own]
    right = rows.answer[own, kept] == rows.key[kept]
    agree = [
        area(((rows.answer[j] == rows.answer[own]) & there[j])[kept].astype(float), right)
        for j in map(names.index, asked)
    ]
    return np.mean(agree), area(stated[own, kept], right)


def of_other_makers(rows, name):
    family = rows.models.set_index("model")["family"]
    # Mixtral is at chance: not asked
    return [m for m in family.index if family[m] != family[name] and m != "Mixtral-8x7B-v0.1"]


def test_main_figure_again_in_plain_numpy(rows, found):
    for name in ("gpt-4.1", "Qwen3-8B-think", "claude-3-haiku-20240307"):
        row = found.models.set_index("model").loc[name]
        one, own = gap(rows, name, of_other_makers(rows, name))
        assert row["own"] == pytest.approx(own, abs=1e-6)
        assert row["one"] == pytest.approx(one, abs=1e-6)


def test_weaker_and_equal_others_are_those_that_plain_numpy_finds(rows, monkeypatch):
    monkeypatch.setattr(second_opinions, "NEAR", 0.2)  # few models
    models = [m for m in rows.models["model"] if m != "Mixtral-8x7B-v0.1"]
    items = rows.model_items().kept(models=models)
    accuracy = dict(zip(items.models, np.nanmean(items.right, axis=1), strict=True))
    asked = {
        "weaker": lambda own, other: accuracy[other] <= accuracy[own],
        "equal": lambda own, other: abs(accuracy[other] - accuracy[own]) <= 0.2,
    }
    for pool, chosen in asked.items():
        made = second_opinions.one_of(items, pool, models)
        assert len(made)
        for name in models:
            others = [m for m in of_other_makers(rows, name) if chosen(name, m)]
            assert (name in made.index) == (len(others) >= 3), name
            if name in made.index:
                one, own = gap(rows, name, others)
                assert made.loc[name, "one_less_own"] == pytest.approx(one - own, abs=1e-6)


def test_who_is_asked_decides_in_simulated_models_whose_word_is_as_good_as_an_equals():
    """Asked of all others the rule is about the list of models: it holds for each weak one and for no strong one."""
    table = second_opinions.simulated_pools().set_index(["pool", "judged"])
    assert (table["n_runs"] >= 100).all() and len(table) == 9
    whole, equal = table.loc["any"], table.loc["equal"]
    assert whole.loc["weak", "above_0"] == whole.loc["weak", "n_runs"]
    assert whole.loc["strong", "below_0"] == whole.loc["strong", "n_runs"]
    assert (table.loc["weaker", "above_0"] == 0).all()
    assert equal[["above_0", "below_0"]].to_numpy().sum() <= 0.08 * equal["n_runs"].sum()


def test_counts_follow_the_table(found):
    models, pools = found.models, found.pools.set_index("pool")
    assert "Mixtral-8x7B-v0.1" not in set(models["model"]) and found.n_models == 10
    better = models["one_less_own_lower"] > 0
    assert models["third"].value_counts().sort_values().tolist() == [3, 3, 4]
    # three runs of Qwen3-8B are one set of weights
    assert pools.loc["any", "runs"] == 10 and pools.loc["any", "weights"] == models["stands"].sum() == 8
    assert pools.loc["any", "better"] == better.sum()
    assert pools.loc["any", "better_weights"] == (better & models["stands"]).sum()
    held, n = int(pools.loc["any", "better_weights"]), 8
    maybe = held + len(those(found.outcomes, "one_other", None))
    passed = together(found.outcomes, "one_other")
    assert passed is (True if held > n / 2 else None if maybe > n / 2 else False)
    told = second_opinions.VIEWS.numbers(found)
    assert (told["all_better"], told["all_of"]) == (held, n)
    thirds = [
        sum(told[f"{part}_{what}"] for part in ("weak", "middle", "strong"))
        for what in ("runs", "other", "own")
    ]
    assert thirds == [10, better.sum(), (models["one_less_own_upper"] < 0).sum()]


def test_what_no_way_of_asking_can_beat_by_hand(rows, found):
    """A perfect signal holds back wrong answers alone; the better of two answers all."""
    items = rows.model_items().kept(models=[m for m in rows.models["model"] if m != "Mixtral-8x7B-v0.1"])
    right, at = np.nanmean(items.right, axis=1), found.curve.set_index("way")
    assert at.loc[second_opinions.ALL_OF_IT, "right"] == pytest.approx(np.median(right))
    assert at.loc[second_opinions.PERFECT, "right"] == pytest.approx(np.median(np.minimum(1, right / 0.8)))
    better = [np.mean([max(right[i], right[j]) for j in items.others(m)]) for i, m in enumerate(items.models)]
    assert at.loc[second_opinions.BETTER, "right"] == pytest.approx(np.median(better))
    own = at.loc["stated confidence"]
    assert (
        at.loc[second_opinions.ALL_OF_IT, "right"] < own["right"] < at.loc[second_opinions.PERFECT, "right"]
    )
    assert not found.curve.set_index("way").loc[list(second_opinions.BOUNDS), "complete"].any()


def test_confidence_that_knows_is_worth_more_than_others_that_guess(rows):
    """Others that answer at random tell nothing; a number that knows tells all."""
    rng = np.random.default_rng(5)
    answer = rows.answer.copy()
    names = list(rows.models["model"])
    own = names.index("gpt-4.1")
    random = [j for j in range(len(names)) if j != own]
    answer[random] = np.where(
        rng.random((len(random), rows.key.size)) < 0.2,
        rows.key,
        rng.integers(0, 10, (len(random), rows.key.size)),
    )
    stated = rows.signals["stated"].copy()
    stated[own] = np.where(answer[own] == rows.key, 0.9, 0.1)
    found = second_opinions.second_opinions(
        None, rows=replace(rows, answer=answer, signals={**rows.signals, "stated": stated}), n_draws=3
    )
    row = found.models.set_index("model").loc["gpt-4.1"]
    assert row["better"] == "no" and np.isinf(row["worth"]) and row["own"] == 1.0


@pytest.mark.parametrize(("runs", "most"), [(6, 0), pytest.param(20, 1, marks=pytest.mark.proof)])
def test_nothing_is_claimed_where_neither_tells(runs, most):
    """Each model takes the key or one wrong answer by a coin, and states any number: agreement says nothing either.

    A rule that claims something in half of the runs gets through six of them once in 64 times.
    """
    rows = few(items=slice(0, 300))
    rng = np.random.default_rng(6)
    shape, claims = rows.answer.shape, 0
    for _ in range(runs):
        answer = ((rows.key + (rng.random(shape) < 0.5)) % 10).astype(np.int8)
        signals = {name: rng.random(shape).round(1) for name in rows.signals}
        made = replace(rows, answer=answer, signals=signals)
        found = second_opinions.second_opinions(None, rows=made, n_draws=2)
        claims += together(found.outcomes, "one_other") is True
        assert found.n_models == shape[0]
    assert claims <= most
