"""Items of the battery: numbers of each kind as published, forms, keys worked out again, and what is refused.

Oracles: the counts of ``items.csv``; solvers that read only an item's text; another seed; closed counts.
"""

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.core.paths import published_file
from metacog.studies.study5_battery.asking.items import BatteryItem, battery, checked, drawn
from metacog.studies.study5_battery.asking.items.magnitudes import in_powers, in_roman, in_words, ratios
from metacog.studies.study5_battery.asking.items.worlds import FEATURES
from metacog.studies.study5_battery.asking.items.written import ambiguous_words, read_items
from metacog.studies.study5_battery.asking.wordings import shown
from metacog.studies.study5_battery.replication_items import quality

FORMS = (1, 2, 7)


@pytest.fixture(scope="module")
def forms():
    return {form: battery(form) for form in FORMS}


def of_track(forms, track):
    return [item for items in forms.values() for item in items if item.track == track]


def right(item):
    return item.options["ABCD".index(item.key)]


def wrong(item):
    return next(o for o in item.options if o != right(item))


def test_there_are_as_many_items_of_each_kind_as_in_the_published_files(forms):
    published = pd.read_csv(published_file("study5_battery/items.csv"), dtype=str)
    wanted = Counter(zip(published["track"], published["item_type"], strict=True))
    for items in forms.values():
        assert Counter((i.track, i.item_type) for i in items) == wanted
    assert sum(wanted.values()) == 524


def test_t6_has_three_items_of_each_tier_and_domain():
    cells = Counter((i.level, i.domain) for i in battery(1, ("T6",)))
    assert len(cells) == 24 and set(cells.values()) == {3}


def test_the_same_seed_gives_the_same_items_and_another_a_parallel_form(forms):
    assert battery(7) == forms[7]
    first, second = (Counter((i.track, i.item_type, i.level, i.difficulty) for i in forms[f]) for f in (1, 2))
    assert first == second
    for track in ("T1", "T4", "T5"):
        one, other = ({shown(i, "letters") for i in forms[f] if i.track == track} for f in (1, 2))
        assert not one & other, track
    for track in ("T2", "T3", "T6"):
        one, other = ([shown(i, "letters") for i in forms[f] if i.track == track] for f in (1, 2))
        assert one == other


def test_places_of_the_right_option_are_balanced(forms):
    for items in forms.values():
        for name in {name for i in items for name in (i.track, i.track + i.item_type)}:
            own = Counter(i.key for i in items if name in (i.track, i.track + i.item_type))
            assert max(own.values()) - min(own.values()) <= 1, name


def value(text):
    """A number in any of the notations, by rules of its own."""
    words = {in_words(n): n for n in range(4000)}
    roman = {in_roman(n): n for n in range(1, 4000)}
    text = re.sub(r" \((HUGE|TINY)\)$", "", text)
    if match := re.fullmatch(r"([\d.]+) x 10\^(\d)", text):
        return round(float(match[1]) * 10 ** int(match[2]), 6)
    if match := re.fullmatch(r"([\d.]+) (grams|kilograms)", text):
        return float(match[1]) * (1000 if match[2] == "kilograms" else 1)
    return words.get(text) or roman.get(text) or float(text)


def test_keys_of_magnitudes_follow_from_their_texts(forms):
    written = ("two thousand seven hundred and fourteen", "MCMXCIV", "2.714 x 10^3")
    assert (in_words(2714), in_roman(1994), in_powers(2714)) == written
    for item in of_track(forms, "T5"):
        a, b = value(right(item)), value(wrong(item))
        larger = bool(re.match(r"Which (number|weight) is larger|.*Now: circle", item.question))
        assert (a > b) is larger and a != b, item
        if not re.match(r"0\.\d+$", item.options[0]):  # digits were added behind the point
            assert max(a, b) / min(a, b) - 1 == pytest.approx(float(item.level) - 1, rel=0.03), item


def test_ratios_grow_in_even_steps_of_their_excess():
    found = ratios("inhibitory_control")
    assert len(found) == 43 and found[0] == pytest.approx(1.0002) and found[-1] == pytest.approx(10)
    steps = [(b - 1) / (a - 1) for a, b in pairwise(found)]
    assert max(steps) / min(steps) < 1.02


def features(text):
    """Feature values named in a text, by feature."""
    return {
        name: next((v for v in values if re.search(rf"\b{v}\b", text)), "")
        for name, values in FEATURES.items()
    }


