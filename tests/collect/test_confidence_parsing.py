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


def each(**texts):
    """Pairs of a text and its outcome, from texts by outcome."""
    return [(text, outcome) for outcome, several in texts.items() for text in several]


@pytest.mark.parametrize(
    "text", ["0.8", "I am 0.8 sure.", ".75", "1", "0", "1.0.", "0,8", "0.8, that is 0.80"]
)
def test_fractions_are_read(text):
    value = {".75": 0.75, "1": 1.0, "0": 0.0, "1.0.": 1.0}.get(text, 0.8)
    found = read_probability(text)
    assert (found.status, found.probability, found.percent) == ("ok", value, False)


@pytest.mark.parametrize("text", ["80%", "80 %", "about 80 percent", "80 per cent", "80.0%"])
def test_a_marked_percentage_is_divided_by_a_hundred(text):
    found = read_probability(text)
    assert (found.status, found.probability, found.percent) == ("ok", 0.8, True)


@pytest.mark.parametrize(
    ("text", "status"),
    each(
        out_of_range=("80", "1.2", "-0.3", "120%", "\u22120.3"),
        no_probability=("", "very likely", "3/4", "8 / 10", "B2", "1.2.3", "nan", "inf"),
        several=("0.2 to 0.4", "50% or 0.6"),
    ),
)
def test_what_is_no_probability_has_a_name(text, status):
    found = read_probability(text)
    assert found.status == status in STATUSES and math.isnan(found.probability)


@pytest.mark.parametrize(
    ("text", "answer"),
    each(
        A=("A, 0.7", "(A), 0.7", "The answer is A; 0.7", "**A**, 0.7", "Honey, 0.7", "A: Honey 0.7"),
        # the option's own number is not the probability
        B=("B 0.7", "\n  B: 70%\nA, 0.1", "Answer: B, 0.7", "B: 1945, 0.7", "1945, 0.7"),
    ),
)
def test_a_letter_and_a_probability(text, answer):
    found = read_answer_and_probability(text, LABELS, OPTIONS)
    assert (found.answer, found.probability, found.status) == (answer, 0.7, "ok")


@pytest.mark.parametrize(
    ("text", "status"),
    each(
        no_probability=("A", "B, likely"),
        out_of_range=("B, 70", "B: 1945"),
        several=("A, 0.7, B, 0.3",),
        no_answer=("A cat, 0.7", "a, 0.7", "0.7", "C, 0.7", "", "AB, 0.7", "Honeymoon, 0.7"),
    ),
)
def test_other_replies_fail_by_name(text, status):
    found = read_answer_and_probability(text, LABELS, OPTIONS)
    assert found.answer == ("" if status == "no_answer" else text[0])
    assert found.status == status and math.isnan(found.probability)


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
