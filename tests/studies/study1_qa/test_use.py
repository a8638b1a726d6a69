"""Can this confidence be used? Oracles: hand counts, sdt, known shares, heads read by eye."""

import numpy as np
import pandas as pd
import pytest

from metacog.sdt import abstain_at, abstain_held_out, auroc2, choose_threshold, wilson
from metacog.sdt.gate import TOLD
from metacog.studies.study1_qa import use
from metacog.studies.study1_qa.use import (
    GRID,
    first_half,
    gains,
    reliability,
    sure_answers,
    thresholds,
)


def answers(n=600, seed=5, models=("a", "b"), temperatures=(0.1, 1.0)):
    """Answers that are right as often as they say."""
    rng = np.random.default_rng(seed)
    parts = []
    for model in models:
        for temperature in temperatures:
            confidence = rng.random(n)
            ids = [f"q{i:03}" for i in range(n)]
            right = rng.random(n) < confidence
            parts.append(pd.DataFrame({"model": model, "temperature": temperature, "question_id": ids,
                                       "confidence": confidence, "correct": right}))  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def test_a_bin_holds_the_answers_of_its_confidence_and_their_share_right():
    rows = [(0.9, True), (1.0, False), (0.899, True), (0.0, False), (0.1, True), (np.nan, True)]
    trials = pd.DataFrame(rows, columns=["confidence", "correct"])
    trials = trials.assign(model="a", temperature=1.0, question_id=list("stuvwx"))
    found = reliability(trials).set_index("bin")
    assert found["n"].tolist() == [1, 1, 1, 2]
    top = found.loc["0.9 to 1"]
    assert (top["right"], top["stated"]) == (0.5, 0.95)
    assert [top["right_lower"], top["right_upper"]] == pytest.approx(list(map(float, wilson(0.5, 2))))


def test_sure_and_unsure_answers_are_counted():
    trials = answers()
    row = sure_answers(trials).iloc[0]
    own = trials[(trials["model"] == "a") & (trials["temperature"] == 0.1)]
    assert row["n_sure"] == (own["confidence"] >= 0.9).sum() and row["asked"] == 600
    assert row["unsure"] == pytest.approx(own.loc[own["confidence"] < 0.5, "correct"].mean())
    assert row["auroc2"] == pytest.approx(auroc2(own["correct"], own["confidence"]))


def test_a_threshold_is_chosen_on_one_half_and_judged_on_the_other():
    trials = answers()
    table, half = thresholds(trials, seed=3), first_half(trials["question_id"], 3)
    assert len(half) == 300 and first_half(trials["question_id"], 3) == half
    own = trials[(trials["model"] == "b") & (trials["temperature"] == 1.0)]
    here = own["question_id"].isin(half)
    rows = table[(table["model"] == "b") & (table["temperature"] == 1.0)].set_index("threshold")
    assert len(rows) == len(GRID) == 101 and rows["n"].unique().tolist() == [300]
    for threshold in (0.0, 0.37, 1.0):
        judged = abstain_at(own.loc[~here, "correct"], own.loc[~here, "confidence"], threshold)
        row = rows.loc[threshold]
        assert row["answered"] == pytest.approx(judged.coverage)
        wrong = ~own["correct"] & ~here
        assert row["caught"] == pytest.approx((own.loc[wrong, "confidence"] < threshold).mean())
        chosen = abstain_at(own.loc[here, "correct"], own.loc[here, "confidence"], threshold)
        assert row["chosen_answered"] == pytest.approx(chosen.coverage)
    assert np.isnan(rows.loc[1.0, "right_answered"]) and rows.loc[0.0, "withheld"] == 0
    picked = rows.index[rows["picked"]]
    best = choose_threshold(own.loc[here, "correct"], own.loc[here, "confidence"])
    assert len(picked) == 1 and abs(picked[0] - best) <= 0.02
    assert {f"{name}_lower" for name in TOLD} <= set(rows)


def test_what_abstaining_gains_is_what_study_3_counts():
    trials = answers(models=("a",))
    row = gains(trials, n_resamples=200, seed=1).iloc[-1]
    own = trials[trials["temperature"] == 1.0]
    held = abstain_held_out(own["correct"], own["confidence"], clusters=own["question_id"], seed=1)
    assert row["gain"] == pytest.approx(held.gain) and row["gain_lower"] < held.gain < row["gain_upper"]


#: Signals that take another reply.
ASKED_MORE = pd.DataFrame(
    {
        "task": use.task(1.0),
        "model": "m",
        "signal": ["agreement", "agreement", "P(True)"],
        "auroc2": [0.8, 0.9, np.nan],
    }
)


def of_sure(*models):
    rows = []
    for name, share, n in models:
        lower, upper = map(float, wilson(share, n)) if n else (np.nan, np.nan)
        row = {"model": name, "temperature": 0.1, "sampling": "temperature 0.1", "asked": 1304, "n_sure": n}
        row["auroc2"] = 0.8
        rows.append(
            row
            | {"sure": share, "sure_lower": lower, "sure_upper": upper, "n_unsure": 5, "unsure": 0.2}
            | {"n_caught": 104}
        )
    return type("Record", (), {"sure": pd.DataFrame(rows), "areas": ASKED_MORE})


def test_the_sentences_speak_of_the_model_with_the_most_sure_answers():
    told = use.figures(of_sure(("few", 1.0, 3), ("m", 0.99, 358)))
    assert (told["surest_model"], told["surest_n"], told["others_rarely"]) == ("m", 358, True)
    assert told["surest_answered"] == pytest.approx(100 * 358 / 1304) and told["unsure_right"] == 20
    assert told["surest_looks"] == pytest.approx((1304 - 358) / 104)
    assert told["margin_looks"] == pytest.approx((1304 - 358 - 5) / (104 - 4))
    assert not use.figures(of_sure(("n", 1.0, 300), ("m", 0.99, 358)))["others_rarely"]
    assert (told["agreement_least"], told["agreement_most"]) == (80, 90) and np.isnan(told["p_true_least"])


def test_a_bill_counts_what_is_asked_beyond_the_answers():
    rows = [
        ("a", "nlp", 1.0, 90.0, 4.5),
        ("a", "verbal", 2.0, 217.0, 10.0),
        ("a", "agreement", 11.0, 985.0, 45.5),
        ("b", "nlp", 1.0, 80.0, 4.0),
    ]
    made = use.bill(pd.DataFrame(rows, columns=["model", "signal", *use.COUNTED])).set_index("asked")
    assert made.loc["the answers, with log-probability"].tolist() == [1_000, 85_000, 4_250]
    assert made.loc["stated number"].tolist() == [1_000, 127_000, 5_500]
    assert made.loc["agreement"].tolist() == [10_000, 895_000, 41_000]
    assert made.loc["another model's answer"].tolist() == [1_000, 85_000, 4_250]
    assert made.index.tolist()[0] == "the answers, with log-probability" and len(made) == 4


def test_without_any_confidence_there_are_no_numbers_to_tell():
    told = use.figures(type("Record", (), {"sure": pd.DataFrame(), "areas": ASKED_MORE.iloc[:0]}))
    assert np.isnan(told["agreement_least"])
    assert np.isnan(told["surest_right"]) and not told["others_rarely"]
