"""Signals on the same questions. Oracles: AUROC2 by its definition, simulated signals, how often a prompt is sent."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.collect import confidence_signals
from metacog.core.config import load_profile
from metacog.measures.table import Options
from metacog.sdt import auroc2
from metacog.studies import get_study
from metacog.studies.study1_qa.compared_signals import (
    PROFILE,
    collected,
    cooled,
    judge,
    lost_to_signals,
    signal_table,
)
from metacog.trials import SIGNALS
from metacog.verdicts.outcomes import those, together

OPTIONS = Options(n_resamples=200, n_permutations=100, clustered=False)
COSTS = pd.DataFrame(
    [(1.0, 100.0, 5.0), (2.0, 180.0, 8.0), (2.0, 130.0, 5.0), (11.0, 1100.0, 55.0)],
    columns=["requests", "prompt_tokens", "answer_tokens"],
).assign(model="m", signal=SIGNALS)


def simulated(n=400, seed=1):
    """NLP knows much, P(True) nothing, agreement a little less than NLP; few percentages can be read."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(size=n)
    correct = ability + rng.normal(size=n) > 0
    values = {
        "nlp": ability + rng.normal(0, 0.3, n),
        "verbal": np.where(rng.random(n) < 0.7, np.nan, 0.9),
        "p-true": rng.random(n),
        "agreement": np.round(10 / (1 + np.exp(-ability - rng.normal(0, 1, n)))) / 10,
    }
    about = {"model": "m", "domain": "d", "temperature": 1.0, "answer": "x", "correct": correct}
    about["question_id"] = [f"q{i}" for i in range(n)]
    parts = [
        pd.DataFrame(about | {"signal": signal, "confidence": np.clip(score, 0, 1), "score": score})
        for signal, score in values.items()
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="module")
def made():
    trials = simulated()
    table = signal_table(trials, COSTS, OPTIONS)
    return trials, table, lost_to_signals(trials, table)


def test_every_signal_is_measured_on_its_own_answers(made):
    trials, table, _ = made
    found = table.set_index("signal")
    for signal in ("nlp", "p-true", "agreement"):
        own = trials[trials["signal"] == signal]
        assert found.loc[signal, "auroc2"] == pytest.approx(auroc2(own["correct"], own["score"]))
        assert (
            found.loc[signal, "auroc2_lower"]
            < found.loc[signal, "auroc2"]
            < found.loc[signal, "auroc2_upper"]
        )
        assert found.loc[signal, "n"] == 400 and found.loc[signal, "known"] == 1
    assert found.loc["agreement", "tokens"] == 1155 and found.loc["nlp", "requests"] == 1


def test_a_signal_that_is_seldom_read_is_not_judged_by_those_few(made):
    _, table, lost = made
    row = table.set_index("signal").loc["verbal"]
    assert row["known"] < 0.4 and np.isnan(row["auroc2"]) and row["flag"]
    one = lost.set_index("signal").loc["verbal"]
    assert one["why"] == row["flag"] and np.isnan(one["lost"])


def test_what_is_lost_is_the_difference_of_the_areas_on_shared_questions(made):
    trials, _, lost = made
    one = lost.set_index("signal").loc["p-true"]
    nlp, other = (trials[trials["signal"] == name] for name in ("nlp", "p-true"))
    expected = auroc2(nlp["correct"], nlp["score"]) - auroc2(other["correct"], other["score"])
    assert one["lost"] == pytest.approx(expected) and one["lower"] > 0.1
    part = trials[(trials["signal"] != "p-true") | trials["question_id"].isin([f"q{i}" for i in range(350)])]
    fewer = lost_to_signals(part, signal_table(part, COSTS, OPTIONS)).set_index("signal").loc["p-true"]
    areas = [auroc2(own["correct"].iloc[:350], own["score"].iloc[:350]) for own in (nlp, other)]
    assert fewer["lost"] == pytest.approx(areas[0] - areas[1])


