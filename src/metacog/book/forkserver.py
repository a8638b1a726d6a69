"""``python -m metacog.book forkserver``: imports what the steps of a book need once, and forks for each.

The process does nothing but import, fork and wait: no thread of ours, no model and no array library at
work, so that a fork is as good as a fresh start. A fork is a process of its own: it fails, is stopped
and runs out of memory alone. It gets the caller's environment, folder and open files. Where a source
file has changed since it was imported, the caller is sent away and starts its command afresh.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from metacog.core.paths import keep_compiled

#: What chapters, analyses and readings import, and what runs a notebook.
MODULES = (
    "metacog.book.execution",
    "metacog.collect.jobs",
    "metacog.studies.run",
    "metacog.studies.summary",
    "papermill",
    "jupytext",
    "nbformat",
    "nbclient",
    "ipykernel.kernelapp",
    "ipykernel.ipkernel",
    "IPython.core.completer",
    "matplotlib.backends.backend_svg",
    "scipy.stats",
    "seaborn",
    "jax",
)
#: Libraries read these once, when they are imported: a caller that wants others must start afresh.
READ_AT_IMPORT = ("PYTHONPATH", "JAX_COMPILATION_CACHE_DIR", "JAX_PLATFORMS", "MPLCONFIGDIR", "MPLBACKEND")
#: Runs a notebook's cells, and draws with this.
KERNEL, INLINE = "ipykernel_launcher", "module://matplotlib_inline.backend_inline"


@dataclass
class Request:
    """What one caller wants run, and the line to the caller."""

    call: list[str]
    environment: dict[str, str]
    cwd: str
    new_session: bool
    descriptors: list[int]
    connection: socket.socket
    pid: int = 0


@dataclass
class Server:
    """Forks on request until its own standard input ends.

    Parameters
    ----------
    listener : socket
    sources : mapping
        Source files that were imported, and their state then.
    """

    listener: socket.socket
    sources: Mapping[str, tuple[int, int]]
    selector: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)
    children: dict[int, Request] = field(default_factory=dict)

    def serve(self) -> Request | None:
        """Wait and fork. Comes back in each fork with what to run, and in the server at its end with None."""
        self.selector.register(self.listener, selectors.EVENT_READ, "listener")
        self.selector.register(0, selectors.EVENT_READ, "lifeline")
        while True:
            for key, _ in self.selector.select():
                if key.data == "lifeline":
                    if not os.read(0, 1024):
                        self._close()
                        return None
                elif key.data == "listener":
                    request = self._accept()
                    if request is not None and self._forked(request):
                        return request
                elif isinstance(key.data, int):
                    self._ended(key.fd, key.data)
                else:
                    self._left(key.data)

    def _accept(self) -> Request | None:
        """Take in a caller; None if it is gone, or sent away."""
        connection, _ = self.listener.accept()
        connection.settimeout(10.0)
        descriptors: list[int] = []
        try:
            body, descriptors, *_ = socket.recv_fds(connection, 1 << 16, 3)
            while not body.endswith(b"\n"):
                more = connection.recv(1 << 16)
                if not more:
                    raise OSError("the caller is gone")
                body += more
            wanted = json.loads(body)
            reason = self._reason_against(wanted["environment"])
            if not reason and len(descriptors) == 3:
                return Request(**wanted, descriptors=list(descriptors), connection=connection)
            _answer(connection, {"refused": reason})
        except (OSError, ValueError):
            pass
        for descriptor in descriptors:
            os.close(descriptor)
        connection.close()
        return None

    def _reason_against(self, environment: Mapping[str, str]) -> str:
        """Why a fork would not be what a fresh start is; empty if it would."""
        for name in READ_AT_IMPORT:
            if environment.get(name, os.environ.get(name)) != os.environ.get(name):
                return f"another {name}"
        changed = [file for file, state in self.sources.items() if _state(file) != state]
        return f"{changed[0]} has changed" if changed else ""

    def _forked(self, request: Request) -> bool:
        """Fork; True in the fork."""
        request.pid = os.fork()
        if request.pid == 0:
            for watched in self.children:
                os.close(watched)
            _become(request, [self.listener, self.selector, *(r.connection for r in self.children.values())])
            return True
        for descriptor in request.descriptors:
            os.close(descriptor)
        watched = os.pidfd_open(request.pid)
        self.children[watched] = request
        self.selector.register(watched, selectors.EVENT_READ, request.pid)
        self.selector.register(request.connection, selectors.EVENT_READ, request)
        _answer(request.connection, {"pid": request.pid})
        return False

    def _ended(self, watched: int, pid: int) -> None:
        """Tell the caller how its command ended."""
        request = self.children.pop(watched)
        self.selector.unregister(watched)
        os.close(watched)
        _, status = os.waitpid(pid, 0)
        request.pid = 0
        _answer(request.connection, {"status": os.waitstatus_to_exitcode(status)})
        with contextlib.suppress(KeyError):
            self.selector.unregister(request.connection)
        request.connection.close()

    def _left(self, request: Request) -> None:
        """End the command of a caller that is gone."""
        self.selector.unregister(request.connection)
        if request.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(request.pid, signal.SIGKILL)

    def _close(self) -> None:
        """Our parent is gone, or done."""
        for request in self.children.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(request.pid, signal.SIGTERM)


def _answer(connection: socket.socket, message: Mapping[str, Any]) -> None:
    with contextlib.suppress(OSError):  # a caller that is gone
        connection.sendall(json.dumps(message).encode() + b"\n")


def _become(request: Request, ours: Sequence[Any]) -> None:
    """In a fork: take over the caller's open files, environment and folder, and let go of the server's."""
    for thing in ours:
        thing.close()
    request.connection.close()
    for target, descriptor in enumerate(request.descriptors):
        os.dup2(descriptor, target)
    for descriptor in request.descriptors:
        os.close(descriptor)
    if request.new_session:
        os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.cwd)


def _state(file: str) -> tuple[int, int]:
    try:
        found = os.stat(file)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def load() -> dict[str, tuple[int, int]]:
    """Import what steps need, and read the code once; our source files and their state."""
    keep_compiled()
    for name in MODULES:
        importlib.import_module(name)
    from metacog.book.chapters import chapter_parameters
    from metacog.studies import studies
    from metacog.studies.chapters import declared
    from metacog.studies.results import code_of

    for chapter in declared():
        chapter_parameters(chapter.source)
    packages = {"metacog"}
    for study in studies():
        for analysis in study.analyses:
            code_of(analysis)  # remembers which file imports which
            packages.add(analysis.function.__module__.split(".")[0])
    files = [
        str(module.__file__)
        for name, module in list(sys.modules.items())
        if name.split(".")[0] in packages and getattr(module, "__file__", None)
    ]
    gc.collect()
    gc.freeze()  # forks share these objects, and never look through them for garbage
    return {file: _state(file) for file in files}


def run(request: Request) -> None:
    """Run a fork's command, as ``python -m`` would."""
    module, *words = request.call
    if module == KERNEL:
        _as_in_a_kernel()
    sys.argv = [module, *words]
    sys.path[0] = request.cwd
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _as_in_a_kernel() -> None:
    """Choose what libraries choose when a kernel imports them: they were imported outside one."""
    import matplotlib
    import pandas as pd

    if "MPLBACKEND" not in os.environ:
        matplotlib.rcParams["backend"] = INLINE
    pd.set_option("display.max_columns", 20)


def main(descriptor: int) -> None:
    """Serve on a listening socket that we were handed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to steps and server alike
    request = Server(socket.socket(fileno=descriptor), load()).serve()
    if request is not None:
        run(request)
