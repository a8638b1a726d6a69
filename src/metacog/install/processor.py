"""Processor and compiler of this machine."""

from __future__ import annotations

import os
import platform
import re
import shlex
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from metacog.core.errors import MetacogError


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler of the family ``gcc``, ``clang`` or ``other``, and the first line of what ``--version`` prints."""

    command: tuple[str, ...]
    family: str
    version: str

    def accepts(self, *flags: str) -> bool:
        return _answers([*self.command, *flags, "-x", "c++", "-E", os.devnull]) is not None


def find_compiler() -> Compiler:
    """The compiler named by ``CXX``, else the first of c++, g++ and clang++; a C compiler must be there too."""
    chosen = []
    for variable, names in (("CC", ("cc", "gcc", "clang")), ("CXX", ("c++", "g++", "clang++"))):
        command = shlex.split(os.environ.get(variable, "")) or [n for n in names if shutil.which(n)][:1]
        if not command or not shutil.which(command[0]):
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