def test_nlp_of_a_cool_answer_has_no_luck_to_lose():
    """NLP that reads the draw beats a signal that reads the question; NLP of the cool answer does not."""
    rng = np.random.default_rng(4)
    n = 2000
    state, lucky = rng.normal(size=(2, n))
    trials = simulated(n)
    trials = trials[trials["signal"].isin(["nlp", "p-true"])].copy()
    trials["correct"] = np.tile(state + lucky > 0, 2)
    trials["score"] = np.concatenate([state + lucky, state + rng.normal(0, 0.5, n)])
    cool = pd.DataFrame({"model": "m", "question_id": [f"q{i}" for i in range(n)], "temperature": 0.1})
    cool["score"] = state + rng.normal(0, 0.5, n)
    table = pd.DataFrame({"model": "m", "signal": ["nlp", "p-true"], "flag": "", "auroc2": 0.7})
    one = lost_to_signals(trials, table, cool.iloc[: n - 5]).iloc[0]
    nlp = trials[trials["signal"] == "nlp"].iloc[: n - 5]
    other = trials[trials["signal"] == "p-true"].iloc[: n - 5]
    areas = auroc2(nlp["correct"], cool["score"].iloc[: n - 5]), auroc2(other["correct"], other["score"])
    assert one["cool_lost"] == pytest.approx(areas[0] - areas[1])
    assert one["lower"] > 0.15 and one["cool_lower"] < 0 < one["cool_upper"]


@pytest.mark.parametrize("runs", [80, pytest.param(400, marks=pytest.mark.proof)])
def test_of_equally_good_signals_none_is_said_to_lose(runs):
    """Runs of the size that is committed; the rule is two-sided at 95 %, so 2.5 % would be shown by chance.

    One that shows 10 % gets through 80 runs once in ten times, through 400 never.
    """
    rng, shown_of = np.random.default_rng(3), []
    for _ in range(runs):
        trials = simulated(82, int(rng.integers(1 << 31)))
        trials = trials[trials["signal"].isin(["nlp", "p-true"])].copy()
        ability = trials.loc[trials["signal"] == "nlp", "score"].to_numpy()
        for name in ("nlp", "p-true"):
            trials.loc[trials["signal"] == name, "score"] = ability + rng.normal(0, 0.7, 82)
        table = pd.DataFrame({"model": "m", "signal": ["nlp", "p-true"], "flag": "", "auroc2": 0.7})
        shown_of.append(together(judge(lost_to_signals(trials, table)), "lost p-true"))
    assert shown_of.count(True) <= 0.025 * runs + 2 * np.sqrt(0.025 * 0.975 * runs)


def test_outcomes_follow_the_numbers(made):
    _, _, lost = made
    table = judge(lost)
    assert together(table, "lost p-true") is True and together(table, "lost verbal") is None
    swapped = lost.assign(lower=-lost["upper"], upper=-lost["lower"])
    assert together(judge(swapped), "lost p-true") is False
    assert those(table, "lost p-true", True) == ["m"] == those(table, "lost verbal", None)


def test_the_committed_replies_answer_the_same_questions_with_every_signal_that_they_have():
    trials, costs = collected(get_study("study1_qa"))
    n = load_profile(PROFILE).studies["study1_qa"]["datasets"]["bank"]["limit"]
    counts = trials.groupby(["model", "signal"])["question_id"].agg(["size", "nunique"])
    assert {signal for _, signal in counts.index} == set(SIGNALS)
    assert set(counts.to_numpy().ravel()) == {n}
    asked_once = trials.groupby("model")["question_id"].agg(lambda ids: tuple(sorted(set(ids))))
    assert asked_once.nunique() == 1 and len(asked_once) == 2
    low = cooled(get_study("study1_qa"), list(asked_once.index))
    cool = low.groupby("model")["question_id"].agg(set)
    assert set(cool.index) == set(asked_once.index) and set(low["temperature"]) == {0.1}
    assert all(set(ids) <= cool[model] for model, ids in asked_once.items())
    costs = costs.set_index(["model", "signal"])
    for model, signal in costs.index:
        nlp, one = costs.loc[(model, "nlp")], costs.loc[(model, signal)]
        if signal == "agreement":  # ten further answers to the very same prompt
            assert one["prompt_tokens"] == pytest.approx(11 * nlp["prompt_tokens"]) and one["requests"] == 11
        elif signal != "nlp":
            assert 1 < one["requests"] <= 2 and one["prompt_tokens"] > nlp["prompt_tokens"]
    assert (costs.xs("nlp", level="signal")["requests"] == 1).all()


def test_replies_to_other_wordings_are_left_out(monkeypatch):
    known = confidence_signals.load_signals()
    changed = {**known, "verbal": {"ask": "How sure are you, in percent?"}}
    monkeypatch.setattr(confidence_signals, "load_signals", lambda: changed)
    trials, _ = collected(get_study("study1_qa"))
    assert "verbal" not in set(trials["signal"]) and "nlp" in set(trials["signal"])
