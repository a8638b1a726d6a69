"""Strict parsing of answers and probabilities: what is read, and what each failure is called."""

import math

import pytest

from metacog.collect.confidence_ways import (
    STATUSES,
    read_answer_and_probability,
    read_guesses,
    read_probability,
    read_reasoned,
)

LABELS, OPTIONS = ("A", "B"), ("Honey", "1945")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.8", 0.8),
        ("I am 0.8 sure.", 0.8),
        (".75", 0.75),
        ("1", 1.0),
        ("0", 0.0),
        ("1.0.", 1.0),
        ("0,8", 0.8),
        ("0.8, that is 0.80", 0.8),
    ],
)
def test_fractions_are_read(text, value):
    found = read_probability(text)
    assert (found.status, found.probability, found.percent) == ("ok", value, False)


@pytest.mark.parametrize("text", ["80%", "80 %", "about 80 percent", "80 per cent", "80.0%"])
def test_a_marked_percentage_is_divided_by_a_hundred(text):
    found = read_probability(text)
    assert (found.status, found.probability, found.percent) == ("ok", 0.8, True)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("80", "out_of_range"),
        ("1.2", "out_of_range"),
        ("-0.3", "out_of_range"),
        ("120%", "out_of_range"),
        ("\u22120.3", "out_of_range"),
        ("", "no_probability"),
        ("very likely", "no_probability"),
        ("3/4", "no_probability"),
        ("8 / 10", "no_probability"),
        ("B2", "no_probability"),
        ("1.2.3", "no_probability"),
        ("0.2 to 0.4", "several"),
        ("50% or 0.6", "several"),
        ("nan", "no_probability"),
        ("inf", "no_probability"),
    ],
)
def test_what_is_no_probability_has_a_name(text, status):
    found = read_probability(text)
    assert found.status == status in STATUSES and math.isnan(found.probability)


@pytest.mark.parametrize(
    ("text", "answer", "value"),
    [
        ("A, 0.7", "A", 0.7),
        ("B 0.7", "B", 0.7),
        ("(A), 0.7", "A", 0.7),
        ("\n  B: 70%\nA, 0.1", "B", 0.7),
        ("Answer: B, 0.7", "B", 0.7),
        ("The answer is A; 0.7", "A", 0.7),
        ("**A**, 0.7", "A", 0.7),
        ("B: 1945, 0.7", "B", 0.7),  # the option's own number is not the probability
        ("Honey, 0.7", "A", 0.7),
        ("1945, 0.7", "B", 0.7),
        ("A: Honey 0.7", "A", 0.7),
    ],
)
def test_a_letter_and_a_probability(text, answer, value):
    found = read_answer_and_probability(text, LABELS, OPTIONS)
    assert (found.answer, found.probability, found.status) == (answer, value, "ok")


@pytest.mark.parametrize(
    ("text", "answer", "status"),
    [
        ("A", "A", "no_probability"),
        ("B, 70", "B", "out_of_range"),
        ("B, likely", "B", "no_probability"),
        ("A cat, 0.7", "", "no_answer"),
        ("a, 0.7", "", "no_answer"),
        ("0.7", "", "no_answer"),
        ("C, 0.7", "", "no_answer"),
        ("", "", "no_answer"),
        ("AB, 0.7", "", "no_answer"),
        ("A, 0.7, B, 0.3", "A", "several"),
        ("Honeymoon, 0.7", "", "no_answer"),
        ("B: 1945", "B", "out_of_range"),
    ],
)
def test_other_replies_fail_by_name(text, answer, status):
    found = read_answer_and_probability(text, LABELS, OPTIONS)
    assert (found.answer, found.status) == (answer, status) and math.isnan(found.probability)


def test_an_option_that_is_a_number_does_not_hide_the_probability():
    assert read_answer_and_probability("B, 0.5", LABELS, ("0.4", "0.5")).probability == 0.5
    assert read_answer_and_probability("B, 0.5, 0.9", LABELS, ("0.4", "0.5")).probability == 0.9


def test_reasoning_needs_its_mark():
    assert read_reasoned("B is a year. Final: B, 0.9", LABELS, OPTIONS).probability == 0.9
    assert read_reasoned("Final: A, 0.2. No, final: B, 0.6", LABELS, OPTIONS).answer == "B"
    assert read_reasoned("It is B, 0.9", LABELS, OPTIONS).status == "no_answer"
    assert read_reasoned("Final: dunno", LABELS, OPTIONS).status == "no_answer"


@pytest.mark.parametrize(
    ("text", "answer", "value", "status"),
    [
        ("A 0.3, B 0.6", "B", 0.6, "ok"),
        ("B: 0.8; A: 0.2", "B", 0.8, "ok"),
        ("A 60%, B 40%", "A", 0.6, "ok"),
        ("B 0.5, A 0.5", "B", 0.5, "ok"),  # of equals the first
        ("B 0.9", "B", 0.9, "ok"),
        ("A 0.6, B 40", "", math.nan, "out_of_range"),
        ("A 0.6, B", "", math.nan, "no_probability"),
        ("A 0.6, A 0.3", "", math.nan, "several"),
        ("neither", "", math.nan, "no_answer"),
        ("", "", math.nan, "no_answer"),
    ],
)
def test_the_most_probable_guess_is_taken(text, answer, value, status):
    found = read_guesses(text, LABELS)
    assert (found.answer, found.status) == (answer, status)
    assert found.probability == value or (math.isnan(value) and math.isnan(found.probability))
