"""Programs, their log, and one sentence for each way they fail. Oracle: what pip and compilers print."""

import io
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from metacog.core.errors import MetacogError
from metacog.install.progress import EVERY, Stages
from metacog.install.running import Failed, Log, explain, run


@pytest.fixture
def log(tmp_path):
    return Log(tmp_path / "results" / "setup.log")


def program(code):
    return [sys.executable, "-c", code]


def test_output_goes_to_the_log_and_line_by_line_to_the_caller(log, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "src")
    seen = []
    code = "import os; print('one'); print(os.environ.get('PYTHONPATH'), os.environ['EXTRA'])"
    run(program(code), log, doing="trying", on_line=seen.append, environment={"EXTRA": "x y"})
    assert seen == ["one", "None x y"], "what set-up finds its own source by is not handed on"
    text = log.path.read_text()
    assert "$ EXTRA='x y'" in text and "\none\n" in text and "(exit status 0)" in text


@pytest.mark.parametrize(
    ("printed", "words", "hopeless"),
    [
        ("ERROR: Could not install packages: [Errno 28] No space left on device", "disk is full", True),
        ("fatal error: error writing to /tmp/x.s: No space left on device", "disk is full", True),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
            "not the one that requirements.lock pins",
            True,
        ),
        (
            "WARNING: Retrying: NewConnectionError('Temporary failure in name resolution')\n"
            "ERROR: No matching distribution found for numpy==2.4.6",
            "index cannot be reached: check the network",
            True,
        ),
        ("ERROR: No matching distribution found for numpy==2.4.6", "no numpy==2.4.6 for this system", True),
        ("g++: fatal error: Killed signal terminated program cc1plus", "memory ran out", True),
        ("error: subprocess-exited-with-error\n  | exit code: -9\n", "memory ran out: close programs", True),
        ("error: subprocess-exited-with-error\n  | exit code: -15\n", "somebody ended it", True),
        ("error: subprocess-exited-with-error\nERROR: Failed building wheel", "Failed building wheel", False),
        ("The virtual environment was not created because ensurepip is not available.", "python3-venv", True),
        ("x.cpp:3:1: error: unknown type name 'foo'\nninja: build stopped", "unknown type name", False),
        ("ERROR: something of pip's", "something of pip's", False),
        ("nothing that is known", "exit status 7", False),
    ],
)
def test_every_failure_is_one_sentence(log, printed, words, hopeless):
    with pytest.raises(Failed, match=words) as failure:
        run(program(f"import sys; print({printed!r}); sys.exit(7)"), log, doing="building llama.cpp")
    assert str(failure.value).startswith("building llama.cpp failed")
    assert failure.value.hopeless is hopeless
    assert "\n" not in str(failure.value)


def test_a_missing_program_is_one_sentence(log):
    with pytest.raises(Failed, match="/nowhere cannot be run"):
        run(["/nowhere"], log, doing="trying")


def test_a_log_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "results").write_text("a file in the way")
    with pytest.raises(MetacogError, match="cannot write the log"):
        Log(tmp_path / "results" / "setup.log")


def test_when_set_up_is_stopped_what_it_started_is_ended(log, tmp_path):
    """A compiler is a grandchild: ending pip alone would leave it running."""
    pid = tmp_path / "pid"
    grandchild = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {grandchild!r}])"

    def stop():
        while not (pid.exists() and pid.read_text()):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=stop, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        run(program(code), log, doing="trying")
    deadline = time.monotonic() + 5
    while _lives(int(pid.read_text())) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _lives(int(pid.read_text()))


def _lives(pid):
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return bool(shown.strip()) and not shown.strip().startswith("Z")


def test_explain_finds_the_reason_among_many_lines():
    lines = ["In file included from a.h", "a.cpp:1: error: first", "b.cpp:2: error: second", "ninja: stopped"]
    assert str(explain("building", lines, 1)) == "building failed: first"


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_without_a_terminal_stages_are_lines_and_progress_is_rare():
    clock, out = Clock(), io.StringIO()
    stages = Stages(5, out, clock=clock)
    with stages.stage(3, "building llama.cpp"):
        for second in range(1, 301):
            clock.now = float(second)
            stages.progress(f"{second // 4} of 83 files")
        stages.result = "native"
    lines = out.getvalue().splitlines()
    assert lines[0] == "      7 of 83 files, 30 s"
    assert lines[-1] == "[3/5] building llama.cpp (native): 5:00 min"
    assert len(lines) == 300 / EVERY + 1


def test_on_a_terminal_one_line_is_redrawn():
    clock, out = Clock(), Terminal()
    stages = Stages(5, out, clock=clock)
    with stages.stage(1, "making"):
        clock.now = 3.0
        stages.progress("1 of 2")
    assert out.getvalue().count("\n") == 1
    assert "\r\x1b[K[1/5] making: 1 of 2, 3 s" in out.getvalue()
    assert out.getvalue().endswith("\r\x1b[K[1/5] making: 3 s\n")


def test_a_stage_that_fails_says_after_how_long():
    clock, out = Clock(), io.StringIO()
    stages = Stages(5, out, clock=clock)
    with pytest.raises(Failed), stages.stage(2, "downloading"):
        clock.now = 65.0
        raise Failed("no network")
    assert out.getvalue() == "[2/5] downloading: stopped after 1:05 min\n"
