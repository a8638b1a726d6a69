"""CITATION.cff, and what a release takes from it. Oracles: the format's own schema, and the book's references."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import jsonschema
import pytest
import yaml
from packaging.specifiers import SpecifierSet

import metacog

ROOT = Path(__file__).resolve().parents[1]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
SCHEMA = json.loads((ROOT / "tests" / "schema" / "cff-1.2.0.json").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
#: Keys of the five papers in book/references.bib.
PAPERS = ("cacioli2026sdt", "servajean2026", "wang2025dmc", "oliveira2026probe", "cacioli2026battery")


def test_it_follows_the_schema_of_its_format():
    assert [error.message for error in VALIDATOR.iter_errors(CITATION)] == []


def test_the_schema_refuses_two_authors_who_cannot_be_told_apart():
    same = [{"family-names": "Servajean"}, {"family-names": "Servajean"}]
    broken = {**CITATION, "references": [{**CITATION["references"][1], "authors": same}]}
    assert any("non-unique" in error.message for error in VALIDATOR.iter_errors(broken))


def bibliography(key: str) -> str:
    text = (ROOT / "book" / "references.bib").read_text(encoding="utf-8")
    return next(line for line in text.splitlines() if f"{{{key}," in line)


@pytest.mark.parametrize("key", PAPERS)
def test_all_five_papers_are_named(key):
    entry = bibliography(key)
    title = re.sub(r"[{}]", "", re.search(r"title=\{(.*?)\}, (?:journal|booktitle)", entry)[1]).lower()
    found = [r for r in CITATION["references"] if r["title"].lower().startswith(title)]
    assert len(found) == 1, title
    family = re.search(r"author=\{(\w+)", entry)[1]
    assert found[0]["authors"][0]["family-names"] == family
    assert re.search(
        rf"year=\{{{found[0]['year']}[a-e]?\}}", entry
    )  # letters tell apart what one author wrote in a year
    number = re.search(r"arXiv:(\d{4}\.\d{5})", entry)
    assert [i["value"] for i in found[0].get("identifiers", [])] == ([number[0]] if number else [])


def test_a_release_is_described_as_it_is_cited():
    """Zenodo reads its own file alone where there is one."""
    zenodo = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
    papers = [one["value"] for paper in CITATION["references"] for one in paper.get("identifiers", [])]
    assert zenodo["title"] == CITATION["title"]
    assert zenodo["version"] == CITATION["version"] == PROJECT["version"] == metacog.__version__
    sections = re.findall(r"^## .*", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert [one for one in sections if one.startswith(f"## {PROJECT['version']} (")]
    assert [one["name"] for one in zenodo["creators"]] == [one["name"] for one in CITATION["authors"]]
    assert [one["identifier"] for one in zenodo["related_identifiers"]] == papers and len(papers) == 4
    assert zenodo["license"].upper() == CITATION["license"][0] and zenodo["keywords"] == PROJECT["keywords"]


def test_the_development_container_has_a_python_that_the_project_takes():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    version = container["image"].removeprefix("mcr.microsoft.com/devcontainers/python:")
    assert SpecifierSet(PROJECT["requires-python"]).contains(version)
    assert container["postCreateCommand"] == "make setup"
