"""The question bank is what its record says: form, balance, no duplicates, keys that can be marked."""

import itertools
import json
from collections import Counter

import pytest
from bank_check import check_bank

from metacog.collect.prompts import load_prompt
from metacog.collect.questions import DOMAINS, load_questions, read_bank
from metacog.collect.scoring import normalise
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies.study1_qa.asking.marking import MARKING

BANK = project_root() / "data" / "questions" / "bank-v1.jsonl"


@pytest.fixture(scope="module")
def items():
    return read_bank(BANK)


def test_no_faults(items):
    assert check_bank(items) == []


def test_balance(items):
    assert Counter(i["domain"] for i in items) == dict.fromkeys(DOMAINS, 326)
    for domain in DOMAINS:
        easy = sum(i["tier"] <= 2 for i in items if i["domain"] == domain)
        assert 0.55 <= easy / 326 <= 0.66
        assert {i["tier"] for i in items if i["domain"] == domain} == {1, 2, 3, 4, 5}


def test_second_writer_agrees(items):
    for item in items:
        assert item["checked"]["verdict"] in {"agrees", "settled"}
        assert MARKING.mark(item["checked"]["blind_answer"], [item["answer"], *item["aliases"]]).correct, (
            item["id"]
        )


def test_examples_of_the_prompt_are_not_asked(items):
    lines = load_prompt("fewshot-v1").prefix.splitlines()
    pairs = [(q[3:], a[3:]) for q, a in itertools.pairwise(lines) if q.startswith("Q: ")]
    assert len(pairs) == 4
    examples = [faulty(id=f"x-{n}", question=q, answer=a) for n, (q, a) in enumerate(pairs)]
    assert not [fault for fault in check_bank(items + examples) if "ask the same" in fault]
    asked = {normalise(i["question"]) for i in items}
    assert not asked & {normalise(q) for q, _ in pairs}


def faulty(**changes):
    item = {
        "id": "x-1",
        "domain": "Geography",
        "tier": 1,
        "question": "Which sea is salty?",
        "answer": "Dead Sea",
        "aliases": [],
        "distractors": ["Red Sea", "Black Sea", "Caspian"],
    }
    return item | changes


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"domain": "Sport"}, "unknown domain"),
        ({"tier": 6}, "tier 6"),
        ({"question": "Name the sea"}, "question mark"),
        ({"answer": "one two three four five six"}, "1-5 words"),
        ({"aliases": ["salty"]}, "stands in the question"),
        ({"distractors": ["Red Sea", "Red Sea", "Caspian"]}, "3 different"),
        ({"distractors": ["Dead Seas", "Black Sea", "Caspian"]}, "marked right"),
    ],
)
def test_each_fault_is_found(changes, complaint):
    assert any(complaint in fault for fault in check_bank([faulty(**changes)]))


def test_duplicates_are_found():
    same = [faulty(), faulty(id="x-2", question="Which sea is the salty one?")]
    assert any("ask the same" in fault for fault in check_bank(same))
    assert any("stands 2 times" in fault for fault in check_bank([faulty(), faulty()]))


def test_malformed_line_is_named(tmp_path):
    path = tmp_path / "bank.jsonl"
    path.write_text(json.dumps(faulty()) + "\n{broken\n")
    with pytest.raises(MetacogError, match=r"line 2: not valid JSON"):
        read_bank(path)
    path.write_text(json.dumps(faulty(answer=None)))
    with pytest.raises(MetacogError, match=r"line 1: field 'answer'"):
        read_bank(path)
    path.write_text("\n")
    with pytest.raises(MetacogError, match="holds no questions"):
        read_bank(path)


def test_order_is_the_seeds(items):
    first, again = load_questions("bank", limit=50), load_questions("bank", limit=80)
    assert [q.id for q in first] == [q.id for q in again[:50]]
    assert [q.index for q in first] == list(range(50))
    assert [q.id for q in load_questions("bank", shuffle_seed=1, limit=50)] != [q.id for q in first]
