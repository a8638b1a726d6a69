"""The account of a book in the making, from made-up notes, with and without a terminal."""

import io
import time

import pytest

from metacog.book.display import Display
from metacog.core import progress
from metacog.core.events import Event


class Terminal(io.StringIO):
    """Says that it is a terminal."""

    def isatty(self):
        return True


def start(step, name, page=""):
    return Event("start", step, time.time() - 5, {"name": name, "page": page})


def moved(step, done, total=200):
    facts = {"what": "w", "done": done, "total": total, "first": 0, "unit": "trials", "seconds": 10.0}
    return Event("progress", step, time.time(), facts)


def end(step, seconds=12.4):
    return Event("end", step, time.time(), {"name": "n", "seconds": seconds})


def fail(step, message):
    return Event("fail", step, time.time(), {"name": "n", "seconds": 3.0, "message": message})


@pytest.fixture
def log():
    display = Display(io.StringIO())
    display.titles = {"h1": "H1: a question?"}
    display.total = 24
    return display


def test_a_line_a_step_numbered_as_they_end(log):
    for event in (
        start("a", "collecting m on bank"),
        start("b", "chapter h1", "h1"),
        end("b"),
        end("a", 281),
    ):
        log.take(event)
    assert log.out.getvalue().splitlines() == [
        "[ 1/24] H1: a question? (h1) ... 12 s",
        "[ 2/24] collecting m on bank ... 281 s",
    ]


def test_a_failure_is_one_line_and_is_kept_for_the_account(log):
    log.take(start("a", "collecting m on bank"))
    log.take(fail("a", "its process died"))
    assert log.out.getvalue() == "        collecting m on bank ... FAILED after 3 s\n"
    assert log.failures == {"collecting m on bank": "its process died"}
    assert log.done == 0


def test_a_remark_of_a_step_is_a_line_that_stays(log):
    log.take(start("a", "collecting open: m"))
    log.take(Event("remark", "a", time.time(), {"text": "waiting for it"}))
    assert log.out.getvalue() == "        collecting open: m: waiting for it\n"


def test_without_a_terminal_few_lines_of_progress(log, monkeypatch):
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    log.take(start("a", "collecting m on bank"))
    for done in range(201):
        log.take(moved("a", done))
    log.tick()
    lines = log.out.getvalue().splitlines()
    assert len(lines) == 9 and "\r" not in log.out.getvalue()
    assert lines[0] == "        collecting m on bank: 10 % of 200 trials, 2.0 a second, 1:30 min left"


def test_without_a_terminal_no_two_lines_within_half_a_minute(log):
    log.take(start("a", "collecting m on bank"))
    for done in range(201):
        log.take(moved("a", done))
    assert log.out.getvalue() == ""


def test_on_a_terminal_a_bar_that_goes_away(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    display = Display(Terminal())
    display.total = 2
    display.tick("looking ...")
    assert display.out.getvalue().endswith("looking ...\x1b[K")
    display.take(start("a", "collecting m on bank"))
    display.take(moved("a", 86))
    display.tick()
    drawn = display.out.getvalue().rsplit("\r", 1)[1].removesuffix("\x1b[K")
    assert "collecting m on bank:  43%|" in drawn and "86/200" in drawn and len(drawn) < 100
    display.take(end("a"))
    assert display.out.getvalue().endswith("\r\x1b[K[1/2] collecting m on bank ... 12 s\n")


def test_steps_at_once_share_the_changing_line():
    display = Display(Terminal())
    display.titles = {"h1": "A long title"}
    display.take(start("a", "chapter h1", "h1"))
    display.tick()
    assert "A long title (h1) 5 s" in display.out.getvalue()
    display.take(start("b", "putting together"))
    display.tick()
    assert "h1 5 s, putting together 5 s" in display.out.getvalue()
