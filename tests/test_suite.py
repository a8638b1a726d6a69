"""The suite itself: it leaves the clone as it was, and one test's leavings do not reach another."""

import os
import shutil
import subprocess
import sys

import pytest

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
