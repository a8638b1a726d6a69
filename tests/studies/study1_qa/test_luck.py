"""The luck of the draw in study 1. Oracles: observers that know or do not know the draw, and arithmetic."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from metacog.engines.base import Generation
from metacog.engines.requests import Generated
from metacog.sdt import auroc2
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study1_qa import luck, luck_rises, luck_usual, paper
from metacog.studies.study1_qa.asking.collections import RepeatedDraws
from metacog.studies.study1_qa.settings import Settings
from metacog.trials import SCORE
from metacog.verdicts.outcomes import together


def answers(luck_in_confidence: float, n: int = 1500, seed: int = 1) -> pd.DataFrame:
    """A model that knows each question to some degree, at T = 0.1 and, by lot, at T = 1.

    Its confidence follows what it knows, and at T = 1, as far as asked, whether the draw was a likely one.
    """
    rng = np.random.default_rng(seed)
    knows = rng.normal(size=n)
    seen = knows + rng.normal(size=n)
    lucky = rng.normal(size=n)
    at = {
        0.1: (knows + rng.normal(size=n) > 0, seen),
        1.0: (knows + 1.5 * lucky - 0.8 > 0, seen + luck_in_confidence * lucky),
    }
    asked = [f"q{i:04d}" for i in range(n)]
    return pd.concat(
        pd.DataFrame({"question_id": asked, "correct": right, "nlp": -np.log1p(np.exp(-score))}).assign(
            model="m", temperature=t
        )
        for t, (right, score) in at.items()
    )


def test_a_rise_that_is_luck_is_the_draws():
    rises = luck_rises.rises_with_temperature(answers(2.0))
    assert rises["with_draw_lower"].iloc[0] > 0.05
    assert [unit.holds for unit in luck.on_rises(rises)] == [True]


def test_a_model_whose_confidence_knows_no_draw_has_no_luck_in_its_rise():
    rises = luck_rises.rises_with_temperature(answers(0.0))
    assert rises["with_draw"].iloc[0] == rises["with_question"].iloc[0]
    assert [unit.holds for unit in luck.on_rises(rises)] != [True]


def test_areas_are_those_of_the_answers():
    trials = answers(1.0)
    row = luck_rises.rises_with_temperature(trials).iloc[0]
    low, high = (trials[trials["temperature"] == t] for t in (0.1, 1.0))
    assert row["auroc2_draw"] == pytest.approx(auroc2(high["correct"], high["nlp"]))
    assert row["auroc2_question"] == pytest.approx(auroc2(high["correct"], low["nlp"]))
    assert row["auroc2_reference"] == pytest.approx(auroc2(low["correct"], low["nlp"]))
    assert row["with_draw"] == pytest.approx(row["auroc2_draw"] - row["auroc2_reference"])
    assert row["mostly_draw"] == pytest.approx(0.5 * row["with_draw"] - row["with_question"])


def test_answers_without_confidence_are_left_out():
    trials = answers(1.0, n=300)
    trials.loc[(trials["temperature"] == 1) & trials["question_id"].isin(["q0001", "q0002"]), "nlp"] = np.nan
    assert luck_rises.rises_with_temperature(trials).iloc[0]["n"] == 298


def test_published_bounds_follow_from_accuracy():
    table = luck_rises.published_rises()
    base = table[table["model"] == paper.MODELS["llama3_base"]].set_index("temperature")
    low, one = base.loc[0.1, "accuracy"], base.loc[1.0, "accuracy"]
    assert base.loc[1.0, "unlucky_at_least"] == pytest.approx((low - one) / (1 - one))
    assert (table["unlucky_at_least"] <= table["unlucky_at_most"]).all()
    assert table[["unlucky_at_least", "unlucky_at_most"]].stack().between(0, 1).all()
    assert base.loc[0.1, "unlucky_at_least"] == 0


def test_printed_areas_stand_next_to_those_of_bins():
    """At T = 1 the eight ratings of the counts give what was printed; the 20 bins give less, because of ties."""
    table = luck_rises.published_rises()
    known = table[table["printed"].notna()]
    assert set(known["temperature"]) == set(paper.as_numbers("v2_temperature")["T"]) and len(known) == 16
    one = known[known["temperature"] == 1.0].set_index("model")
    cells = paper.published_cells(paper.MAIN)
    own = dict(zip(cells.frame["model"], auroc2_from_counts(cells.nR_S1, cells.nR_S2), strict=True))
    for name, title in paper.MODELS.items():
        assert one.loc[title, "printed"] == pytest.approx(own[name], abs=0.002)
    assert (known["auroc2"] < known["printed"]).all()


def row(**values) -> pd.DataFrame:
    return pd.DataFrame([{"model": "m", "temperature": 1.0, "part": "draw", "why": "", **values}])


@pytest.mark.parametrize(
    ("lower", "upper", "why", "passed"),
    [
        (0.6, 0.8, "", True),
        (0.2, 0.4, "", False),
        (0.4, 0.6, "", None),
        (np.nan, np.nan, "", None),
        (np.nan, np.nan, "one class", None),
    ],
)
def test_the_usual_of_two_wrong_answers_is_judged_three_ways(lower, upper, why, passed):
    (unit,) = luck.on_usual(row(usual_lower=lower, usual_upper=upper, why=why))
    assert unit.holds is passed


def test_how_many_other_answers_are_the_same_by_counting():
    """Spelling and articles aside; an empty answer is like no other; at the lowest temperature nothing is compared."""
    told = [(0.1, 0, "The Lima"), (1.0, 0, "lima"), (1.0, 1, "Quito"), (1.0, 2, "Lima"), (1.0, 3, "")]
    trials = pd.DataFrame(told, columns=["temperature", "draw", "answer"]).assign(
        model="m", dataset="bank", question_id="q"
    )
    same = luck.with_same(trials)["same"]
    assert np.isnan(same[0]) and same[1:].tolist() == pytest.approx([2 / 4, 0, 2 / 4, 0])


def test_readers_of_one_thing_stand_beside_the_run():
    draws = row(**{f"{name}{end}": 0.7 for name in luck.IN_PAIRS for end in ("", "_lower", "_upper")})
    pairs = luck.beside_readers(draws, luck.recovered())
    simulated = pairs[1:].set_index("model")
    assert len(simulated) == 6 and pairs["model"].iloc[0] == "m"
    usual = simulated["usual"]
    right = simulated.index.str.contains("right")
    like_habit = usual[[luck.SIMULATED_MODEL + one for one in (luck.HABIT, luck.IDEAL)]]
    assert like_habit.min() > 0.85 and abs(usual[right] - 0.5).max() < 0.02


@pytest.mark.parametrize(
    ("lower", "upper", "passed"), [(0.05, 0.09, True), (0.01, 0.04, False), (0.03, 0.07, None)]
)
def test_a_crossing_is_held_against_its_bound(lower, upper, passed):
    pair = row(first="a", second="b", lower=lower, upper=upper, bound=0.045)
    (unit,) = luck.on_crossings(pair, 1.0)
    assert unit.holds is passed and ("0.045" in unit.why) is (passed is None)


def test_an_unjudged_model_leaves_the_rule_undecided():
    both = pd.concat(
        [
            row(luck_lower=0.1, luck_upper=0.2, usual_lower=0.6, usual_upper=0.7),
            row(
                model="other",
                luck_lower=np.nan,
                luck_upper=np.nan,
                usual_lower=np.nan,
                usual_upper=np.nan,
                why="no wrong",
            ),
        ]
    )
    none = pd.DataFrame()
    found = luck.judge(both, none, none, 0.1)
    assert set(found["rule"]) == {"draw", "usual"} and together(found, "draw") is None
    assert [(u.name, u.why) for u in luck.on_draws(both) if u.holds is None] == [("other", "no wrong")]


def test_a_sample_of_questions_is_drawn_several_times():
    settings = Settings({"bank": {}}, draw_questions=30, draws=3, dataset="bank")
    asked = RepeatedDraws()
    items = asked.items(settings, {})
    assert len(items) == 30 == len({i.id for i in items})
    assert [i.id for i in items] == [i.id for i in asked.items(settings, {})]
    other = asked.items(replace(settings, seed=7), {})
    assert {i.id for i in items} != {i.id for i in other}
    request = next(asked.ask(items[0], settings))
    assert request.n_samples == 3 and set(request.sample_temperatures) == {1.0} and request.seeds is None
    made = Generation(" " + items[0].accepted[0], (1, 2), (-0.1, -0.3), 2, -0.4, None, False)
    rows = list(asked.read(items[0], [Generated((made, made, made))], settings))
    assert [r["draw"] for r in rows] == [1, 2, 3] and all(r["correct"] for r in rows)


def wrong_draws(reads: str, n: int = 60) -> pd.DataFrame:
    """A right and three wrong answers to each question; two of them look alike, the third is long and of rare words."""
    rng = np.random.default_rng(3)
    rows = []
    for q in range(n):
        for answer, same, tokens in (
            ("house", 0.5, 1),
            ("water", 0.25, 1),
            ("antediluvian gastropods", 0.0, 6),
        ):
            nlp = {"habit": same, "length": -tokens, "nothing": rng.normal()}[reads]
            rows.append(("m", f"q{q}", False, answer, tokens, nlp, same))
        rows.append(("m", f"q{q}", True, "city", 1, 9.0, 0.0))
    columns = ["model", "question_id", "correct", "answer", "n_tokens", SCORE, "same"]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.parametrize(("reads", "share"), [("habit", 1.0), ("length", 0.5)])
def test_usual_answers_that_look_alike_are_compared_with_one_another_alone(reads, share):
    """Oracle: a model that reads habit is right of all such pairs, one that reads length ties on them."""
    made = luck_usual.usual_in_surface(wrong_draws(reads), n_resamples=200, seed=1).iloc[0]
    assert (made["surface"], made["surface_lower"], made["n_surface"]) == (share, share, 60)


def test_a_confidence_that_knows_nothing_is_ahead_in_half_of_alike_pairs():
    made = luck_usual.usual_in_surface(wrong_draws("nothing"), n_resamples=500, seed=1).iloc[0]
    assert made["surface_lower"] < 0.5 < made["surface_upper"]
    few = luck_usual.usual_in_surface(wrong_draws("habit", 19), n_resamples=10, seed=1).iloc[0]
    assert few["n_surface"] == 19 and np.isnan(few["surface"])
