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


def test_numbers_are_read_with_their_groups():
    for text, number in {"1,440 minutes": 1440, "1 440": 1440, "-3.5": -3.5, "1e3": 1000, "12.": 12}.items():
        assert numbers_in(text) == [number] and one_number(text) == number, text
    for text, numbers in {"2 or 3": [2, 3], "H2O": [], "none": [], "in 1945, 50 years": [1945, 50]}.items():
        assert numbers_in(text) == numbers and math.isnan(one_number(text)), text


def test_a_rating_outside_its_scale_is_none():
    assert [rating_in(text, 1, 10) for text in ("7", "7/10", "7 out of 10")] == [7, 7, 7]
    for text in ("70%", "high", "0", "11", "between 5 and 6", ""):
        assert math.isnan(rating_in(text, 1, 10)), text
    assert rating_in("85 %", 0, 100) == 85 and rating_in("0", 0, 100) == 0


def test_yes_and_no():
    assert yes_or_no("Yes, indeed") is True and yes_or_no("**NO**") is False and yes_or_no("maybe") is None
    assert yes_or_no("nothing") is None and yes_or_no("") is None


#: By a key, answers that give it and answers that do not; a surname alone counts only where it is listed.
NAMES = {
    "John F. Kennedy": (
        ["John Kennedy", "President John F. Kennedy", "john fitzgerald kennedy"],
        ["Robert F. Kennedy", "Kennedy"],
    ),
    "James Chadwick": (
        ["Sir James Chadwick", "James Edwin Chadwick.", "James B C D Chadwick"],
        ["James Al Bo Cy Chadwick", "James One Two Three Chadwick"],
    ),
    "John Fitzgerald Kennedy": (["John Francis Fitzgerald Kennedy"], ["John Robert Kennedy"]),
    "King": (["The King"], []),
    "Leoš Janáček": (["Leos Janacek"], []),
    "Mercury": (["The Mercury"], []),
    "Paris": (["Paris, France", "Paris (France)"], ["not Paris", "Paris or Lyon", ""]),
    "Jane Austen": ([], ["Jane Austen's sister"]),
    "George Hevesy": (["George de Hevesy"], []),
    "Johann Sebastian Bach Xaver": (["Johann Sebastian Maria Bach Xaver"], ["Johann Bach Sebastian Xaver"]),
    "Gabriel Garcia Garcia Marquez": ([], ["Gabriel Garcia Marquez"]),
}


@pytest.mark.parametrize("key", NAMES)
def test_a_name_is_known_by_its_title_initial_and_accents(key):
    right, wrong = NAMES[key]
    assert [given for given in right + wrong if same_name(given, [key])] == right


def test_the_strict_rule_knows_case_and_white_space_only():
    assert same_strictly("  john   f. KENNEDY ", "John F. Kennedy")
    assert not same_strictly("John Kennedy", "John F. Kennedy")
    assert not same_strictly("Paris.", "Paris")


def test_agreement_is_the_same_both_ways():
    assert agree("John Kennedy", "John F. Kennedy") and agree("John F. Kennedy", "John Kennedy")
    assert not agree("Paris", "Lyon") and name_words("Dr. Who") == ("who",)
