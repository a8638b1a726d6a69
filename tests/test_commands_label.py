"""Domain labels by rules and by a model. Oracle: rules applied by hand, a fake engine that counts."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from adding_project import FakeEngine, clone, snapshot

from metacog.collect import labels, plan
from metacog.collect.questions import Question, load_questions
from metacog.core.errors import MetacogError
from metacog.studies.study1_qa.asking.labels import SCHEME

QUESTIONS = [
    Question("a", "Which river flows through Paris?", ("Seine",), index=0),
    Question("b", "Who painted the rivers of Babylon?", ("x",), index=1),
    Question("c", "Who won the World Cup in 1966?", ("England",), index=2),
    Question("d", "What is H2O?", ("water",), index=3),
]
RULES = """
rules:
  - {domain: Geography, words: [river, capital]}
  - {domain: Arts, words: [painted, novel]}
  - {domain: Sports, regex: 'world cup|olympic'}
default: Unclassified
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = clone(tmp_path)
    monkeypatch.chdir(root)
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    (root / "rules.yaml").write_text(RULES)
    (root / "plain.csv").write_text(
        "id,question,answer\n" + "\n".join(f'{q.id},"{q.question}",{q.accepted[0]}' for q in QUESTIONS)
    )
    sets = root / "config/datasets.yaml"
    sets.write_text(
        sets.read_text() + "  plain:\n    label: Plain\n    form: csv\n    path: plain.csv\n    licence: x\n"
    )
    return root


def test_the_first_rule_that_fits_wins(project):
    table = labels.label_by_rules(QUESTIONS, project / "rules.yaml", SCHEME.classes)
    assert table["domain"].tolist() == ["Geography", "Arts & Literature", "Unclassified", "Unclassified"]
    assert table["rule"].tolist() == [1, 2, 3, 0]  # "rivers" is not the word "river"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules: []", "needs a list"),
        ("rules: [{words: [a]}]", "rule 1: needs a domain"),
        ("rules: [{domain: Geography}]", "either words or regex"),
        ("rules: [{domain: Geography, words: a}]", "list of texts"),
        ("rules: [{domain: Geography, regex: '('}]", "no regular expression"),
        ("rules: [{domain: Cooking, words: [a]}]", "unknown domain Cooking"),
        ("rules: [", "not valid YAML"),
    ],
)
def test_bad_rule_files(tmp_path, text, words):
    path = tmp_path / "rules.yaml"
    path.write_text(text)
    with pytest.raises(MetacogError, match=words):
        labels.read_rules(path, SCHEME.classes)
    with pytest.raises(MetacogError, match="there is no file at"):
        labels.read_rules(tmp_path / "none.yaml", SCHEME.classes)


def by_word(prompt: str) -> int:
    asked = prompt.rsplit("Question: ", 1)[1]
    return 2 if "river" in asked else 4 if "World Cup" in asked else 0


def test_a_model_sorts_into_the_scheme(tmp_path):
    cache = tmp_path / "cache.csv"
    table = labels.label_by_model(QUESTIONS, FakeEngine(rule=by_word), cache, SCHEME)
    assert table["class"].tolist() == ["Geography", "Geography", "Sports", "Science"]
    assert table["domain"].tolist() == ["Geography", "Geography", "Unclassified", "Science & Technology"]
    assert (table["probability"] == 0.9).all()


def test_labels_go_on_where_they_stopped(tmp_path):
    cache = tmp_path / "cache.csv"
    labels.label_by_model(QUESTIONS[:2], FakeEngine(rule=by_word), cache, SCHEME)
    again = FakeEngine(rule=by_word)
    table = labels.label_by_model(QUESTIONS, again, cache, SCHEME, batch=1)
    assert again.chosen == 2
    assert table["id"].tolist() == ["a", "b", "c", "d"]
    third = FakeEngine(rule=by_word)
    pd.testing.assert_frame_equal(labels.label_by_model(QUESTIONS, third, cache, SCHEME), table)
    assert third.chosen == 0


def test_a_set_gets_its_labels_and_the_configuration_stays(project):
    before = snapshot(project)
    made = labels.label_set("plain", SCHEME, rules=project / "rules.yaml")
    assert {q.id: q.domain for q in load_questions("plain")}["a"] == "Geography"
    assert json.loads(made.path.with_suffix(".json").read_text())["rules"] == "rules.yaml"
    (project / "rules.yaml").write_text(RULES.replace("Geography", "Sports"))
    labels.label_set("plain", SCHEME, rules=project / "rules.yaml")  # once more replaces them
    assert {q.id: q.domain for q in load_questions("plain")}["a"] == "Unclassified"
    assert snapshot(project) == before


def test_labels_of_another_place_are_named_by_the_set(project):
    sets = project / "config/datasets.yaml"
    sets.write_text(sets.read_text() + "    labels: elsewhere.csv\n")
    with pytest.raises(MetacogError, match="elsewhere.csv: expected a CSV with the columns id and domain"):
        load_questions("plain")
    (project / "elsewhere.csv").write_text("id,domain\na,Geography\n")
    assert {q.id: q.domain for q in load_questions("plain")}["a"] == "Geography"


def test_by_model_through_the_registry(project, monkeypatch):
    monkeypatch.setattr(plan, "open_engine", lambda entry, settings=None: FakeEngine(rule=by_word))
    labels.label_set("plain", SCHEME, model="smollm2-135m")
    assert {q.id: q.domain for q in load_questions("plain")} == {
        "a": "Geography",
        "b": "Geography",
        "c": "Unclassified",
        "d": "Science & Technology",
    }


def test_a_set_with_domains_is_only_checked(project):
    before = snapshot(project)
    with pytest.raises(MetacogError, match="has domains already"):
        labels.label_set("bank", SCHEME, rules=project / "rules.yaml")
    made = labels.label_set("bank", SCHEME, rules=project / "rules.yaml", check=True)
    assert made.n_known == len(load_questions("bank"))
    assert 0 < made.agreement < 1
    assert snapshot(project) == before


def test_what_must_be_given(project):
    with pytest.raises(MetacogError, match="--rules FILE or --model"):
        labels.label_set("plain", SCHEME)
    with pytest.raises(MetacogError, match="no question set 'none'"):
        labels.label_set("none", SCHEME, rules=project / "rules.yaml")
