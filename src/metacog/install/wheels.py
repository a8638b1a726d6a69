"""Wheels of llama.cpp, built from the locked source and kept under a key that knows how.

pip keeps wheels too, but under the source alone: it would hand out one that was built with other flags
or on another processor. So its cache is bypassed and wheels lie in our own, in folders whose name is a
digest of everything that decides what the compiler writes.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from metacog.core.machine import available_cores
from metacog.core.paths import cache_dir
from metacog.install.compiler import Compiler
from metacog.install.lock import LLAMA, Lock
from metacog.install.processor import Processor
from metacog.install.running import Failed, Log, run
from metacog.install.variants import KEEP_STORES, Variant

#: Variables of the user's that reach the compiler or CMake.
_REACH = re.compile(
    r"(CC|CXX|CFLAGS|CXXFLAGS|CPPFLAGS|LDFLAGS|SDKROOT|MACOSX_DEPLOYMENT_TARGET)$|(CMAKE|SKBUILD|GGML)_"
)
#: Read by CMake inside llama.cpp's own project: leaves out its library for command-line programs, which
#: Python does not use and which takes as long to build as the rest.
_LEAN = "set(LLAMA_BUILD_COMMON OFF)\n"
#: Called in place of the compiler for every C++ file; adds flags to AMX's own.
LAUNCHER = """#!/bin/sh
for word in "$@"; do
  case "$word" in
    */ggml-cpu/amx/*.cpp) exec "$@" {flags} ;;
  esac
done
exec "$@"
"""


def build_facts(
    variant: Variant,
    lock: Lock,
    compiler: Compiler,
    processor: Processor,
    environment: Mapping[str, str] = os.environ,
) -> dict[str, Any]:
    """Everything that decides what a build gives; its digest names the wheel's folder."""
    reach = {k: v for k, v in sorted(environment.items()) if _REACH.match(k)}
    reach.pop("CMAKE_BUILD_PARALLEL_LEVEL", None)
    return {
        "version": lock.llama_version,
        "source": list(lock.llama_hashes),
        "options": [*variant.options, _LEAN],
        "guard": list(KEEP_STORES) if variant.guards_amx else [],
        "compiler": [*compiler.command, compiler.version],
        "system": [sys.platform, platform.machine(), *platform.libc_ver()],
        "processor": [processor.name, *sorted(processor.flags)] if variant.native else [],
        "environment": reach,
    }


def digest(facts: Mapping[str, Any]) -> str:
    """Sixteen hexadecimal digits that stand for the facts."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def folder_of(variant: Variant, facts: Mapping[str, Any]) -> Path:
    """Where the wheel of such a build lies, or will."""
    return cache_dir() / "wheels" / f"{facts['version']}-{variant.name}-{digest(facts)}"


def kept_wheel(folder: Path) -> Path | None:
    """The wheel in a folder of the cache, if it is there and whole."""
    try:
        noted = json.loads((folder / "build.json").read_text(encoding="utf-8"))
        wheel = folder / noted["wheel"]
        with open(wheel, "rb") as handle:
            return wheel if hashlib.file_digest(handle, "sha256").hexdigest() == noted["sha256"] else None
    except (OSError, ValueError, KeyError):
        return None


def build_wheel(
    variant: Variant,
    facts: Mapping[str, Any],
    lock: Lock,
    python: Path,
    log: Log,
    progress: Callable[[str], object],
) -> Path:
    """Build llama.cpp and keep the wheel.

    Parameters
    ----------
    variant : Variant
    facts : mapping
        From :func:`build_facts`.
    lock : Lock
    python : Path
        The environment's interpreter; its pip builds.
    log : Log
    progress : callable
        Is told how far the build is.

    Raises
    ------
    Failed
    """
    folder = folder_of(variant, facts)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".building-", dir=folder.parent) as made:
            place = Path(made)
            source = _source(lock, python, log, progress)
            command = [str(python), "-m", "pip", "wheel", "--verbose", "--no-deps", "--no-cache-dir"]
            command += ["--disable-pip-version-check", "--wheel-dir", str(place), str(source)]
            run(
                command,
                log,
                doing=f"building llama.cpp {variant.title}",
                on_line=lambda line: _tell(line, progress),
                environment=_environment(variant, place),
            )
            wheel = next(place.glob("*.whl"))
            with open(wheel, "rb") as handle:
                sha256 = hashlib.file_digest(handle, "sha256").hexdigest()
            noted = {"wheel": wheel.name, "sha256": sha256, **facts}
            (place / "build.json").write_text(json.dumps(noted, indent=1), encoding="utf-8")
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for name in (wheel.name, "build.json"):  # the note last: it vouches for the wheel
                os.replace(place / name, folder / name)
    except OSError as error:
        raise Failed(
            f"cannot keep the build in {folder.parent} ({error.strerror}): make room or set METACOG_CACHE",
            hopeless=True,
        ) from None
    return folder / wheel.name


def _source(lock: Lock, python: Path, log: Log, progress: Callable[[str], object]) -> Path:
    """The locked source, downloaded once and checked each time."""
    folder = cache_dir() / "wheels" / "source"
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("llama_cpp_python-*.tar.gz"):
        with open(path, "rb") as handle:
            if hashlib.file_digest(handle, "sha256").hexdigest() in lock.llama_hashes:
                return path
    progress("downloading the source")
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder) as made:
        requirements = Path(made) / "llama.txt"
        requirements.write_text(lock.llama_text, encoding="utf-8")
        command = [
            str(python),
            "-m",
            "pip",
            "download",
            "--no-deps",
            "--require-hashes",
            "--progress-bar=off",
        ]
        command += [
            "--disable-pip-version-check",
            "--no-binary",
            LLAMA,
            "--dest",
            made,
            "-r",
            str(requirements),
        ]
        run(command, log, doing=f"downloading the source of {LLAMA}")
        found = next(Path(made).glob("*.tar.gz"), None)
        if found is None:
            raise Failed(f"the package index has no source of {LLAMA} {lock.llama_version}", hopeless=True)
        os.replace(found, folder / found.name)
        return folder / found.name


def _environment(variant: Variant, place: Path) -> dict[str, str]:
    """Variables for the build: the variant's options, then the user's own, which win."""
    lean = place / "lean.cmake"
    lean.write_text(_LEAN, encoding="utf-8")
    options = [*variant.options, f"-DCMAKE_PROJECT_llama.cpp_INCLUDE={lean}"]
    if variant.guards_amx:
        launcher = place / "launcher.sh"
        launcher.write_text(LAUNCHER.format(flags=" ".join(KEEP_STORES)), encoding="utf-8")
        options.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER=/bin/sh;{launcher}")
    return {
        "CMAKE_ARGS": f"{shlex.join(options)} {os.environ.get('CMAKE_ARGS', '')}".strip(),
        "CMAKE_BUILD_PARALLEL_LEVEL": os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(available_cores())),
    }


def _tell(line: str, progress: Callable[[str], object]) -> None:
    """Pass on ninja's ``[12/140]`` or make's ``[ 12%]``."""
    if match := re.match(r"\s*\[(\d+)/(\d+)\]", line):
        progress(f"{match[1]} of {match[2]} files")
    elif match := re.match(r"\s*\[ *(\d+)%\]", line):
        progress(f"{match[1]} %")
