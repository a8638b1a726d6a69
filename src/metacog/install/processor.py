"""Processor and compiler of this machine, and the ways to build llama.cpp with them.

The ladder: ways to build llama.cpp, the fastest that should work first, the safest last.

A build is proved by a decode before it is kept (:mod:`metacog.install.stages`), so a rung may turn out
wrong; the next one asks less of the processor and of the compiler.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from metacog.core.errors import MetacogError

# The C++ compiler that CMake will take.


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler of the family ``gcc``, ``clang`` or ``other``, and the first line of what ``--version`` prints."""

    command: tuple[str, ...]
    family: str
    version: str

    def accepts(self, *flags: str) -> bool:
        return _answers([*self.command, *flags, "-x", "c++", "-E", os.devnull]) is not None


def find_compiler(
    environment: Mapping[str, str] = os.environ, which: Callable[[str], str | None] = shutil.which
) -> Compiler:
    """The compiler named by ``CXX``, else the first of c++, g++ and clang++; a C compiler must be there too."""
    chosen = []
    for variable, names in (("CC", ("cc", "gcc", "clang")), ("CXX", ("c++", "g++", "clang++"))):
        command = shlex.split(environment.get(variable, "")) or [n for n in names if which(n)][:1]
        if not command or not which(command[0]):
            asked = f"{variable} names {command[0]}, which is not here: " if command else ""
            raise MetacogError(
                f"{asked}a C and C++ compiler is needed to build llama.cpp: install one (Debian and Ubuntu: "
                "apt install build-essential; Fedora: dnf install gcc-c++; macOS: xcode-select --install), "
                "or use environment.yml, which has binaries"
            )
        chosen.append(command)
    command = chosen[1]
    version = (_answers([*command, "--version"]) or "").strip().splitlines() or ["unknown version"]
    return Compiler(tuple(command), family_of(" ".join(version)), version[0])


def family_of(version: str) -> str:
    if "clang" in version.lower():
        return "clang"
    return "gcc" if "Free Software Foundation" in version or "gcc" in version.lower() else "other"


def _answers(command: list[str], *, failing: bool = False) -> str | None:
    """What a command prints, or None if it fails, unless it may."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if failing or done.returncode == 0 else None


#: Flags of /proc/cpuinfo (x86) that name instructions a compiler may use. The others tell of the
#: kernel, the hypervisor or of mended faults, and come and go with updates.
_INSTRUCTIONS = re.compile(
    r"(mmx|fxsr|s?sse|pni|avx|amx|fma|f16c|bmi|abm|lzcnt|aes|vaes|sha|gfni|v?pclmul|movbe|movdir|popcnt|adx|"
    r"rdrand|rdseed|xsave|clflushopt|clwb|cx16|lahf|3dnow|sm[34]|prefetch)"
)
_X86 = {"x86_64", "amd64", "i686", "i386"}
_ARM = {"aarch64", "arm64"}


@dataclass(frozen=True)
class Processor:
    """A processor as the build sees it: every feature that the system lists of all cores.

    Its architecture is ``x86``, ``arm``, or what the system says; its name, the maker's, is for messages.
    """

    name: str
    architecture: str
    flags: frozenset[str] = frozenset()

    @property
    def instructions(self) -> frozenset[str]:
        """The flags that name instructions a compiler may use."""
        if self.architecture != "x86":
            return self.flags
        return frozenset(flag for flag in self.flags if _INSTRUCTIONS.match(flag))

    @property
    def has_amx(self) -> bool:
        """Whether llama.cpp would use AMX here: tiles of bytes."""
        return {"amx_tile", "amx_int8"} <= self.flags

    @property
    def has_avx2(self) -> bool:
        """Whether everything is there that llama.cpp's AVX2 kernels use."""
        return {"avx", "avx2", "fma", "f16c", "bmi2"} <= self.flags


def this_processor() -> Processor:
    """The processor this runs on; what the system does not tell is left empty."""
    machine = platform.machine().lower()
    architecture = "x86" if machine in _X86 else "arm" if machine in _ARM else machine
    with suppress(OSError):  # Linux alone has it
        return from_cpuinfo(Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace"), architecture)
    if platform.system() == "Darwin":
        told = _answers(["env", "LC_ALL=C", "sysctl", "machdep.cpu", "hw.optional"], failing=True)
        return from_sysctl(told or "", architecture)
    return Processor(platform.processor() or machine, architecture)


def from_cpuinfo(text: str, architecture: str) -> Processor:
    fields: dict[str, list[str]] = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip().lower(), []).append(value.strip())
    listed = [set(value.split()) for value in fields.get("flags", fields.get("features", []))]
    flags = frozenset(set.intersection(*listed)) if listed else frozenset()
    names = fields.get("model name") or fields.get("hardware") or []
    if not names:
        parts = zip(fields.get("cpu implementer", []), fields.get("cpu part", []), strict=False)
        names = [f"{architecture}, implementer {maker}, part {part}" for maker, part in parts]
    return Processor(names[0] if names else architecture, architecture, flags)


