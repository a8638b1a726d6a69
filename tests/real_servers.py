"""Servers of other programs on loopback, with a model that comes with the book.

llama-cpp-python's comes with the extra ``endpoint-test``. llama.cpp's own is built from source, which takes minutes: a
test that wants it is skipped where it has not been built, unless METACOG_BUILD_SERVER=1 asks for it (`make validate`).
"""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import llama_server
import pytest


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def python_server(path, n_ctx=512, port=None, end=subprocess.Popen.terminate, logits_all="true"):
    for module in ("uvicorn", "fastapi", "sse_starlette", "starlette_context", "pydantic_settings"):
        pytest.importorskip(module, reason="the extra endpoint-test is not installed")
    port = port or free_port()
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(path), "--host", "127.0.0.1"]
    command += ["--port", str(port), "--n_ctx", str(n_ctx), "--logits_all", logits_all, "--verbose", "false"]
    quiet = os.environ | {"OMP_WAIT_POLICY": "passive"}  # threads that spin slow a busy machine down
    server = subprocess.Popen(command, env=quiet, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(240):
            assert server.poll() is None, "the server ended at once"
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.25)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        end(server)
        server.wait(timeout=20)


def llama_server_here():
    """llama.cpp's own server; built where that is asked for, else the test is skipped without it."""
    if not llama_server.built() and os.environ.get("METACOG_BUILD_SERVER") != "1":
        pytest.skip("llama-server is not built: METACOG_BUILD_SERVER=1 has this test build it")
    return llama_server.build()


@contextlib.contextmanager
def cpp_server(path):
    executable = llama_server_here()
    with llama_server.running(path, slots=2, threads=1, executable=executable) as server:
        yield f"{server.url}/v1"


@dataclass(frozen=True)
class RealServer:
    """A server of another program on the embedded model, and how it differs from others."""

    start: Callable
    returns_stop_token: bool
    cannot_score: str


REAL_SERVERS = {
    "llama-cpp-python": RealServer(python_server, True, "own tokens"),  # its echo is one place off
    "llama-server": RealServer(cpp_server, False, "does not echo"),
}
