"""The proof that a book made again is the same: its steps, and what it makes of a comparison.

The books are made by a program of a few lines in the place of `metacog book`.
"""

import json
import time

import numpy as np
import pandas as pd
import pytest
import same_again

#: Writes which variables it was given and whether replies were there; goes on sleeping once where it is asked to.
PROGRAM = """
import json, os, time
from pathlib import Path

begun = Path("begun")
if os.environ.get("SLEEP") and not begun.exists():
    begun.touch()
    time.sleep(60)
Path("seen.json").write_text(json.dumps({
    "begun": begun.exists(), "runs": Path("runs").is_dir(), "numpy": os.environ.get("NPY_DISABLE_CPU_FEATURES", "")
}))
Path("runs").mkdir(exist_ok=True)
"""


@pytest.fixture
def work(tmp_path, monkeypatch):
    def lay_out(house, book):
        (house / "src" / "metacog").mkdir(parents=True)
        (house / "src" / "metacog" / "__init__.py").touch()
        (house / "src" / "metacog" / "cli.py").write_text(PROGRAM)

    monkeypatch.setattr(same_again, "lay_out", lay_out)
    monkeypatch.setattr(
        same_again, "fewer_instructions", lambda cache: {"NPY_DISABLE_CPU_FEATURES": "X86_V4"}
    )
    return tmp_path


def seen(work, step):
    return json.loads((work / step / "seen.json").read_text())


def test_the_first_two_books_are_made_from_nothing_and_the_third_from_the_first_one_s_replies(work):
    for step in same_again.STEPS:
        assert same_again.make(work, "toy", step, time.monotonic() + 120)
    assert [seen(work, step)["runs"] for step in same_again.STEPS] == [False, False, True]
    assert [seen(work, step)["numpy"] for step in same_again.STEPS] == ["", "", "X86_V4"]
    assert not (work / "house").exists()
    (work / "first" / "seen.json").unlink()
    assert same_again.make(work, "toy", "first", 0.0)  # it is there: nothing is made
    assert not (work / "first" / "seen.json").exists()


@pytest.mark.proof
def test_what_is_not_done_in_time_goes_on_where_it_was(work, monkeypatch):
    monkeypatch.setenv("SLEEP", "1")
    until = time.monotonic() + 5
    while not (work / "house" / "begun").exists():
        assert not same_again.make(work, "toy", "first", min(until, time.monotonic() + 5))
        until += 5
    assert same_again.make(work, "toy", "first", time.monotonic() + 120) and seen(work, "first")["begun"]


def table(estimate, error=0.1):
    return pd.DataFrame({"model": ["a", "b"], "m_ratio": [estimate, 1.0], "m_ratio_error": [error, 0.1]})


def test_posteriors_are_judged_by_their_monte_carlo_errors():
    """The difference of two means has an error of the root of both squares."""
    assert same_again.monte_carlo_errors(table(1.3), table(1.0)) == pytest.approx(0.3 / np.hypot(0.1, 0.1))
    assert same_again.monte_carlo_errors(table(1.0, 0.0), table(1.0, 0.0)) == 0.0
    assert np.isnan(same_again.monte_carlo_errors(table(1.0)[["model"]], table(1.0)[["model"]]))
    assert np.isnan(same_again.monte_carlo_errors(table(1.0), table(1.0)[:1]))


def test_a_row_counts_levels_and_the_verdict_is_of_both_comparisons(tmp_path):
    books = [tmp_path / name for name in ("first", "again")]
    for book, estimate in zip(books, (1.0, 1.3), strict=True):
        book.mkdir()
        table(estimate).to_parquet(book / "a.parquet")
    found = {
        "a.parquet": {"level": 3, "largest": 0.2, "where": "column m_ratio 1"},
        "b.csv": {"level": 2, "largest": 1e-11, "where": "number 1"},
        "c.html": {"level": 1, "largest": 0.0, "where": ""},
    }
    row = same_again.row_of({"name": "results", "files": 9, "found": found}, *books)
    assert (row["same"], row["times"], row["rounded"], row["different"]) == (6, 1, 1, 1)
    assert row["largest"] == 1e-11 and row["errors"] == pytest.approx(2.12, abs=0.01)
    assert row["which"] == "a.parquet: column m_ratio 1"
    fine = row | {"rounded": 0, "different": 0, "errors": np.nan}
    rows = [fine | {"made": "again"}, row | {"made": "fewer instructions"}]
    assert same_again.verdict(pd.DataFrame(rows)) == 0
    assert same_again.verdict(pd.DataFrame([row | {"made": "again"}, rows[1]])) == 1
    assert same_again.verdict(pd.DataFrame([rows[0], rows[1] | {"errors": 4.5}])) == 1
