"""Progress of long work: words, pace of lines, and what a watching process is told."""

import pytest

from metacog.core import progress
from metacog.core.events import EVENTS, Follower
from metacog.core.progress import Pace, Progress, duration, share_and_time_left


def test_durations_as_people_say_them():
    assert [duration(s) for s in (0.4, 59, 60, 149, 3599, 3900)] == [
        "0 s",
        "59 s",
        "1:00 min",
        "2:29 min",
        "59:59 min",
        "1:05 h",
    ]


def test_the_rate_counts_what_came_since_the_start():
    assert share_and_time_left(9128, 3922, 0, 112.7, "trials") == (
        "42 % of 9,128 trials, 34.8 a second, 2:30 min left"
    )
    assert share_and_time_left(100, 60, 50, 5.0, "trials") == "60 % of 100 trials, 2.0 a second, 20 s left"
    assert share_and_time_left(100, 50, 50, 5.0, "trials") == "50 % of 100 trials"


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 0.0

        def monotonic(self):
            return self.now

    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


@pytest.mark.parametrize(
    ("seconds", "share", "reported"),
    [
        (3600, lambda second: second / 3600, [360, 720, 1080, 1440, 1800, 2160, 2520, 2880, 3240]),
        (100, lambda second: second / 100, [30, 60, 90]),
        (2000, lambda second: 0.01, [600, 1200, 1800]),
    ],
    ids=["far apart in time and share", "quick work", "a sign of life"],
)
def test_lines_are_few(clock, seconds, share, reported):
    pace = Pace()
    assert [s for s in range(seconds) if setattr(clock, "now", float(s)) or pace.due(share(s))] == reported


def test_a_log_has_no_bars(clock, capsys):
    bar = Progress("collecting m on bank", 100)
    bar.begin()
    for _ in range(100):
        clock.now += 1.0
        bar.update(1)
    bar.close()
    reported = capsys.readouterr().err
    assert reported.splitlines() == [
        f"collecting m on bank: {n} % of 100 trials, 1.0 a second, {left} left"
        for n, left in ((30, "1:10 min"), (60, "40 s"), (90, "10 s"))
    ]


def test_a_watcher_is_told_at_the_start_and_at_the_end(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(EVENTS, str(tmp_path / "notes"))
    bar = Progress("x", 10, 4, show=False)
    bar.begin()
    for _ in range(6):
        bar.update(1)
    notes = [event.facts for event in Follower(tmp_path / "notes").new()]
    assert [(n["done"], n["total"], n["first"]) for n in notes] == [(4, 10, 4), (10, 10, 4)]
    assert capsys.readouterr().err == ""
