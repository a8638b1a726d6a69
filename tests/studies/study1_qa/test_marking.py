"""Scoring against the protocol's own words; the similarity's oracle is Python's difflib."""

import dataclasses
import difflib
import random

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metacog.collect.scoring import Mark, best_similarity, is_refusal, normalise, numbers_and_letters
from metacog.engines.base import Generation
from metacog.studies.study1_qa.asking.marking import MARKING, PAPER, marking_of
from metacog.trials import loosely_right


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("The answer is: Paris", "Paris"),
        ("the answer is Paris", "Paris"),
        ("Sure! Paris", "Paris"),
        ("Sure, : Paris", "Paris"),
        ("Sure. . Paris", "Paris"),
        ("I think Paris", "Paris"),
        ("I believe. Paris", "Paris"),
        ("It's Paris", "Paris"),
        ("Its Paris", "Paris"),
        ("Heres: Paris", "Paris"),
        ("Italy", "Italy"),
        ("itself", "elf"),  # no word boundary in the original; kept
        (" The answer is Paris", " The answer is Paris"),  # looks before stripping white space; kept
        ("I think I believe Paris", "I believe Paris"),  # one preamble only
    ],
)
def test_preamble(text, rest):
    assert MARKING.strip_preamble(text) == (rest, rest != text)


def test_the_page_shows_an_answer_that_the_rule_is_generous_with():
    asked = ("Papua New Guinean", ["Kina", "Papua New Guinean kina"])
    assert MARKING.mark(*asked).correct
    assert not dataclasses.replace(MARKING, threshold=0.9).mark(*asked).correct


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Vitamin A", "vitamin C"),
        ("4 sides", "3 sides"),
        ("Queen Elizabeth II", "Queen Elizabeth I"),
        ("Queen Elizabeth II", "Queen Elizabeth"),
        ("Eight", "eighty"),
        ("thirty soldiers", "thirteen soldiers"),
        ("212 degrees Celsius", "100 degrees Celsius"),
        ("1,945 soldiers", "1,954 soldiers"),
        ("-68 degrees Celsius", "0 degrees Celsius"),
        ("Boeing B52 plane", "Boeing B62 plane"),
        ("George W. Bush", "George H. W. Bush"),
        ("Hepatitis B", "hepatitis A"),
        ("Jonas S. Salk", "Jonas Salk"),
    ],
)
def test_similarity_never_overrides_another_number_numeral_or_letter(text, key):
    loose, strict = PAPER.mark(text, [key]), MARKING.mark(text, [key])
    assert (loose.correct, loose.match) == (True, "similar")
    assert (strict.correct, strict.match, strict.matched_alias) == (False, "near", key)
    assert strict.similarity == loose.similarity and not MARKING.same(text, key) and PAPER.same(text, key)
    assert MARKING.mark(text, [key, text]).match == "exact"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Ayatollah Khamenei", "Ayatollah Khomeini"),
        ("Queen Elizabeth the First", "Queen Elizabeth I"),
        ("World War 1", "World War I"),
        ("Halleys Comet", "Halley's Comet"),
        ("A line of latitude", "lines of latitude"),
        ("Washington, D. C.", "Washington, D.C."),
        ("1 500 metres", "1,500 metres"),
        ("Leonardo DiCaprio", "Leonardo di Caprio"),
    ],
)
def test_what_has_the_same_numbers_and_letters_is_right_by_similarity(text, key):
    assert MARKING.mark(text, [key]) == PAPER.mark(text, [key])
    assert MARKING.mark(text, [key]).match == "similar"


def test_of_similar_answers_the_nearest_with_the_same_numbers_counts():
    """The first alias is nearer in letters alone: 20 characters of 22 against 20 of 23."""
    found = MARKING.mark("Elizabeth 2", ["Elizabeth 1", "Elizabeth II"])
    assert (found.match, found.matched_alias, found.similarity) == ("similar", "Elizabeth II", 20 / 23)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("twenty-first, 3rd of 1,000,000 and -2.50", ("-2.5", "1", "1000000", "20", "3")),
        ("Louis XIV, DC, mix, xii, IIII", ("12", "14", "600")),
        ("a vitamin A and vitamin a", ("a", "a")),
        ("A rock 'n' roll H₂O", ("2", "h", "n", "o")),
        ("1914-18", ("18", "1914")),
        ("ninetieth hundred", ("100", "90")),
        ("İI ıı İ, ٣ and ½", ("1", "2", "3", "i̇")),
        ("9" * 400, ("inf",)),
        ("", ()),
    ],
)
def test_numbers_numerals_and_letters_of_a_text(text, found):
    assert numbers_and_letters(text) == found


