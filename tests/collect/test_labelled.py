"""Labelled sentences: the project's own sets are what their record says, others' are read as served."""

import json
import random
from collections import Counter

import pandas as pd
import pytest
from bank_check import NEAR_DUPLICATE

from metacog.cli import main
from metacog.collect import questions
from metacog.collect.questions import (
    classes_of,
    is_labelled,
    load_labelled,
    load_questions,
    pilot_of,
    read_jsonl,
    read_sst2,
    read_tsv,
)
from metacog.core.errors import MetacogError
from metacog.core.paths import data_home

SST2 = data_home() / "sst2" / "train-00000-of-00001.parquet" if data_home() else None
needs_sst2 = pytest.mark.skipif(
    SST2 is None or not SST2.is_file(),
    reason="no SST-2 here: set METACOG_DATA_HOME or `metacog data fetch sst2`",
)


#: Seed of the split into a pilot part and the analysed one, and how many of each kind and class the pilot got.
SPLIT, OF_A_KIND = 20261123, {"sentiment-hard": 6, "articles": 15}


@pytest.mark.parametrize(
    ("name", "classes", "least", "words"),
    [
        ("sentiment", ("negative", "positive"), 100, (6, 25)),
        ("origin", ("oral", "written"), 200, (6, 30)),
        ("sentiment-hard", ("negative", "positive"), 96, (6, 25)),
        ("sentiment-varied", ("negative", "positive"), 212, (6, 25)),
        ("sentiment-pilot", ("negative", "positive"), 10, (6, 25)),
        ("sentiment-hard-pilot", ("negative", "positive"), 24, (6, 25)),
    ],
)
def test_the_projects_sets_are_balanced_short_and_without_repeats(name, classes, least, words):
    found = load_labelled(name)
    counts = Counter(one.label for one in found)
    assert classes_of(name) == classes and counts[0] == counts[1] >= least
    assert len({one.text.casefold() for one in found}) == len(found)
    lengths = [len(one.text.split()) for one in found]
    assert words[0] <= min(lengths) and max(lengths) <= words[1]
    for one in found:
        assert one.text == " ".join(one.text.split()) and one.text[-1] in ".?!" and one.text[0].isupper()
        assert one.topic and one.text.isprintable()
    means = [sum(len(o.text.split()) for o in found if o.label == k) / counts[k] for k in (0, 1)]
    assert abs(means[0] - means[1]) < 1.5  # length alone says little of the class


@pytest.mark.parametrize(
    "names",
    [("sentiment", "sentiment-hard", "sentiment-hard-pilot"), ("origin", "articles", "articles-pilot")],
)
def test_no_two_sentences_of_a_task_are_near_duplicates(names):
    from cydifflib import SequenceMatcher

    texts = [one.text.lower() for name in names for one in load_labelled(name)]
    for i, text in enumerate(texts):
        matcher = SequenceMatcher(None, "", text)
        for other in texts[:i]:
            matcher.set_seq1(other)
            alike = matcher.real_quick_ratio() > NEAR_DUPLICATE and matcher.quick_ratio() > NEAR_DUPLICATE
            assert not alike or matcher.ratio() < NEAR_DUPLICATE, (text, other)


@pytest.mark.parametrize("name", ["sentiment", "origin", "sentiment-hard", "sentiment-varied"])
def test_no_single_word_gives_the_class_away(name):
    found = load_labelled(name)
    by_class = [Counter(w for o in found if o.label == k for w in set(_words(o.text))) for k in (0, 1)]
    n = sum(o.label == 0 for o in found)
    for word in set(by_class[0]) | set(by_class[1]):
        right = max(by_class[0][word] + n - by_class[1][word], by_class[1][word] + n - by_class[0][word])
        assert right / (2 * n) < 0.70, word


def test_each_kind_of_hard_sentence_is_as_often_negative_as_positive():
    for name, each in (("sentiment-hard", 24), ("sentiment-hard-pilot", 6)):
        kinds = Counter((one.topic, one.label) for one in load_labelled(name))
        assert set(kinds.values()) == {each} and len(kinds) == 8


def test_a_joined_set_is_its_parts_and_is_refused_where_a_part_is():
    """Oracle: the parts themselves."""
    whole = load_labelled("sentiment-varied")
    assert whole == load_labelled("sentiment") + load_labelled("sentiment-hard")
    assert not pilot_of("sentiment-varied")


def test_a_set_that_joins_a_pilot_counts_as_one(monkeypatch):
    sets = questions.known_sets()
    joined = sets | {"both": sets["sentiment-varied"] | {"joins": ["sentiment", "sentiment-pilot"]}}
    monkeypatch.setattr(questions, "known_sets", lambda: joined)
    assert pilot_of("both") == "sentiment-varied" and len(load_labelled("both")) == 252


def test_sentences_that_lose_articles_have_three_to_lose_and_are_of_both_origins():
    for name, each in (("articles", 105), ("articles-pilot", 15)):
        found = load_labelled(name)
        assert Counter(one.topic for one in found) == {"oral": each, "written": each}
        assert {one.label for one in found} == {0} and len({one.text for one in found}) == 2 * each
        for one in found:
            assert _words(one.text).count("the") >= 3 and 6 <= len(one.text.split()) <= 25, one.text
            assert one.text == " ".join(one.text.split()) and one.text[-1] in ".?!" and one.text[0].isupper()


