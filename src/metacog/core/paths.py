"""Where things are: the project's root, the data cache, and shared data for tests."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from metacog.core.errors import MetacogError

#: Profile whose files for programs have the short names.
DEFAULT = "default"


def project_root(start: Path | None = None) -> Path:
    """Folder with ``config/chapters.yaml``: ``start`` (the working folder), one above it, or an editable install."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents, *Path(__file__).resolve().parents):
        if (folder / "config" / "chapters.yaml").is_file():
            return folder
    raise MetacogError(
        "this does not look like a clone of the project (no config/chapters.yaml here or above): "
        "change into the clone and try again"
    )


def committed(name: str) -> Path:
    """Path of a file that comes with the project, by its name from the root: in the clone, or where pip put it.

    Without a clone there are ``data/simulations/*.csv`` and percentiles of people alone.
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
    path = project_root() / "data" / "published" / file
    if not path.is_file():
        raise MetacogError(f"data/published/{file} is missing: restore it from the repository")
    return path


#: Cache that cannot be written, in whose place another is used: what lies there is still read.
BEFORE = "METACOG_CACHE_BEFORE"
#: Folders that other programs make below the home, by the environment variable that names another.
_OF_HOME = {
    "XDG_CACHE_HOME": "cache",
    "JUPYTER_RUNTIME_DIR": "jupyter/runtime",
    "JUPYTER_CONFIG_DIR": "jupyter/config",
    "IPYTHONDIR": "ipython",
    "MPLCONFIGDIR": "matplotlib",
    "NUMBA_CACHE_DIR": "numba",
}


def cache_dir() -> Path:
    """Folder for downloads, joined models and compiled fits: ``METACOG_CACHE``, else the user's cache folder.

    Where that cannot be written, which is said once, a folder among the temporary files is made and used, by programs
    that this one starts too.
    """
    wanted = _wanted_cache()
    if wanted is not None and _can_write(wanted):
        return wanted
    found = _temporary()
    print(
        f"metacog: {wanted or 'the home folder'} cannot be written: downloads and compiled code are kept in {found} "
        "(METACOG_CACHE names another folder)",
        file=sys.stderr,
    )
    os.environ.update({"METACOG_CACHE": str(found), BEFORE: str(wanted or "")})
    return found


def caches() -> list[Path]:
    """The cache, and behind it one that can be read alone."""
    return [cache_dir(), *(Path(before) for before in [os.environ.get(BEFORE)] if before)]


def in_cache(*parts: str) -> Path:
    """Path of a file in the cache, or in one that can be read alone where it lies there."""
    places = [folder.joinpath(*parts) for folder in caches()]
    return next((place for place in places if place.is_file()), places[0])


def _wanted_cache() -> Path | None:
    if override := os.environ.get("METACOG_CACHE"):
        return Path(override)
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "metacog"
    home = _home()
    return None if home is None else home / ".cache" / "metacog"


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:  # no HOME, and a user whom the system does not know
        return None


def _can_write(folder: Path) -> bool:
    """Whether a folder is there, or could be made, and takes files."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


def _temporary() -> Path:
    """This user's own folder among the temporary files: the same each time, unless somebody else has taken its name."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"metacog-{user}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    own = not folder.is_symlink() and folder.stat().st_uid == user and _can_write(folder)
    return folder if own else Path(tempfile.mkdtemp(prefix="metacog-"))


def keep_compiled() -> None:
    """Keep compiled fits between processes, which otherwise each compile the same ones.

    Where the home cannot be written, what others keep there (Jupyter, IPython, Matplotlib, numba) goes to
    the cache's place too. Call it before any of them is imported; what the environment says already stays.
    """
    cache, home = cache_dir(), _home()
    if home is None or not home.is_dir() or not _can_write(home):
        for name, folder in _OF_HOME.items():
            os.environ.setdefault(name, str(cache / folder))
    if (base := os.environ.get("XDG_CACHE_HOME")) and not _can_write(Path(base)):
        os.environ["XDG_CACHE_HOME"] = str(cache / "cache")
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(cache / "jax"))
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
