"""Signals side by side, on simulated trials: undefined ones are never ranked, intervals go by question."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from simulated_confidence import every_collection

from metacog.measures.cell import MIN_PARSED
from metacog.sdt import auroc2
from metacog.studies.study3_dmc.asking.ways import NAMES
from metacog.studies.study3_dmc.measures import Draws, undefined
from metacog.studies.study3_dmc.signals import (
    positions,
    ranked,
    signal_table,
    signals,
)


@pytest.fixture(scope="module")
def trials():
    return every_collection(n_questions=30)


@pytest.fixture(scope="module")
def found(trials):
    return signals(SimpleNamespace(trials=trials.__getitem__), n_resamples=100)


def of(table, method, form="scored", model="smollm2-135m"):
    return table[(table["method"] == method) & (table["form"] == form) & (table["model"] == model)].iloc[0]


def test_every_signal_of_every_model_has_its_row(found, trials):
    assert len(found.pooled) == 2 * (9 + 3)
    assert set(found.pooled["name"]) == set(NAMES.values()) | {
        f"{NAMES[m]} (written)" for m in ("verbal_vanilla", "verbal_cot", "verbal_topk")
    }
    row, own = of(found.pooled, "p_true", model="SmolLM2-135M-Instruct"), trials["single"]
    own = own[(own["method"] == "p_true") & (own["model"] == "smollm2-135m")]
    used = own[own["parse_status"] == "ok"]
    assert (row["asked"], row["n"], row["calls"]) == (120, len(used), 2)
    assert row["accuracy"] == pytest.approx(used["correct"].mean())
    assert row["auroc2"] == pytest.approx(auroc2(used["correct"], used["confidence"]))  # from the trials
    assert row["auroc2_lower"] < row["auroc2"] < row["auroc2_upper"]
    bold = used["confidence"].mean() - used["correct"].mean()
    assert row["overconfidence"] == pytest.approx(bold)
    assert row["overconfidence_lower"] < bold < row["overconfidence_upper"]


def test_the_p_of_a_signal_is_what_its_interval_says(found):
    """Oracle: duality. p is below .05 just where the 95 % interval, over base questions, excludes one half."""
    rows = found.pooled[found.pooled["auroc2_lower"].notna()]
    outside = (rows["auroc2_lower"] > 0.5) | (rows["auroc2_upper"] < 0.5)
    assert outside.any() and not outside.all()
    assert (rows["p"] < 0.05).equals(outside) and rows["p"].between(0, 1).all()
    assert found.pooled.loc[found.pooled["auroc2_lower"].isna(), "p"].isna().all()


def test_what_is_parsed_too_seldom_is_undefined_and_never_ranked(found):
    written = found.pooled[found.pooled["form"] == "written"]
    assert (written["parsed"] < MIN_PARSED).all() and written["auroc2"].isna().all()
    assert written["why"].str.contains("replies could be parsed").all()
    assert "written" not in set(found.ranking["form"]) and len(found.ranking) == 18


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"confidence": 0.9}, "confidence is constant"),
        ({"correct": True}, "all answers are right"),
        ({"correct": False}, "all answers are wrong"),
        ({"parse_status": "no_answer"}, "0 of 240 replies could be parsed"),
    ],
)
def test_what_cannot_be_judged_says_why(trials, change, why):
    single = trials["single"]
    broken = single[single["method"] == "p_true"].assign(**change)
    kept = single[single["method"] == "token_probability"]
    whole = pd.concat([broken, kept])
    if "parse_status" not in change:
        whole["parse_status"] = "ok"
        whole["confidence"] = whole["confidence"].fillna(0.5 if "confidence" not in change else 0.9)
    table = signal_table(whole, Draws(20, 20))
    row = of(table, "p_true")
    assert row["why"] == why.replace("240", "120") and np.isnan(row["auroc2"])
    assert set(ranked(table)["method"]) == {"token_probability"}


def test_the_share_that_must_be_parsed_is_a_sharp_line(trials):
    one = trials["single"].query("method == 'p_true' and model == 'smollm2-135m'").head(100)
    one = one.assign(parse_status="ok", confidence=np.linspace(0, 1, 100))
    for n_lost, lost in ((20, False), (21, True)):
        status = ["no_answer"] * n_lost + ["ok"] * (100 - n_lost)
        assert bool(undefined(one.assign(parse_status=status))) is lost


def test_a_better_signal_ranks_higher(trials):
    single = trials["single"]
    rng = np.random.default_rng(3)
    good = single[single["method"] == "p_true"].assign(parse_status="ok")
    good = good.assign(confidence=np.clip(good["correct"] * 0.4 + rng.uniform(0, 0.6, len(good)), 0, 1))
    noise = single[single["method"] == "token_probability"].assign(parse_status="ok")
    noise = noise.assign(confidence=rng.uniform(0, 1, len(noise)))
    ranks = ranked(signal_table(pd.concat([noise, good]), Draws(20, 20)))
    for _, own in ranks.groupby("model"):
        assert list(own["method"]) == ["p_true", "token_probability"]


def test_position_bias_is_shown_by_model(found, trials):
    assert len(found.positions) == 2 and found.positions["bias"].between(-1, 1).all()
    always = trials["position"].assign(response=0.0)
    table = positions(always, n_resamples=50)
    assert (table["bias"] == 1).all() and (table["first"] == 1).all()
