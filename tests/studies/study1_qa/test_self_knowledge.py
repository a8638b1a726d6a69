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
from metacog.sdt.information import binary_entropy
from metacog.sdt.information_parts import against, information_parts, nested_gains
from metacog.sdt.repeated_draws import mean_of_others, repeated_draws
from metacog.studies.study import Result
from metacog.studies.study1_qa.luck_parts import (
    ALONE,
    ANSWER_COLUMNS,
    AT_REFERENCE,
    CROSSING_COLUMNS,
    DIFFICULTY,
    DRAW,
    LUCK_COLUMNS,
    ONE_MODEL,
    PART_COLUMNS,
    STATE,
    TOGETHER,
    self_knowledge,
)
from metacog.studies.study1_qa.shared_items import SharedItems

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
from self_knowledge import DESIGNS, Drawn, four_models, lucky_worlds, most_short, no_luck

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
    right, other, own, drawn = no_luck(n, design_noise, n_draws, np.random.default_rng(seed))
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
    # another draw in its place knows as little: its share is of the same size, read from one answer fewer
    assert abs(hot["no_luck"]) < 0.1 and np.isnan(plain["no_luck"])
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


def test_the_median_model_is_that_of_two_wholes_and_one_whole_is_what_own_confidence_tells_alone(found):
    """Oracle: gains by hand; models that are the same model have its share, whatever questions are drawn."""
    table = trials()
    draw = arrays(table, "one", 1.0)
    right, own = arrays(table, "one", 1.0, "correct"), arrays(table, "one", 0.1)
    signals = {DIFFICULTY: arrays(table, "two", 0.1), STATE: own, DRAW: against(draw, own)}
    beyond = nested_gains(right, signals).bits
    alone = nested_gains(right, {DRAW: draw}).bits.sum()
    hot = found.parts[(found.parts["part"] == DRAW) & (found.parts["temperature"] == 1.0)]
    rows = found.typical.set_index("of")
    assert rows.loc[TOGETHER, "share"] == pytest.approx(hot["share"].median())
    one = rows.loc[ALONE]
    assert beyond[:, -1].sum() / alone == pytest.approx(
        min((one["least"], one["most"]), key=lambda end: abs(end - beyond[:, -1].sum() / alone))
    )
    assert one["share"] == pytest.approx((one["least"] + one["most"]) / 2) and one["n_models"] == 2
    assert one["share_lower"] < one["share"] < one["share_upper"]
    # of one model the interval is about as wide as that of the estimator, which is no percentile
    single = made_of(table[table["model"] == "one"], n_resamples=1000)
    (width,) = single.typical.loc[single.typical["of"] == TOGETHER].eval("share_upper - share_lower")
    (known,) = single.parts.loc[single.parts["part"] == DRAW].eval("share_upper - share_lower")
    assert width == pytest.approx(known, rel=0.15)


def test_luck_where_the_question_is_known_is_an_integral():
    """Oracle: the same by simulating questions, with the chance of each draw given what it says of its luck."""
    world = Drawn(-0.5, 1.3, 1.1, 0.6, 0.7, luck_slope=1.5, reads_luck=1.0)
    rng = np.random.default_rng(3)
    u, v, luck, e = rng.normal(size=(4, 200_000))
    index = world.ability - world.slope * u + world.state_slope * v
    told = (luck + world.draw_noise * e) / (
        1 + world.draw_noise**2
    )  # mean of luck; what is left of it has this sd
    spread = world.draw_noise / np.hypot(1, world.draw_noise)
    nodes, weights = np.polynomial.hermite_e.hermegauss(30)
    chances = [
        expit(index[:, None] + world.luck_slope * (mean + sd * nodes)) @ (weights / weights.sum())
        for mean, sd in ((0.0, 1.0), (told[:, None], spread))
    ]
    before, after = (binary_entropy(chance).mean() for chance in chances)
    assert world.bits(5).luck == pytest.approx(before - after, abs=0.002)


def test_the_draws_part_is_no_bound_on_luck_and_the_worst_world_looks_like_the_run():
    """Oracle: integrals; and one large simulated run of four models, whose figure lies below luck."""
    worlds = lucky_worlds()
    assert len(worlds) == 648 and (worlds["figure"] < worlds["luck"]).mean() > 0.1
    world = most_short(like_the_run=True)
    known = world.bits(5, others=3)
    assert known.figure < known.lucky - 0.01 and 0.2 < known.figure < 0.65
    table = four_models(world, 3000, np.random.default_rng(5))
    row = made_of(table, confidence="confidence", draw="draw", n_resamples=200).typical.iloc[0]
    assert row["of"] == ALONE and row["share_lower"] < known.figure < row["share_upper"]
    assert row["n_models"] == 4 and row["n_readings"] == 5 and row["share_upper"] - row["share_lower"] < 0.06


def test_a_lucky_draw_has_more_than_another_in_its_place():
    table = several((0.6, 0.6), 400, 5, 12)
    hot = (table["model"] == "own") & (table["temperature"] == 1.0)
    table.loc[hot, "nlp"] += 1.5 * table.loc[hot, "correct"]
    made = made_of(table, draw="seed", n_resamples=50).parts
    row = made[(made["model"] == "own") & (made["temperature"] == 1.0) & (made["part"] == DRAW)].iloc[0]
    assert row["share_lower"] > 0.3 and row["no_luck"] < 0.1


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
