"""Files of models, and edits of profiles that keep comments. Oracle: the parsed file, and texts made by hand."""

from __future__ import annotations

import os

import pytest
import yaml
from adding_project import clone

from metacog.collect.models import (
    check_name,
    load_models,
    model_file,
    replace_all,
    with_profile_model,
)
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root

ENTRY = """\
label: 'A: model, with #signs'
kind: base
source: {path: /models/a b.gguf}
sha256: null
prompts: {fewshot: fewshot-v1}
ask_twice: 0
"""


@pytest.fixture
def registry(tmp_path, monkeypatch):
    monkeypatch.chdir(clone(tmp_path))
    return tmp_path / "config" / "models"


def test_every_model_is_a_file_and_they_come_in_the_order_of_their_names(registry):
    (registry / "mine.yaml").write_text(ENTRY)
    (registry / ".mine.yaml").write_text("what an editor leaves")
    found = load_models()
    assert list(found) == sorted(found) and len(found) == 9
    mine = found["mine"]
    assert (mine.name, mine.label, mine.sha256, mine.ask_twice) == ("mine", "A: model, with #signs", None, 0)
    assert model_file(mine) == ENTRY and yaml.safe_load(ENTRY)["source"] == {"path": "/models/a b.gguf"}
    (registry / "mine.yaml").unlink()
    assert "mine" not in load_models()


def test_every_model_of_the_project_is_written_as_it_is_read(registry):
    for name, entry in load_models().items():
        (registry / f"{name}.yaml").write_text(model_file(entry), encoding="utf-8")
        assert load_models()[name] == entry


def test_what_is_no_model_is_told_by_its_file(registry):
    (registry / "mine.yaml").write_text(ENTRY.replace("base", "other"))
    with pytest.raises(MetacogError, match="mine.yaml: kind: 'other' is not one of"):
        load_models()
    (registry / "mine.yaml").rename(registry / "my model.yaml")
    with pytest.raises(MetacogError, match="my model.yaml names no model"):
        load_models()


def test_a_registry_in_one_file_is_told_what_to_become(registry):
    registry.with_suffix(".yaml").write_text("models: {}")
    with pytest.raises(MetacogError, match="models.yaml is read no longer: make each entry a file"):
        load_models()


@pytest.mark.parametrize(
    "text",
    [
        "# top\nname: x\nmodels: [a, b]  # why these\nseed: 1\n",
        "name: x\nmodels: [ a, b, ]\nseed: 1\n",
        "name: x\nmodels:\n  - a  # first\n  # a remark\n  - b\nseed: 1\n",
        "name: x\nmodels:\n- a\n- b",
        "# \u00e9\nmodels: [a,  # one\n  'b'  # two\n  ]\n",
    ],
)
def test_a_profile_takes_one_more_model(text):
    after = with_profile_model(text, "c")
    assert yaml.safe_load(after) == {**yaml.safe_load(text), "models": ["a", "b", "c"]}
    assert after.count("#") == text.count("#")
    assert with_profile_model(after, "c") == after
    assert yaml.safe_load(with_profile_model(text, "123"))["models"] == ["a", "b", "123"]


def test_every_profile_of_the_project_can_be_edited():
    for path in (project_root() / "config" / "profiles").glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        assert yaml.safe_load(with_profile_model(text, "mine"))["models"][-1] == "mine"


def test_a_profile_in_which_more_would_change_is_left_alone():
    anchored = "without: &all [a]\nmodels: *all\n", "name: &a a\nmodels: [*a]\n"
    for text in (*anchored, "<<: {models: [a]}\n"):
        with pytest.raises(MetacogError, match="add c to its list of models by hand"):
            with_profile_model(text, "c")


@pytest.mark.parametrize("name", ["", "a b", "a.b", "../x", "-x", "a/b", "x" * 65])
def test_bad_names(name):
    with pytest.raises(MetacogError, match="cannot name a model"):
        check_name(name, {})


def test_taken_names():
    with pytest.raises(MetacogError, match="there is a model 'Llama' already.*config/models/Llama.yaml"):
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
