"""Every model in one table. Oracle: a small study whose places are counted by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults

from metacog.studies import get_study
from metacog.studies.contributions import Headline, headline_values
from metacog.studies.shared.all_models.analysis import HERE, PUBLISHED, REFERENCE, compare, places
from metacog.studies.shared.all_models.shown import VIEWS
from metacog.studies.view import View

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
    assert (found.n_models, found.n_published) == (7, 4)
    counted = found.studies.set_index("study").loc[TITLES["one"]]
    assert (counted["published"], counted["judged"], counted["above"], counted["may_lead"]) == (4, 3, 3, 2)
    # a number without a value for knowing nothing is not counted above it
    without = compare({"one": Headline("score", "points", np.nan, own.values)}, {}, TITLES)
    assert np.isnan(without.studies["above"]).all()


def test_the_sentence_follows_the_intervals_and_everything_can_be_shown():
    view = View(compare({"one": headline(HERE_ROWS)}, {}, TITLES), VIEWS)
    head = view.text("answer").source
    assert "in 3 of 3 published results; which model knows best is open." in head and faults(head) == []
    assert "2 of 3 in study 1" in view.text("still_open").source
    at_chance = PRINTED.assign(lower=PRINTED["lower"] - 0.4)
    other = View(compare({"one": headline(HERE_ROWS, at_chance)}, {}, TITLES), VIEWS)
    assert (
        "in 0 of 3 published" in other.text("answer").source and "3 of 3" in other.text("still_open").source
    )
    assert view.figure("forest")._repr_mimebundle_()[0]["image/svg+xml"]
    assert view.table("models")._repr_html_().count("<tr>") == 1 + 6
    nothing = View(compare({}, {}, TITLES), VIEWS)
    assert "no-rows" in nothing.table("models")._repr_html_() and nothing.text("answer").source


def test_it_reads_both_runs_and_the_frontier():
    assert get_study("shared").analysis("all_models").both_runs
    assert get_study("study6_frontier").analysis("headline").returns is Headline
