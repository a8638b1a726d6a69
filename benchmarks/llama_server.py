"""llama.cpp's own server: built from the source package that requirements.lock names, run on loopback.

    python benchmarks/llama_server.py            (build it if it is not there; 5 to 10 minutes on 2 cores)

The server is compiled from the very source that the installed llama-cpp-python was compiled from, kept in
the user's cache folder, and started on that package's own libllama and libggml. So it computes with the
same kernels, built with the same flags, as every other line of a benchmark.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from metacog.core.machine import available_cores
from metacog.core.paths import cache_dir

LOCK = Path(__file__).resolve().parents[1] / "requirements.lock"
PACKAGE = "llama-cpp-python"
FLAGS = (
    "-DCMAKE_BUILD_TYPE=Release",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_APP=OFF",
    "-DLLAMA_USE_PREBUILT_UI=OFF",  # the page for browsers would be fetched from a hub
    "-DLLAMA_BUILD_UI=OFF",
    "-DLLAMA_OPENSSL=OFF",
)
SLOT_TOKENS = 512  # context of one slot, as the paper's loop has


class Unavailable(RuntimeError):
    """The server cannot be had here; the message says why."""


@dataclass(frozen=True)
class Server:
    """A running server."""

    host: str
    port: int
    pid: int

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{self.host}:{self.port}"


def locked(lock: Path = LOCK) -> tuple[str, str]:
    """Version and hash-checked requirement of llama-cpp-python in the lock file."""
    text = lock.read_text(encoding="utf-8")
    found = re.search(rf"^{PACKAGE}==(\S+)((?:[ \t]*\\\n\s+--hash=\S+)+)", text, re.MULTILINE)
    if found is None:
        raise Unavailable(f"{lock.name} names no {PACKAGE} with a checksum")
    return found[1], found[0] + "\n"


def home() -> Path:
    """The cache folder of this version's server."""
    return cache_dir() / "llama-server" / locked()[0]


def built() -> Path | None:
    """The server's executable, if it has been built."""
    path = home() / "llama-server"
    return path if path.is_file() else None


def build(echo: Callable[[str], None] = print) -> Path:
    """The server's executable; builds it where it is missing."""
    wanted, requirement = locked()
    if version(PACKAGE) != wanted:
        raise Unavailable(f"{PACKAGE} {version(PACKAGE)} is installed, the lock names {wanted}")
    if (path := built()) is not None:
        return path
    for names, hint in (
        (("cmake",), "pip install cmake"),
        (("c++", "g++", "clang++"), "a C++ compiler, for instance build-essential"),
        (("ninja", "make"), "pip install ninja"),
    ):
        if not any(map(shutil.which, names)):
            raise Unavailable(f"llama-server is built from source and {names[0]} is missing ({hint})")
    with tempfile.TemporaryDirectory(prefix="llama-server-") as folder:
        echo(f"building llama-server {wanted} (once, 5 to 10 minutes on 2 cores)")
        _compile(_source(requirement, Path(folder)), Path(folder) / "build")
        _keep(Path(folder) / "build" / "bin", home())
    return home() / "llama-server"


def _source(requirement: str, folder: Path) -> Path:
    """Download the source package, its checksum held against the lock's, and unpack it."""
    listed = folder / "requirement.txt"
    listed.write_text(requirement, encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", PACKAGE]
    command += ["--no-build-isolation"]  # isolated, pip would fetch tools that the lock does not name
    _call([*command, "--require-hashes", "--requirement", str(listed), "--dest", str(folder)], folder)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(folder / "source", filter="data")
    return next((folder / "source").glob("*/vendor/llama.cpp"))


def _compile(source: Path, target: Path) -> None:
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    _call(["cmake", "-S", str(source), "-B", str(target), *generator, *FLAGS], target.parent)
    command = ["cmake", "--build", str(target), "--target", "llama-server"]
    _call([*command, "--parallel", str(available_cores())], target.parent)


def _keep(made: Path, target: Path) -> None:
    """Copy executable and libraries to the cache; the folder appears whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))
    fresh.chmod(0o755)
    for path in made.iterdir():
        if path.name == "llama-server" or ".so" in path.name or path.suffix == ".dylib":
            shutil.copy2(path, fresh / path.name, follow_symlinks=False)
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)


def _call(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        last = "\n".join(done.stdout.splitlines()[-15:])
        raise Unavailable(f"building llama-server failed at `{' '.join(command[:4])}`:\n{last}")


def _environment(executable: Path, spin: bool) -> dict[str, str]:
    """The caller's environment, with the installed package's libraries before the server's own."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("LLAMA_ARG_")}
    for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT"):
        kept.pop(name, None)
    if not spin:
        kept["OMP_WAIT_POLICY"] = "passive"
    spec = importlib.util.find_spec("llama_cpp")
    folders = [executable.parent]
    if spec is not None and spec.origin:
        folders.insert(0, Path(spec.origin).parent / "lib")
    name = "DYLD_LIBRARY_PATH" if platform.system() == "Darwin" else "LD_LIBRARY_PATH"
    before = [kept[name]] if kept.get(name) else []
    return kept | {name: os.pathsep.join([*map(str, folders), *before])}


@contextlib.contextmanager
def running(
    model: Path,
    *,
    slots: int,
    threads: int,
    executable: Path | None = None,
    spin: bool = False,
    patience: float = 10,
    slot_tokens: int = SLOT_TOKENS,
    options: Sequence[str] = (),
) -> Iterator[Server]:
    """The server with ``slots`` parallel slots; it is gone when the block ends, however it ends.

    With ``spin`` its threads wait as OpenMP does by default, which is by spinning for a while; else they sleep, as the
    local engine's do. It has ``patience`` seconds to end by itself before it is killed. Continuous batching, its
    prompt cache and its attention kernel are as the server ships them.
    """
    executable = executable or build()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(executable), "--model", str(model), "--host", "127.0.0.1", "--port", str(port)]
    command += ["--parallel", str(slots), "--ctx-size", str(slots * slot_tokens)]
    command += ["--threads", str(threads), "--threads-batch", str(threads), "--offline", *options]
    with started(command, _environment(executable, spin), port, "llama-server", patience=patience) as process:
        yield Server("127.0.0.1", port, process.pid)


@contextlib.contextmanager
def started(
    command: list[str], env: dict[str, str], port: int, name: str, seconds: float = 120, patience: float = 30
) -> Iterator[subprocess.Popen[bytes]]:
    """A server's process from when it says on loopback that it is well; it is gone when the block ends."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=env)
        try:
            end = time.monotonic() + seconds
            while not _is_well(f"http://127.0.0.1:{port}/health"):
                state = None if process.poll() is None else f"ended with status {process.returncode}"
                if state or time.monotonic() > end:
                    log.seek(0)
                    last = b"\n".join(log.read().splitlines()[-10:]).decode("utf-8", "replace")
                    raise Unavailable(f"{name} {state or 'did not get ready'}:\n{last}")
                time.sleep(0.05)
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=patience)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _is_well(url: str) -> bool:
    with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=2) as answer:
        return bool(answer.status == 200)
    return False


if __name__ == "__main__":
    try:
        print(build())
    except Unavailable as reason:
        sys.exit(str(reason))
