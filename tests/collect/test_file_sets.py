"""Data that come as many files. Oracles: folders that are whole, that lack a file, and files in two places."""

import pytest

from metacog.collect.file_sets import FileSet
from metacog.core.errors import MetacogError

SUMS = {"a (1).csv": "0" * 64, "deep/b.csv": "1" * 64}
FILES = FileSet("things", "place/raw", "https://example.org/x/", lambda: SUMS)


def test_a_folder_is_found_when_all_files_are_there(tmp_path, monkeypatch):
    monkeypatch.setenv("METACOG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "place" / "raw"
    (folder / "deep").mkdir(parents=True)
    (folder / "a (1).csv").write_text("x")
    assert FILES.find() is None
    (folder / "deep" / "b.csv").write_text("x")
    assert FILES.find() == folder


def test_every_file_is_asked_for_by_its_address_and_checksum(monkeypatch, tmp_path):
    asked = []

    def fetch(url, file, sha256, what):
        asked.append((url, sha256, what))
        return tmp_path / file

    monkeypatch.setattr("metacog.collect.file_sets.fetch", fetch)
    assert FILES.fetch() == tmp_path / "place" / "raw"
    assert asked == [
        ("https://example.org/x/a%20%281%29.csv", "0" * 64, "things"),
        ("https://example.org/x/deep/b.csv", "1" * 64, "things"),
    ]


def test_files_in_two_places_are_refused(monkeypatch, tmp_path):
    places = iter([tmp_path / "one", tmp_path / "two"])
    monkeypatch.setattr("metacog.collect.file_sets.fetch", lambda url, file, *more: next(places) / file)
    with pytest.raises(MetacogError, match="some files are in .*one.*and others in .*two"):
        FILES.fetch()
