"""The probe's items. Oracles: the plan of the paper's tasks, hand-made faults, the second check's answers."""

from collections import Counter
from dataclasses import replace

import pytest
from probe_items_check import check_items

from metacog.core.errors import MetacogError
from metacog.studies.study4_probe.asking.items import (
    BOUNDARIES,
    error_names,
    load_items,
    read_items,
)
from metacog.studies.study4_probe.asking.marking import mark_reply
from metacog.studies.study4_probe.asking.wordings import load_wordings
from metacog.studies.study4_probe.paper import ITEMS

ALL = load_items()
BY_ID = {item.id: item for item in ALL}


def test_the_items_are_those_of_the_plan():
    assert check_items(ALL, error_names()) == []
    assert Counter(item.task for item in ALL) == ITEMS and len(ALL) == 78
    assert {i.boundary for i in ALL if i.task == "T3_KB"} == set(BOUNDARIES)
    assert len({e for i in ALL for e in i.errors}) >= 8
    assert sum(i.step > 0 for i in ALL if i.task == "T5_RCV") == 6


@pytest.mark.parametrize(
    ("item", "change", "fault"),
    [
        ("t1-01", {"key": "six", "accepted": ("six",)}, "is not a number"),
        ("t1-02", {"accepted": ()}, "not among the accepted"),
        ("t1-03", {"difficulty": 6}, "difficulty 6"),
        ("t1-04", {"checked": None}, "no second check"),
        ("t1-05", {"prompt": "How many sides does a  Hexagon have?"}, "stands 2 times"),
        ("t1-06", {"task": "T4_CR"}, "T1_CC has 23 items"),
        ("t2-01", {"errors": ("nonsense",)}, "without accepted names"),
        ("t2-02", {"kind": "joke"}, "neither argument nor source"),
        ("t3-01", {"boundary": "weather"}, "unknown"),
        ("t3-07", {"can_answer": True}, "accepted forms"),
        ("t3-08", {"boundary": "temporal"}, "lacks the boundary types access"),
        ("t5-02", {"step": 9}, "not one of the chain's"),
        ("t5-04", {"step": 0}, "kind of flaw"),
        ("t5-01", {"step": 2, "flaw": "local"}, "not half sound"),
    ],
)
def test_the_validator_finds_each_fault(item, change, fault):
    broken = [replace(one, **change) if one.id == item else one for one in ALL]
    assert any(fault in found for found in check_items(broken, error_names())), fault


def test_a_range_of_difficulty_and_sources_are_asked_for():
    easy = [replace(i, difficulty=1) if i.task == "T4_CR" else i for i in ALL]
    assert any("obscure" in found for found in check_items(easy, error_names()))
    told = [replace(i, kind="argument") if i.task == "T2_EV" else i for i in ALL]
    assert any("no source" in found for found in check_items(told, error_names()))


def second_answer(item, whose="answer"):
    """The second check's answer in the form of the task."""
    reported = item.checked[whose]
    if item.task == "T2_EV":
        return f"ERROR_FOUND: YES\nERROR_TYPE: {reported}"
    if item.task == "T3_KB":
        can, kind, *known = reported.split(", ", 2)
        reason = known[0] if known else "nobody can know"
        return f"CAN_ANSWER: {can}\nBOUNDARY_TYPE: {kind}\nCONFIDENCE: 9\nREASONING: {reason}"
    if item.task == "T5_RCV":
        found = "NO" if reported == "0" else "YES"
        return f"ERROR_FOUND: {found}\nERROR_STEP: {reported}\nCORRECTION: NONE"
    return f"ANSWER: {reported}\nCONFIDENCE: 9"


@pytest.mark.parametrize("item", ALL, ids=lambda i: i.id)
def test_the_answer_of_the_second_check_earns_the_point(item):
    marked = mark_reply(item, second_answer(item))
    assert marked.credit == 1 and marked.unread == ()
    if item.task == "T3_KB":
        assert marked.knows == 1


@pytest.mark.parametrize("item", ALL, ids=lambda i: i.id)
def test_a_blind_answer_earns_the_point(item):
    """One name was asked for, so an item with two flaws gives its share for the one that was named."""
    marked = mark_reply(item, second_answer(item, "blind"))
    assert marked.credit == (1 / len(item.errors) if item.errors else 1) and marked.unread == ()


def test_no_error_type_of_another_item_earns_a_point_of_t2():
    """A reply with one keyed name is right on its own items only, or those that share that very name."""
    names = error_names()
    for item in (i for i in ALL if i.task == "T2_EV"):
        for kind in names:
            words = kind.replace("_", " ")
            reported = f"ERROR_FOUND: YES\nERROR_TYPE: {words}"
            shares = any(f" {name} " in f" {words} " for e in item.errors for name in names[e])
            assert (mark_reply(item, reported).credit > 0) == (kind in item.errors or shares), (item.id, kind)


def test_an_example_of_the_form_is_no_item():
    prompts = {" ".join(item.prompt.lower().split()) for item in ALL}
    for of in load_wordings().tasks.values():
        for example in of["examples"]:
            assert " ".join(example["item"].lower().split()) not in prompts


def test_a_file_that_is_missing_or_broken_is_named(tmp_path):
    with pytest.raises(MetacogError, match="there is no file at"):
        read_items(tmp_path / "none.jsonl")
    (tmp_path / "bad.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(MetacogError, match="line 1: not an item"):
        read_items(tmp_path / "bad.jsonl")
