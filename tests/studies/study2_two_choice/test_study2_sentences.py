"""Sets of study 2: drawn by a seed, balanced; task C deletes one "the" or none. Oracle: by hand."""

import dataclasses
import random
import re
from collections import Counter
from itertools import pairwise, product

import pytest

from metacog.collect.plan import settings_of
from metacog.collect.questions import Labelled, load_labelled, pilot_of
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import data_home
from metacog.studies import get_study
from metacog.studies.study2_two_choice.asking.deletion import deletable, without
from metacog.studies.study2_two_choice.asking.sentences import draw, sentences, with_deletion
from metacog.studies.study2_two_choice.asking.wordings import load_wordings
from metacog.studies.study2_two_choice.settings import MOST_EXAMPLES, Settings

PILOTS = ("sentiment-hard-pilot", "sentiment-pilot", "articles-pilot")
SETS = ("sentiment", "origin", "sentiment-hard", "articles", *PILOTS)
DRAWN = Settings(n_sentences=120).sets()


def made_of(text, deleted, seeds=range(400)):
    """Every form that seeds give a sentence, with one deleted or with none."""
    found = (with_deletion(Labelled("x", text, 0), seed) for seed in seeds)
    return {one.text for one in found if one.label == deleted}


CAT = "The cat saw  the dog by THE gate ."
LOST = [("", "the ", "THE "), ("The ", "", "THE "), ("The ", "the ", "")]


@pytest.mark.parametrize(
    ("text", "label", "made"),
    [
        (CAT, 0, {"The cat saw the dog by THE gate."}),
        (CAT, 1, {f"{a}cat saw {b}dog by {c}gate." for a, b, c in LOST}),
        ('He wrote "the", then left.', 1, {'He wrote "", then left.'}),
        ("The one ,  two  ; three . ", 0, {"The one, two; three."}),
    ],
)
def test_one_the_is_deleted_whichever_it_is_and_marks_are_tidied(text, label, made):
    assert made_of(text, label) == made


@pytest.mark.parametrize(
    "text", ["Other people breathe there.", "A the-less line.", "He said the's odd.", "Theo"]
)
def test_a_the_that_does_not_stand_alone_is_none(text):
    assert with_deletion(Labelled("x", text, 0), 1) is None


def test_half_of_the_sentences_lose_one_and_a_sentence_fares_alike_whatever_else_is_drawn():
    made = [with_deletion(one, seed) for one in load_labelled("origin") for seed in range(20)]
    labels = [one.label for one in made if one is not None]
    assert len(labels) > 4000 and abs(sum(labels) / len(labels) - 0.5) < 4 * 0.5 / len(labels) ** 0.5
    settings = DRAWN["C-origin"]
    few = {s.id: s.text for s in sentences(Settings(n_sentences=40).of("C", "origin"))}
    more = {s.id: s.text for s in sentences(settings)}
    assert few and all(more[key] == few[key] for key in few.keys() & more.keys())


@pytest.mark.parametrize("n", [2, 3])
def test_several_are_deleted_from_the_sentences_that_lose_one(n):
    """Oracle: words counted by hand; which sentences lose any hangs on seed and id alone."""
    text = "The cat saw the dog by the gate of the yard."
    made = [with_deletion(Labelled("x", text, 0), seed, n) for seed in range(300)]
    single = [with_deletion(Labelled("x", text, 0), seed) for seed in range(300)]
    assert [one.label for one in made] == [one.label for one in single]
    lost = [len(text.split()) - len(one.text.split()) for one in made]
    assert lost == [n * one.label for one in made]
    assert len({one.text for one in made if one.label}) == {2: 6, 3: 4}[n]  # every choice of n out of 4
    too_few = Labelled("x", "The cat saw it.", 0)
    assert with_deletion(too_few, 1, n) is None
    in_a_row = without("the the the end.", 3, random.Random(1))
    assert in_a_row == "end."


