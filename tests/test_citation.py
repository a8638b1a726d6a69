"""CITATION.cff. Oracles: the format's own schema, and the list of references of the book."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
SCHEMA = json.loads((ROOT / "tests" / "schema" / "cff-1.2.0.json").read_text(encoding="utf-8"))
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
