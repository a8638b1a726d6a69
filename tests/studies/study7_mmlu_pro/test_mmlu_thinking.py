"""Pairs of conditions: the main figure again in plain numpy, worlds whose truth is known, and what is said."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from few_models import FEW, but, few
from scipy.optimize import bisect

from metacog.studies.study7_mmlu_pro import thinking
from metacog.verdicts.outcomes import of_rule, together


@pytest.fixture(scope="module")
def rows():
    return few()


@pytest.fixture(scope="module")
def found(rows):
    return thinking.thinking(None, rows=rows)


def weighted_area(score, right, weight):
    """Share of weighted pairs in which the right answer scores higher, ties one half."""
    levels, at = np.unique(score, return_inverse=True)
    wrong_at = np.bincount(at, weight * ~right, minlength=levels.size)
    right_at = np.bincount(at, weight * right, minlength=levels.size)
    below = np.cumsum(wrong_at) - wrong_at / 2
    return float((right_at * below).sum() / (right_at.sum() * wrong_at.sum()))


def test_main_figure_again_in_plain_numpy(rows, found):
    names, families = list(rows.models["model"]), rows.models["family"].to_numpy()
    off, on = names.index("Qwen3-8B"), names.index("Qwen3-8B-think")
    stated = rows.signals["stated"]
    there = (rows.answer >= 0) & (stated >= 0) & (stated <= 1)
    kept = there[off] & there[on]
    right = (rows.answer == rows.key)[:, kept]
    others = families != "Qwen"
    asked = there[others][:, kept]
    share = ((right[others] & asked).sum(axis=0) + 0.5) / (asked.sum(axis=0) + 1)
    ease = np.log(share / (1 - share))
    goal = (right[off].mean() + right[on].mean()) / 2
    areas = {}
    for one in (off, on):

        def accuracy(tilt, one=one):
            return np.average(right[one], weights=np.exp(tilt * ease)) - goal

        weight = np.exp(bisect(accuracy, -5, 5, xtol=1e-12) * ease)
        areas[one] = weighted_area(stated[one, kept], right[one], weight)
        areas[one, "plain"] = weighted_area(stated[one, kept], right[one], np.ones(kept.sum()))
    row = found.pairs.set_index(["kind", "second"]).loc[thinking.THINKING, "Qwen3-8B-think"]
    assert row["n"] == kept.sum()
    assert row["accuracy"] == pytest.approx(right[on].mean() - right[off].mean(), abs=1e-6)
    assert row["auroc2"] == pytest.approx(areas[on, "plain"] - areas[off, "plain"], abs=1e-6)
    assert row["equal_accuracy"] == pytest.approx(areas[on] - areas[off], abs=1e-6)


def test_pairs_are_of_the_same_weights_but_for_chat_and_reasoning(rows):
    models = pd.DataFrame(thinking.load().models)
    own = models.set_index("model")
    made = pd.DataFrame(thinking.pairs_of(models), columns=["kind", "first", "second"])
    for row in made.itertuples():
        first, second = own.loc[row.first], own.loc[row.second]
        assert first["family"] == second["family"]
        if row.kind in (thinking.THINKING, thinking.PRECISION):
            assert first["weights"] == second["weights"]
        if row.kind == thinking.INSTRUCT:
            assert second["made_from"] == row.first and first["trained"] == "base"
    assert made.groupby("kind").size()[thinking.THINKING] == (models["thinking"] == "on").sum()
    assert not made.duplicated().any()


def test_numbers_follow_the_pairs(found):
    think = found.pairs[found.pairs["kind"] == thinking.THINKING]
    assert (think["says"] == "open").all() and len(think) == found.n_thinking == 1 and len(found.pairs) == 3
    assert thinking.numbers(found)["rises"] == 0
    eight = pd.concat([think] * 8)
    told = thinking.numbers(but(found, pairs=eight.assign(says=["yes"] * 3 + ["no"] * 5)))
    assert told["rises"] == 3 and told["mean_auroc2"] == pytest.approx(100 * think["auroc2"].iloc[0])
    assert (found.sizes["series"] == "Qwen3").sum() == 1


def test_both_kinds_of_confidence_in_the_same_replies(rows, found, monkeypatch):
    monkeypatch.setattr(thinking, "load", lambda: rows)
    made = thinking.thinking_effects(SimpleNamespace(result=lambda name: found))
    assert made.effects["signal"].nunique() == len(made.effects) == 2 and made.faked > 10 and made.gained > 2
    own = found.pairs[found.pairs["kind"] == thinking.THINKING].iloc[0]
    stated, tokens = made.effects.to_dict("records")
    assert stated["pairs"] == pytest.approx(100 * own["auroc2"]) and tokens["pairs"] > stated["pairs"]
    # of one pair the mean is its change, and the interval of the first order is that of groups left out
    mean = made.means.iloc[0]
    assert mean["pairs"] == pytest.approx(stated["pairs"])
    width = stated["pairs_upper"] - stated["pairs_lower"]
    assert mean["pairs_upper"] - mean["pairs_lower"] == pytest.approx(width, rel=0.2)


def test_what_is_claimed_holds_in_three_readings_and_beyond_others_unchanged_confidence(found):
    pairs = found.pairs
    ends = [pairs[f"beyond{one}_lower"] > 0 for one in thinking.READINGS.values()]
    assert ((pairs["says"] == "yes") == np.all(ends, axis=0)).all()
    assert (pairs["beyond_lower"] < pairs["excess_lower"]).all() and pairs["as_much"].between(0, 1).all()


def test_a_pair_with_a_run_at_chance_says_so_and_nothing_else(rows):
    at = rows.models["model"].tolist().index("Qwen3-8B-think")
    guesses = rows.answer.copy()
    guesses[at] = np.random.default_rng(4).integers(0, 10, rows.key.size)
    told = thinking.thinking(None, rows=replace(rows, answer=guesses))
    own = told.pairs.set_index("kind").loc[thinking.THINKING]
    assert own["flag"] == thinking.AT_CHANCE and own["says"] == own["says_mean"] == "open"
    assert own[["auroc2", "equal_accuracy", "excess_median", "beyond", "as_much"]].isna().all()
    assert list(of_rule(told.outcomes, "thinking")["why"]) == [thinking.AT_CHANCE]
    assert thinking.numbers(told)["lost"] >= 1


def world(rows, rng, *, gain):
    """Thinking on and off on the same answers, whose confidence tells as much, or more with thinking on."""
    names = list(rows.models["model"])
    off, on = names.index("Qwen3-8B"), names.index("Qwen3-8B-think")
    n = rows.key.size
    answer, stated = rows.answer.copy(), rows.signals["stated"].copy()
    ease = rng.normal(size=n)
    for j in range(len(names)):
        right = ease + rng.normal(size=n) > 0
        answer[j] = np.where(right, rows.key, (rows.key + 1) % 10)
        noise = rng.normal(size=n) / (gain if j == on else 1)
        stated[j] = np.clip(np.round(0.5 + 0.2 * (right - 0.5 + noise), 2), 0, 1)
    assert off != on
    return replace(rows, answer=answer, signals={**rows.signals, "stated": stated})


def test_what_thinking_adds_is_found_and_what_it_does_not_is_not():
    others = {"Qwen3-8B-Base", "Qwen3-8B-FP8"}  # whose pairs are of other kinds
    rows = few(tuple(name for name in FEW if name not in others), slice(0, 1500))
    rng = np.random.default_rng(8)
    same, more = (
        [thinking.thinking(None, rows=world(rows, rng, gain=gain), most=1) for _ in range(runs)]
        for gain, runs in ((1, 8), (3, 2))
    )
    assert sum(together(one.outcomes, "thinking") is True for one in same) <= 1
    assert sum(one.pairs["says_mean"][0] != "open" for one in same) <= 2
    for one in more:
        assert together(one.outcomes, "thinking") and thinking.numbers(one)["rises_mean"] == 1


def test_what_thinking_gives_to_other_answers_alone_is_not_called_a_rise(found):
    told = thinking.numbers(found)
    assert told["none_equal_accuracy_most"] > 90 and told["none_beyond_most"] <= 9


def test_readings_of_missing_answers_are_counted_together(found):
    own = found.pairs[found.pairs["kind"] == thinking.THINKING].iloc[:1]
    ends = {f"equal_accuracy{end}_lower": 0.01 for end in ("", "_lowest", "_median")}
    told = thinking.numbers(but(found, pairs=own.assign(**ends, equal_accuracy_highest_lower=-0.01)))
    assert (told["in_both"], told["in_median"], told["in_highest"]) == (1, 1, 0)
