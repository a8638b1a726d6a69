"""From trial tables to difficulty, own state and draw.

Oracles: simulated trials of known make; estimators of ``sdt`` called by hand on the same arrays; counting.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from metacog.sdt.area_crossing import crossing
from metacog.sdt.information_parts import against, information_parts
from metacog.sdt.repeated_draws import mean_of_others, repeated_draws
from metacog.studies.study import Result
from metacog.studies.study1_qa.luck_parts import (
    ANSWER_COLUMNS,
    AT_REFERENCE,
    CROSSING_COLUMNS,
    DIFFICULTY,
    DRAW,
    LUCK_COLUMNS,
    ONE_MODEL,
    PART_COLUMNS,
    STATE,
    USUAL,
    self_knowledge,
)
from metacog.studies.study1_qa.shared_items import SharedItems

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
from self_knowledge import BOTH, DESIGNS, READERS, answered

N = 600


def made_of(rows, **options):
    return Result(self_knowledge(rows, **options))


def trials(n=N, seed=1):
    """Two models at two temperatures; at the high one an answer is the usual one or "other"."""
    rng = np.random.default_rng(seed)
    low, high = DESIGNS["reference"].answers(n, rng), DESIGNS["high temperature"].answers(n, rng)
    rows = []
    for m, name in enumerate(("one", "two")):
        at = {0.1: (low.correct[m], low.sure[m]), 1.0: (high.correct[m], high.drawn[m])}
        for temperature, (right, sure) in at.items():
            own = pd.DataFrame({"question_id": [f"q{i}" for i in range(n)], "correct": right, "nlp": sure})
            rows.append(own.assign(model=name, temperature=temperature, seed=0))
    return pd.concat(rows, ignore_index=True)


@pytest.fixture(scope="module")
def found():
    return made_of(trials(), draw="seed", n_resamples=200)


def arrays(table, model, temperature, column="nlp"):
    mine = table[(table["model"] == model) & (table["temperature"] == temperature)]
    return mine.sort_values("question_id")[column].to_numpy()


def test_parts_are_those_of_the_estimator_in_the_order_difficulty_state_draw(found):
    table = trials()
    signals = {
        DIFFICULTY: arrays(table, "two", 0.1),
        STATE: arrays(table, "one", 0.1),
        DRAW: against(arrays(table, "one", 1.0), arrays(table, "one", 0.1)),
    }
    by_hand = information_parts(arrays(table, "one", 1.0, "correct"), signals)
    rows = found.parts[(found.parts["model"] == "one") & (found.parts["temperature"] == 1.0)]
    assert tuple(found.parts.columns) == PART_COLUMNS
    assert list(rows["part"]) == [DIFFICULTY, STATE, DRAW]
    assert rows["bits"].to_numpy() == pytest.approx(by_hand.bits)
    assert rows["share_upper"].to_numpy() == pytest.approx(by_hand.share_upper)
    assert (rows["n_questions"] == N).all()


def test_at_the_reference_the_draw_is_the_own_state(found):
    rows = found.parts[found.parts["temperature"] == 0.1]
    assert set(rows["part"]) == {DIFFICULTY, STATE} and found.reference == 0.1


def test_crossings_take_confidence_at_the_reference(found):
    table = trials()
    by_hand = crossing(
        arrays(table, "one", 1.0, "correct"),
        arrays(table, "one", 0.1),
        arrays(table, "two", 1.0, "correct"),
        arrays(table, "two", 0.1),
    )
    row = found.crossings[found.crossings["temperature"] == 1.0].iloc[0]
    assert tuple(found.crossings.columns) == CROSSING_COLUMNS and len(found.crossings) == 2
    assert (row["value"], row["upper"]) == pytest.approx((by_hand.value, by_hand.upper))


def test_reference_answers_by_counting(found):
    table = trials()
    row = found.answers.set_index(["model", "temperature"]).loc[("one", 1.0)]
    right, usual = arrays(table, "one", 1.0, "correct"), arrays(table, "one", 0.1, "correct")
    assert tuple(found.answers.columns) == ANSWER_COLUMNS
    assert row["known"] == pytest.approx(usual[~right].mean())
    assert row["known_lower"] < row["known"] < row["known_upper"]
    at = found.answers.set_index(["model", "temperature"]).loc[("one", 0.1)]
    assert at["why"] == AT_REFERENCE and np.isnan(at["known"])


def test_luck_and_parts_take_all_draws_and_the_rest_the_first():
    table = trials(200)
    again = table[table["temperature"] == 1.0].assign(seed=1)
    rng = np.random.default_rng(2)
    again["nlp"] = again["nlp"] + rng.normal(size=len(again))
    again["correct"] = rng.random(len(again)) < 0.4
    both = pd.concat([again, table], ignore_index=True)
    made = made_of(both, draw="seed", n_resamples=200)
    plain = made_of(table, n_resamples=200)
    for name in ("crossings", "answers"):
        pd.testing.assert_frame_equal(getattr(made, name), getattr(plain, name))
    cold = [f.parts[f.parts["temperature"] == 0.1].reset_index(drop=True) for f in (made, plain)]
    pd.testing.assert_frame_equal(*cold)
    mine = both[(both["model"] == "two") & (both["temperature"] == 1.0)]
    usual = table[(table["model"] == "two") & (table["temperature"] == 0.1)].set_index("question_id")["nlp"]
    by_hand = repeated_draws(
        mine["correct"],
        mine["nlp"],
        mine["question_id"],
        reference=mine["question_id"].map(usual),
        n_resamples=200,
    )
    row = made.draws.set_index("model").loc["two"]
    assert len(made.draws) == 2 and row["n_draws"] == 400
    assert (row["luck"], row["within"]) == pytest.approx((by_hand.luck, by_hand.within))


def several(design_noise, n, n_draws, seed):
    """Simulated models without luck, each question drawn several times at T = 1."""
    rng = np.random.default_rng(seed)
    u, v, w = rng.normal(size=(3, n))
    right = rng.random((n, n_draws)) < expit(-BOTH["slope"][0] * u + BOTH["state_slope"][0] * v)[:, None]
    state = -u + BOTH["reads_state"][0] * v
    other = -u + BOTH["reads_state"][1] * w + BOTH["noise"][1] * rng.normal(size=n)
    own = state + design_noise[0] * rng.normal(size=n)
    drawn = state[:, None] + design_noise[1] * rng.normal(size=(n, n_draws))
    asked = {"question_id": [f"q{i}" for i in range(n)], "correct": right[:, 0]}
    rows = [
        pd.DataFrame(asked | {"model": name, "temperature": 0.1, "seed": 0, "nlp": sure})
        for name, sure in (("own", own), ("other", other))
    ]
    rows += [
        pd.DataFrame(
            asked
            | {"model": "own", "temperature": 1.0, "seed": i, "correct": right[:, i], "nlp": drawn[:, i]}
        )
        for i in range(n_draws)
    ]
    rows.append(rows[1].assign(temperature=1.0))
    return pd.concat(rows, ignore_index=True)


def test_own_state_is_read_from_all_other_answers():
    """Without luck a draw gets much by noise where the state is read once, little where it is read five times."""
    table = several((1.5, 0.3), 400, 5, 11)
    made = made_of(table, draw="seed", n_resamples=50).parts
    once = made_of(table[table["seed"] == 0], n_resamples=50).parts
    hot, plain = (
        f[(f["model"] == "own") & (f["temperature"] == 1.0) & (f["part"] == DRAW)].iloc[0]
        for f in (made, once)
    )
    assert (hot["n"], hot["n_questions"], hot["n_readings"]) == (2000, 400, 5)
    assert (plain["n"], plain["n_questions"], plain["n_readings"]) == (400, 400, 1)
    assert plain["share"] > 0.3 and hot["share"] < 0.05 and hot["lower"] <= 0 <= hot["upper"]
    unit = np.repeat(np.arange(400), 5)
    drawn = table[(table["model"] == "own") & (table["temperature"] == 1.0)]
    wide = drawn.pivot(index="question_id", columns="seed", values="nlp")
    right = drawn.pivot(index="question_id", columns="seed", values="correct").to_numpy().ravel()
    scores = wide.to_numpy().ravel()
    others = np.repeat(arrays_of(table, "other").loc[wide.index].to_numpy(), 5)
    usual = np.repeat(arrays_of(table, "own").loc[wide.index].to_numpy(), 5)
    signals = {
        DIFFICULTY: others,
        STATE: np.column_stack([usual, mean_of_others(scores, unit)]),
        DRAW: against(scores, usual),
    }
    by_hand = information_parts(right, signals, clusters=unit)
    assert hot["share"] == pytest.approx(by_hand.shares[-1], abs=0.01)  # folds fall on other questions


def arrays_of(table, model):
    mine = table[(table["model"] == model) & (table["temperature"] == 0.1)]
    return mine.set_index("question_id")["nlp"]


def readers(name, n=400, seed=5):
    """A model that gives one of many answers, and another whose confidence reads the same questions."""
    right, sure, same = answered(n, *READERS[name], np.random.default_rng(seed))
    rows = [
        pd.DataFrame(
            {"model": "one", "temperature": 1.0, "draw": i, "correct": right[:, i], "nlp": sure[:, i]}
        ).assign(same=same[:, i], question_id=range(n))
        for i in range(right.shape[1])
    ]
    cold = rows[0].assign(temperature=0.1, same=np.nan)
    return pd.concat([*rows, cold, cold.assign(model="two"), rows[0].assign(model="two")], ignore_index=True)


@pytest.mark.parametrize("name", READERS)
def test_what_confidence_reads_is_told_by_pairs_of_answers(name):
    made = made_of(readers(name, 1500), draw="draw", same="same", n_resamples=50)
    row = made.draws.set_index("model").loc["one"]
    reads_usual = "usual" in name or "belief" in name
    assert (row["usual_lower"] > 0.7) == reads_usual
    assert reads_usual or row["usual_lower"] < 0.5 < row["usual_upper"] + 0.02
    assert (row["alike_lower"] > 0.8) == ("right" in name)
    assert (row["within_lower"] > 0.7) == ("question" not in name)


def test_the_usual_answer_comes_before_the_draw_and_takes_what_both_tell():
    table = readers("reads how usual the answer is")
    made = made_of(table, draw="draw", same="same", n_resamples=50).parts
    own = made[(made["model"] == "one") & (made["temperature"] == 1.0)]
    assert list(own["part"]) == [DIFFICULTY, STATE, USUAL, DRAW]
    share = own.set_index("part")["share"]
    assert share[USUAL] > share[DRAW] > 0
    without = made_of(table, draw="draw", n_resamples=50).parts
    without = without[(without["model"] == "one") & (without["temperature"] == 1.0)].set_index("part")
    assert USUAL not in without.index and without.loc[DRAW, "share"] > share[USUAL]


def test_without_repeated_draws_there_is_no_luck(found):
    assert found.draws.empty and tuple(found.draws.columns) == LUCK_COLUMNS


def test_one_model_has_no_difficulty_and_says_so():
    table = trials(200)
    made = made_of(table[table["model"] == "one"])
    assert set(made.parts["part"]) == {STATE, DRAW}
    assert made.parts["why"].str.contains(ONE_MODEL, regex=False).all()
    assert made.crossings.empty and tuple(made.crossings.columns) == CROSSING_COLUMNS


def test_items_that_a_model_did_not_answer_are_left_out():
    table = trials(200)
    gone = (
        (table["model"] == "two") & (table["question_id"].isin(["q0", "q1"])) & (table["temperature"] == 0.1)
    )
    blank = (table["model"] == "one") & (table["question_id"] == "q2") & (table["temperature"] == 1.0)
    table.loc[blank, "nlp"] = np.nan
    made = made_of(table[~gone])
    asked = SharedItems.of(table[~gone])
    assert made.n_items == asked.n_items == 198
    assert made.parts.groupby("temperature")["n"].first().to_dict() == {0.1: 198, 1.0: 197}


def test_at_one_temperature_there_are_difficulty_and_own_state():
    table = trials(200)
    made = made_of(table[table["temperature"] == 0.1])
    assert list(made.parts["part"]) == [DIFFICULTY, STATE] * 2 and (made.parts["temperature"] == 0.1).all()
    assert made.reference == 0.1 and made.answers.empty and len(made.crossings) == 1


def test_three_models_have_two_columns_of_difficulty_and_three_pairs():
    table = trials(300)
    third = table[table["model"] == "one"].assign(model="three")
    third["nlp"] = third["nlp"] + np.random.default_rng(3).normal(size=len(third))
    made = made_of(pd.concat([table, third], ignore_index=True))
    assert set(zip(made.crossings["first"], made.crossings["second"], strict=True)) == {
        ("one", "two"),
        ("one", "three"),
        ("two", "three"),
    }


def test_answers_that_are_nearly_all_wrong_say_why():
    table = trials(200)
    table["correct"] = table["correct"] & (table["temperature"] < 1)
    made = made_of(table)
    hot = made.parts[made.parts["temperature"] == 1.0]
    assert hot["bits"].isna().all() and hot["why"].str.contains("fewer than").all()
    assert made.crossings.loc[made.crossings["temperature"] == 1.0, "why"].str.len().gt(0).all()
    assert made.answers.loc[made.answers["temperature"] == 1.0, "why"].str.len().gt(0).all()
    assert made.parts.loc[made.parts["temperature"] == 0.1, "bits"].notna().all()