def test_the_line_and_the_examples_of_task_c_follow_the_number():
    wordings = load_wordings()
    for n, word in ((2, "two"), (3, "three")):
        line, shown = wordings.tasks["C"].deleting(n, "the")
        assert f'{word} words "the"' in line and f'{word} "the" deleted' in line and "{" not in line
        assert len(shown) == MOST_EXAMPLES and [one["label"] for one in shown[:2]] == [0, 1]
        for one, whole in zip(shown, wordings.tasks["C"].whole, strict=True):
            counts = [
                len(re.findall(r"\bthe\b", text, re.I)) for text in (whole["sentence"], one["sentence"])
            ]
            assert counts[0] >= 3 and counts[0] - counts[1] == n * one["label"]
        turns = wordings.turns("C", "Text.", "Answer.", examples=8, n_deleted=n)
        assert turns[0]["content"].startswith(f"{wordings.role} {line}") and len(turns) == 18
        assert wordings.turns("A", "T.", "B.", n_deleted=n) == wordings.turns("A", "T.", "B.")
    assert wordings.tasks["C"].deleting(1, "the") == (wordings.tasks["C"].task, wordings.tasks["C"].examples)


@pytest.mark.parametrize("n", [2, 5])
def test_words_of_any_kind_are_deleted_but_never_the_first_or_the_last(n):
    """Oracle: words counted and compared by hand."""
    text = "One two, three four five six seven."
    made = [with_deletion(Labelled("x", text, 0), seed, n, "any") for seed in range(300)]
    for one in made:
        words = re.findall(r"\w+", one.text)
        assert len(words) == 7 - n * one.label and (words[0], words[-1]) == ("One", "seven")
    assert len({one.text for one in made if one.label}) == {2: 10, 5: 1}[n]  # every choice out of five
    assert len(deletable(text, "any")) == 5 and not deletable(text)
    too_few = Labelled("x", "One two three.", 0)
    assert with_deletion(too_few, 1, n, "any") is None
    line, shown = load_wordings().tasks["C"].deleting(n, "any")
    assert f"{ {2: 'two', 5: 'five'}[n] } words deleted" in line and '"the"' not in line
    for one, whole in zip(shown, load_wordings().tasks["C"].whole, strict=True):
        assert len(whole["sentence"].split()) - len(one["sentence"].split()) == n * one["label"]


@pytest.mark.parametrize("source", PILOTS)
def test_sentences_that_chose_the_difficulty_cannot_be_asked(source):
    task = "A" if source.startswith("sentiment") else "C"
    with pytest.raises(MetacogError, match=f"'{source}' chose how hard"):
        Settings(tasks={task: source})
    profile = load_profile("reference")
    block = profile.studies["study2_two_choice"] | {"tasks": {task: source}}
    asked = dataclasses.replace(profile, studies={"study2_two_choice": block})
    with pytest.raises(MetacogError, match="not asked in a run"):
        settings_of(get_study("study2_two_choice"), asked)


def test_the_reference_run_asks_every_sentence_of_its_sets_once():
    settings = settings_of(get_study("study2_two_choice"), load_profile("reference"))
    found = {one.task: sentences(one) for one in settings.sets().values()}
    for task, source in settings.tasks.items():
        banked = {one.id for one in load_labelled(source)}
        assert {one.id.removesuffix("-the") for one in found[task]} == banked
        assert len(found[task]) == len(banked) and not pilot_of(source)
    assert Counter(one.stimulus for one in found["B"]) == {0: 205, 1: 205}
    deleted = sum(one.stimulus for one in found["C"])
    assert abs(deleted - 105) < 2.6 * 210**0.5 / 2  # half of 210, 99 % of draws


def test_task_c_comes_from_task_bs_sentences():
    source = {one.id: one.text for one in load_labelled("origin")}
    the = re.compile(r"\bthe\b", re.IGNORECASE)
    for made in sentences(DRAWN["C-origin"]):
        before = source[made.id.removesuffix("-the")]
        lost = len(the.findall(before)) - len(the.findall(made.text))
        assert lost == made.stimulus and made.domain == "Deletion"
        assert made.stimulus or made.text == before


@pytest.mark.parametrize("name", DRAWN)
def test_the_default_draw_is_balanced_and_recorded_by_its_seed(name):
    settings = DRAWN[name]
    drawn = sentences(settings)
    assert Counter(s.stimulus for s in drawn) == {0: 60, 1: 60}
    assert [s.index for s in drawn] == list(range(120)) and len({s.id for s in drawn}) == 120
    assert drawn == sentences(settings)
    other = sentences(Settings(seed=43).of(settings.task, settings.source))
    assert [s.id for s in other] != [s.id for s in drawn]
    runs = sum(a.stimulus != b.stimulus for a, b in pairwise(drawn))
    assert 40 < runs < 80  # the classes are mixed


