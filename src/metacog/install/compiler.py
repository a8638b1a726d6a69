"""The C++ compiler that CMake will take."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from metacog.core.errors import MetacogError


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler.

    Attributes
    ----------
    command : tuple of str
    family : str
        ``gcc``, ``clang`` or ``other``.
    version : str
        First line of what ``--version`` prints.
    """

    command: tuple[str, ...]
    family: str
    version: str

    def accepts(self, *flags: str) -> bool:
        """Whether the compiler knows these flags (it is asked to preprocess nothing with them)."""
        return _answers([*self.command, *flags, "-x", "c++", "-E", os.devnull]) is not None


def find_compiler(
    environment: Mapping[str, str] = os.environ, which: Callable[[str], str | None] = shutil.which
) -> Compiler:
    """The compiler named by ``CXX``, else the first of c++, g++ and clang++; a C compiler must be there too.

    Raises
    ------
    MetacogError
        If there is none.
    """
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
    """Tell the family from what ``--version`` prints."""
    if "clang" in version.lower():
        return "clang"
    return "gcc" if "Free Software Foundation" in version or "gcc" in version.lower() else "other"


def _answers(command: list[str]) -> str | None:
    """What a command prints, or None if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
