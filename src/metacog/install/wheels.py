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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from metacog.core.errors import MetacogError
from metacog.core.files import replacing, sha256_of
from metacog.core.machine import available_cores
from metacog.core.paths import cache_dir
from metacog.install.packages import LOCKED, Lock, pip
from metacog.install.processor import Compiler, Processor, this_processor
from metacog.install.running import Failed, Log, run
from metacog.install.variants import KEEP_STORES, Variant

# What requirements.lock names: llama.cpp, which is built here, and everything else, which is downloaded.

LLAMA = "llama-cpp-python"
#: Lock of `make dev`, beside requirements.lock, and what of it builds llama.cpp: nothing needs these afterwards.
TOOLS_LOCK = "requirements-dev.lock"
BUILDERS = ("cmake", "ninja", "pathspec", "scikit-build-core")


def read_lock(path: Path) -> Lock:
    """Read requirements.lock, and from the lock of `make dev` beside it what builds llama.cpp."""
    entries = _entries(path)
    llama = [entry for entry in entries if re.match(rf"{LLAMA}(\[[^]]*\])?==", entry)]
    hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})", llama[0]) if llama else []
    if len(llama) != 1 or not hashes:
        raise MetacogError(f"{path} does not pin {LLAMA} with its sha256: restore the file")
    match = re.match(rf"{LLAMA}(?:\[[^]]*\])?==([^ ;\\\n]+)", llama[0])
    assert match is not None
    rest = [entry for entry in entries if entry is not llama[0]]
    tools = [entry for entry in rest if re.match(r"(pip|setuptools)==", entry)]
    uv = [entry for entry in rest if entry.startswith("uv==")]
    beside = path.with_name(TOOLS_LOCK)
    builders = [entry for entry in _entries(beside) if entry.split("==")[0] in BUILDERS]
    if len(builders) != len(BUILDERS):
        raise MetacogError(f"{beside} does not pin {', '.join(BUILDERS)}: restore the file")
    parts = (llama, tools, uv, builders, rest)
    own, first, faster, build, others = ("\n".join(some).strip() + "\n" for some in parts)
    return Lock(match[1], tuple(hashes), own, first, faster.strip(), build, others, len(rest))


def _entries(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise MetacogError(f"cannot read {path} ({error.strerror}): run this in a clone") from None
    return [entry for entry in re.split(r"\n(?=\S)", text) if re.match(r"[A-Za-z0-9]", entry)]


# What stands in the environment: which build of llama.cpp, made how, for which processor.

#: Lies in the environment's folder, next to the Makefile's stamp.
NAME = ".llama-build.json"


@dataclass(frozen=True)
class BuildRecord:
    """A build that was proved and kept in ``prefix``, and better variants that failed, and why.

    ``native`` builds hold the ``instructions`` of the processor they were built on; ``portable`` is what was asked for;
    ``key`` is the digest of what made it.
    """

    variant: str
    title: str
    native: bool
    portable: bool
    key: str
    version: str
    compiler: str
    python: str
    processor: str
    instructions: tuple[str, ...]
    prefix: str
    passed_over: tuple[str, ...] = ()

    def troubles(self, prefix: Path, processor: Processor | None = None) -> list[str]:
        """What does not fit the machine or the place any more; empty if all does."""
        processor = processor or this_processor()
        found = []
        if os.path.realpath(self.prefix) != os.path.realpath(prefix):
            found.append(f"it was set up in {self.prefix} and has been moved or copied")
        if self.native and (missing := sorted(set(self.instructions) - processor.instructions)):
            named = ", ".join(missing[:6]) + (" ..." if len(missing) > 6 else "")
            found.append(f"it was built for {self.processor}; this {processor.name} lacks {named}")
        return found


def read_record(prefix: Path) -> BuildRecord | None:
    """The record in an environment's folder; None where set-up left none."""
    try:
        raw: dict[str, Any] = json.loads((prefix / NAME).read_text(encoding="utf-8"))
        raw |= {name: tuple(raw[name]) for name in ("instructions", "passed_over")}
        return BuildRecord(**raw)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_record(prefix: Path, record: BuildRecord) -> None:
    with replacing(prefix / NAME) as handle:
        json.dump(asdict(record), handle, indent=1)


def forget_record(prefix: Path) -> None:
    """Remove the record: what stands in the environment is not proved."""
    (prefix / NAME).unlink(missing_ok=True)


def mentions(proofs: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line per model on how near its log-probabilities came to the recorded ones."""
    return [
        f"{proof['model']} decodes, log-probability {proof['mean_logprob']:.2f} on average"
        if proof.get("mean_difference") is None
        else f"{proof['model']} decodes: {proof['n_tokens']} log-probabilities differ from the recorded "
        f"ones by {proof['mean_difference']:.3f} on average, {proof['largest_difference']:.2f} at most"
        for proof in proofs
    ]


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
        return wheel if sha256_of(wheel) == noted["sha256"] else None
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
    """Build llama.cpp by the pip of the environment's interpreter, and keep the wheel under its facts."""
    folder = folder_of(variant, facts)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".building-", dir=folder.parent) as made:
            place = Path(made)
            environment = _environment(variant, place) | _builders(lock, python, place, log)
            source = _source(lock, python, log, progress, environment)
            # in isolation pip would fetch tools of its own choice
            words = (
                "wheel --verbose --no-deps --no-cache-dir --no-build-isolation --disable-pip-version-check"
            )
            run(
                [str(python), "-m", "pip", *words.split(), "--wheel-dir", made, str(source)],
                log,
                doing=f"building llama.cpp {variant.title}",
                on_line=lambda line: _tell(line, progress),
                environment=environment,
            )
            wheel = next(place.glob("*.whl"))
            noted = {"wheel": wheel.name, "sha256": sha256_of(wheel), **facts}
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


def _builders(lock: Lock, python: Path, place: Path, log: Log) -> dict[str, str]:
    """Lay what builds llama.cpp beside the build, with which it goes; variables by which it is found."""
    folder, requirements = place / "builders", place / "builders.txt"
    requirements.write_text(lock.builders_text, encoding="utf-8")
    pip(python, log, *LOCKED, str(requirements), "--target", str(folder))
    path = os.pathsep.join((str(folder / "bin"), os.environ.get("PATH", os.defpath)))
    return {"PYTHONPATH": str(folder), "PATH": path}


def _source(
    lock: Lock,
    python: Path,
    log: Log,
    progress: Callable[[str], object],
    environment: Mapping[str, str] | None = None,
) -> Path:
    """The locked source, downloaded once and checked each time."""
    folder = cache_dir() / "wheels" / "source"
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("llama_cpp_python-*.tar.gz"):
        if sha256_of(path) in lock.llama_hashes:
            return path
    progress("downloading the source")
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder) as made:
        requirements = Path(made) / "llama.txt"
        requirements.write_text(lock.llama_text, encoding="utf-8")
        words = "download --no-deps --require-hashes --no-build-isolation --progress-bar=off"
        words += f" --disable-pip-version-check --no-binary {LLAMA}"
        command = [str(python), "-m", "pip", *words.split(), "--dest", made, "-r", str(requirements)]
        run(command, log, doing=f"downloading the source of {LLAMA}", environment=environment)
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
    if match := re.match(r"\s*\[ *(\d+)(?:/(\d+)|%)\]", line):
        progress(f"{match[1]} of {match[2]} files" if match[2] else f"{match[1]} %")
