"""The probe's items. Oracles: the plan of the paper's tasks, the second check's answers."""

from collections import Counter

import pytest

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
    assert Counter(item.task for item in ALL) == ITEMS and len(ALL) == 78
    for what in ("id", "prompt"):
        assert len({" ".join(getattr(item, what).lower().split()) for item in ALL}) == len(ALL)
    of = {task: [item for item in ALL if item.task == task] for task in ITEMS}
    assert {1, 5} <= {item.difficulty for item in of["T4_CR"]}  # from trivial to obscure
    assert {i.boundary for i in of["T3_KB"]} == set(BOUNDARIES)
    assert len({e for i in of["T2_EV"] for e in i.errors}) >= 8
    assert {i.kind for i in of["T2_EV"]} == {"argument", "source"}
    assert sum(i.step > 0 for i in of["T5_RCV"]) == 6
    assert {i.flaw for i in of["T5_RCV"]} == {"local", "multi-step", ""}


@pytest.mark.parametrize("item", ALL, ids=lambda i: i.id)
def test_each_item_says_what_its_task_needs(item):
    assert item.difficulty in range(1, 6) and item.prompt.strip() and item.rubric.strip()
    assert item.checked and item.checked["verdict"] in ("agrees", "changed")
    if item.task in ("T1_CC", "T4_CR"):
        assert item.key in item.accepted
    if item.task == "T1_CC":
        assert float(item.key) == float(item.key)
    if item.task == "T2_EV":
        assert item.errors and all(error_names().get(e) for e in item.errors)
    if item.task == "T3_KB":
        assert bool(item.accepted) == item.can_answer
    if item.task == "T5_RCV":
        assert 0 <= item.step <= item.steps == len(item.prompt.splitlines())
        assert bool(item.flaw) == (item.step > 0)


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
