"""What every test begins with, in which order they come, and what none may do: change what a book keeps here."""

import hashlib
import os
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from metacog.core import paths
from metacog.install.stages import EMBEDDED

paths.keep_compiled()  # workers and the programs they start take compiled fits from one another
os.environ.pop(
    "PYTHONDONTWRITEBYTECODE", None
)  # else each program that a test starts compiles all of ours again
# Threads of llama.cpp and of matrices wait for one another by turning: with one worker a core that is most of what
# they do.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).resolve().parent.parent
#: Folders that hold a reader's replies, results and pages, and the data of the project.
KEPT = ("results", "data", "runs", "_executed", "_build")


def kept_files():
    """Size and SHA-256 of each file of these folders, by its path."""
    found = {}
    for file in sorted(f for folder in KEPT for f in (ROOT / folder).rglob("*") if f.is_file()):
        with open(file, "rb") as handle:
            sha256 = hashlib.file_digest(handle, "sha256").hexdigest()
        found[str(file.relative_to(ROOT))] = (file.stat().st_size, sha256)
    return found


BEFORE = pytest.StashKey()
CHANGED = pytest.StashKey()


def is_worker(config):
    """Whether this process runs tests for another, which looks after the files."""
    return hasattr(config, "workerinput")


def pytest_sessionstart(session):
    if not is_worker(session.config):
        session.config.stash[BEFORE] = kept_files()


def pytest_addoption(parser):
    text = "leave out tests that took long the last time, and those not begun after so many seconds"
    parser.addoption("--quick", type=float, metavar="SECONDS", help=text)


#: Seconds of set-up, and of all else, that each test took the last time that it ran here.
TOOK = "metacog/seconds"
#: More than so many are long.
LONG = 2.0
STARTED = time.monotonic()
UNTIL = pytest.StashKey()
took_now = {}


def pytest_runtest_logreport(report):
    setup, rest = took_now.get(report.nodeid, (0.0, 0.0))
    spent = (report.duration, 0.0) if report.when == "setup" else (0.0, report.duration)
    if report.outcome == "passed":
        took_now[report.nodeid] = (setup + spent[0], rest + spent[1])


def shared_of(item):
    """What a test shares with others of its file: whichever of them comes first waits until it is set up."""
    defined = item._fixtureinfo.name2fixturedefs.items()
    own = {name for name, of in defined if of[-1].scope != "function" and of[-1].baseid not in ("", "tests")}
    return {(item.path, name) for name in own}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    cache = getattr(config, "cache", None)
    took = {} if cache is None else cache.get(TOOK, {})
    if config.getoption("--quick") is None:
        if is_worker(config):  # long files come first: at the end no worker waits for another
            of_file = Counter()
            for item in items:
                of_file[item.path] += sum(took.get(item.nodeid, ()))
            items.sort(key=lambda item: -of_file[item.path])
        return
    times = {item: took.get(item.nodeid, (0.0, 0.0)) for item in items}
    waited_for = set()
    for item, (setup, _) in times.items():
        waited_for |= shared_of(item) if setup > LONG else set()
    kept = [
        item for item, seconds in times.items() if max(seconds) <= LONG and not shared_of(item) & waited_for
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


def pytest_collection_finish(session):
    seconds = session.config.getoption("--quick")
    if seconds is not None:  # finding the tests counts; where that took long, some are run all the same
        session.config.stash[UNTIL] = max(STARTED + seconds, time.monotonic() + seconds / 3)


def pytest_runtest_setup(item):
    seconds = item.config.getoption("--quick")
    if seconds is not None and time.monotonic() > item.config.stash[UNTIL]:
        pytest.skip(f"not begun after {seconds:g} s")


@pytest.hookimpl(trylast=True)  # after the workers have ended
def pytest_sessionfinish(session):
    cache = getattr(session.config, "cache", None)
    if took_now and cache is not None and not is_worker(session.config):
        cache.set(TOOK, {**cache.get(TOOK, {}), **took_now})
    if is_worker(session.config) or BEFORE not in session.config.stash:
        return
    before, after = session.config.stash[BEFORE], kept_files()
    changed = sorted(f for f in {*before, *after} if before.get(f) != after.get(f))
    session.config.stash[CHANGED] = changed
    if changed:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config):
    if changed := config.stash.get(CHANGED, []):
        terminalreporter.section("files of this clone that changed while the tests ran", red=True)
        terminalreporter.write_line(
            "Tests write into folders of their own. One of them wrote here, or a book was made meanwhile:"
        )
        for file in changed[:50]:
            terminalreporter.write_line(f"  {file}")


@pytest.fixture(scope="session", autouse=True)
def embedded_models(tmp_path_factory):
    """Behind whatever cache a test has lie links to the embedded models that set-up fetched, and nothing else."""
    behind = tmp_path_factory.mktemp("behind")
    (behind / "models").mkdir()
    for file in (one for name in EMBEDDED for one in (paths.cache_dir() / "models").glob(f"{name}-*.gguf")):
        (behind / "models" / file.name).symlink_to(file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(paths.BEFORE, str(behind))
        yield


@pytest.fixture(scope="session", autouse=True)
def interrupt_as_at_a_terminal():
    """A job in the background ignores SIGINT, and so would the programs that tests interrupt."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