@pytest.mark.parametrize("name", OF_A_KIND)
def test_a_set_and_its_pilot_share_nothing_and_were_split_by_the_recorded_seed(name):
    """Oracle: the split made again from both files, as data/questions/CHANGES.md describes it."""
    parts = [load_labelled(one) for one in (name, f"{name}-pilot")]
    assert pilot_of(f"{name}-pilot") == name and not pilot_of(name)
    assert not {one.text.casefold() for one in parts[0]} & {one.text.casefold() for one in parts[1]}
    strata: dict[tuple[str, int], list[str]] = {}
    for one in sorted([*parts[0], *parts[1]], key=lambda one: one.id):
        strata.setdefault((one.topic, one.label), []).append(one.id)
    chance = random.Random(SPLIT)
    drawn = [one for key in sorted(strata) for one in chance.sample(strata[key], OF_A_KIND[name])]
    assert sorted(drawn) == sorted(one.id for one in parts[1])


def _words(text):
    return "".join(c if c.isalpha() or c == "'" else " " for c in text.lower()).split()


@needs_sst2
def test_sst2_as_the_hub_serves_it():
    found = load_labelled("sst2")
    assert len(found) == 67_349
    assert Counter(one.label for one in found) == {1: 37_569, 0: 29_780}
    assert found[0].id == "sst2-0" and found[0].text == "hide new secretions from the parental units"


def test_sst2_damaged_or_of_another_form(tmp_path):
    path = tmp_path / "sst2.parquet"
    path.write_bytes(b"PAR1 and then nothing of use")
    with pytest.raises(MetacogError, match="not a readable parquet file .* fetch it again"):
        read_sst2(path)
    table = pd.DataFrame({"idx": [0, 1], "sentence": ["a ", "b "], "label": [1, 0]})
    table.to_parquet(path)
    assert [(o.id, o.text, o.label) for o in read_sst2(path)] == [("sst2-0", "a", 1), ("sst2-1", "b", 0)]
    table.drop(columns="label").to_parquet(path)
    with pytest.raises(MetacogError, match="lacks the columns label"):
        read_sst2(path)
    table.assign(label=[1, -1]).to_parquet(path)  # what the test split holds
    with pytest.raises(MetacogError, match="idx 1: the label is -1, not 0 or 1"):
        read_sst2(path)


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """A file of the stated form where a download would lie."""
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("METACOG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "data" / "oral_written" / "Test4Plus_Raw.txt"
    path.parent.mkdir(parents=True)
    path.write_text('0\tand he said "no, not the red one"\n1\tThe act came into force in 1921.\n', "utf-8")
    return path


def test_the_oral_and_written_corpus_in_its_stated_form(corpus):
    first, second = load_labelled("oral-written")
    assert (first.label, first.text) == (0, 'and he said "no, not the red one"')
    assert (second.id, second.label) == ("Test4Plus_Raw-00002", 1)


def test_the_checksum_of_the_first_use_is_held_to(corpus):
    assert len(load_labelled("oral-written")) == 2
    corpus.write_text("0\tanother file altogether\n", encoding="utf-8")
    with pytest.raises(MetacogError, match="oral-written: .* damaged or another version"):
        load_labelled("oral-written")


def test_a_set_that_cannot_be_downloaded_says_where_to_put_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path))
    monkeypatch.setenv("METACOG_DATA_HOME", str(tmp_path / "none"))

    def refuse(*args, **options):
        raise OSError("no network")

    monkeypatch.setattr("pooch.retrieve", refuse)
    with pytest.raises(
        MetacogError, match="oral-written: could not download https://zenodo.org/records/7694423"
    ):
        load_labelled("oral-written")


@pytest.mark.parametrize("line", ["0 no tab", "2\ttwo", "oral\tword for a label", "", "1\t "])
def test_broken_tsv_names_the_line(tmp_path, line):
    path = tmp_path / "raw.txt"
    path.write_text(f"1\tfine\n{line}\n0\tfine\n", encoding="utf-8")
    with pytest.raises(MetacogError, match="line 2: "):
        read_tsv(path)
    path.write_bytes(b"0\t\xff\xfe\n")
    with pytest.raises(MetacogError, match="not UTF-8"):
        read_tsv(path)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"id": "a", "text": "b"}',
        '{"id": "a", "text": "b", "label": 2}',
        '{"id": "a", "text": "", "label": 0}',
        '{"id": "a", "text": "b", "label": true}',
    ],
)
def test_broken_jsonl_names_the_line(tmp_path, line):
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({"id": "x", "text": "fine", "label": 1}) + f"\n{line}\n", encoding="utf-8")
    with pytest.raises(MetacogError, match="line 2: "):
        read_jsonl(path)


def test_sets_of_questions_and_of_sentences_are_told_apart():
    assert is_labelled("sst2") and not is_labelled("bank") and not is_labelled("none")
    with pytest.raises(MetacogError, match="'bank'.*sentiment, origin, .*sst2, oral-written"):
        load_labelled("bank")
    with pytest.raises(MetacogError, match="labelled sentences"):
        load_questions("sst2")


def test_repeated_ids_are_refused(monkeypatch):
    one = questions.Labelled("a", "text", 0)
    monkeypatch.setitem(questions.LABELLED_READERS, "labelled-jsonl", lambda path: [one, one])
    with pytest.raises(MetacogError, match="repeats 1 ids"):
        load_labelled("origin")


def test_data_fetch_counts_sentences():
    from click.testing import CliRunner

    done = CliRunner().invoke(main, ["data", "fetch", "origin"])
    assert done.exit_code == 0 and f"origin: {len(load_labelled('origin'))} labelled sentences" in done.output
