"""Tests of a copy of the project: collected once, and run for each mutant in a fork of the process that has them.

In the fork the code of the changed function is put in the place of the old; what a module does at import is changed by
importing all of ours again. The copy is in a temporary folder, so that nothing else ever runs a changed program.
`coverage` says which tests run which line: it is no dependency, and is installed at a pinned version, held to its
checksum, into the cache folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import json
import os
import platform
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from mutation.operators import Mutant

COVERAGE = "coverage==7.11.0"
#: SHA-256 of its wheels for Linux on x86-64.
HASHES = {"cp311": "aef1747ede4bd8ca9cfc04cc3011516500c6891f1b33a94add3253f6f876b7b7"}
#: What a book makes, which no test needs.
MADE = ("results", "runs", "_build", "_executed", "_static_generated")
#: Gibibytes that the tests of a mutant may take, and seconds without any work after which they hang.
MEMORY, IDLE = 12, 240.0


def installed(folder: Path) -> Path:
    """Where coverage is, installed if need be."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    place = folder / f"{COVERAGE.replace('==', '-')}-{python}"
    if not (place / "coverage").is_dir():
        wanted = COVERAGE
        if python in HASHES and sys.platform == "linux" and platform.machine() == "x86_64":
            wanted += f" --hash=sha256:{HASHES[python]}"
        place.mkdir(parents=True, exist_ok=True)
        (place / "wanted.txt").write_text(f"{wanted}\n", encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(place)]
        subprocess.run([*pip, "-r", str(place / "wanted.txt")], check=True)
    return place


def copied(root: Path, place: Path) -> Path:
    """A copy of what of a clone tests read."""
    for one in root.iterdir():
        if one.name.startswith(".") or one.name in MADE:
            continue
        if one.is_dir():
            shutil.copytree(one, place / one.name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(one, place / one.name)
    return place


class _Collected:
    """Does something with the tests that were collected, in place of running them all."""

    def __init__(self, work: Callable[[pytest.Session], None]) -> None:
        self.work = work

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.work(session)
        return True


def with_tests(copy: Path, files: Sequence[str], work: Callable[[pytest.Session], None]) -> None:
    """Collect the tests of some files of the copy, and do something with them."""
    from metacog.core.paths import keep_compiled

    keep_compiled()
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(copy / "src")}
    _forget(copy)
    sys.path[:] = [str(copy / "src"), *(p for p in sys.path if "benchmarks" not in Path(p).parts)]
    os.chdir(copy)
    from hypothesis import settings

    settings.register_profile("mutants", database=None, derandomize=True, deadline=None)
    settings.load_profile("mutants")
    pytest.main([*_words(copy), *files], plugins=[_Collected(work)])


def _words(copy: Path) -> list[str]:
    return [
        "-q",
        "-s",
        "-p",
        "no:cacheprovider",
        "-m",
        "not real",
        f"--basetemp={copy}/tmp",
        f"--rootdir={copy}",
    ]


