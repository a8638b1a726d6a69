"""What requirements.lock names: llama.cpp, which is built here, and everything else, which is downloaded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from metacog.core.errors import MetacogError

LLAMA = "llama-cpp-python"


@dataclass(frozen=True)
class Lock:
    """The lock file in two parts.

    Attributes
    ----------
    llama_version : str
    llama_hashes : tuple of str
        SHA-256 of the files that may be taken.
    llama_text, rest_text : str
        Requirements as pip reads them.
    n_rest : int
        Entries of the rest; some belong to other systems.
    """

    llama_version: str
    llama_hashes: tuple[str, ...]
    llama_text: str
    rest_text: str
    n_rest: int


def read_lock(path: Path) -> Lock:
    """Read ``requirements.lock``.

    Raises
    ------
    MetacogError
        If it is missing, or does not pin llama-cpp-python with a checksum.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise MetacogError(f"cannot read {path} ({error.strerror}): run this in a clone") from None
    entries = [entry for entry in re.split(r"\n(?=\S)", text) if re.match(r"[A-Za-z0-9]", entry)]
    llama = [entry for entry in entries if re.match(rf"{LLAMA}(\[[^]]*\])?==", entry)]
    hashes = re.findall(r"--hash=sha256:([0-9a-f]{64})", llama[0]) if llama else []
    if len(llama) != 1 or not hashes:
        raise MetacogError(f"{path} does not pin {LLAMA} with its sha256: restore the file")
    match = re.match(rf"{LLAMA}(?:\[[^]]*\])?==([^ ;\\\n]+)", llama[0])
    assert match is not None
    rest = [entry for entry in entries if entry is not llama[0]]
    return Lock(match[1], tuple(hashes), llama[0].strip() + "\n", "\n".join(rest).strip() + "\n", len(rest))
