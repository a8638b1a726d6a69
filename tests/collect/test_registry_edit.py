"""Edits of YAML keep comments and are all or nothing. Oracle: the parsed file and a comparison of lines."""

from __future__ import annotations

import difflib
import os

import pytest
import yaml

from metacog.collect.models import (
    check_name,
    replace_all,
    with_labels,
    with_model,
    with_profile_model,
)
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root

ENTRY = {
    "label": "A: model, with #signs",
    "kind": "base",
    "source": {"path": "/models/a b.gguf"},
    "sha256": None,
    "prompts": {"fewshot": "fewshot-v1"},
}


def added_and_removed(before: str, after: str) -> tuple[list[str], list[str]]:
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    return [x[2:] for x in lines if x.startswith("+ ")], [x[2:] for x in lines if x.startswith("- ")]


def config(name: str) -> str:
    return (project_root() / "config" / name).read_text(encoding="utf-8")


def test_a_model_is_added_and_nothing_else_moves():
    before = config("models.yaml")
    after = with_model(before, "mine", ENTRY)
    added, removed = added_and_removed(before, after)
    assert removed == []
    assert added[0] == "  mine:"
    assert yaml.safe_load(after)["models"]["mine"] == ENTRY
    assert after.count("#") == before.count("#") + 1


@pytest.mark.parametrize(
    "text",
    [
        "# top\nname: x\nmodels: [a, b]  # why these\nseed: 1\n",
        "name: x\nmodels: [ a, b, ]\nseed: 1\n",
        "name: x\nmodels:\n  - a  # first\n  # a remark\n  - b\nseed: 1\n",
        "name: x\nmodels:\n- a\n- b\n",
    ],
)
def test_a_profile_takes_one_more_model(text):
    after = with_profile_model(text, "c", "x.yaml")
    assert yaml.safe_load(after) == {**yaml.safe_load(text), "models": ["a", "b", "c"]}
    assert after.count("#") == text.count("#")
    assert with_profile_model(after, "c", "x.yaml") == after


def test_every_profile_of_the_project_can_be_edited():
    for path in (project_root() / "config" / "profiles").glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        assert yaml.safe_load(with_profile_model(text, "mine", path.name))["models"][-1] == "mine"


def test_a_layout_that_is_not_known_is_left_alone():
    with pytest.raises(MetacogError, match="add c to its list of models by hand"):
        with_profile_model("models: [a,\n  b]\n", "c", "x.yaml")


def test_labels_are_added_and_replaced():
    before = config("datasets.yaml")
    after = with_labels(before, "triviaqa-dev", "data/labels/one.csv")
    assert added_and_removed(before, after) == (["    labels: data/labels/one.csv"], [])
    again = with_labels(after, "triviaqa-dev", "data/labels/two.csv")
    assert added_and_removed(after, again)[0] == ["    labels: data/labels/two.csv"]
    last = list(yaml.safe_load(before)["datasets"])[-1]
    assert yaml.safe_load(with_labels(before, last, "x.csv"))["datasets"][last]["labels"] == "x.csv"
    with pytest.raises(MetacogError, match="no question set 'none'"):
        with_labels(before, "none", "x.csv")


@pytest.mark.parametrize("name", ["", "a b", "a.b", "../x", "-x", "a/b", "x" * 65])
def test_bad_names(name):
    with pytest.raises(MetacogError, match="cannot name a model"):
        check_name(name, {})


def test_taken_names():
    with pytest.raises(MetacogError, match="has a model 'Llama'"):
        check_name("llama", {"Llama": 1})


def test_all_files_or_none(tmp_path, monkeypatch):
    first, second, third = (tmp_path / name for name in ("a.yaml", "b.yaml", "c.yaml"))
    first.write_text("old a")
    second.write_text("old b")
    real, calls = os.replace, []

    def failing(source, target):
        calls.append(target)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return real(source, target)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(MetacogError, match="No space left on device.*nothing was changed"):
        replace_all({third: "new c", first: "new a", second: "new b"})
    assert (first.read_text(), second.read_text()) == ("old a", "old b")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.yaml", "b.yaml"]
    monkeypatch.undo()
    replace_all({third: "new c", first: "new a"})
    assert (third.read_text(), first.read_text()) == ("new c", "new a")
