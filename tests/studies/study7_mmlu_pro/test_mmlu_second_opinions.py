"""Own words against second opinions: the main figure again in plain numpy, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
from few_models import few

from metacog.studies.study7_mmlu_pro import second_opinions, second_opinions_shown


@pytest.fixture(scope="module")
def rows():
    return few()


@pytest.fixture(scope="module")
def found(rows):
    return second_opinions.examine(rows, n_draws=4)


def area(score, right):
    """Share of pairs of a right and a wrong answer in which the right one scores higher, ties one half."""
    low, high = np.sort(score[~right]), score[right]
    below, upto = np.searchsorted(low, high, "left"), np.searchsorted(low, high, "right")
    return float((below + (upto - below) / 2).sum() / (low.size * high.size))


def test_main_figure_again_in_plain_numpy(rows, found):
    names, family = list(rows.models["model"]), list(rows.models["family"])
    stated = rows.signals["stated"]
    for name in ("gpt-4.1", "Qwen3-8B-think", "claude-3-haiku-20240307"):
        own = names.index(name)
        kept = (rows.answer[own] >= 0) & (stated[own] >= 0) & (stated[own] <= 1)
        right = rows.answer[own, kept] == rows.key[kept]
        row = found.models.set_index("model").loc[name]
        assert row["own"] == pytest.approx(area(stated[own, kept], right), abs=1e-6)
        others = [
            j
            for j in range(len(names))
            if family[j] != family[own] and names[j] != "Mixtral-8x7B-v0.1"  # at chance: not asked
        ]
        agree = []
        for j in others:
            there = (stated[j] >= 0) & (
                stated[j] <= 1
            )  # an answer without a confidence is no answer in this table
            agree.append(area(((rows.answer[j] == rows.answer[own]) & there)[kept].astype(float), right))
        assert row["one"] == pytest.approx(np.mean(agree), abs=1e-6)


def test_counts_follow_the_table(found):
    models = found.models
    assert "Mixtral-8x7B-v0.1" not in set(models["model"]) and found.n_models == 10
    assert found.n_better == (models["one_less_own_lower"] > 0).sum()
    assert found.families["models"].sum() == found.thirds["models"].sum() == found.n_models
    (verdict,) = found.verdicts
    most, maybe = found.n_models / 2, found.n_better + len(verdict.undecided)
    assert verdict.passed is (True if found.n_better > most else None if maybe > most else False)
    assert f"{found.n_better} of {found.n_models} models" in second_opinions_shown.answer(found)


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
    found = second_opinions.examine(
        replace(rows, answer=answer, signals={**rows.signals, "stated": stated}), n_draws=3
    )
    row = found.models.set_index("model").loc["gpt-4.1"]
    assert row["better"] == "no" and np.isinf(row["worth"]) and row["own"] == 1.0


def test_nothing_is_claimed_where_neither_tells():
    """Each model takes the key or one wrong answer by a coin, and states any number: agreement says nothing either."""
    rows = few(items=slice(0, 300))
    rng = np.random.default_rng(6)
    shape, claims = rows.answer.shape, 0
    for _ in range(20):
        answer = ((rows.key + (rng.random(shape) < 0.5)) % 10).astype(np.int8)
        signals = {name: rng.random(shape).round(1) for name in rows.signals}
        found = second_opinions.examine(replace(rows, answer=answer, signals=signals), n_draws=2)
        claims += found.verdicts[0].passed is True
        assert found.n_models == shape[0]
    assert claims <= 1
