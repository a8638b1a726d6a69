"""Which processor this is, and which instructions it has."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

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
    """A processor as the build sees it.

    Attributes
    ----------
    name : str
        As the maker calls it, for messages.
    architecture : str
        ``x86``, ``arm``, or what the system says.
    flags : frozenset of str
        Every feature the system lists (on all cores).
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
        return from_sysctl(_sysctl(), architecture)
    return Processor(platform.processor() or machine, architecture)


def from_cpuinfo(text: str, architecture: str) -> Processor:
    """Read Linux's ``/proc/cpuinfo``."""
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
    flags = {key.rsplit(".", 1)[1].lower() for key, value in values.items() if _is_on(key, value)}
    for key in ("machdep.cpu.features", "machdep.cpu.leaf7_features"):
        flags |= {flag.lower().replace("1.0", "") for flag in values.get(key, "").split()}
    return Processor(values.get("machdep.cpu.brand_string", architecture), architecture, frozenset(flags))


def _is_on(key: str, value: str) -> bool:
    return key.startswith("hw.optional.") and value.strip() == "1"


def _sysctl() -> str:
    command = ["sysctl", "machdep.cpu", "hw.optional"]
    try:
        environment = {**os.environ, "LC_ALL": "C"}
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=20).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