def _forget(copy: Path) -> None:
    """Take our modules, and those of the copy's tests, out of this process."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        if name.partition(".")[0] == "metacog" or file.startswith((f"{copy}/tests", f"{copy}/benchmarks")):
            del sys.modules[name]


def forked(work: Callable[[], Any], seconds: float) -> tuple[int, float, Any]:
    """Do something in a fork: its exit status (below 0: a signal), seconds of the processor, and what it answers."""
    with tempfile.TemporaryDirectory() as folder:
        left = Path(folder) / "left.json"
        child = os.fork()
        if not child:
            status = 70
            try:
                os.setpgrp()
                nothing = os.open(os.devnull, os.O_WRONLY)
                for descriptor in (1, 2):
                    os.dup2(nothing, descriptor)
                resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY << 30, MEMORY << 30))
                left.write_text(json.dumps(work()), encoding="utf-8")
                status = 0
            finally:
                os._exit(status)
        status, spent = _waited(child)
        with contextlib.suppress(ProcessLookupError, PermissionError):  # what its tests started
            os.killpg(child, signal.SIGKILL)
        return status, spent, json.loads(left.read_text(encoding="utf-8")) if not status else None


def _waited(child: int) -> tuple[int, float]:
    """Exit status and seconds of a process; one that does nothing for long is ended."""
    worked, changed, pause = 0, time.monotonic(), 0.001
    while True:
        done, status, spent = os.wait4(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status), spent.ru_utime + spent.ru_stime
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            now = sum(map(int, fields[11:15]))
            if now != worked:
                worked, changed = now, time.monotonic()
        if time.monotonic() - changed > IDLE:
            os.kill(child, signal.SIGXCPU)
        time.sleep(pause)
        pause = min(2 * pause, 0.5)


# --- a changed program


def _code(code: CodeType, name: str, line: int) -> CodeType | None:
    """The code of a function or class that stands directly in other code."""
    inner = [one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == name]
    return next((one for one in inner if not line or one.co_firstlineno == line), None)


def _function(found: Any) -> Any:
    """What a decorated function was."""
    while not isinstance(found, FunctionType) or hasattr(found, "__wrapped__"):
        for inner in ("__wrapped__", "__func__", "fget", "func", "callback"):
            if getattr(found, inner, None) is not None:
                found = getattr(found, inner)
                break
        else:
            return None
    return found


def put(mutant: Mutant, source: bytes) -> bool:
    """Put the code of the changed function in the place of the old one; False where that cannot be."""
    if mutant.whole or not mutant.function:
        return False
    module = importlib.import_module(
        "metacog." + mutant.module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    )
    code, found = compile(source, str(module.__file__), "exec"), module
    for name in mutant.function.split("."):
        found = vars(found).get(name)
        if isinstance(found, type):
            code = _code(code, name, 0)
            if code is None:
                return False
            continue
        function = _function(found)
        new = _code(code, name, function.__code__.co_firstlineno) if function else None
        if new is None or new.co_freevars != function.__code__.co_freevars:
            return False
        function.__code__ = new
        return True
    return False


def _first_failure(items: Sequence[pytest.Item]) -> str:
    """Run tests until one fails: its name, or nothing."""
    from _pytest.runner import runtestprotocol

    for item, after in zip(items, [*items[1:], None], strict=True):
        if any(one.failed for one in runtestprotocol(item, nextitem=after, log=False)):
            return item.nodeid
    return ""


class _Watch:
    failed = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


def _imported_again(copy: Path, tests: Sequence[str]) -> str:
    """The same with all of ours imported again."""
    _forget(copy)
    watch = _Watch()
    status = int(pytest.main([*_words(copy), "-x", *tests], plugins=[watch]))
    if status not in (0, 1, 2, 4):  # failures, or files of tests that cannot be read any more
        raise SystemExit(status)
    return watch.failed or ("(import)" if status else "")


def tried(
    copy: Path,
    mutant: Mutant,
    items: dict[str, pytest.Item],
    batches: Iterable[Sequence[str]],
    seconds: float,
) -> dict[str, Any]:
    """Whether tests notice a change: ``outcome`` (killed, survived, timed out), and ``by`` which test."""
    file = copy / "src" / "metacog" / mutant.module
    source, was = file.read_bytes(), file.stat()
    changed = mutant.apply(source)

    def work() -> str:
        here = put(mutant, changed)
        for tests in batches:
            if tests:
                failed = (
                    _first_failure([items[one] for one in tests]) if here else _imported_again(copy, tests)
                )
                if failed:
                    return failed
        return ""

    file.write_bytes(changed)  # for programs that tests start
    stamp = (
        1_000_000_000 + int(mutant.name, 16) % 500_000_000
    ) * 10**9  # compiled files are told apart by it
    os.utime(file, ns=(stamp, stamp))
    try:
        status, spent, failed = forked(work, seconds)
    finally:
        file.write_bytes(source)
        os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))
    told = {"by": failed or "", "seconds": round(spent, 2)}
    if not status:
        return {"outcome": "killed" if failed else "survived", **told}
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"outcome": "timed out", **told}
    return {"outcome": "killed", **told, "by": f"(status {status})"}


# --- which tests run which lines


class _Contexts:
    """Tells coverage what runs: a test, or something that tests of a file share."""

    def __init__(self, measured: Any) -> None:
        self.measured, self.now = measured, ""

    def to(self, name: str) -> None:
        self.now = name
        self.measured.switch_context(name)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        before = self.now
        if fixturedef.scope != "function":
            self.to(f"fixture {fixturedef.argname}")
        try:
            return (yield)
        finally:
            self.to(before)


class _Long(Exception):
    pass


def _too_long(*_: object) -> None:
    raise _Long


def _shared(item: Any) -> list[str]:
    """Fixtures that a test shares with others."""
    fixtures = item._fixtureinfo.name2fixturedefs.items()
    return [
        f"fixture {name}" for name, of in fixtures if of[-1].scope != "function" and of[-1].baseid != "tests"
    ]


def mapped(
    copy: Path,
    session: pytest.Session,
    file: str,
    modules: Sequence[str],
    tool: Path,
    long: float,
    seconds: float,
) -> dict[str, Any]:
    """Which tests of a file run which lines of the modules, and what each took.

    Tests of more than ``long`` seconds of the processor count as failed, and none begins after ``seconds``.
    """
    items = [item for item in session.items if item.nodeid.partition("::")[0] == file]

    def work() -> dict[str, Any]:
        from _pytest.runner import runtestprotocol

        sys.path.append(str(tool))
        src = copy / "src" / "metacog"
        measured = importlib.import_module("coverage").Coverage(
            data_file=None, include=[str(src / one) for one in modules]
        )
        contexts, tests, begun = _Contexts(measured), {}, time.process_time()
        session.config.pluginmanager.register(contexts)
        signal.signal(signal.SIGPROF, _too_long)
        measured.start()
        for item, after in zip(items, [*items[1:], None], strict=True):
            if (started := time.process_time()) - begun > seconds:
                break
            contexts.to(item.nodeid)
            signal.setitimer(signal.ITIMER_PROF, long)
            try:
                reports = runtestprotocol(item, nextitem=after, log=False)
            except _Long:  # between two of its parts
                reports = []
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            contexts.to("")
            tests[item.nodeid] = {
                "seconds": round(time.process_time() - started, 3),
                "passed": len(reports) == 3 and all(one.passed for one in reports),
                "shared": _shared(item),
            }
        measured.stop()
        data = measured.get_data()
        lines = {
            str(Path(name).relative_to(src)): {
                line: sorted(one for one in of if one) for line, of in data.contexts_by_lineno(name).items()
            }
            for name in data.measured_files()
        }
        return {"tests": tests, "lines": lines}

    status, spent, found = forked(work, 3 * seconds + 60)
    return {
        "status": status,
        "of": len(items),
        "seconds": round(spent, 1),
        **(found or {"tests": {}, "lines": {}}),
    }


@functools.cache
def digest(file: Path) -> str:
    """Of a file's bytes."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]
