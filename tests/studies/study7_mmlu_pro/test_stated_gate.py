"""A gate on stated numbers. Oracles: counts by hand over the committed rows, and worlds whose truth is known."""

from dataclasses import replace

import numpy as np
import pytest
from few_models import few

from metacog.studies.study7_mmlu_pro import stated_gate


@pytest.fixture(scope="module")
def rows():
    return few()


@pytest.fixture(scope="module")
def found(rows):
    return stated_gate.stated_gate(None, rows=rows)


def test_what_a_line_lets_through_counted_by_hand(rows, found):
    at = list(rows.models["model"]).index("gpt-4.1")
    written = rows.signals["stated"][at].astype(np.float32)
    passes = (
        (rows.answer[at] >= 0) & (written >= np.float32(0.9)) & (written <= 1)
    )  # .9 as it was written passes at .9
    right = rows.answer[at] == rows.key
    run = found.thresholds.set_index("model").loc["gpt-4.1"]
    assert run["answered_90"] == pytest.approx(passes.mean()) and run["right_90"] == pytest.approx(
        right[passes].mean()
    )
    place = found.places.set_index(["model", "threshold"]).loc[("gpt-4.1", 0.9)]
    assert place["answered"] == run["answered_90"]
    assert place["caught"] == pytest.approx(1 - (passes & ~right).sum() / (~right).sum())


def test_large_models_are_each_makers_best(found):
    large = found.thresholds[found.thresholds["large"]]
    assert set(large["model"]) == {"gpt-4.1", "grok-2-1212", "Qwen3-8B-think"}
    assert not large["family"].duplicated().any() and (large["accuracy"] >= stated_gate.LEAST).all()
    assert "Mixtral-8x7B-v0.1" not in set(found.thresholds["model"])  # at chance


def test_the_button_leads_to_a_promise_or_to_the_highest_line(found):
    picked = found.places[found.places["picked"]].set_index("model")["threshold"]
    promised = found.promises[found.promises["most_errors"] == stated_gate.PROMISED].set_index("model")[
        "threshold"
    ]
    for model, threshold in promised.items():
        assert picked[model] == (pytest.approx(threshold) if np.isfinite(threshold) else 1.0)


def test_numbers_that_know_are_promised_and_numbers_at_random_are_not(rows):
    rng = np.random.default_rng(3)
    right = rows.answer == rows.key
    for knows in (True, False):
        stated = np.where(right, 0.95, 0.6) if knows else rng.choice([0.6, 0.95], right.shape)
        made = replace(rows, signals={**rows.signals, "stated": stated})
        told = stated_gate.numbers(stated_gate.stated_gate(None, rows=made))
        assert told["promise_99_by"] == (told["n_large"] if knows else 0)
        assert bool(told["right_least"] == 100) is knows
