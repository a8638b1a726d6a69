"""A command with the shim in all its processes: how it ended, what it said, which write was hit, who is left."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
#: Seconds after which a command hangs, and that its processes have to end once it has.
HANG, END = 900.0, 20.0
#: Size of the memory that all processes share, and where in it the number of writes and that of the fault stand.
_STATE = 4096


@dataclass(frozen=True)
class Fault:
    """What goes wrong, and at which write: ``kind`` as `shim.c` has it, empty for nothing."""

    kind: str = ""
    at: int = 0
    shift: int = 0


@dataclass(frozen=True)
class Write:
    """One write: its number, what it was, and where below the folder."""

    number: int
    what: str
    path: str

    @property
    def writer(self) -> str:
        """Its kind: names without numbers and digests."""
        path = re.sub(r"\.tmp\d+$", ".tmp", self.path.lstrip("/"))
        path = re.sub(r"[\w=-]{40,}(?=\.|/|$)", "#", path)
        path = re.sub(r"items-[0-9a-f]{16}", "items-#", path)
        return f"{self.what} {re.sub(r'(?<![a-z0-9])[0-9]+|(?<=[^a-z])[0-9]{3,}', '#', path) or '.'}"


@dataclass(frozen=True)
class Ran:
    """How a command ended: its status, what it said, its writes, the one that was hit, processes that were left."""

    status: int
    out: str
    err: str
    writes: list[Write]
    hit: Write | None
    fired: bool
    left: int
    hung: bool


def said(err: str, house: Path) -> str:
    """What a command says is wrong, on one line; its clone is called so."""
    lines = [line for line in err.replace(str(house), "CLONE").splitlines() if line.strip()]
    ours = [line for line in lines if line.startswith("metacog: ")] or lines[-1:]
    return (ours or [""])[0][:400]


def compiled(folder: Path) -> Path:
    """The shim, built for this machine."""
    compiler = next((found for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)
    if sys.platform != "linux" or compiler is None:
        raise SystemExit("faults are made by a shim in C, for which Linux and a C compiler are needed")
    made = folder / "shim.so"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", str(SOURCE), "-o", str(made), "-ldl"], check=True)
    return made


def told(folder: Path, shim: Path, fault: Fault) -> dict[str, str]:
    """What the shim is told by the environment, of a state and a log that are empty now."""
    shim.with_name("state").write_bytes(bytes(_STATE))
    shim.with_name("writes").write_bytes(b"")
    return {
        "FAULT_FOLDER": str(folder),
        "FAULT_STATE": str(shim.with_name("state")),
        "FAULT_LOG": str(shim.with_name("writes")),
        "FAULT_KIND": fault.kind,
        "FAULT_AT": str(fault.at),
        "FAULT_SHIFT": str(fault.shift),
    }


def run(
    words: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    shim: Path,
    fault: Fault = Fault(),
) -> Ran:
    """Run a command in a folder; a fault may hit one of its writes there."""
    about = {**environment, "LD_PRELOAD": str(shim), **told(folder, shim, fault)}
    with open(shim.with_name("out"), "wb") as out, open(shim.with_name("err"), "wb") as err:
        files = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
        child = subprocess.Popen(list(words), cwd=folder, env=about, start_new_session=True, **files)
        hung = False
        try:
            child.wait(HANG)
        except subprocess.TimeoutExpired:
            hung = True
        left = ended(shim.with_name("state"), 0.0 if hung else END)
        child.wait()
    return _account(shim, child.returncode, fault, left, hung)


def _account(shim: Path, status: int, fault: Fault, left: int, hung: bool) -> Ran:
    out, err = (shim.with_name(name).read_text(errors="replace") for name in ("out", "err"))
    _, fired = struct.unpack("ll", shim.with_name("state").read_bytes()[:16])
    writes = listed(shim.with_name("writes"))
    hit = next((one for one in writes if fault.at and one.number == fault.at), None)
    return Ran(status, out, err, writes, hit if fired else None, bool(fired), left, hung)


#: A process that has imported what a command needs, and runs it in forks of itself. Collecting runs as its own child
#: would: whoever watches ends its standard input. The server that forks for a book's tasks is a fork, too.
_FORKS = """
import ctypes, json, os, sys, tempfile, threading
from multiprocessing import forkserver, resource_tracker, util
from pathlib import Path
import metacog.cli
from metacog.collect import jobs
from metacog.core.config import load_profile
from metacog.studies import studies

book = sys.argv[1] == "book"
if book:
    import metacog.book.making, metacog.book.preload
    load_profile("toy")
else:
    with tempfile.TemporaryDirectory() as folder:  # run once, so that all is imported
        jobs.run(list(studies()), load_profile("toy"), runs=Path(folder), progress=False, echo=len)
fresh = util.spawnv_passfds

def start(path, words, kept):
    if "forkserver" not in words[-1]:
        return fresh(path, words, kept)
    if child := os.fork():
        return child
    for place in map(int, os.listdir("/proc/self/fd")):
        if place > 2 and place not in kept:
            try:
                os.close(place)
            except OSError:
                pass
    ctypes.CDLL(None).fault_begin()  # its log was among them
    forkserver._forkserver._lock = threading.Lock()
    resource_tracker._resource_tracker._fd = resource_tracker._resource_tracker._pid = None
    exec(words[-1])
    os._exit(0)

util.spawnv_passfds = start
for line in sys.stdin:
    words, environment, out, err = json.loads(line)
    child = os.fork()
    if not child:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY) if book else os.pipe()[0], 0)
        for place, file in ((1, out), (2, err)):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), place)
        os.environ.update(environment, **({} if book else {"METACOG_LIFELINE": "1"}))
        ctypes.CDLL(None).fault_begin()
        sys.argv = ["metacog", *words]
        metacog.cli.main(prog_name="metacog")
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Forks:
    """Runs commands in forks of a process that has imported what they need: seconds less for each."""

    def __init__(self, folder: Path, environment: Mapping[str, str], shim: Path, command: str) -> None:
        self.folder, self.shim = folder, shim
        self.process = subprocess.Popen(
            [sys.executable, "-c", _FORKS, command],
            cwd=folder,
            env={**environment, "LD_PRELOAD": str(shim)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, words: Sequence[str], fault: Fault = Fault()) -> Ran:
        """Run a command; a fault may hit one of its writes."""
        assert self.process.stdin is not None and self.process.stdout is not None
        about = told(self.folder, self.shim, fault)
        files = [str(self.shim.with_name(name)) for name in ("out", "err")]
        self.process.stdin.write(json.dumps([list(words), about, *files]) + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], HANG)
        left = ended(self.shim.with_name("state"), END if ready else 0.0)
        status = int(self.process.stdout.readline())
        return _account(self.shim, status, fault, left, not ready)

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()


def listed(log: Path) -> list[Write]:
    """Writes in the order of their numbers."""
    rows = (line.split("\t") for line in log.read_text(encoding="utf-8", errors="replace").splitlines())
    return sorted((Write(int(n), what, path) for n, _, what, path in rows), key=lambda one: one.number)


def ended(state: Path, seconds: float) -> int:
    """Wait until no process that maps the state is left; those that are after that time are ended and counted."""
    until = time.monotonic() + seconds
    while (left := _holding(state)) and time.monotonic() < until:
        time.sleep(0.1)
    for one in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(one, signal.SIGKILL)
    return len(left)


def _holding(state: Path) -> list[int]:
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            with contextlib.suppress(OSError):
                if str(state) in (process / "maps").read_text(errors="replace"):
                    found.append(int(process.name))
    return found