def test_keys_of_worlds_follow_from_the_examples(forms):
    """The right option has the example's value of the feature that every word's examples share."""
    for item in of_track(forms, "T1"):
        if item.item_type != "first_order":
            text = re.sub(r"^.*Today another rule holds\.", "", item.question)
            shown = re.findall(r"These are (\w+)s: ([^.]*)\.", text)
            shown += re.findall(r"(?:^|; )(\w+) = ([^;]*,[^;]*)", text)
            words = [[features(t) for t in re.split("[;,]", things)] for _, things in shown]
            if not words:  # one sentence an example
                by_word = {}
                for thing, word in re.findall(r"An? ([^.]*) thing is a (\w+)\.", text):
                    by_word.setdefault(word, []).append(features(thing.lower()))
                words = list(by_word.values())
            kept = Counter(f for things in words for f in FEATURES if len({t[f] for t in things}) == 1)
            example = re.search(r"This is a \w+: an? ([^.]*)\.|([\w-]+ \w+ \w+) thing\. Also", text)
            example = features(example[1] or example[2])
            if item.item_type == "cross_domain_interference":
                assert "cup" in right(item) and "cup" in wrong(item)
                kept = Counter({item.domain: 1})
            rule = kept.most_common(1)[0][0]
            assert rule == item.domain, item
            assert features(right(item))[rule] == example[rule] != features(wrong(item))[rule], item
            shared = sum(features(wrong(item))[f] == example[f] for f in FEATURES)
            assert shared == (2 if item.item_type in ("adversarial_foil", "same_dimension_foil") else 1), item


def test_keys_of_attention_are_the_meaning_that_the_sentence_or_the_task_settles(forms):
    senses = {s.meaning: s for pair in ambiguous_words() for s in pair}
    for item in of_track(forms, "T4"):
        meant, other = senses[right(item)], senses[wrong(item)]
        told = f"speaks of {meant.topic}" if item.item_type == "dorsal_primed" else meant.sentence
        assert meant.word == other.word and told in item.question
        against = any(cue.upper() in item.question for cue in other.cues)
        assert against == (item.item_type not in ("baseline", "dorsal_primed")), item


def test_a_part_is_drawn_by_a_seed_with_all_tracks_in_turn(forms):
    items = forms[1]
    part = drawn(items, 60, 42)
    assert set(Counter(i.track for i in part).values()) == {10} and part == drawn(items, 60, 42)
    assert part != drawn(items, 60, 43) and [i.index for i in part] == sorted(i.index for i in part)
    assert drawn(items, None, 1) == items


ITEM = BatteryItem("x", "T6", "easy", "easy", 1.0, "maths", "1 + 1?", ("1", "2", "3", "4"), "B", "Count.")


@pytest.mark.parametrize(
    ("items", "reported"),
    [
        ([], "there are no items"),
        ([replace(ITEM, track="T9")], "unknown track T9; there are: T1"),
        ([ITEM, ITEM], "the id of another, first: x"),
        ([ITEM, replace(ITEM, id="y")], "the text of another"),
        ([replace(ITEM, key="E")], "has the key 'E', which is none of its options"),
        ([replace(ITEM, hint=" ")], "has no hint"),
        ([replace(ITEM, options=("1", "2"))], "has 2 options, and T6 takes 4"),
        ([replace(ITEM, options=("1", "2", "2", "4"))], "has two options alike"),
        ([replace(ITEM, question="")], "has an empty field"),
    ],
)
def test_bad_items_are_refused_with_what_is_wrong(items, reported):
    with pytest.raises(MetacogError, match=re.escape(reported)):
        checked(items, "set")


TEXTS = dict.fromkeys(("id", "item_type", "level", "domain", "question", "key"), "a") | {"track": "T3"}


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ("{", "line 1: not valid JSON"),
        ("[]", "line 1: not a JSON object"),
        ('{"id": "a"}', "field 'track' is missing"),
        (json.dumps({**TEXTS, "options": ["a", "b"]}), "'difficulty' must be a number"),
        (json.dumps({**TEXTS, "difficulty": 1, "options": "ab"}), "'options' must be a list"),
    ],
)
def test_a_damaged_file_of_items_names_its_line(line, reported, tmp_path):
    (tmp_path / "items.jsonl").write_text(line + "\n")
    with pytest.raises(MetacogError, match=re.escape(reported)):
        read_items(tmp_path / "items.jsonl")
    with pytest.raises(MetacogError, match="there is no file at"):
        read_items(tmp_path / "none.jsonl")


def test_unknown_tracks_are_refused():
    with pytest.raises(MetacogError, match="there is no track T7; there are: T1, T2"):
        battery(1, ("T7",))


def test_the_report_of_quality_finds_what_is_planted(forms):
    table = quality(forms[1]).set_index("track")
    assert table["n"].sum() == 524 and (table["p_keys"] > 0.5).all() and (table["p_longest"] > 0.05).all()
    n = 40
    planted = [replace(ITEM, track="T3", options=("the longest of all", "short"), key="A")] * n
    found = quality(planted).iloc[0]
    assert found["p_keys"] == pytest.approx(2.54e-10, rel=0.01)
    assert found["longest"] == 1 and found["p_longest"] == pytest.approx(2 * 0.5**n)
