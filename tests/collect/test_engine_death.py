"""An engine that dies says why in one sentence, and nothing collected is lost.

The stand-in of ``tests/standin`` raises the signals; the oracle of the trials is an undisturbed run.
"""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from metacog.collect.folder_lock import exclusive
from metacog.core.errors import MetacogError

STANDIN = Path(__file__).parents[1] / "standin"
KEPT = "What was collected is kept, and the same command goes on from there"


def command(runs):
    """``metacog collect`` of 80 trials in two blocks."""
    words = ["collect", "--profile", "smoke", "--study", "study1_qa", "--collection", "open"]
    return [sys.executable, "-m", "metacog", *words, "--runs", str(runs)]


def environment(**standin):
    path = os.pathsep.join([str(STANDIN), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    return {**os.environ, "PYTHONPATH": path, **{f"STANDIN_{k.upper()}": str(v) for k, v in standin.items()}}


def collect(runs, **standin):
    return subprocess.run(command(runs), env=environment(**standin), capture_output=True, text=True)


def trials(runs):
    return pd.read_parquet(next(runs.rglob("open/**/trials.parquet")))


def resumed(runs, whole, said="40 items (20 new)"):
    """The same command goes on from there, and its trials are those of a run that nothing disturbed."""
    again = collect(runs)
    assert again.returncode == 0 and said in again.stdout
    pd.testing.assert_frame_equal(trials(runs), whole, check_exact=True)


def wait_for(condition, seconds=30.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def folder_is_free(runs):
    try:
        with exclusive(next(runs.rglob("manifest.json")).parent):
            return True
    except MetacogError:
        return False


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    runs = tmp_path_factory.mktemp("whole")
    made = collect(runs)
    assert made.returncode == 0, made.stderr
    return trials(runs)


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        pytest.param(
            "SIGILL", "llama.cpp was built for another processor than this one)", marks=pytest.mark.real
        ),
        ("SIGKILL", "memory ran out): close other programs"),
    ],
)
def test_a_dying_engine_is_one_sentence_and_loses_nothing(tmp_path, whole, name, cause):
    made = collect(tmp_path, signal=name, blocks=1)
    assert made.returncode == 128 + getattr(signal, name)
    lines = [line for line in made.stderr.splitlines() if line.startswith("metacog: ")]
    assert len(lines) == 1 and "Traceback" not in made.stderr
    assert re.match(f"metacog: collecting open: smollm2-135m on bank: .*{name}", lines[0])
    assert cause in lines[0] and lines[0].endswith(KEPT)
    assert len(list(tmp_path.rglob("block-*.parquet"))) == 1

    resumed(tmp_path, whole)


def test_an_error_of_ours_passes_through(tmp_path):
    (tmp_path / "runs").write_text("a file where a folder should be")
    made = collect(tmp_path / "runs")
    assert made.returncode == 2
    assert made.stderr.count("metacog: ") == 1 and "cannot write to" in made.stderr


def test_kill_9_of_the_command_ends_its_engine_too(tmp_path, whole):
    parent = subprocess.Popen(
        command(tmp_path), env=environment(seconds=1.5), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for(lambda: list(tmp_path.rglob("block-*.parquet")))
    assert not folder_is_free(tmp_path)
    parent.kill()
    parent.wait()
    wait_for(lambda: folder_is_free(tmp_path), seconds=10)
    resumed(tmp_path, whole)


@pytest.mark.parametrize("to_all", [True, pytest.param(False, marks=pytest.mark.real)])
def test_ctrl_c_stops_with_one_sentence(tmp_path, whole, to_all):
    """A terminal sends Ctrl-C to parent and child, ``kill -INT`` to the parent alone."""
    pipes = {"stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL, "text": True}
    parent = subprocess.Popen(
        command(tmp_path), env=environment(seconds=1.5), start_new_session=True, **pipes
    )
    wait_for(lambda: list(tmp_path.rglob("block-*.parquet")))
    os.killpg(parent.pid, signal.SIGINT) if to_all else parent.send_signal(signal.SIGTERM)
    _, reported = parent.communicate(timeout=30)
    assert parent.returncode == 130
    assert reported.strip().endswith(f"metacog: stopped: {KEPT[0].lower()}{KEPT[1:]}")
    assert "Traceback" not in reported
    wait_for(lambda: folder_is_free(tmp_path), seconds=10)
    resumed(tmp_path, whole, "40 items")


def test_memory_that_may_not_be_had_is_one_line_and_loses_nothing(tmp_path, whole):
    made = collect(tmp_path, hungry=1)
    assert made.returncode == 2 and "Traceback" not in made.stderr
    assert [line[:26] for line in made.stderr.splitlines()] == ["metacog: memory ran out: c"]
    resumed(tmp_path, whole)
