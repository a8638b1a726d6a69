"""Tables of several signals. Oracles: the same numbers from numpy and scipy alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu

from metacog.measures.signals import (
    PROMISES,
    gate_table,
    left_out_table,
    recalibration_table,
    refusal_table,
    signal_pairs,
    signal_table,
)
from metacog.sdt.combined_intervals import difference_of_shares


def area(right, sure):
    """AUROC2 by the Mann-Whitney statistic."""
    return mannwhitneyu(sure[right], sure[~right]).statistic / (right.sum() * (~right).sum())


@pytest.fixture(scope="module")
def answers():
    rng = np.random.default_rng(3)
    n = 800
    frame = pd.DataFrame(
        {"model": np.repeat(["a", "b"], n), "question_id": np.tile(np.arange(n).astype(str), 2)}
    )
    evidence = rng.normal(1, 1, 2 * n)
    frame["correct"] = rng.random(2 * n) < 1 / (1 + np.exp(-1.5 * evidence))
    stated = np.clip(1 / (1 + np.exp(-evidence - rng.normal(0.8, 1, 2 * n))), 0, 1)
    stated[rng.random(2 * n) < np.where(frame["correct"], 0.02, 0.3)] = np.nan
    judge = np.clip(np.round(3 + 1.2 * evidence + rng.normal(0, 0.5, 2 * n)), 1, 5)
    return frame, {"stated": stated, "judge": judge}


def test_every_model_signal_and_promise_has_a_row_of_the_gate(answers):
    frame, signals = answers
    better = signals["stated"] + frame["correct"].to_numpy(dtype=float)  # one by which a promise can be made
    made = gate_table(frame, signals | {"stated": better})
    assert len(made) == 2 * 2 * len(PROMISES) and (made["n"] == 400).all()
    reached = made[np.isfinite(made["threshold"])]
    assert len(reached) and (made.loc[~np.isfinite(made["threshold"]), "why"] != "").all()
    judged = made[made["signal"] == "judge"]
    assert judged["threshold"].isin([1, 2, 3, 4, 5, np.inf]).all()  # in the signal's own units
    assert (reached["error_rate"] == reached["errors"] / reached["n_through"]).all()
    # answers without the signal count: coverage is of all
    assert (reached["coverage"] == reached["n_through"] / 400).all()


def test_signals_are_compared_on_the_answers_that_have_all_of_them(answers):
    frame, signals = answers
    each, pairs = signal_table(frame, signals), signal_pairs(frame, signals)
    right, here = frame["correct"].to_numpy(), (frame["model"] == "a").to_numpy()
    known = np.isfinite(signals["stated"]) & here
    row = each[(each["model"] == "a") & (each["signal"] == "judge")].iloc[0]
    assert row["auroc2"] == pytest.approx(area(right[here], signals["judge"][here])) and row["n"] == 800
    common = {name: area(right[known], one[known]) for name, one in signals.items()}
    assert row["auroc2_common"] == pytest.approx(common["judge"]) != row["auroc2"]
    pair = pairs[pairs["model"] == "a"].iloc[0]
    assert (pair["first"], pair["second"], pair["n"]) == ("stated", "judge", known.sum())
    assert pair["difference"] == pytest.approx(common["stated"] - common["judge"])
    assert pair["difference_lower"] < pair["difference"] < pair["difference_upper"]
    assert (pairs["p_holm"] >= pairs["p"]).all() and (pairs["differs"] == (pairs["p_holm"] < 0.05)).all()


def test_leaving_out_selects_and_the_table_says_by_how_much(answers):
    frame, signals = answers
    lost = pd.Series(np.where(np.isnan(signals["stated"]), "no confidence", ""))
    made = left_out_table(frame, lost).set_index("model")
    for model, part in frame.groupby("model"):
        out = part["correct"][(lost != "").to_numpy()[part.index]]
        kept = part["correct"].drop(out.index)
        row = made.loc[model]
        assert (row["n_kept"], row["n_out"]) == (len(kept), len(out))
        assert (row["accuracy_kept"], row["accuracy_out"]) == pytest.approx((kept.mean(), out.mean()))
        expected = difference_of_shares(kept.sum(), len(kept), out.sum(), len(out))
        assert (row["difference"], row["difference_lower"]) == pytest.approx(
            (expected.estimate, expected.lower)
        )
        assert row["difference_lower"] > 0.1 and row["apart"]
    repeated = left_out_table(
        pd.concat([frame] * 3, ignore_index=True), pd.concat([lost] * 3, ignore_index=True)
    )
    wide = repeated["difference_upper"] - repeated["difference_lower"]
    once = made["difference_upper"] - made["difference_lower"]
    assert wide.to_numpy() == pytest.approx(once.to_numpy(), rel=0.02)  # copies of an answer add nothing


def test_models_that_lose_answers_by_chance_are_called_apart_in_one_file_of_twenty_at_most():
    # twelve tests that are not corrected for one another alarm in 46 files of 100: P(passing) < 1e-12
    rng, runs, n = np.random.default_rng(8), 100, 120
    alarms = 0
    for _ in range(runs):
        names = np.repeat([f"m{i}" for i in range(12)], n)
        frame = pd.DataFrame({"model": names, "question_id": np.tile(np.arange(n), 12)})
        frame["correct"] = rng.random(len(frame)) < 0.7
        lost = pd.Series(np.where(rng.random(len(frame)) < 0.2, "no confidence", ""))
        alarms += left_out_table(frame, lost)["apart"].any()
    assert alarms / runs <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs)


def test_nothing_left_out_has_no_row(answers):
    frame, _ = answers
    assert left_out_table(frame, pd.Series("", index=frame.index)).empty


def test_refusals_are_counted_as_wrong_and_left_out_side_by_side(answers):
    frame, signals = answers
    refusal = np.zeros(len(frame), dtype=bool)
    refusal[::10] = True
    made = refusal_table(frame, refusal, signals["judge"]).set_index(["model", "counted"])
    right, here = frame["correct"].to_numpy(), (frame["model"] == "b").to_numpy()
    wrong, dropped = made.loc[("b", "wrong")], made.loc[("b", "dropped")]
    assert wrong["refusals"] == 80 and wrong["refused_right"] == (right & refusal & here).sum()
    assert wrong["accuracy"] == pytest.approx((right & ~refusal)[here].mean())
    assert dropped["accuracy"] == pytest.approx(right[here & ~refusal].mean()) and dropped["n"] == 720
    sure = signals["judge"]
    assert wrong["auroc2"] == pytest.approx(area((right & ~refusal)[here], sure[here]))
    assert dropped["auroc2"] == pytest.approx(area(right[here & ~refusal], sure[here & ~refusal]))


def test_recalibration_mends_what_is_said_and_not_the_order(answers):
    frame, signals = answers
    made = recalibration_table(frame, {"stated": signals["stated"]}, n_resamples=400)
    by = made.set_index(["model", "method"])
    known = np.isfinite(signals["stated"]) & (frame["model"] == "a").to_numpy()
    right, p = frame["correct"].to_numpy()[known], signals["stated"][known]
    row = by.loc[("a", "stated")]
    assert row["brier"] == pytest.approx(((p - right) ** 2).mean())
    shown = np.clip(p, 0.001, 0.999)
    assert row["log_loss"] == pytest.approx(-np.log(np.where(right, shown, 1 - shown)).mean())
    for model in "ab":
        stated, platt, isotonic = (by.loc[(model, method)] for method in ("stated", "platt", "isotonic"))
        assert platt["auroc2"] == pytest.approx(stated["auroc2"], abs=1e-12)
        assert isotonic["auroc2"] == pytest.approx(stated["auroc2"], abs=0.03)
        assert max(platt["ece"], isotonic["ece"]) < stated["ece"] / 2
        assert platt["brier_change"] == pytest.approx(platt["brier"] - stated["brier"])
        assert platt["brier_change_lower"] < platt["brier_change"] < platt["brier_change_upper"]
        assert stated["ece_lower"] < stated["ece"] < stated["ece_upper"]
    few = recalibration_table(frame.head(30), {"stated": signals["stated"][:30]})
    assert few["why"].str.contains("fewer than").all() and few["ece"].isna().all()
