"""Two-choice trials and tables of counts. Oracle: counts by hand, `fit_meta_d`, simulated observers."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation
from metacog.imports.mapping import Columns
from metacog.imports.two_choice import clean_two_choice, read_counts
from metacog.measures.table import Options, make_cell, measure_table
from metacog.sdt import fit_meta_d
from metacog.sdt.simulate import meta_d_observer

S1 = [36, 24, 17, 20, 10, 12, 9, 2]
S2 = [2, 9, 12, 10, 20, 17, 24, 36]
ROLES = Columns(stimulus="stimulus", response="response", rating="rating")


def cleaned(frame: pd.DataFrame, columns: Columns = ROLES) -> tuple[pd.DataFrame, Validation]:
    report = Validation("x", "two-choice")
    return clean_two_choice(frame, columns, report), report


def tables_of(trials: pd.DataFrame) -> np.ndarray:
    cell = make_cell(trials, trials, Options(clustered=False))
    assert cell.choice is not None
    return np.bincount(cell.choice, minlength=4 * cell.k).reshape(2, -1)


def written(tmp_path, content: dict):
    path = tmp_path / "counts.json"
    path.write_text(json.dumps(content))
    return path


def write(tmp_path, kind: str):
    if kind == "json":
        return written(tmp_path, {"nR_S1": S1, "nR_S2": S2})
    cells = {f"nR_S{s}_{i}": [v] for s, t in ((1, S1), (2, S2)) for i, v in enumerate(t, start=1)}
    table = pd.DataFrame({"nR_S1": S1, "nR_S2": S2} if kind == "long" else cells)
    table.to_csv(tmp_path / "counts.csv", index=False)
    return tmp_path / "counts.csv"


def both(stimulus, response, rating, **more) -> pd.DataFrame:
    return pd.DataFrame({"stimulus": stimulus, "response": response, "rating": rating, **more})


@pytest.mark.parametrize("kind", ["json", "long", "wide"])
def test_counts_survive_the_way_through_trials(tmp_path, kind):
    trials, report = cleaned(read_counts(write(tmp_path, kind))[0])
    np.testing.assert_array_equal(tables_of(trials), [S1, S2])
    assert report.n_used == sum(S1) + sum(S2)


@pytest.mark.parametrize("emptied", [[], [7], [0, 7]])
def test_a_half_is_added_where_a_cell_is_empty_alone_and_said(tmp_path, emptied):
    """Oracle: the fit of the table itself, or of that with a half in every cell."""
    s1 = [0 if i in emptied else n for i, n in enumerate(S1)]
    trials, report = cleaned(read_counts(written(tmp_path, {"nR_S1": s1, "nR_S2": S2}))[0])
    table, _ = measure_table(trials, Options(n_resamples=200, clustered=False))
    added = 0.5 if emptied else 0.0
    fit = fit_meta_d(np.array(s1) + added, np.array(S2) + added)
    row = table.iloc[0]
    assert row["m_ratio"] == pytest.approx(fit.m_ratio, abs=1e-9)
    assert row["d_prime"] == pytest.approx(fit.d_prime, abs=1e-9)
    assert row["m_ratio_lower"] < row["m_ratio"] < row["m_ratio_upper"]
    assert bool(row["m_ratio_valid"])
    assert any("0.5 is added" in note for note in report.notes) == bool(emptied)


def test_a_rating_that_nobody_gave_changes_nothing(tmp_path):
    full = [[36, 24, 17, 9, 12, 2], [2, 9, 12, 20, 24, 36]]
    found = []
    for s1, s2 in (full, [[*side[:1], 0, *side[1:5], 0, side[5]] for side in full]):
        trials, report = cleaned(read_counts(written(tmp_path, {"nR_S1": s1, "nR_S2": s2}))[0])
        found.append(measure_table(trials, Options(n_resamples=100, clustered=False))[0].iloc[0])
        assert not any("0.5 is added" in note for note in report.notes)
    for name in ("d_prime", "meta_d", "m_ratio", "auroc2", "m_ratio_lower", "m_ratio_upper"):
        assert found[0][name] == pytest.approx(found[1][name], abs=1e-6)


def test_known_efficiency_is_recovered():
    made = meta_d_observer(1.5, m_ratio=0.6).trials(40_000)
    sides = np.array(["left", "right"])
    trials, report = cleaned(both(sides[made.stimulus], sides[made.response], made.confidence))
    assert any("'left'" in note and "'right'" in note for note in report.notes)
    row = measure_table(trials, Options(n_resamples=300, clustered=False))[0].iloc[0]
    width = row["m_ratio_upper"] - row["m_ratio_lower"]
    assert abs(row["m_ratio"] - 0.6) < 4 * width / 3.92  # four standard errors
    assert width < 0.1


def test_unused_ratings_and_many_ratings():
    rng = np.random.default_rng(0)
    frame = both(rng.integers(0, 2, 400), rng.integers(0, 2, 400), rng.choice([1, 4], 400))
    trials, _ = cleaned(frame)
    assert trials["k"].iloc[0] == 4 and sorted(trials["rating"].unique()) == [1, 4]
    trials, report = cleaned(frame.assign(rating=rng.random(400)))
    assert trials["k"].iloc[0] == 4 and any("4 levels" in note for note in report.notes)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"stimulus": ["a", "b", "c"] * 20}, "exactly two stimuli, but holds 3"),
        (
            {"response": ["a", "x", "b"] * 20},
            "holds .x. \\(20\\) in 20 of 60 rows, but the stimuli are .a. and .b.*--missing x",
        ),
        (
            {"rating": ["low", "mid", "high"] * 20},
            "column .rating. is no confidence.*low.*write 1 for the least sure",
        ),
        ({"rating": [2] * 60}, "rating is 2 in all trials"),
    ],
)
def test_bad_two_choice_data(change, words):
    frame = both(["a", "b", "a"] * 20, ["a", "b", "b"] * 20, [1, 2, 3, 2] * 15)
    with pytest.raises(MetacogError, match=words):
        cleaned(frame.assign(**change))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"nR_S1": [1, 2, 3], "nR_S2": [1, 2, 3]}, "same even number"),
        ({"nR_S1": [1.5, 2, 3, 4], "nR_S2": [1, 2, 3, 4]}, "whole counts"),
        ({"nR_S1": [-1, 2, 3, 4], "nR_S2": [1, 2, 3, 4]}, "whole counts"),
        ({"nR_S1": [1, 2, 3, 4]}, "nR_S1 and nR_S2"),
        ([], "no tables"),
    ],
)
def test_bad_tables_of_counts(tmp_path, content, words):
    with pytest.raises(MetacogError, match=words):
        read_counts(written(tmp_path, content))


def test_dropped_rows_take_their_choice_along():
    rng, n = np.random.default_rng(2), 100
    frame = both(rng.integers(0, 2, n), rng.integers(0, 2, n), rng.integers(1, 5, n), q=np.arange(n), d="x")
    frame = frame.astype({"stimulus": object})
    frame.loc[[3, 7], "stimulus"] = None
    frame.loc[11, "d"] = None
    trials, report = cleaned(frame, replace(ROLES, question_id="q", domain="d"))
    kept = frame.drop(index=[3, 7, 11])
    assert sum(report.dropped.values()) == 3
    np.testing.assert_array_equal(trials["question_id"].astype(int), kept["q"])
    for name in ("response", "rating"):
        np.testing.assert_array_equal(trials[name], kept[name])
    np.testing.assert_array_equal(trials["correct"], kept["stimulus"].astype(int) == kept["response"])


@pytest.mark.parametrize("content", [{}, [], [[{"nR_S1": S1, "nR_S2": S2}]], {"a": [1]}, [{"nR_S1": S1}]])
def test_json_that_holds_no_tables_says_what_is_expected(tmp_path, content):
    with pytest.raises(MetacogError, match="nR_S1 and nR_S2|no tables of counts"):
        read_counts(written(tmp_path, content), Columns())
