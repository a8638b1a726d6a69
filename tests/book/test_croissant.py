"""Croissant metadata. Oracles: the files themselves, their READMEs, and mlcroissant where it is installed."""

from __future__ import annotations

import hashlib
import json
from functools import partial

import nbformat
import numpy as np
import pandas as pd
import pytest

from metacog.book.metadata import CONFORMS_TO, LICENCES, File, croissant, field_types, text_of
from metacog.book.offers import METADATA, closing_cell, declared, of_folder, write_trials
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.core.provenance import commit
from metacog.studies import results, studies

NAMES = list(declared()["datasets"])


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_metadata_are_those_of_the_files(name):
    folder, made = of_folder(name)
    text = (folder / METADATA).read_text(encoding="utf-8")
    assert text == text_of(made), "`metacog data croissant` writes them again"
    said = json.loads(text)
    assert said["conformsTo"] == CONFORMS_TO and said["@type"] == "sc:Dataset"
    for file in said["distribution"]:
        content = (folder / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
        assert file["contentSize"] == f"{len(content)} B"


@pytest.mark.parametrize("name", NAMES)
def test_the_licence_is_the_one_that_is_stated_with_the_data(name):
    about = declared()["datasets"][name]
    stated = (project_root() / about["stated_in"]).read_text(encoding="utf-8")
    named = {
        "CC BY 4.0": "creativecommons.org/licenses/by/4.0/",
        "MIT": "MIT License",
        "Apache 2.0": "Apache License 2.0",
    }[about["licence"]]
    assert named in stated
    if about["stated_in"] == "LICENSE":  # its second part names the folders that are not under MIT
        first, _, rest = stated.partition("are under the Creative Commons Attribution 4.0")
        assert ("data/questions/" in first) and rest
        assert (about["folder"] in first) == (about["licence"] == "CC BY 4.0")
    assert LICENCES[about["licence"]] == of_folder(name)[1]["license"]


@pytest.mark.parametrize("name", NAMES)
def test_every_table_has_its_fields_and_an_identifying_one_identifies(name):
    folder, made = of_folder(name)
    sets = {one["name"]: one for one in made["recordSet"]}
    readers = {".csv": pd.read_csv, ".parquet": pd.read_parquet, ".jsonl": partial(pd.read_json, lines=True)}
    for file, about in declared()["datasets"][name]["files"].items():
        path = folder / file
        if path.suffix == ".json":
            assert path.stem not in sets
            continue
        table = readers[path.suffix](path).drop(columns="checked", errors="ignore")  # holds records
        fields = sets[path.stem]["field"]
        assert {field["name"] for field in fields} == set(table)
        told = set(declared()["fields"].values())
        assert all(field["description"] in told for field in fields), "describe new fields"
        assert "key" not in about or table[about["key"]].is_unique


def test_types_are_read_from_the_file(tmp_path):
    rows = [{"a": 1, "b": "x", "c": ["p"], "d": {"e": 1}, "f": True}, {"a": 2.5, "b": 3, "c": [], "g": None}]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert field_types(tmp_path / "t.jsonl") == {
        "a": ("sc:Float", False),
        "b": ("sc:Text", False),
        "c": ("sc:Text", True),
        "f": ("sc:Boolean", False),
        "g": ("sc:Text", False),
    }
    frame = pd.DataFrame(
        {"n": [1, 2], "x": [0.5, None], "s": ["a", "b"], "t": [True, False], "l": [[1], [2, 3]]}
    )
    frame.to_parquet(tmp_path / "t.parquet")
    assert field_types(tmp_path / "t.parquet") == {
        "n": ("sc:Integer", False),
        "x": ("sc:Float", False),
        "s": ("sc:Text", False),
        "t": ("sc:Boolean", False),
        "l": ("sc:Integer", True),
    }
    frame.drop(columns="l").to_csv(tmp_path / "t.csv", index=False)
    assert [kind for kind, _ in field_types(tmp_path / "t.csv").values()] == [
        "sc:Integer",
        "sc:Float",
        "sc:Text",
        "sc:Boolean",
    ]
    (tmp_path / "t.txt").write_text("x")
    with pytest.raises(MetacogError, match=r"t\.txt: .*\.parquet"):
        field_types(tmp_path / "t.txt")


def test_a_table_that_nobody_declared_is_an_error(monkeypatch):
    said = declared()
    del said["datasets"]["companion-questions"]["files"]["bank-v1.jsonl"]
    monkeypatch.setattr("metacog.book.offers.declared", lambda: said)
    with pytest.raises(MetacogError, match=r"data/questions differ in: bank-v1\.jsonl"):
        of_folder("companion-questions")


def test_trials_are_offered_by_collection_and_run(tmp_path, monkeypatch):
    profile = load_profile("smoke")
    one = next(study for study in studies() if study.collections)
    asked = one.collections[0].name

    def read(study, run, collection, model=""):
        if (study.name, collection) != (one.name, asked):
            raise MetacogError("there are no trials")
        return pd.DataFrame({"model": ["a", "b"], "correct": [True, False], "cost": [None, None]})

    monkeypatch.setattr("metacog.book.offers.read_collected", read)
    (file,) = write_trials(profile, tmp_path / "trials")
    assert file.path.name == f"{one.name}-{asked}-smoke.parquet" and "2 trials" in file.description
    assert list(pd.read_parquet(file.path)) == ["model", "correct"]  # a column without a value has no type
    assert results.runs(profile, one)


def test_the_book_closes_with_what_made_it_and_what_it_offers(tmp_path, monkeypatch):
    """Oracle: the commit and the versions of this interpreter, and a result written here."""
    profile = load_profile("smoke")
    summary = tmp_path / "results" / profile.name / "summary.json"
    summary.parent.mkdir(parents=True)
    summary.write_text("{}")
    monkeypatch.setattr("metacog.book.offers.project_root", lambda: tmp_path)
    monkeypatch.setattr("metacog.book.offers.write_trials", lambda profile, folder: [])
    cell = closing_cell(profile, tmp_path / "static")
    nbformat.validate(nbformat.v4.new_notebook(cells=[cell]))
    assert "profile smoke" in cell.source and f"commit `{commit()}`" in cell.source
    assert f"numpy {np.__version__}" in cell.source and '<a href="../_static/summary.json">' in cell.source
    assert (tmp_path / "static" / "summary.json").read_text() == "{}"


@pytest.mark.parametrize("name", NAMES)
def test_mlcroissant_validates_and_reads_it(name):
    mlcroissant = pytest.importorskip(
        "mlcroissant", reason="mlcroissant is not installed: pip install mlcroissant==1.1.1 pyarrow"
    )
    found = mlcroissant.Dataset(str(of_folder(name)[0] / METADATA))
    assert not found.metadata.ctx.issues.errors
    for one in found.metadata.record_sets:
        assert next(iter(found.records(record_set=one.uuid)))


def test_a_dataset_without_an_address_names_none(tmp_path):
    (tmp_path / "a.csv").write_text("id\n1\n")
    about = {"title": "t", "description": "d", "licence": "MIT"}
    made = croissant("n", about, [File(tmp_path / "a.csv", "one", "id")])
    assert "url" not in made and made["recordSet"][0]["key"] == {"@id": "a/id"}
