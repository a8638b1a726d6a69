"""Inputs that nobody means well. Oracle: a short error or none, in seconds and a gigabyte, nothing outside its folder.

A slice of `benchmarks/fuzz.py`: inputs that once were breaches, and some that are drawn here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import fuzz
import pytest
from fuzzing.found import FOUND
from fuzzing.inputs import changed, seeds
from fuzzing.judging import confirmed, judge
from fuzzing.targets import TARGETS, sandbox
from hypothesis import HealthCheck, given, settings

from metacog.core.errors import LONGEST, MetacogError

#: Inputs of a target that are drawn here: llama.cpp's take a process each.
DRAWN = dict.fromkeys(TARGETS, 60) | {"replies": 200, "questions": 100, "gguf": 5}


@pytest.mark.parametrize("target", TARGETS)
def test_sound_inputs_and_those_drawn_are_no_breach(target):
    assert [one for data in seeds(target) if (one := confirmed(target, TARGETS[target], data))] == []

    quiet = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}

    @settings(max_examples=DRAWN[target], derandomize=True, **quiet)
    @given(changed(target))
    def tried(data):
        assert confirmed(target, TARGETS[target], data) is None

    tried()


@pytest.mark.parametrize(("target", "what"), [(t, what) for t, inputs in FOUND.items() for what in inputs])
def test_what_once_was_a_breach_is_none(target, what):
    assert confirmed(target, TARGETS[target], FOUND[target][what]) is None


@pytest.mark.parametrize("target", [name for name in TARGETS if name not in ("replies", "server")])
def test_each_target_takes_a_sound_input_without_complaint(target):
    """Else its readers would never be reached behind their first check."""
    taken = 0
    for data in seeds(target):
        try:
            TARGETS[target](data)
            taken += 1
        except MetacogError:
            continue
    assert taken


def _written_outside(data: bytes) -> None:
    with sandbox() as folder:
        (folder / "../../x").write_bytes(data)


def _spun(data: bytes) -> None:
    while True:
        hash(data)


@pytest.mark.parametrize(
    ("read", "kind", "what"),
    [
        (lambda data: {}[data], "exception", "KeyError"),
        (_written_outside, "exception", "Escaped"),
        (_spun, "time", "Hang"),
    ],
)
def test_a_breach_is_seen(read, kind, what, monkeypatch):
    monkeypatch.setattr("fuzzing.judging.HANG", 0.3)
    found = judge("toy", read, b"x")
    assert found is not None and (found.kind, found.what.split(":")[0]) == (kind, what)


def _worked(data: bytes) -> None:
    begun = time.process_time()
    while time.process_time() - begun < 0.2:
        hash(data)


@pytest.mark.parametrize(("pace", "breach"), [(0.01, True), (1.0, False)])
def test_time_is_a_breach_where_the_machine_is_not_as_slow_at_everything(pace, breach, monkeypatch):
    monkeypatch.setattr("fuzzing.judging.SECONDS", 0.1)
    monkeypatch.setattr("fuzzing.judging._pace", lambda: pace)
    found = confirmed("toy", _worked, b"x")
    assert (found is not None and found.kind == "time") == breach


def test_a_short_error_is_none_and_no_message_is_long():
    def refuse(data: bytes) -> None:
        raise MetacogError("what is wrong" + "\x1b[2J" + "x" * 10**6 + "what to do")

    assert judge("toy", refuse, b"x") is None
    with pytest.raises(MetacogError) as refusal:
        refuse(b"x")
    text = str(refusal.value)
    assert len(text) <= LONGEST + 5 and "\x1b" not in text
    assert text.startswith("what is wrong") and text.endswith("what to do")


def limited(code: str, tmp_path: Path) -> subprocess.CompletedProcess:
    """Some code in a process that may take a gigabyte more than it has when it begins; prints what it was told."""
    before = "import sys, resource\nfrom pathlib import Path\nfrom fuzzing.judging import limit_memory\n"
    before += (
        "from metacog.core.errors import MetacogError\nfrom metacog.imports.report import Request, load\n"
    )
    before += "from metacog.imports.mapping import Columns\nlimit_memory()\n"
    root = Path(fuzz.__file__).parents[1]
    path = os.pathsep.join([str(root / "src"), str(root / "benchmarks")])
    return subprocess.run(
        [sys.executable, "-c", before + code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        timeout=300,
    )


@pytest.mark.proof
def test_memory_is_limited_and_a_line_of_100_mb_is_told_or_read_within_it(tmp_path):
    """A question, an answer and a column's name of 100 MB each; and as a check, a list that takes more."""
    done = limited(
        """
for head, cell in (("right,sure,qid", "1,0.5," + "x" * 10**8), ("x" * 10**8, "1")):
    Path("t.csv").write_text(head + "\\n" + cell + "\\n")
    try:
        load("t.csv", Request(Columns("right", "sure", question_id="qid")))
    except MetacogError as error:
        print(len(str(error)), str(error)[:60])
try:
    bytearray(3 << 29)
except MemoryError:
    print("limited")
""",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    first, second, third = done.stdout.splitlines()
    assert first.split(" ", 1)[1].startswith("1 usable trials of 1 rows")
    assert int(second.split()[0]) < 1000 and "field larger than field limit" in second
    assert third == "limited"


@pytest.mark.proof
def test_a_target_is_given_its_inputs_and_a_breach_is_kept_once(tmp_path, monkeypatch):
    """The whole way, here and in a process of its own."""
    done = subprocess.run(
        [sys.executable, fuzz.__file__, "--only", "replies", "--inputs", "5", "--out", tmp_path]
    )
    assert done.returncode == 0 and [one.name for one in tmp_path.iterdir()] == ["replies-last.bin"]
    monkeypatch.setitem(TARGETS, "replies", lambda data: {}[data])
    monkeypatch.setattr(fuzz, "limit_memory", lambda: None)
    (name,) = fuzz.breaches("replies", 5, 1, tmp_path)
    assert "KeyError" in name and len(list(tmp_path.iterdir())) == 2
