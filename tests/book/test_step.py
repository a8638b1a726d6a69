"""The runner of steps: notes, exit status, and what a failed command said last."""

import sys

import pytest

from metacog.book.step import complaint, main
from metacog.core.events import EVENTS, STEP, Follower


@pytest.fixture
def notes(tmp_path, monkeypatch):
    monkeypatch.setenv(EVENTS, str(tmp_path / "notes.jsonl"))
    monkeypatch.setenv(STEP, "")  # so that what the runner sets is undone
    return Follower(tmp_path / "notes.jsonl")


def run(code):
    return main(["counting", "--", sys.executable, "-c", code])


def test_begin_progress_and_end_are_noted(notes, capfd):
    code = "from metacog.core.progress import Progress; print('chatter'); Progress('x', 3).update(3)"
    assert run(code) == 0
    start, *moved, end = notes.new()
    assert (start.kind, start.facts) == ("start", {"name": "counting", "page": ""})
    assert [m.facts["done"] for m in moved] == [0, 3]
    assert end.kind == "end" and end.facts["seconds"] > 0
    assert len({event.step for event in (start, *moved, end)}) == 1 and start.step
    out = capfd.readouterr().out
    assert out.startswith("chatter\n") and "counting ... " in out


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (
            "import sys; print('so far'); sys.exit('metacog: no such model: add one')",
            "no such model: add one",
        ),
        ("{}['key']", "KeyError: 'key'"),
        ("raise SystemExit(3)", "counting failed without a word"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", "counting: its process died of SIGILL"),
    ],
)
def test_a_failure_is_noted_with_its_message(notes, capfd, code, message):
    assert run(code) == 1
    assert notes.new()[-1].facts["message"].startswith(message)
    assert "counting failed" in capfd.readouterr().err


def test_a_step_without_a_watcher_prints_its_line(capfd, monkeypatch):
    monkeypatch.delenv(EVENTS, raising=False)
    monkeypatch.setenv(STEP, "")
    assert run("pass") == 0
    assert capfd.readouterr().out.startswith("counting ... ")


def test_a_message_of_ours_keeps_its_further_lines():
    lines = ["warning\n", "metacog: old\n", "metacog: chapter 'x' stopped\n", "    cell\n", "\n"]
    assert complaint(lines) == "chapter 'x' stopped\n    cell"
    assert complaint(["a\n", "b\n", "c\n", "d\n"]) == "b\nc\nd"
    assert complaint([]) == ""
