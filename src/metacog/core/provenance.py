"""What made a result: versions, commit, configuration, and which code ran.

The digest of a module's import graph says which code it runs, so that an edit re-runs what imports it.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib
import importlib.metadata
import json
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import metacog
from metacog.core.config import digest
from metacog.core.errors import MetacogError
from metacog.core.paths import cache_dir, project_root

#: An import statement: the module after ``from`` (None where there is no such word), its dots, the names.
Import = tuple[str | None, int, list[str]]


@functools.cache
def _root(top: str) -> Path | None:
    """Folder of an importable top-level package."""
    file = getattr(importlib.import_module(top), "__file__", None)
    return Path(file).parent if file else None


@functools.cache
def module_file(name: str) -> Path | None:
    """Source of a module of a package of ours; None if there is no such module."""
    top, *rest = name.split(".")
    root = _root(top)
    if root is None:
        return None
    place = root.joinpath(*rest)
    candidates = (place.with_suffix(".py") if rest else root / "__init__.py", place / "__init__.py")
    return next((file for file in candidates if file.is_file()), None)


def _statements(node: ast.AST) -> list[Import]:
    """Import statements anywhere in a module, but for those that only a type checker runs."""
    found: list[Import] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            found.append((None, 0, [alias.name for alias in child.names]))
        elif isinstance(child, ast.ImportFrom):
            found.append((child.module or "", child.level, [alias.name for alias in child.names]))
        elif getattr(getattr(child, "test", None), "id", "") != "TYPE_CHECKING":
            found += _statements(child)
    return found


@dataclass(frozen=True)
class _Source:
    """What is known of a Python file: its import statements, and digests of what it runs and of what it shows."""

    statements: list[Import]
    runs: str
    shows: str


def _source(file: Path) -> _Source:
    return _parsed(file, file.stat().st_mtime_ns)


@functools.cache
def _parsed(file: Path, changed: int) -> _Source:
    """A file as parsed; kept between processes by its bytes, since parsing all of ours takes seconds."""
    content = file.read_bytes()
    kept = cache_dir() / "parsed" / f"{hashlib.sha256(_parser() + content).hexdigest()}.json"
    with contextlib.suppress(OSError, ValueError, TypeError):
        return _Source(**json.loads(kept.read_text(encoding="utf-8")))
    found = _parse(content)
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(
            json.dumps(asdict(found)), encoding="utf-8"
        )  # half of it is no JSON, and is parsed again
    return found


@functools.cache
def _parser() -> bytes:
    """What a parsed file depends on beside its bytes: the version of Python, and this module."""
    return sys.version.encode() + Path(__file__).read_bytes()


def _parse(content: bytes) -> _Source:
    tree = ast.parse(content)
    statements = _statements(tree)
    kept = _without_docstrings(tree, lambda node: bool(getattr(node, "decorator_list", ())))
    shows = _text_digest(ast.dump(tree))
    if kept:
        _without_docstrings(tree, lambda node: False)
    return _Source(statements, _text_digest(ast.dump(tree)) if kept else shows, shows)


def _without_docstrings(tree: ast.Module, keep: Callable[[ast.AST], bool]) -> int:
    """Take docstrings out of a parsed file, but for those to be kept; how many of these there are."""
    kept = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                kept += (stays := keep(node))
                node.body = node.body if stays else node.body[1:]
    return kept


def _text_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def imported(file: Path, tops: frozenset[str]) -> frozenset[str]:
    """Modules of the packages ``tops`` that a file names in its import statements."""
    found: set[str] = set()
    for start, level, names in _source(file).statements:
        if start is None:
            found |= {name for name in names if name.split(".")[0] in tops}
        elif (module := _from(file, start, level, tops)).split(".")[0] in tops:
            for name in names:
                inner = f"{module}.{name}"
                found.add(inner if module_file(inner) else module)
    return frozenset(found)


def names_imported(files: Iterable[Path], module: str) -> set[str]:
    """Names that some files import from a module of ours by ``from MODULE import NAME``."""
    return {
        name
        for file in files
        for start, _, names in _source(file).statements
        if start == module
        for name in names
    }


def _from(file: Path, module: str, level: int, tops: frozenset[str]) -> str:
    """The module that a statement imports from, with its dots resolved by where the file lies."""
    if level == 0:
        return module
    folder = file.parents[level - 1]
    for top in tops:
        root = _root(top)
        if root is not None and folder.is_relative_to(root):
            return ".".join([top, *folder.relative_to(root).parts, *filter(None, [module])])
    return ""


def import_graph(start: Path, tops: frozenset[str]) -> list[Path]:
    """A file and every file of the packages ``tops`` that it imports, at any depth.

    A package's own ``__init__`` counts where something is imported from it by name; that Python also runs
    it on the way to one of its modules does not count, or every study would depend on every other.
    """
    files, waiting = {start}, [start]
    while waiting:
        for name in imported(waiting.pop(), tops):
            file = module_file(name)
            if file is not None and file not in files:
                files.add(file)
                waiting.append(file)
    return sorted(files)


def code_digest(start: Path, *more: Path, tops: tuple[str, ...] = (), shown: bool = False) -> str:
    """Digest of the code that some files run: theirs, and all of ours that they import.

    It is of the parsed code: comments, docstrings and the way lines are broken do not count.

    Parameters
    ----------
    start, more : Path
    tops : tuple of str
        Packages of ours in addition to ``metacog``, for a study that lives elsewhere.
    shown : bool
        Of code that makes pages: docstrings of decorated functions count, since a decorator may show them.
    """
    roots = frozenset({"metacog", *tops})
    files = sorted({f for one in (start, *more) for f in import_graph(one, roots)})
    sources = [(file, _source(file)) for file in files]
    return digest([[f.name, source.shows if shown else source.runs] for f, source in sources])


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
