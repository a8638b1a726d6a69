"""What made a result: versions of Python and packages, and the commit."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import platform
import subprocess
from pathlib import Path
from typing import Any

import metacog
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes, shortened."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


#: Packages whose version can change a number.
PACKAGES = ("numpy", "scipy", "pandas", "jax", "numpyro", "llama-cpp-python", "cydifflib")


def versions() -> dict[str, str]:
    """Versions of Python, this package and the packages that can change a number."""
    found = {"python": platform.python_version(), "metacog": metacog.__version__}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


@functools.cache
def commit() -> str:
    """Commit of the clone, with ``+changes`` if the working tree differs; ``unknown`` outside git."""
    try:
        root = project_root()
        run = functools.partial(
            subprocess.run, cwd=root, capture_output=True, text=True, timeout=20, check=True
        )
        head = run(["git", "rev-parse", "--short=12", "HEAD"]).stdout.strip()
        changed = run(["git", "status", "--porcelain", "--untracked-files=no"]).stdout.strip()
        return f"{head}+changes" if changed else head
    except (OSError, subprocess.SubprocessError, MetacogError):
        return "unknown"


def provenance(**extra: Any) -> dict[str, Any]:
    """Facts that travel with a result file: versions, commit, and whatever the caller adds."""
    return {"commit": commit(), "versions": versions(), **extra}
