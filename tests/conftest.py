"""What every test begins with, and what no test may do: change what a book keeps in this clone."""

import hashlib
import signal
from pathlib import Path

import pytest

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


@pytest.hookimpl(trylast=True)  # after the workers have ended
def pytest_sessionfinish(session):
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
def interrupt_as_at_a_terminal():
    """A job in the background ignores SIGINT, and so would the programs that tests interrupt."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
