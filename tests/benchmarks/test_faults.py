"""A slice of `benchmarks/faults.py`: faults at some writes of a collection through a server, by seed.

Oracle: the same collection undisturbed, and for the shim what lies in a folder.
"""

import shutil
import sys
from dataclasses import replace

import faults
import pandas as pd
import pytest
from faulting.running import Fault, compiled, run
from faulting.scenes import KEY, SERVED, scene

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("gcc"), reason="the shim needs Linux and a C compiler"
)
#: Of each sort of fault so many.
SOME = {"kill all": 3, "ENOSPC": 2, "EROFS": 2, "ENOLCK": 1, "clock back": 1, "clock forward": 1}
#: Makes a folder and writes two files there: seven writes.
WRITES = """
import os, sys, time
os.mkdir("f")
with open("f/one.tmp", "w") as handle:
    handle.write("12345678")
    handle.flush()
    os.fsync(handle.fileno())
os.replace("f/one.tmp", "f/one")
open("f/two", "w").close()
os.unlink("f/two")
print(time.time() - os.stat("f/one").st_mtime < 60, time.time())
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("shim"))


def broken(shim, folder, fault):
    return run([sys.executable, "-c", WRITES], folder, {}, shim, fault)


def test_the_shim_numbers_writes_and_ends_the_process_in_the_middle_of_one(shim, tmp_path):
    whole = broken(shim, tmp_path, Fault())
    assert [one.what for one in whole.writes] == "mkdir open write flush rename open unlink".split()
    assert [one.number for one in whole.writes] == list(range(1, 8)) and whole.writes[0].path == "/f"
    shutil.rmtree(tmp_path / "f")
    for kind in ("alone", "all"):
        ended = broken(shim, tmp_path, Fault(kind, 3))
        assert (ended.status, ended.hit.what, ended.left) == (-9, "write", 0)
        assert (tmp_path / "f/one.tmp").read_text() == "1234"
        shutil.rmtree(tmp_path / "f")


@pytest.mark.parametrize(
    ("kind", "at", "words"),
    [
        ("ENOSPC", 3, "No space left on device"),
        ("ENOSPC", 4, "No space"),
        ("EROFS", 5, "Read-only file system"),
    ],
)
def test_the_shim_fills_the_disk_and_makes_it_read_only(shim, tmp_path, kind, at, words):
    failed = broken(shim, tmp_path, Fault(kind, at))
    assert failed.status == 1 and words in failed.err and failed.hit.number == at


def test_the_shim_sets_clock_and_files_back_alike(shim, tmp_path):
    now = float(broken(shim, tmp_path, Fault()).out.split()[1])
    shutil.rmtree(tmp_path / "f")
    alike, then = broken(shim, tmp_path, Fault("clock", 1, -86400)).out.split()
    assert alike == "True" and 86000 < now - float(then) < 86500


@pytest.mark.proof
def test_no_fault_of_a_slice_loses_doubles_or_changes_a_reply_and_each_is_told(shim, tmp_path):
    with scene(SERVED, tmp_path, shim) as where:
        every = [replace(case, how="fork") for case in faults.cases(SERVED, where.whole.writes)]
        assert {case.name for case in every[:7]} == {*SOME, "kill alone"}
        chosen = [c for name, most in SOME.items() for c in [one for one in every if one.name == name][:most]]
        rows = pd.DataFrame([faults.tried(case, where) for case in chosen])
        assert len(rows) == sum(SOME.values()) and rows["times"].sum() >= len(rows) - 3
        shown = rows.to_string()
        assert not rows[["lost", "doubled", "changed", "results", "left"]].any(axis=None), shown
        assert set(rows["wrong"]) == {""}, shown
        full = rows[rows["fault"].isin(["ENOSPC", "EROFS"])]["message"]
        assert full.str.startswith("metacog: ").all() and full.str.contains("No space|Read-only").all(), shown

        # the comparison can fail
        part = next((where.house / "runs").rglob("parts/*.parquet"))
        replies = pd.read_parquet(part)
        replies.loc[2, "reply"] += " "
        pd.concat([replies.iloc[1:], replies.iloc[[2]]]).to_parquet(part)
        found = where.difference()
        assert (found.lost, found.doubled, found.changed) == (1, 1, 1)
        assert set(KEY) <= set(where.calm.replies)


def test_a_fault_is_counted_however_often_it_is_tried():
    row = {"scene": "book", "fault": "kill all"} | dict.fromkeys(faults.SUMS, 1) | {"wrong": ""}
    (found,) = faults.summed(pd.DataFrame([row, row | {"wrong": "hangs"}])).to_dict("records")
    assert (found["tried"], found["times"], found["wrong"]) == (2, 2, 1)


def test_the_committed_table_has_every_fault_and_nothing_that_went_wrong():
    table = pd.read_csv(faults.OUT)
    assert set(table["scene"]) >= set(faults.ALL) and set(table["fault"]) >= {*SOME, "kill alone"}
    assert not table[["lost", "doubled", "changed", "results", "left", "wrong"]].to_numpy().any()