def from_sysctl(text: str, architecture: str) -> Processor:
    """Read what ``sysctl machdep.cpu hw.optional`` prints on macOS."""
    values = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    flags = {
        key.rsplit(".", 1)[1].lower()
        for key, value in values.items()
        if key.startswith("hw.optional.") and value.strip() == "1"
    }
    for key in ("machdep.cpu.features", "machdep.cpu.leaf7_features"):
        flags |= {flag.lower().replace("1.0", "") for flag in values.get(key, "").split()}
    return Processor(values.get("machdep.cpu.brand_string", architecture), architecture, frozenset(flags))


#: Every build: no compiler cache (ours holds whole wheels), and no library for pictures, which nothing
#: here uses.
COMMON = ("-DGGML_CCACHE=OFF", "-DLLAVA_BUILD=OFF")
#: gcc drops the stores that fill the configuration of AMX's tiles, and the first matrix product dies.
#: Both flags are needed; they cost the other kernels speed, so only AMX's own files get them.
KEEP_STORES = ("-fno-tree-dse", "-fno-dse")
NO_AMX = ("-mno-amx-tile", "-mno-amx-int8", "-mno-amx-bf16")

_X86_SETS = ("SSE42", "AVX", "AVX2", "BMI2", "FMA", "F16C")


@dataclass(frozen=True)
class Variant:
    """One way to build llama.cpp, with CMake's options; the title completes "llama.cpp built ...".

    A ``native`` build holds the instructions of the processor it was built on, a ``portable`` one chooses them when it
    runs; ``guards_amx`` if AMX's files are compiled with :data:`KEEP_STORES`.
    """

    name: str
    title: str
    options: tuple[str, ...]
    native: bool = False
    guards_amx: bool = False
    portable: bool = False


def ladder(processor: Processor, compiler: Compiler, *, portable: bool = False) -> list[Variant]:
    """Variants worth trying on this processor with this compiler, best first.

    With ``portable`` it begins with the build that chooses its instructions when it runs, and leaves out those that
    are for this processor alone.
    """
    rungs = _portable(processor, compiler) if portable else _native(processor, compiler)
    if processor.architecture == "x86":
        if processor.has_avx2:
            rungs.append(Variant("avx2", "with AVX2 and nothing newer", _x86_sets("ON")))
        rungs.append(Variant("generic", "for any x86-64 processor, without AVX", _x86_sets("OFF")))
    else:
        # Metal and Accelerate go with the last rung on macOS: it asks of the machine as little as can be.
        plain = ("-DGGML_NATIVE=OFF", "-DGGML_METAL=OFF", "-DGGML_BLAS=OFF", "-DGGML_ACCELERATE=OFF")
        rungs.append(Variant("generic", f"for any {processor.architecture} processor", plain))
    return [replace(rung, options=COMMON + rung.options) for rung in rungs]


def _native(processor: Processor, compiler: Compiler) -> list[Variant]:
    plain = ("-DGGML_NATIVE=ON",)
    if not processor.has_amx or not compiler.accepts(*NO_AMX):
        return [Variant("native", "for this processor", plain, native=True)]
    off = " ".join(NO_AMX)
    without = (*plain, f"-DCMAKE_C_FLAGS={off}", f"-DCMAKE_CXX_FLAGS={off}")
    guarded = compiler.family == "gcc"
    return [
        Variant("native-amx", "for this processor, with AMX", plain, native=True, guards_amx=guarded),
        Variant("native-no-amx", "for this processor, without AMX", without, native=True),
    ]


def _portable(processor: Processor, compiler: Compiler) -> list[Variant]:
    options = ("-DGGML_NATIVE=OFF", "-DGGML_BACKEND_DL=ON", "-DGGML_CPU_ALL_VARIANTS=ON")
    # Python looks for llama.cpp's libraries in the package; the kernels must lie next to them.
    placed = ("-DCMAKE_INSTALL_BINDIR=llama_cpp/lib", "-DCMAKE_INSTALL_LIBDIR=llama_cpp/lib")
    guarded = processor.architecture == "x86" and compiler.family == "gcc"
    title = "to choose its instructions when it runs"
    return [Variant("portable", title, options + placed, guards_amx=guarded, portable=True)]


def _x86_sets(state: str) -> tuple[str, ...]:
    return ("-DGGML_NATIVE=OFF", *(f"-DGGML_{name}={state}" for name in _X86_SETS))
