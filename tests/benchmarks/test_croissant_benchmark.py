"""Croissant metadata: the committed result of MLCommons' own reader is about the files as they are."""

from __future__ import annotations

import hashlib
import json

import croissant_reader

from metacog.book.offers import METADATA, declared
from metacog.core.paths import project_root


def test_the_reader_found_every_record_of_the_files_as_they_are():
    result = json.loads(croissant_reader.OUT.read_text(encoding="utf-8"))
    assert result["versions"]["mlcroissant"] == croissant_reader.PACKAGES[0].partition("==")[2]
    wanted = {f"{about['folder']}/{METADATA}" for about in declared()["datasets"].values()}
    assert set(result["metadata"]) == wanted
    for name, found in result["metadata"].items():
        path = project_root() / name
        assert found["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest(), f"{name}: validate it again"
        assert found["errors"] == [] and found["differences"] == []
        assert found["records"] and found["records"] == {
            key: len(values) for key, values in croissant_reader.expected(path).items()
        }
