"""The comparison of two books. Oracle: a small book, and the same with one thing changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import compare_books
import pandas as pd
import pytest

RESULT = "results/smoke/study/area/result.json"
PAGE = "_build/html/page.html"
DATA = "_build/html/_static/downloads/page-figure-1.csv"
TEXT = """<nav>menu</nav>
<article><p>AUROC2 is .71, made 2026-11-26 at 0123456789ab.</p>
<a href="_static/downloads/page-figure-1.csv">data</a></article>"""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def books(tmp_path: Path) -> tuple[Path, Path]:
    """A book of one result, one table and one page, twice."""
    one = tmp_path / "one"
    made = {"commit": "0123456789ab", "seconds": 0.2}
    _write(one / RESULT, json.dumps({"made_by": made, "record": {"class": "a:B", "fields": {"n": 12}}}))
    _write(one / DATA, "model,auroc2\na,0.71\n")
    _write(one / PAGE, TEXT)
    pd.DataFrame({"model": ["a"], "auroc2": [0.7123456789012345]}).to_parquet(
        one / RESULT.replace("result.json", "areas.parquet")
    )
    shutil.copytree(one, tmp_path / "two")
    return one, tmp_path / "two"


def _changed(books: tuple[Path, Path]) -> list[str]:
    before, after = map(compare_books.facts, books)
    return list(compare_books.differences(before, after))


def test_masks_are_these():
    """What is left out is left out by name: another mask is another test."""
    assert [mask.reason for mask in compare_books.MASKS] == [
        "keys of results",
        "tables, which are compared themselves",
        "the module that a class lies in",
        "days and times",
        "commits",
    ]
    assert len(compare_books.CLOCKS) == 5


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (RESULT, "0.2", "0.9"),
        (RESULT, "a:B", "c:D"),
        (PAGE, "2026-11-26", "2027-01-01"),
        (PAGE, "0123456789ab", "ba9876543210"),
        (PAGE, "menu", "other menu"),
    ],
)
def test_what_two_runs_cannot_share_is_masked(books, path, old, new):
    other = books[1] / path
    _write(other, other.read_text(encoding="utf-8").replace(old, new))
    assert _changed(books) == []


@pytest.mark.parametrize(
    ("path", "old", "new"), [(RESULT, "12}", "13}"), (PAGE, ".71", ".72"), (DATA, "0.71", "0.710")]
)
def test_one_digit_is_seen(books, path, old, new):
    other = books[1] / path
    _write(other, other.read_text(encoding="utf-8").replace(old, new))
    (found,) = _changed(books)
    assert found.startswith(f"differs: {path}")


def test_the_last_bit_of_a_stored_number_is_seen(books):
    path = books[1] / RESULT.replace("result.json", "areas.parquet")
    pd.DataFrame({"model": ["a"], "auroc2": [0.7123456789012346]}).to_parquet(path)
    assert len(_changed(books)) == 1


def test_what_is_gone_and_new_is_named(books):
    (books[1] / RESULT).rename(books[1] / "results/smoke/study/other.json")
    assert [line.split(":")[0] for line in _changed(books)] == ["no longer stored", "new"]
    (books[1] / PAGE).unlink()
    assert next(line.split(":")[0] for line in _changed(books)) == "gone"


def test_a_record_and_a_mapping_of_the_same_parts_are_the_same(books):
    text = (books[1] / RESULT).read_text(encoding="utf-8")
    _write(books[1] / RESULT, text.replace('{"class": "a:B", "fields": {"n": 12}}', '{"result": {"n": 12}}'))
    assert _changed(books) == []
    _write(books[1] / RESULT, text.replace('{"class": "a:B", "fields": {"n": 12}}', '{"result": {"m": 12}}'))
    assert [line.partition("#")[0] for line in _changed(books)] == [
        f"new: {RESULT}",
        f"no longer stored: {RESULT}",
    ]
