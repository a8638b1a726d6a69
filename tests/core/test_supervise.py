"""Parents and children: output, status, and that nobody outlives anybody."""

import os
import subprocess
import sys
import time

from metacog.core.supervise import run_child


def test_lines_and_status_of_a_child(capfd):
    code = "import os, sys; print(os.environ['X']); print('err', file=sys.stderr); sys.exit(3)"
    ended = run_child([sys.executable, "-c", code], {"X": "1"})
    assert (ended.status, ended.stopped, *capfd.readouterr()) == (3, False, "1\n", "err\n")


def test_a_child_that_dies_has_a_negative_status():
    ended = run_child([sys.executable, "-c", "import os; os.kill(os.getpid(), 4)"])
    assert (ended.status, ended.stopped) == (-4, False)


GRANDCHILD = """
import os, sys, time
from pathlib import Path
from metacog.core.supervise import hold_lifeline
assert hold_lifeline() and not hold_lifeline()
while True:
    Path(sys.argv[1]).write_text(str(time.time()))
    time.sleep(0.05)
"""
PARENT = """
import sys
from metacog.core.supervise import run_child
run_child([sys.executable, "-c", sys.argv[1], sys.argv[2]])
"""


def test_a_child_ends_when_its_parent_is_killed(tmp_path):
    beat = tmp_path / "beat"
    parent = subprocess.Popen([sys.executable, "-c", PARENT, GRANDCHILD, str(beat)])
    end = time.monotonic() + 30
    while not beat.exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    time.sleep(1.0)
    last = beat.read_text()
    time.sleep(0.5)
    assert beat.read_text() == last


def test_without_such_a_parent_there_is_no_lifeline(monkeypatch):
    from metacog.core.supervise import LIFELINE, hold_lifeline

    monkeypatch.delenv(LIFELINE, raising=False)
    assert not hold_lifeline()
    assert os.getppid()