def test_roman_numerals_are_read_up_to_the_largest():
    """Oracle: each built from its digits by the table of tens."""
    ones = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
    tens, hundreds = ([one.translate(str.maketrans("IVX", to)) for one in ones] for to in ("XLC", "CDM"))
    for value in (14, 49, 88, 99, 444, 1666, 1999, 3888):
        digits = [int(digit) for digit in f"{value:04d}"]
        text = "M" * digits[0] + hundreds[digits[1]] + tens[digits[2]] + ones[digits[3]]
        assert numbers_and_letters(text) == (str(value),)


def test_the_papers_sets_are_marked_by_its_rule_and_others_by_the_books():
    assert {marking_of(name) for name in ("triviaqa", "triviaqa-dev", "nq-open", "nq-open-dev")} == {PAPER}
    assert marking_of("bank") is marking_of("mine.jsonl") is MARKING and MARKING.strict and not PAPER.strict
    trials = pd.DataFrame({"match": ["near", "none", "exact"], "correct": [False, False, True]})
    assert loosely_right(trials).tolist() == [True, False, True]


@pytest.mark.parametrize(
    "text", ["I don't know.", "  sorry, no", "I CANNOT say", "I can't", "I'm not sure", "I don't have"]
)
def test_refusals_are_wrong(text):
    assert is_refusal(text)
    result = MARKING.mark(text, [text])
    assert (result.correct, result.match, result.refusal) == (False, "refusal", True)
    assert result.similarity == 0.0


def test_refusal_after_a_preamble():
    assert MARKING.mark("Sure, I don't know", ["x"]).refusal
    assert not MARKING.mark("Paris. I don't know", ["Paris"]).refusal


def test_normalise_keeps_punctuation_and_drops_articles():
    assert normalise("  The  Beatles ") == "beatles"
    assert normalise("A-ha") == "-ha"  # a word boundary stands before the hyphen
    assert normalise("Washington, D.C.") == "washington, d.c."


def test_exact_similar_none_and_empty():
    assert MARKING.mark(" paris", ["Paris"]).match == "exact"
    similar = MARKING.mark("Shakespear", ["Shakespeare"])
    assert similar.match == "similar" and similar.correct and similar.similarity == pytest.approx(20 / 21)
    assert MARKING.mark("London", ["Paris"]).match == "none"
    assert MARKING.mark("The", ["the a"]).match == "empty"
    nothing = MARKING.mark("", ["Paris"])
    assert (nothing.match, nothing.similarity) == ("empty", 0.0)


def test_one_answer_in_two_wordings_and_two_refusals_are_the_same():
    assert MARKING.same("The answer is Paris", "paris") and MARKING.same("paris", "The answer is Paris")
    assert not MARKING.same("Paris", "London")
    assert MARKING.same("I don't know", "sorry, no") and not MARKING.same("I don't know", "Paris")
    title, refused = (
        "I Cannon Ball",
        "I cannot ball",
    )  # as spelled they are alike; the second begins as a refusal
    assert (
        MARKING.same(title, title) and not MARKING.same(title, refused) and not MARKING.same(refused, title)
    )


def test_of_two_aliases_that_are_as_similar_the_first_counts():
    assert best_similarity("ab", ["ac", "ba"]) == (0.5, 0)


def test_a_reply_that_ended_among_its_thoughts_is_unanswered():
    thought = Generation("", (), (), 0, 0.0, None, True, n_thought=5)
    assert MARKING.mark_reply(thought, ["Paris"]) == Mark(False, "unanswered", "", 0.0, "", False, False)


def test_threshold_is_inclusive():
    answer, alias = "abcdefghijklmnopq" + "xyz", "abcdefghijklmnopq" + "uvw"
    assert difflib.SequenceMatcher(None, answer, alias).ratio() == 0.85
    assert MARKING.mark(answer, [alias]).correct
    assert not dataclasses.replace(MARKING, threshold=0.9).mark(answer, [alias]).correct


def test_no_accepted_answer():
    with pytest.raises(ValueError, match="at least one"):
        MARKING.mark("x", [])


words = st.text(alphabet="abcde é,.'-", max_size=30)


@given(words, st.lists(words, min_size=1, max_size=6))
def test_best_similarity_is_difflibs_maximum(answer, aliases):
    ratios = [difflib.SequenceMatcher(None, answer, alias).ratio() for alias in aliases]
    best, where = best_similarity(answer, aliases)
    assert best == max(ratios)
    assert ratios[where] == best


def test_long_strings_use_difflibs_popularity_heuristic():
    random.seed(0)
    answer = "".join(random.choices("abcd ", k=300))
    alias = answer[:120] + "".join(random.choices("abcd ", k=180))
    assert best_similarity(answer, [alias])[0] == difflib.SequenceMatcher(None, answer, alias).ratio()
