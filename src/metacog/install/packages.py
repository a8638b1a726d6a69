"""The packages of a lock file into an environment: by uv, which takes a fifth of the time, or else by pip."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from metacog.install.running import Failed, Log, run

# No resolving: the lock is whole, and what asks for llama.cpp must not fetch it here. No isolation: what has no wheel
# is built with the lock's tools, not with those that would be fetched unchecked.
LOCKED = ("--no-deps", "--require-hashes", "--no-build-isolation", "--requirement")


@dataclass(frozen=True)
class Lock:
    """The lock file in two parts: llama.cpp, of which ``llama_hashes`` are the files that may be taken, and the rest.

    ``tools_text`` names what builds packages that have no wheel, ``uv_text`` what installs faster than pip; both are of
    the rest too. ``builders_text`` names what builds llama.cpp, and is not. Some of the ``n_rest`` entries belong to
    other systems.
    """

    llama_version: str
    llama_hashes: tuple[str, ...]
    llama_text: str
    tools_text: str
    uv_text: str
    builders_text: str
    rest_text: str
    n_rest: int


def install_locked(python: Path, lock: Lock, log: Log, tell: Callable[[str], None]) -> set[str]:
    """Install what a lock names but llama.cpp; names of what was looked at.

    pip takes over where uv has no wheel, cannot reach the index, or fails otherwise, and says then what is wrong.
    """
    seen: set[str] = set()

    def look(line: str) -> None:
        if match := re.match(
            r"(?:Collecting|Processing|Requirement already satisfied:| Downloaded| \+) (\S+)", line
        ):
            seen.add(match[1].split("==")[0])
            tell(f"{len(seen)} of at most {lock.n_rest} packages fetched")
        elif line.startswith(("Installing collected packages", "Prepared ")):
            tell(f"installing {len(seen)} packages")

    with tempfile.TemporaryDirectory(prefix="metacog-setup-") as made:
        requirements = Path(made) / "requirements.txt"

        def ask(text: str, program: Callable[..., None]) -> None:
            requirements.write_text(text, encoding="utf-8")
            program(python, log, *LOCKED, str(requirements), look=look)

        ask(lock.tools_text, pip)
        if lock.uv_text:
            try:
                ask(lock.uv_text, pip)
                ask(lock.rest_text, uv)
                return seen
            except Failed as error:
                log.write(f"{error}; pip goes on")
        ask(lock.rest_text, pip)
    return seen


def pip(python: Path, log: Log, *words: str, look: Callable[[str], None] = lambda line: None) -> None:
    """``pip install`` in an environment."""
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar=off"]
    run([*command, "--no-input", *words], log, doing="installing packages", on_line=look)


def uv(python: Path, log: Log, *words: str, look: Callable[[str], None] = lambda line: None) -> None:
    """``uv pip install`` in an environment that has uv, from the index that pip is set to."""
    environment = as_pip_is_set(python)
    command = [str(python), "-m", "uv", "pip", "install", "--python", str(python), "--no-progress", *words]
    run(command, log, doing="installing packages by uv", environment=environment, on_line=look)


def as_pip_is_set(python: Path) -> dict[str, str]:
    """Variables that have uv read the index and the certificates that pip reads, where uv has none of its own.

    Raises
    ------
    Failed
        pip is to read no index: folders of wheels are left to it.
    """
    done = subprocess.run(
        [str(python), "-m", "pip", "config", "list"], capture_output=True, text=True, errors="replace"
    )
    told = dict(re.findall(r"^\S+\.([\w-]+)='(.*)'$", done.stdout, re.MULTILINE))
    if told.get("no-index", "").lower() in ("1", "true", "yes", "on"):
        raise Failed("pip is set to read no index")
    names = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE"}
    return {name: told[key] for key, name in names.items() if key in told and name not in os.environ}
