"""Inputs that nobody means well. Oracle: a short error or none, in seconds and a gigabyte, nothing outside its folder.

A slice of `benchmarks/fuzz.py`, without atheris: inputs that once were breaches, and some that are drawn here.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import fuzz
import pytest
from fuzzing.corpus import CORPUS
from fuzzing.found import FOUND
from fuzzing.judging import confirmed, judge
from fuzzing.mutating import mutated
from fuzzing.targets import TARGETS, sandbox

from metacog.core.errors import LONGEST, MetacogError

#: Inputs of a target that are drawn here: llama.cpp's take a process each.
DRAWN = dict.fromkeys(TARGETS, 60) | {"replies": 200, "questions": 100, "gguf": 5}


@pytest.mark.parametrize("target", TARGETS)
def test_sound_inputs_and_those_drawn_are_no_breach(target):
    seeds, chance = CORPUS[target](), random.Random(f"{fuzz.SEED}:{target}")
    drawn = [mutated(chance.choice(seeds), chance) for _ in range(DRAWN[target])]
    found = [one for data in (*seeds, *drawn) if (one := confirmed(target, TARGETS[target], data))]
    assert len(set(drawn)) > 0.9 * len(drawn) and not found


@pytest.mark.parametrize(("target", "what"), [(t, what) for t, inputs in FOUND.items() for what in inputs])
def test_what_once_was_a_breach_is_none(target, what):
    assert confirmed(target, TARGETS[target], FOUND[target][what]) is None


@pytest.mark.parametrize("target", [name for name in TARGETS if name not in ("replies", "server")])
def test_each_target_takes_a_sound_input_without_complaint(target):
    """Else its readers would never be reached behind their first check."""
    taken = 0
    for data in CORPUS[target]():
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
def test_a_part_is_counted_and_a_breach_kept_once(tmp_path):
    """The whole way, in a process of its own, without atheris."""
    made = fuzz.part("replies", 5, "1", "")
    assert (made["inputs"], made["breaches"], made["changed_by"]) == (5, [], "the script")
    twice = {**made, "breaches": [{"name": "a"}, {"name": "a"}]}
    row = fuzz.together(fuzz.together(None, made), twice)
    assert row["inputs"] == 10 and row["breaches"] == ["a"]


def test_the_table_names_every_target_and_no_open_breach(tmp_path):
    rows = fuzz.read(fuzz.OUT)
    assert list(rows) == list(CORPUS)
    assert all(not row["breaches"] for row in rows.values())
    assert {name: row["mended"] for name, row in rows.items()} == {
        name: len(FOUND.get(name, {})) for name in rows
    }
    fuzz.write(tmp_path / "fuzz.csv", rows, argparse.Namespace(inputs=1, seed="1"))
    assert fuzz.read(tmp_path / "fuzz.csv") == rows
