"""A book killed ten times: how it is killed, and how books are compared. Oracle: processes and tables made here.

No test kills a book of trials; benchmarks/killed_book.py does, in an hour, and ends with status 1 where one is lost.
"""

import os
import signal
import sys
import time
from pathlib import Path

import five_cases
import killed_book
import pandas as pd
import pytest


@pytest.mark.parametrize("alone", [True, False])
def test_a_kill_ends_a_book_that_runs_and_says_where_it_had_ended(tmp_path, monkeypatch, alone):
    monkeypatch.setattr(killed_book, "COMMAND", [sys.executable, "-c", "import time; time.sleep(60)"])
    begun = time.monotonic()
    assert killed_book.killed(tmp_path, 0.2, alone=alone)
    assert time.monotonic() - begun < 30
    monkeypatch.setattr(killed_book, "COMMAND", [sys.executable, "-c", "pass"])
    assert not killed_book.killed(tmp_path, 60, alone=alone)


@pytest.mark.proof
def test_all_processes_of_a_book_are_killed_unless_it_is_killed_alone(tmp_path, monkeypatch):
    child = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); "
    script = child + "open('pid', 'w').write(str(p.pid)); p.wait()"
    monkeypatch.setattr(killed_book, "COMMAND", [sys.executable, "-c", script])
    for alone in (True, False):
        assert killed_book.killed(tmp_path, 3, alone=alone)
        pid = int((tmp_path / "pid").read_text())
        time.sleep(1)
        assert runs(pid) == alone
        if alone:
            os.kill(pid, signal.SIGKILL)


def runs(pid):
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def book(target, *values, name="bank"):
    """A book with one table of trials."""
    folder = target / "results" / five_cases.PROFILE / "study1_qa" / "trials" / "open"
    folder.mkdir(parents=True, exist_ok=True)
    pd.DataFrame({"nlp": values}).to_parquet(folder / f"{killed_book.MODEL}.{name}.parquet")
    return target


def test_a_reply_that_is_lost_doubled_or_changed_is_seen(tmp_path):
    """By one value, by one row, by a table that one book alone has."""
    whole = book(tmp_path / "whole", 0.5, 1.0)
    found = killed_book.compared(whole, book(tmp_path / "same", 0.5, 1.0))
    assert found == {"tables": 1, "trials": 2, "tables_that_differ": [], "left_behind": []}
    bank, more = (f"study1_qa/trials/open/{killed_book.MODEL}.{name}.parquet" for name in ("bank", "more"))
    for number, values in enumerate([(0.5, 1.0 + 1e-15), (0.5,), (0.5, 1.0, 1.0)]):
        broken = book(tmp_path / str(number), *values)
        assert killed_book.compared(whole, broken)["tables_that_differ"] == [bank]
    assert killed_book.compared(whole, tmp_path / "none")["tables_that_differ"] == [bank]
    longer = book(book(tmp_path / "longer", 0.5, 1.0), 0.1, name="more")
    assert killed_book.compared(whole, longer)["tables_that_differ"] == [more]
    half = longer / "runs" / "parts" / "block-00000.parquet.tmp1"
    half.parent.mkdir(parents=True)
    half.touch()
    assert killed_book.compared(whole, longer)["left_behind"] == [str(half.relative_to(longer))]
