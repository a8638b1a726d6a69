"""Where things are: the project's root, the data cache, and shared data for tests."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from metacog.core.errors import MetacogError

#: Profile whose files for programs have the short names.
DEFAULT = "default"


def project_root(start: Path | None = None) -> Path:
    """Folder that holds ``config/models.yaml``.

    Looks upwards from ``start`` (default: the working folder), then next to the installed
    package (an editable install of a clone).

    Raises
    ------
    MetacogError
        If neither place is a clone of the project.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents, *Path(__file__).resolve().parents):
        if (folder / "config" / "models.yaml").is_file():
            return folder
    raise MetacogError(
        "this does not look like a clone of the project (no config/models.yaml here or above): "
        "change into the clone and try again"
    )


def committed(name: str) -> Path:
    """Path of a file that comes with the project: in the clone, or where pip put it without one.

    Parameters
    ----------
    name : str
        As seen from the project's root; without a clone there are ``data/simulations/*.csv`` alone.
    """
    try:
        return project_root() / name
    except MetacogError:
        return Path(sys.prefix) / "share" / "metacog" / name


def results_folder() -> Path:
    """Where commands write by default: ``results`` of the clone, or of the working folder where there is none."""
    try:
        return project_root() / "results"
    except MetacogError:
        return Path.cwd() / "results"


def from_root(path: Path, root: Path | None = None) -> str:
    """A path as seen from ``root`` (default: the project's), where it lies below it."""
    root = root or project_root()
    return str(path.relative_to(root) if path.is_relative_to(root) else path)


def for_programs(root: Path, profile: str, name: str) -> list[Path]:
    """Where a file that programs read is written: the profile's own, ``results/PROFILE/NAME``.

    The default profile's has the short name ``results/NAME`` as well, and it comes last. No other profile's
    takes that name, so that trying something small leaves the book's own in place.
    """
    results = root / "results"
    return [results / profile / name, *([results / name] if profile == DEFAULT else [])]


def published_file(file: str) -> Path:
    """Path of a file of ``data/published``.

    Raises
    ------
    MetacogError
        If it is not there.
    """
    path = project_root() / "data" / "published" / file
    if not path.is_file():
        raise MetacogError(f"data/published/{file} is missing: restore it from the repository")
    return path


def cache_dir() -> Path:
    """Folder for downloads and joined models: ``METACOG_CACHE``, else the user's cache folder."""
    if override := os.environ.get("METACOG_CACHE"):
        return Path(override)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "metacog"


def keep_compiled() -> None:
    """Keep compiled fits between processes, which otherwise each compile the same ones.

    Call it before JAX is imported; what the environment says already stays.
    """
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(cache_dir() / "jax"))
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.2")


def data_home() -> Path | None:
    """Folder that already holds third-party data files, if there is one.

    ``METACOG_DATA_HOME`` if set, else ``../shared/data`` next to the clone; None if neither exists.
    """
    override = os.environ.get("METACOG_DATA_HOME")
    candidates = [Path(override)] if override else []
    with suppress(MetacogError):
        candidates.append(project_root().parent / "shared" / "data")
    return next((c for c in candidates if c.is_dir()), None)
