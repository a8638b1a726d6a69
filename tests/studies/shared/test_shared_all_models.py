"""Every model in one table. Oracle: a small study whose places are counted by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

from metacog.studies import get_study
from metacog.studies.contributions import LOW_D, Headline, headline_values
from metacog.studies.shared import all_models
from metacog.studies.shared.all_models import HERE, PUBLISHED, REFERENCE, numbers, places
from metacog.studies.study import Result

TITLES = {"one": "Study 1: a question", "two": "Study 2: another"}
PRINTED = pd.DataFrame(
    {
        "model": ["best", "near", "low", "alone"],
        "estimate": [0.9, 0.85, 0.6, 0.5],
        "lower": [0.8, 0.75, 0.55, np.nan],
        "upper": [1.0, 0.95, 0.7, np.nan],
    }
)
HERE_ROWS = pd.DataFrame({"model": ["mine", "flat"], "estimate": [0.4, 0.6], "why": ["", "too few"]})


def compare(*given) -> Result:
    return Result(all_models.compare(*given))


def headline(run: pd.DataFrame, printed: pd.DataFrame = PRINTED) -> Headline:
    return Headline("score", "points", 0.5, headline_values(run, printed))


def test_places_are_those_that_intervals_leave_open():
    rows = PRINTED.assign(why=["", "", "", ""])
    found = places(rows).set_index("model")
    assert found.loc["best", ["first", "last"]].tolist() == [1, 2]
    assert found.loc["near", ["first", "last"]].tolist() == [1, 2]
    assert found.loc["low", ["first", "last"]].tolist() == [3, 3]
    assert found.loc["alone", ["first", "last"]].isna().all()
    judged_away = places(rows.assign(why=["cannot be judged", "", "", ""])).set_index("model")
    assert judged_away["first"].to_dict() == pytest.approx(
        {"best": np.nan, "near": 1, "low": 2, "alone": np.nan}, nan_ok=True
    )


def test_each_model_has_a_row_with_whose_trials_it_rests_on():
    own, reference = headline(HERE_ROWS), headline(pd.DataFrame({"model": ["reference"], "estimate": [0.7]}))
    found = compare({"one": own, "two": headline(HERE_ROWS.iloc[:0])}, {"one": reference}, TITLES)
    of_one = found.models[found.models["study"] == TITLES["one"]]
    assert of_one["whose"].value_counts().to_dict() == {PUBLISHED: 4, HERE: 2, REFERENCE: 1}
    assert set(found.models.loc[found.models["study"] == TITLES["two"], "whose"]) == {PUBLISHED}
    counted = found.studies.set_index("study").loc[TITLES["one"]]
    assert (counted["published"], counted["judged"], counted["above"], counted["may_lead"]) == (4, 3, 3, 2)
    # a number without a value for knowing nothing is not counted above it
    without = compare({"one": Headline("score", "points", np.nan, own.values)}, {}, TITLES)
    assert np.isnan(without.studies["above"]).all()


def test_numbers_follow_the_intervals():
    told = numbers(compare({"one": headline(HERE_ROWS)}, {}, TITLES))
    assert (told["above"], told["judged"], told["n_compared"], told["n_open"]) == (3, 3, 1, 1)
    at_chance = PRINTED.assign(lower=PRINTED["lower"] - 0.4)
    assert numbers(compare({"one": headline(HERE_ROWS, at_chance)}, {}, TITLES))["above"] == 0
    alone = PRINTED.assign(lower=[0.89, 0.84, 0.55, np.nan], upper=[0.91, 0.86, 0.6, np.nan])
    assert numbers(compare({"one": headline(HERE_ROWS, alone)}, {}, TITLES))["n_open"] == 0
    nothing = compare({}, {}, TITLES)
    assert numbers(nothing)["judged"] == 0 and nothing.ranked.empty and nothing.asked.empty


def test_published_models_are_ranked_and_models_asked_here_are_only_listed():
    unlike = PRINTED.assign(why=["", "", "put in", ""])
    found = compare({"one": headline(HERE_ROWS, unlike)}, {}, TITLES)
    rows = found.ranked.set_index("model")
    assert list(rows.index) == ["best", "near", "alone", "low"] and set(rows["study"]) == {"Study 1"}
    assert rows["uncounted"].tolist() == [False] * 3 + [True] and found.counted["judged"].tolist() == [2]
    mine = found.asked.set_index("model")
    assert mine["found"].to_dict() == {"mine": "0.400", "flat": "not testable"}
    assert mine.loc["flat", "why"] == "too few" and set(mine["study"]) == {"Study 1: score"}


def test_numbers_of_a_study_have_as_many_decimals_as_its_largest():
    rows = pd.DataFrame(
        {"model": ["a", "b"], "estimate": [0.0, 27.05], "lower": [-5.32, 3.0], "upper": [0.25, 40.0]}
    )
    in_points = compare(
        {"one": headline(rows), "two": headline(rows.assign(estimate=[0.0, 2.705], upper=[0.25, 4.0]))},
        {},
        TITLES,
    )
    assert in_points.asked["found"].tolist() == ["0.0", "27.1", "0.000", "2.705"]
    assert in_points.asked["why"][0] == "95 % interval -5.3 to 0.2"


def test_it_reads_both_runs_and_the_frontier():
    assert get_study("shared").analysis("all_models").both_runs
    assert get_study("study6_frontier").analysis("headline").returns is Headline


def test_sizes_of_one_kind_are_compared_with_the_next_larger():
    names = ["Tell-1.5B-Chat", "Tell-500M-Chat", "Tell-7B-Chat", "Tell-7B", "Other-1B-Chat", "Tell-70B-Chat"]
    lower = [0.6, 0.5, 0.61, 0.1, 0.9, np.nan]
    rows = pd.DataFrame({"model": names, "lower": lower})
    rows = rows.assign(estimate=rows["lower"] + 0.03, upper=rows["lower"] + 0.07)
    found = compare({"one": headline(HERE_ROWS)}, {"one": headline(rows)}, TITLES)
    pairs = found.sizes.set_index("larger")
    assert pairs["smaller"].to_dict() == {
        "Tell-1.5B-Chat": "Tell-500M-Chat",
        "Tell-7B-Chat": "Tell-1.5B-Chat",
    }
    of = pairs.loc["Tell-1.5B-Chat"]  # 0.1 apart; 0.03 below the larger, 0.04 above the smaller
    assert tuple(of[["difference", "lower", "upper"]]) == pytest.approx((0.1, 0.05, 0.15))
    told = numbers(found)
    assert (told["sizes_more"], told["sizes_less"], told["sizes_unclear"]) == (1, 0, 1)
    assert (found.sizes["quantity"] == "score").all() and told["n_ratios"] == told["n_low_d"] == 0
    low = dataclasses.replace(headline(rows.assign(why=["", LOW_D, *4 * [""]])), quantity="M-ratio")
    found = compare({"one": low}, {}, TITLES)
    assert "Tell-500M-Chat" not in set(found.sizes["smaller"])
    assert (numbers(found)["n_ratios"], numbers(found)["n_low_d"]) == (6, 1)
    assert numbers(compare({"one": headline(HERE_ROWS)}, {}, TITLES))["sizes_named"] == "none"
