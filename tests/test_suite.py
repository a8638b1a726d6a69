"""The suite itself: it leaves the clone as it was, one test's leavings do not reach another, and each can fail."""

import os
import shutil
import subprocess
import sys

import pytest
from what_tests_do import Suite

from metacog.core.paths import project_root

TESTS = project_root() / "tests"

WRITES = """
from pathlib import Path

def test_a():
    Path("results/ledger.csv").write_text("100 resamples")

def test_b():
    Path("runs/new.jsonl").write_text("{}")
"""
READS = """
from pathlib import Path

def test_a(tmp_path):
    (tmp_path / "ledger.csv").write_text(Path("results/ledger.csv").read_text())

def test_b():
    pass
"""


def run_tests(folder, *words, **environment):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def suite():
    return Suite(TESTS, project_root() / "benchmarks")


def test_every_test_asserts_something(suite):
    named = [
        f"{file.relative_to(TESTS)}::{test.name}" for file, test in suite.tests() if not suite.asserts(test)
    ]
    assert sum(1 for _ in suite.tests()) > 2000 and not named, "\n".join(named)


def test_a_table_that_a_test_only_reads_is_made_again_in_part_by_another(suite):
    """Else no change of the program could make it fail."""
    made = suite.made_again()
    alone = [(file, test, suite.only_reads(file, test)) for file, test in suite.tests()]
    named = [f"{file.relative_to(TESTS)}::{test.name}: {read}" for file, test, read in alone if read - made]
    assert any(read for *_, read in alone) and not named, "\n".join(named)


CANNOT_FAIL = """
import pandas as pd
from program import made
TABLE = "data/TABLES/other.csv"

def test_says_nothing(): print(1)
def test_says_a_constant(): assert True
def test_is_itself():
    assert read()[0] == read()[0]
def test_a_helper_says(): holds(1)
def test_raises(pytest):
    with pytest.raises(ValueError): int("a")
def test_reads(): assert pd.read_csv(TABLE).empty
def test_makes(): assert made() == pd.read_csv("data/TABLES/program.csv")
def holds(x): assert x
def read(): return [1]
"""


def test_tests_that_cannot_fail_and_tables_nobody_makes_are_found(tmp_path):
    (tmp_path / "program.py").write_text("def made(): ...")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(CANNOT_FAIL.replace("TABLES", "simulations"))
    suite = Suite(tmp_path / "tests", tmp_path)
    found = {test.name: (suite.asserts(test), suite.only_reads(file, test)) for file, test in suite.tests()}
    assert {name for name, (can_fail, _) in found.items() if not can_fail} == {
        "test_says_nothing",
        "test_says_a_constant",
        "test_is_itself",
    }
    assert {name: read for name, (_, read) in found.items() if read} == {"test_reads": {"other"}}
    assert suite.made_again() == {"program"}


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_suite_that_changes_what_a_book_keeps_fails_and_names_the_files(tmp_path, workers):
    for folder in ("tests", "results", "runs"):
        (tmp_path / folder).mkdir()
    shutil.copy(TESTS / "conftest.py", tmp_path / "tests")
    (tmp_path / "results" / "ledger.csv").write_text("ten thousand resamples")
    test = tmp_path / "tests" / "test_it.py"
    test.write_text(READS)
    assert run_tests(tmp_path, "-n", workers).returncode == 0
    test.write_text(WRITES)
    done = run_tests(tmp_path, "-n", workers)
    assert done.returncode == 1 and "2 passed" in done.stdout
    named = done.stdout.partition("that changed")[2]
    assert "results/ledger.csv" in named and "runs/new.jsonl" in named and "test_it" not in named


ENTRANCE = """<!doctype html><html lang="en"><title>A book</title>
<meta http-equiv="refresh" content="0; url=book/intro.html"></html>"""


@pytest.mark.skipif(not shutil.which("chromium"), reason="no Chromium: `apt-get install chromium`")
def test_no_event_loop_of_the_browser_is_left_to_the_tests_that_follow(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "intro.html").write_text("<!doctype html><title>The first page</title>")
    (tmp_path / "index.html").write_text(ENTRANCE)
    one_after_the_other = (
        "tests/browser/test_site_in_a_browser.py::test_the_entrance_leads_to_the_first_page",
        "tests/engines/test_endpoint.py::test_works_inside_a_running_event_loop",
    )
    done = run_tests(project_root(), "-n", "0", *one_after_the_other, METACOG_SITE=str(tmp_path))
    assert done.returncode == 0 and "2 passed" in done.stdout, done.stdout
