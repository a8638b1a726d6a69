"""Study 3's rows of the ledger. Oracle: counts of printed figures, and sums by hand."""

import functools

import pytest

from metacog.ledger.entry import Settings, Status
from metacog.ledger.judging import make_ledger
from metacog.studies.study3_dmc import ledger, paper
from metacog.studies.study3_dmc.ledger import FOLLOWS, T1, T2, T3, TEXT


@functools.cache
def rows():
    """The rows of the study's ledger, made once."""
    return make_ledger(Settings(), [ledger.LEDGER])


def row(place, item, quantity):
    found = rows()[(rows()["table"] == place) & (rows()["item"] == item) & (rows()["quantity"] == quantity)]
    assert len(found) == 1
    return found.iloc[0]


def test_every_printed_figure_has_a_row():
    counted = rows()["table"].value_counts().to_dict()
    wanted = {T1: 6 * 4, T2: 6 * 9, T3: 9 * 9, TEXT: 9 + 7}
    assert counted == {place: n for place, n in wanted.items()}


def test_what_matches_what_differs_and_what_waits():
    by = rows()["status"].value_counts().to_dict()
    assert by == {Status.MATCH: 24, Status.DIFFERS: 8, Status.REPEAT: 29, Status.NEEDS: 114}
    differing = rows()[rows()["status"] == Status.DIFFERS]
    assert set(zip(differing["table"], differing["item"], differing["quantity"], strict=True)) == {
        *(
            (T1, paper.METHODS[m], "CV of DMC")
            for m in ("verb_vanilla", "verb_cot", "verb_topk", "self_random")
        ),
        *((T2, paper.METHODS[m], "average") for m in ("verb_vanilla", "self_random", "misleading")),
        (T3, "GPT-3.5, consistency, self-random", "Date Understanding"),
    }
    assert set(rows()[rows()["status"] == Status.NEEDS]["needs"]) == {
        ledger.NEEDS_COUNTS,
        ledger.NEEDS_VALUES,
    }


def test_averages_and_cvs_are_those_of_the_printed_cells():
    """By hand: GPT-4 self-random adds up to 5.7810; Llama's averages .2505, .3330, .3797."""
    assert row(T3, "GPT-4, consistency, self-random", "average")["reproduced"] == pytest.approx(5.7810 / 8)
    text = row(TEXT, "Llama-2-70B", "standard deviation of the averages")
    assert text["reproduced"] == pytest.approx(0.0534164, abs=1e-6) and text["status"] == Status.MATCH
    assert "0.0654" in text["note"]
    assert row(TEXT, "GPT-3.5", "mean of the averages")["reproduced"] == pytest.approx(0.4835)
    perturbing = row(T1, "consistency, perturbing", "CV of DMC")
    assert perturbing["reproduced"] == pytest.approx(0.005227, abs=1e-6)


def test_the_cell_printed_twice_is_named_with_what_either_value_implies():
    cell = row(T3, "GPT-3.5, consistency, self-random", "Date Understanding")
    assert (cell["published"], cell["reproduced"]) == ("0.5994", 0.5944)
    assert all(one in cell["note"] for one in ("0.5944", "0.5994", "0.59795", "0.59858"))
    assert FOLLOWS[False, True] in cell["note"]
    assert "0.5994" in row(T1, "consistency, self-random", "CV of DMC")["note"]
    other = row(T3, "GPT-3.5, consistency, self-random", "average")
    assert other["status"] == Status.MATCH and other["reproduced"] == pytest.approx(0.598575)


def test_tolerances_are_the_last_digit_and_chance_rounding_no_more():
    average = row(T2, "verbalised, vanilla", "average")
    assert 0.00005 < average["tolerance"] < 0.0001  # the worst of eight roundings would be 0.0001
    again = row(T3, "GPT-3.5, verbalised, top-k", "average")
    assert again["status"] == Status.REPEAT and again["tolerance"] == pytest.approx(0.00005)
