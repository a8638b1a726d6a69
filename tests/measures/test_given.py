"""What cells say, by one rule for all doors. Oracle: values by hand, and what a reader of the column would say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.measures import measures_of
from metacog.measures.given import Given, far_off, says_less
from metacog.sdt import InputError


def column(values, name: str = "sure") -> pd.Series:
    return pd.Series(list(values), name=name)


@pytest.mark.parametrize(
    ("cells", "scale", "probability"),
    [
        (["90%", "0.9", "50 %", "0.5"], "probability", [0.9, 0.9, 0.5, 0.5]),
        (["90%", "90", "50 %", "5"], "percent", [0.9, 0.9, 0.5, 0.05]),
        (["90%", "75%", "", "NA"], "percent", [0.9, 0.75, np.nan, np.nan]),
        (["0,9", "0,25", "1"], "probability", [0.9, 0.25, 1.0]),
        (["71,5%", "80%"], "percent", [0.715, 0.8]),
        ([[0.9], "[0.5]", [], "[]"], "probability", [0.9, 0.5, np.nan, np.nan]),
    ],
)
def test_percent_signs_commas_and_lists_are_read_row_by_row(cells, scale, probability):
    found = Given().confidence(column(cells))
    assert found.scale == scale
    np.testing.assert_allclose(found.probability, probability)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["90%", "0.9", "80"] * 9, "0.9, which may be shares or per cent"),
        (["90%", "1", "80%"] * 9, "such as 1, which may be"),
        (["1,234", "500"] * 9, "may part thousands"),
        (([0.9] * 20 + [0.7] * 20 + [90.0] * 5 + [70.0] * 5), "two scales: 40 rows.*10 from 70 to 90"),
        (["TIMEOUT"] * 30 + ["0.5", "0.9"] * 30, "'TIMEOUT' stands for no answer, say --missing TIMEOUT"),
        (["low", "medium", "high"] * 9, "'low'.*'medium'.*'high'.*write 1 for the least sure"),
    ],
)
def test_what_may_be_read_in_two_ways_is_refused(cells, words):
    with pytest.raises(MetacogError, match=words):
        Given().confidence(column(cells))


@pytest.mark.parametrize(
    ("others", "code"),
    [
        ([0.2, 0.5, 0.9], -1),
        ([0.2, 0.5, 0.9], 999),
        ([1, 2, 3, 4], 9),
        ([1, 2, 3, 4], -99),
        ([0, 50, 100], 999),
        ([0, 50, 100], 9999),
        ([-3.1, -0.5, -7.25, -1.5], -999),
    ],
)
def test_a_number_far_from_all_others_is_named_and_missing_when_told(others, code):
    cells = column([*others * 10, *[code] * 4])
    with pytest.raises(MetacogError, match=f"holds {code} in 4 rows.*--missing {code}"):
        Given().confidence(cells)
    found = Given(missing=(str(code),)).confidence(cells)
    assert np.isnan(found.score).sum() == 4 and set(found.score[:-4]) == set(others)
    taken = Given(scale="score").confidence(cells)  # meant as they are
    assert (taken.score == cells).all()


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3, 4, 5],
        [-2, -1, 0, 1, 2],
        [0, 10, 100],
        [0.0, 0.5, 1.0],
        [1, 2, 5],
        [1, 7],
        [-1, 1],
        [0.01, 0.02, 1.0],
    ],
)
def test_scales_that_people_use_hold_no_code(values):
    assert far_off(np.repeat(np.array(values, dtype=float), 20)) == []


def test_scores_without_a_code_are_seldom_taken_for_one():
    rng = np.random.default_rng(0)
    for draw in (
        rng.exponential(size=(200, 300)),
        -rng.exponential(20, size=(200, 300)),
        rng.normal(size=(200, 300)),
        rng.integers(0, 101, size=(200, 300)),
        rng.standard_t(2, size=(200, 300)).round(1),
    ):
        assert not any(far_off(one) for one in draw.astype(float))


@pytest.mark.parametrize(
    "name", ["semantic_entropy", "Loss", "meanNLL", "uncertainty", "perplexity", "std", "variance"]
)
def test_a_column_that_names_an_uncertainty_wants_to_be_told(name):
    cells = column(np.linspace(0.1, 0.9, 20), name)
    assert says_less(name)
    with pytest.raises(MetacogError, match=f"{name}.*--lower-is-surer"):
        Given().confidence(cells)
    found = Given(lower_is_surer=True).confidence(cells)
    assert found.scale == "score" and np.isnan(found.probability).all()
    np.testing.assert_array_equal(found.score, -cells)


@pytest.mark.parametrize(
    "name", ["confidence", "neg_entropy", "glossary", "understood", "closs", "inverse_variance"]
)
def test_names_that_only_look_like_one_do_not(name):
    assert not says_less(name)


@pytest.mark.parametrize(
    ("right", "wrong"), [("C", "I"), ("correct", "incorrect"), ("yes", "no"), (1.0, 0.0)]
)
def test_the_library_reads_correctness_as_the_command_does(right, wrong):
    rng = np.random.default_rng(1)
    sure = rng.uniform(0.2, 1, 200).round(2)
    hit = rng.random(200) < sure
    words = measures_of(
        pd.DataFrame(
            {"correct": np.where(hit, right, wrong), "confidence": [f"{100 * x:.0f}%" for x in sure]}
        ),
        n_resamples=100,
    )
    plain = measures_of(pd.DataFrame({"correct": hit, "confidence": sure}), n_resamples=100)
    np.testing.assert_allclose(words["estimate"], plain["estimate"], atol=1e-12)


def test_missing_zero_is_no_wrong_answer():
    assert Given(missing=("0",)).correctness(column([1, 0, 1, 0])).tolist() == [True, False, True, False]
    assert Given(missing=("N",)).correctness(column(["1", "0", "N"])).tolist() == [True, False, pd.NA]
    with pytest.raises(MetacogError, match=r"hold N \(1\).*--missing N"):
        Given().correctness(column(["1", "0", "N"]))


def test_an_auroc2_below_one_half_says_that_less_may_be_surer():
    rng = np.random.default_rng(2)
    doubt = rng.random(300)
    frame = pd.DataFrame({"correct": rng.random(300) > doubt, "confidence": doubt})
    table = measures_of(frame, n_resamples=100).set_index("measure")
    assert "lower_is_surer=True" in table.loc["auroc2", "warning"]
    turned = measures_of(frame, lower_is_surer=True, n_resamples=100).set_index("measure")
    assert turned.loc["auroc2", "estimate"] == pytest.approx(1 - table.loc["auroc2", "estimate"], abs=1e-12)
    assert turned.loc["auroc2", "warning"] == "" and "brier" not in turned.index


@pytest.mark.parametrize(
    ("stimulus", "response", "words"),
    [
        ([1, "two"] * 40, [1, 2] * 40, "'2' .*stimuli are '1' and 'two'"),
        ([0, 1] * 40, [1, 2] * 40, "'2'.*stimuli are '0' and '1'.*missing="),
        ([0, 1, 2, 1] * 20, [0, 1] * 40, "two stimuli, but holds 3"),
        ([0, 1] * 40, ["N"] * 80, "'N'"),
    ],
)
def test_choices_in_other_codes_are_an_input_error_that_names_them(stimulus, response, words):
    frame = pd.DataFrame({"stimulus": stimulus, "response": response, "confidence": [1, 2, 3, 4] * 20})
    with pytest.raises(InputError, match=words):
        measures_of(frame, stimulus="stimulus", response="response", n_resamples=100)
