"""Two books compared. Oracle: a small book written here, and the same with one thing changed by a known amount."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from metacog import cli
from metacog.book import same
from metacog.core import paths

KEY = "_build/book.key"
TABLE = "results/smoke/study1_qa/h1/areas.parquet"
RECORD = "results/smoke/study1_qa/h1/result.json"
DRAWS = "results/smoke/study1_qa/h1/draws.npy"
COST = "results/smoke/study1_qa/collection/result.json"
MANIFEST = "runs/study1_qa/open/m/bank-0123456789abcdef/manifest.json"
PART = "runs/study1_qa/open/m/bank-0123456789abcdef/parts/block-00000.parquet"
PAGE = "_build/html/_executed/study1-hypotheses.html"
COST_PAGE = "_build/html/_executed/study1-collection.html"
COST_CSV = "_build/html/_static/downloads/study1-collection-table-1.csv"
PICTURE = "_build/html/_static/cover.png"
VALUE = 0.7123456789012345


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def books(tmp_path):
    """A book with a result of numbers alone and one that tells what asking took, twice."""
    one = tmp_path / "one"
    write(one / KEY, json.dumps({"profile": "smoke"}))
    write(one / "config/profiles/smoke.yaml", "name: smoke\n")
    write(one / "requirements.lock", "numpy==2.0\n")
    asked = {"sha256": "ab12", "rows": 4, "seconds": 1.5, "session": 1.0}
    write(one / MANIFEST, json.dumps({"parts": {"0": asked}, "sessions": [{"started": 1.0}]}))
    write(one / RECORD, json.dumps({"record": {"area": VALUE, "n": 12, "of": "m-2"}}, indent=1))
    write(one / COST, json.dumps({"record": {"minutes": 0.25, "n": 12}}, indent=1))
    write(one / PAGE, "<article>\n<p>AUROC2 is .71 of 12 answers.</p></article>")
    write(one / COST_PAGE, "<article><p>Asking took 0.25 minutes.</p></article>")
    write(one / COST_CSV, "model,Minutes\nm,0.25\n")
    write(one / "_executed/smoke/study1-hypotheses.ipynb", json.dumps({"cells": [{"text": str(VALUE)}]}))
    (one / PICTURE).write_bytes(b"\x89PNG 1")
    for path in (TABLE, PART):
        (one / path).parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame({"model": ["a", "b"], "area": [VALUE, np.nan]}).to_parquet(one / path)
    np.save(one / DRAWS, np.array([0.0, VALUE, np.inf]))
    shutil.copytree(one, tmp_path / "two")
    return one, tmp_path / "two"


def lines(books):
    return [line for part in same.compare(*books) for line in part.lines()]


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_same_book_is_the_same_byte_for_byte(books):
    assert lines(books) == [
        "replies: 2 files, 2 the same byte for byte",
        "results: 4 files, 4 the same byte for byte",
        "notebooks: 1 file, 1 the same byte for byte",
        "pages: 4 files, 4 the same byte for byte",
    ]


@pytest.mark.parametrize(
    ("path", "old", "new", "where"),
    [
        (RECORD, "0.7123456789012345", "0.7123456889012345", "number 1: 0.71234567890123"),
        (RECORD, '"n": 12', '"n": 13', "number 2: 12 and 13, first in line 4"),
        (RECORD, "m-2", "m-3", ""),
        (PAGE, ".71", ".72", "line 2"),
        (PAGE, "12 answers", "12 replies", "line 2"),
        (MANIFEST, '"rows": 4', '"rows": 5', "number"),
        (MANIFEST, "ab12", "ab13", "line"),
        (COST, '"n": 12', '"n": 13', "number"),
        (COST_PAGE, "minutes", "hours", "line 1"),
        (KEY.replace("book.key", "html/other.txt"), "", "", "only in"),
    ],
)
def test_one_digit_or_word_is_found_and_named(books, path, old, new, where):
    if old:
        change(books[1] / path, old, new)
    else:
        write(books[1] / path, "new")
    (found,) = (line for line in lines(books) if line.startswith("DIFFERS"))
    assert found.startswith(f"DIFFERS {path}: ") and where in found


@pytest.mark.parametrize(("by", "level"), [(1e-12, "within 1e-09"), (1e-7, "DIFFERS")])
@pytest.mark.parametrize("path", [TABLE, DRAWS, RECORD])
def test_rounding_is_told_from_more_and_its_size_is_said(books, path, by, level):
    file, value = books[1] / path, VALUE * (1 + by)
    if path == TABLE:
        pd.DataFrame({"model": ["a", "b"], "area": [value, np.nan]}).to_parquet(file)
    elif path == DRAWS:
        np.save(file, np.array([0.0, value, np.inf]))
    else:
        file.write_text(file.read_text().replace(str(VALUE), str(value)))
    said = lines(books)
    assert sum(level in line for line in said) == 1
    (told,) = (line for line in said if path in line)
    if by < same.ROUNDING:
        assert f"largest relative difference {by:.2g}: " in told
    assert f"{VALUE:.17g} and {value:.17g}" in told


def test_what_should_be_nothing_may_keep_a_rest(books):
    np.save(books[1] / DRAWS, np.array([1e-17, VALUE, np.inf]))
    assert any("1 within 1e-09" in line for line in lines(books))
    np.save(books[1] / DRAWS, np.array([1e-9, VALUE, np.inf]))
    assert any(line.startswith(f"DIFFERS {DRAWS}: the array 1: 0 and 1") for line in lines(books))


def test_what_is_missing_in_both_is_the_same(books):
    for book, value in zip(books, (VALUE, VALUE * (1 + 1e-15)), strict=True):
        pd.DataFrame({"kept": [True, None], "name": ["a", None], "area": [value, value]}).to_parquet(
            book / TABLE
        )
    found = next(part for part in same.compare(*books) if part.name == "results").found[TABLE]
    assert found.level == same.ROUNDED and found.where.startswith("column area")


@pytest.mark.parametrize("values", [[0.0, VALUE, -np.inf], [0.0, np.nan, np.inf], [0.0, VALUE]])
def test_what_is_no_number_is_not_rounding(books, values):
    np.save(books[1] / DRAWS, np.array(values))
    assert any(line.startswith(f"DIFFERS {DRAWS}") for line in lines(books))


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (MANIFEST, '"seconds": 1.5', '"seconds": 2.5'),
        (MANIFEST, '"started": 1.0', '"started": 7.0'),
        (COST, "0.25", "0.26"),
        (COST_PAGE, "0.25", "0.26"),
        (COST_CSV, "0.25", "0.26"),
    ],
)
def test_times_are_no_difference_and_are_named(books, path, old, new):
    change(books[1] / path, old, new)
    said = lines(books)
    assert not any(line.startswith("DIFFERS") for line in said)
    assert f"      times: {path}" in said


def test_twelve_digits_behind_a_point_are_no_commit(books):
    """Rounding may be the thirteenth digit of one number and the twelfth of the other."""
    change(books[0] / RECORD, str(VALUE), "74.511692877336")
    change(books[1] / RECORD, str(VALUE), "74.51169287733602")
    assert "1 within 1e-09" in lines(books)[1]
    change(books[1] / RECORD, "74.51169287733602", "74.511693877336")
    assert any(line.startswith(f"DIFFERS {RECORD}: number 1") for line in lines(books))


def test_a_commit_is_no_difference(books):
    for book, commit in zip(books, ("0123456789ab", "89abcdef0123+changes"), strict=True):
        write(book / RECORD, json.dumps({"record": {"n": 12}, "made_by": {"commit": commit}}))
    assert f"      times: {RECORD}" in lines(books)


def test_blanks_that_set_a_time_are_no_difference(books):
    write(books[1] / COST_PAGE, "<article><p>Asking took   0.3125 minutes.</p></article>")
    assert "DIFFERS" not in "".join(lines(books))


def test_times_of_a_page_that_tells_none_are_a_difference(books):
    """Only what is made of manifests may tell times: `minutes` elsewhere are a result."""
    for book, minutes in zip(books, (1, 2), strict=True):
        write(book / RECORD, json.dumps({"record": {"minutes": minutes}}))
    assert any(line.startswith(f"DIFFERS {RECORD}") for line in lines(books))


def test_another_picture_and_other_facts_of_a_table_differ(books):
    (books[1] / PICTURE).write_bytes(b"\x89PNG 2")
    pd.DataFrame({"model": ["a", "b"], "area": [VALUE, np.nan]}).to_parquet(
        books[1] / TABLE, compression=None
    )
    found = [line for line in lines(books) if line.startswith("DIFFERS")]
    assert found == [
        f"DIFFERS {TABLE}: the same values, other types or facts beside them",
        f"DIFFERS {PICTURE}: other bytes",
    ]


def test_the_command_says_it_and_its_status_tells(books, monkeypatch):
    monkeypatch.setattr(paths, "project_root", lambda: books[0])
    run = CliRunner().invoke
    alike = run(cli.main, ["doctor", "--same", str(books[1])])
    assert alike.exit_code == 0 and alike.output.count("\n") == 4
    change(books[1] / RECORD, '"n": 12', '"n": 13')
    other = run(cli.main, ["doctor", "--same", str(books[1])])
    assert other.exit_code == 1 and f"DIFFERS {RECORD}" in other.output


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda book: shutil.rmtree(book), "there is no folder"),
        (lambda book: (book / KEY).unlink(), "no book was made in"),
        (lambda book: (book / KEY).write_text('{"profile"'), "no book was made in"),
        (lambda book: (book / KEY).write_text('{"profile": "default"}'), "of the profile smoke, that of"),
        (lambda book: write(book / "requirements.lock", "numpy==1.0\n"), "requirements.lock is another in"),
        (lambda book: write(book / "config/profiles/smoke.yaml", "name: x\n"), "smoke.yaml is another in"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line(books, monkeypatch, spoil, complaint):
    monkeypatch.setattr(paths, "project_root", lambda: books[0])
    spoil(books[1])
    said = CliRunner().invoke(cli.main, ["doctor", "--same", str(books[1])])
    assert said.exit_code == 2 and complaint in said.output and said.output.count("\n") == 1
