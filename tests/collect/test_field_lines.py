"""Named lines and short answers. Oracles: replies written by hand with what a reader takes from each."""

import math

import pytest

from metacog.collect.named_lines import field_lines, numbers_in, one_number, rating_in, yes_or_no
from metacog.collect.short_answers import agree, name_words, same_name, same_strictly

BOTH = ("ANSWER", "CONFIDENCE")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ANSWER: 12\nCONFIDENCE: 7", {"ANSWER": "12", "CONFIDENCE": "7"}),
        (" answer = 12 confidence: 7 ", {"ANSWER": "12", "CONFIDENCE": "7"}),
        ("**ANSWER:** 12\n\n**Confidence**: 7/10\nWhy: it is so", {"ANSWER": "12", "CONFIDENCE": "7/10"}),
        ("ANSWER: 1\nANSWER: 2", {"ANSWER": "1"}),
        ("ANSWER:\nCONFIDENCE: 7", {"CONFIDENCE": "7"}),
        ("The answer is 12.", {}),
        ("ANSWER: `X`", {"ANSWER": "X"}),
        ("", {}),
        ("MY_ANSWER: 3", {}),
    ],
)
def test_fields_are_found_in_the_forms_that_models_write(text, found):
    assert field_lines(text, BOTH) == found


def test_a_space_may_stand_for_an_underscore():
    assert field_lines("Error Found: YES", ("ERROR_FOUND", "ERROR_STEP")) == {"ERROR_FOUND": "YES"}


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,440 minutes", [1440]),
        ("1 440", [1440]),
        ("-3.5", [-3.5]),
        ("2 or 3", [2, 3]),
        ("H2O", []),
        ("none", []),
        ("1e3", [1000]),
        ("12.", [12]),
        ("in 1945, 50 years", [1945, 50]),
    ],
)
def test_numbers_are_read_with_their_groups(text, numbers):
    assert numbers_in(text) == numbers
    assert one_number(text) == numbers[0] if len(numbers) == 1 else math.isnan(one_number(text))


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("7", 7),
        ("7/10", 7),
        ("7 out of 10", 7),
        ("70%", math.nan),
        ("high", math.nan),
        ("0", math.nan),
        ("11", math.nan),
        ("between 5 and 6", math.nan),
        ("", math.nan),
    ],
)
def test_a_rating_outside_its_scale_is_none(text, rating):
    assert rating_in(text, 1, 10) == rating or (math.isnan(rating) and math.isnan(rating_in(text, 1, 10)))


def test_percent_are_read_on_a_scale_of_a_hundred():
    assert rating_in("85 %", 0, 100) == 85 and rating_in("0", 0, 100) == 0


def test_yes_and_no():
    assert yes_or_no("Yes, indeed") is True and yes_or_no("**NO**") is False and yes_or_no("maybe") is None
    assert yes_or_no("nothing") is None and yes_or_no("") is None


@pytest.mark.parametrize(
    ("given", "key", "same"),
    [
        ("John Kennedy", "John F. Kennedy", True),
        ("President John F. Kennedy", "John F. Kennedy", True),
        ("john fitzgerald kennedy", "John F. Kennedy", True),
        ("Robert F. Kennedy", "John F. Kennedy", False),
        ("Kennedy", "John F. Kennedy", False),  # a surname alone counts only where it is listed
        ("Sir James Chadwick", "James Chadwick", True),
        ("James Edwin Chadwick.", "James Chadwick", True),
        ("James B C D Chadwick", "James Chadwick", True),  # initials
        ("James Al Bo Cy Chadwick", "James Chadwick", False),
        ("John Francis Fitzgerald Kennedy", "John Fitzgerald Kennedy", True),
        ("John Robert Kennedy", "John Fitzgerald Kennedy", False),
        ("The King", "King", True),  # a title that is the name
        ("James One Two Three Chadwick", "James Chadwick", False),
        ("Leos Janacek", "Leoš Janáček", True),
        ("The Mercury", "Mercury", True),
        ("Paris, France", "Paris", True),
        ("Paris (France)", "Paris", True),
        ("not Paris", "Paris", False),
        ("Paris or Lyon", "Paris", False),
        ("", "Paris", False),
        ("Jane Austen's sister", "Jane Austen", False),
        ("George de Hevesy", "George Hevesy", True),
    ],
)
def test_a_name_is_known_by_its_title_initial_and_accents(given, key, same):
    assert same_name(given, [key]) is same


def test_the_strict_rule_knows_case_and_white_space_only():
    assert same_strictly("  john   f. KENNEDY ", "John F. Kennedy")
    assert not same_strictly("John Kennedy", "John F. Kennedy")
    assert not same_strictly("Paris.", "Paris")


def test_agreement_is_the_same_both_ways():
    assert agree("John Kennedy", "John F. Kennedy") and agree("John F. Kennedy", "John Kennedy")
    assert not agree("Paris", "Lyon") and name_words("Dr. Who") == ("who",)
