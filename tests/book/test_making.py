"""``metacog book`` from end to end on a small clone: what is printed, what is kept, how it stops."""

import io
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
from house import house_of_countings, make_house
from toy_house import environment

from metacog.book import display, making
from metacog.book.pool import Task
from metacog.collect.folder_lock import exclusive
from metacog.core.errors import MetacogError

BOOK = [sys.executable, "-m", "metacog", "book", "--profile", "toy"]
THREE, FOUR = "computing: Counting to 3 (three)", "computing: Counting to 4 (four)"
STEPS = {THREE, FOUR, "A small chapter (small)", "the summary of all results", "rendering the pages"}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A small clone; the tests of this file use it one after the other."""
    return house_of_countings(tmp_path_factory.mktemp("house") / "clone")


def make(house, *options, **more):
    return subprocess.run(
        [*BOOK, *options], cwd=house, env=environment(house, **more), capture_output=True, text=True
    )


def empty(house):
    for name in ("_build/html/index.html", "_executed/toy/small.ipynb"):
        (house / name).unlink(missing_ok=True)
    shutil.rmtree(house / "results/toy/counting", ignore_errors=True)


def logs(house):
    return sorted((house / "results" / "logs").glob("book-*.log"))


def test_one_line_a_step_and_the_log_is_named(house):
    made = make(house)
    assert (made.returncode, made.stderr) == (0, "")
    head, *steps, end, log = made.stdout.splitlines()
    assert head.count(" 5 steps;") == 1
    found = [re.fullmatch(r"\[(\d)/5\] (.+) \.\.\. \d+ s", line) for line in steps]
    assert [m[1] for m in found] == list("12345") and {m[2] for m in found} == STEPS
    assert re.match(r"book: 5 steps in \d+ s\b", end) and end.endswith("_build/html/index.html")
    assert log == f"the full log is {logs(house)[0].relative_to(house)}"
    text = (house / "results" / "logs" / "newest.log").read_text()
    assert "chatter" in text and f"{THREE}\n    there is no " in text
    assert not list((house / "results" / "logs").glob("*.jsonl"))


def test_nothing_to_do_is_one_line(house):
    before = logs(house)
    made = make(house)
    assert made.returncode == 0
    assert re.fullmatch(r"book, profile toy: .*nothing to do.*\n", made.stdout)
    assert logs(house) == before


def test_a_chapter_that_fails_is_told_and_the_rest_is_kept(house):
    empty(house)
    chapter = house / "notebooks" / "small.py"
    whole = chapter.read_text()
    chapter.write_text(whole.replace("n = 3", "n = -3"))
    made = make(house)
    chapter.write_text(whole)
    assert made.returncode == 2
    assert f"[2/5] {THREE}" in made.stdout or f"[2/5] {FOUR}" in made.stdout
    assert re.search(r"^ +A small chapter \(small\) \.\.\. FAILED after \d+ s$", made.stdout, re.M)
    lines = made.stderr.splitlines()
    assert re.match(r"metacog: chapter 'small' .* cell 2 of 3, notebooks/small\.py line \d+", lines[0])
    assert "ValueError" in lines[2]
    assert lines[-2].startswith("3 of 5") and "`make book PROFILE=toy`" in lines[-2]
    assert "results/logs/book-" in lines[-1] and len(lines) < 10
    assert (house / "results/toy/counting/three/result.json").is_file()
    assert not (house / "_executed/toy/small.key").exists()


def test_a_step_that_dies_is_told_with_its_cause(house):
    empty(house)
    made = make(house, COUNT_SIGNAL=str(int(signal.SIGKILL)))
    assert made.returncode == 2
    assert re.search(r"^(metacog: )?computing: Counting to 3 \(three\): .*SIGKILL.*memory", made.stderr, re.M)
    assert "Traceback" not in made.stdout + made.stderr


@pytest.mark.parametrize(("lost", "other"), [(4, 3), pytest.param(3, 4, marks=pytest.mark.real)])
def test_the_others_go_on_and_what_lacks_is_named(house, lost, other):
    """On one processor one of the two countings comes first: it fails, and the other is made all the same."""
    empty(house)
    made = make(house, "--cores", "1", COUNT_FAILS=str(lost))
    assert made.returncode == 2
    assert f"[1/5] computing: Counting to {other} " in made.stdout
    failed, lacking, kept, _ = made.stderr.splitlines()
    assert f"{lost} cannot" in failed
    assert "3 steps" in lacking and "(small)" in lacking
    assert kept.startswith("1 of")


def test_an_error_of_another_kind_is_told_by_its_last_line(house):
    empty(house)
    made = make(house, COUNT_FAILS="-4")
    assert made.returncode == 2 and made.stderr.startswith("metacog: KeyError: 'key'\n")
    assert "Traceback" in (house / "results/logs/newest.log").read_text()


def test_verbose_prints_what_the_log_keeps(house):
    empty(house)
    made = make(house, "-v")
    assert made.returncode == 0
    assert "chatter" in made.stdout and "    there is no " in made.stdout
    assert re.search(r"\[(\d)/\1\] ", made.stdout)  # the last step's line


def test_the_newest_log_has_its_name_at_every_moment(tmp_path):
    logs = [tmp_path / f"book-{number}.log" for number in range(300)]
    for log in logs:
        log.touch()
    making._name_newest(logs[0])
    seen, done = [], threading.Event()

    def watch():
        while not done.is_set():
            seen.append((tmp_path / making.NEWEST).exists())

    watcher = threading.Thread(target=watch)
    watcher.start()
    for log in logs:
        making._name_newest(log)
    done.set()
    watcher.join()
    assert all(seen) and len(seen) > 10
    assert (tmp_path / making.NEWEST).resolve() == logs[-1]
    assert len(list(tmp_path.iterdir())) == 301


def start_counting(house):
    """A book whose steps take minutes, once they run; in a process group of its own."""
    empty(house)
    child = subprocess.Popen(
        BOOK,
        cwd=house,
        env=environment(house, COUNT_SECONDS="60"),
        start_new_session=True,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    newest = house / "results" / "logs" / "newest.log"
    begun, end = time.time(), time.monotonic() + 60
    while not (newest.exists() and newest.stat().st_mtime > begun and "chatter" in newest.read_text()):
        assert time.monotonic() < end
        time.sleep(0.1)
    return child


def nobody_is_left(group, seconds):
    """Wait until a process group is empty."""
    end = time.monotonic() + seconds
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < end:
            os.killpg(group, 0)
            time.sleep(0.2)


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.real)])
def test_asked_to_stop_it_stops_with_one_sentence(house, number):
    child = start_counting(house)
    os.killpg(child.pid, number) if number == signal.SIGINT else child.send_signal(number)
    _, message = child.communicate(timeout=30)
    assert child.returncode == 130, message
    assert re.fullmatch(r"metacog: stopped: 0 of 5 steps .*`make book PROFILE=toy`\n", message)
    nobody_is_left(child.pid, 20)


def test_killed_alone_it_leaves_nobody_behind(house):
    child = start_counting(house)
    child.kill()
    child.communicate(timeout=60)  # pipes are closed once nobody holds them
    nobody_is_left(child.pid, 30)


def test_what_is_wrong_in_the_settings_is_one_sentence(house):
    chapters = house / "config" / "chapters.yaml"
    text = chapters.read_text()
    chapters.write_text(text + "  gone: {}\n")
    made = make(house)
    chapters.write_text(text)
    assert made.returncode == 2 and made.stdout == ""
    assert re.match(r"metacog: config/chapters\.yaml .*\bgone\b", made.stderr)
    assert made.stderr.count("\n") == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_log_that_takes_nothing_holds_nobody_up_and_is_what_is_told(tmp_path):
    """Steps print into a pipe: unread, it would stop them after 64 kB."""
    (tmp_path / "book.log").symlink_to("/dev/full")
    with making._Copied(tmp_path / "book.log", None) as copied:
        for _ in range(40):
            os.write(copied.end, b"x" * 4999 + b"\n")
    assert "No space left on device. Make room" in copied.wrong
    plan = making.Plan({}, {}, {})
    told = making._account(plan, display.Display(io.StringIO()), copied, "make book").splitlines()
    assert told[0] == copied.wrong and "`make book`" in told[1] and len(told) == 3


def test_a_second_book_in_the_folder_is_refused_in_a_line(tmp_path, monkeypatch):
    make_house(tmp_path)
    monkeypatch.chdir(tmp_path)
    planned = making.Plan({"receipt": (Task("a step", print, (), (), (), dict), "")}, {}, {})
    monkeypatch.setattr(making, "_planned", lambda *_: planned)
    monkeypatch.setattr(making, "_make", lambda *_: pytest.fail("a second book was begun"))
    with (
        exclusive(tmp_path / "results" / "logs"),
        pytest.raises(MetacogError, match="^another process is making a book.*: wait for it"),
    ):
        making.build("smoke", out=io.StringIO())