def test_a_draw_may_follow_the_set_and_says_what_is_missing():
    pool = [Labelled(str(i), "text", int(i < 9)) for i in range(12)]
    assert Counter(one.label for one in draw(pool, 12, 1, balanced=False)) == {1: 9, 0: 3}
    assert Counter(one.label for one in draw(pool, 5, 1, balanced=True)) == {1: 3, 0: 2}
    every = draw(pool, None, 1, balanced=True)
    assert len(every) == 12 and every != pool and draw(pool, None, 2, balanced=True) != every
    with pytest.raises(MetacogError, match="4 sentences of label 0 are wanted and there are 3"):
        draw(pool, 8, 1, balanced=True)


@pytest.mark.skipif(
    data_home() is None or not (data_home() / "sst2").is_dir(),
    reason="no SST-2 here: set METACOG_DATA_HOME or `metacog data fetch sst2`",
)
def test_a_thousand_sentences_of_sst2():
    drawn = sentences(Settings(n_sentences=1000).of("A", "sst2"))
    assert Counter(s.stimulus for s in drawn) == {0: 500, 1: 500} and len({s.id for s in drawn}) == 1000


def test_a_set_of_other_classes_is_refused():
    with pytest.raises(MetacogError, match="task B tells oral from written, but the classes of 'sentiment'"):
        sentences(Settings().of("B", "sentiment"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"tasks": {"D": "origin"}}, "no task D; there are: A, B, C"),
        ({"risks": ["S3"]}, "no risk configuration S3; there are: None, S1, S2"),
        ({"risks": [None]}, "no risk configuration None"),  # the label is text
        ({"how": "guess"}, "no way of asking guess"),
        ({"risks": ["S1", "S1"]}, "each risk configuration once"),
        ({"examples": 9}, "examples must lie between 0 and 8"),
        ({"deleted": "a"}, "deleted must be `the`, or `any`"),
        ({"deleted": "any"}, "with an n_deleted of 2 or more"),
        ({"n_deleted": 0}, "n_deleted must lie between 1 and 5"),
        ({"n_sentences": 1}, "n_sentences and n_warned must be at least 2"),
        ({"n_sentences": {"A": 1, "B": 2, "C": 2}}, "n_sentences and n_warned must be at least 2"),
        ({"n_sentences": {"A": 4, "B": 4}}, "n_sentences by task must name each task"),
        ({"n_warned": 1}, "n_sentences and n_warned must be at least 2"),
    ],
)
def test_wrong_settings_are_named(given, words):
    with pytest.raises(MetacogError, match=words):
        Settings(**given)


def test_a_set_is_named_in_the_profile_by_its_task():
    assert list(DRAWN) == ["A-sentiment", "B-origin", "C-origin"]
    other = Settings(tasks={"B": "oral-written"}).sets()
    assert [(n, o.task, o.source) for n, o in other.items()] == [("B-oral-written", "B", "oral-written")]


def test_the_warning_names_the_answer_that_is_punished():
    wordings = load_wordings()
    said = {
        (task, risk): wordings.turns(task, "Text.", "Answer.", risk)[0]["content"]
        for task, risk in product(wordings.tasks, wordings.risks)
    }
    punished = [re.findall(r'"(\w+)" wrongly is punished', said["A", risk]) for risk in ("None", "S1", "S2")]
    assert punished == [[], ["negative"], ["positive"]]
    assert wordings.turns("C", "Text.", "Answer.")[1] == {"role": "user", "content": "Sentence: Text."}
    assert not any("{" in one for one in said.values())


def test_answered_examples_stand_before_the_sentence_and_are_in_no_set():
    """Oracle: the sets themselves, and turns counted by hand."""
    wordings = load_wordings()
    turns = wordings.turns("C", "Text.", "Answer.", examples=4)
    assert [t["role"] for t in turns] == ["system", *["user", "assistant"] * 4, "user"]
    assert [t["content"] for t in turns[2::2]] == ["complete", "deleted", "deleted", "complete"]
    asked = {one.text.lower() for name in SETS for one in load_labelled(name)}
    for task in wordings.tasks.values():
        assert len(task.examples) == MOST_EXAMPLES
        for n in (2, 4, 6, 8):
            assert sum(one["label"] for one in task.examples[:n]) == n / 2
        assert not {one["sentence"].lower() for one in (*task.examples, *task.whole)} & asked
    for one in wordings.tasks["C"].examples:
        assert bool(re.search(r"\bthe\b", one["sentence"], re.I)) or one["label"] == 1
