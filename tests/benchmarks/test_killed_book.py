"""A book killed ten times: the committed row, and how books are compared. Oracle: processes and tables made here."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import five_cases
import killed_book


@pytest.mark.skipif(
    not killed_book.OUT.is_file(), reason="not measured yet: make validate PROOFS=killed_book"
)
def test_ten_kills_lost_nothing_and_doubled_nothing():
    found = json.loads(killed_book.OUT.read_text(encoding="utf-8"))
    assert len(found["kills"]) == killed_book.KILLS == 10 and all(row["hit"] for row in found["kills"])
    asked = [row["asking"] for row in found["kills"]]
    assert asked == sorted(asked) and asked[0] < asked[-1]
    assert found["tables_that_differ"] == [] and found["left_behind"] == []
    assert found["trials"] > 250 and set(found["undisturbed"]["asking_seconds"]) >= {
        "study1_qa",
        "study5_battery",
    }
    assert len(found["undisturbed"]["asking_seconds"]) == len(five_cases.STUDIES)
    assert found["the_rest"]["pages"] == found["undisturbed"]["pages"]
    assert all(found["the_rest"]["pages"].values())


@pytest.mark.parametrize("alone", [True, False])
def test_a_kill_ends_a_book_that_runs_and_says_where_it_had_ended(tmp_path, monkeypatch, alone):
    monkeypatch.setattr(killed_book, "COMMAND", [sys.executable, "-c", "import time; time.sleep(60)"])
    begun = time.monotonic()
    assert killed_book.killed(tmp_path, 0.2, alone=alone)
    assert time.monotonic() - begun < 30
    monkeypatch.setattr(killed_book, "COMMAND", [sys.executable, "-c", "pass"])
    assert not killed_book.killed(tmp_path, 60, alone=alone)


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


def test_tables_are_told_apart_by_one_value(tmp_path):
    for name, value in (("a", 1.0), ("b", 1.0 + 1e-15)):
        folder = tmp_path / name / "results" / five_cases.PROFILE / "study1_qa" / "trials" / "open"
        folder.mkdir(parents=True)
        pd.DataFrame({"nlp": [0.5, value]}).to_parquet(folder / f"{killed_book.MODEL}.bank.parquet")
    (name, one), (same, other) = (
        *killed_book.tables(tmp_path / "a").items(),
        *killed_book.tables(tmp_path / "b").items(),
    )
    assert name == same == f"study1_qa/trials/open/{killed_book.MODEL}.bank.parquet"
    assert one.equals(one.copy()) and not one.equals(other)
