"""Scoring against the protocol's own words; the similarity's oracle is Python's difflib."""

import dataclasses
import difflib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metacog.collect.scoring import Mark, best_similarity, is_refusal, normalise
from metacog.engines.base import Generation
from metacog.studies.study1_qa.asking.marking import MARKING


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
