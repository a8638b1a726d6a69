"""Which code makes something: the definitions that it reaches, and a digest of them.

A definition is a function, a class or a constant of a module. It reaches what it names: definitions of its own module,
and those that it imports, at any depth. So an edit makes again what reaches the edited definition, and nothing else.
What Python runs whenever a module is loaded, beside definitions, counts with each of them.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from metacog.core.config import digest
from metacog.core.paths import cache_dir

#: The module after ``from`` (None where there is no such word), its dots, and the name that is taken.
Import = tuple[str | None, int, str]
#: What is reached: a file and a definition in it, or every one of its definitions.
Place = tuple[Path, str]
ALL = "*"
#: Name of what runs whenever a module is loaded.
LOADED = ""
#: Names that give access to everything in a module.
_EVERYTHING = {"globals", "vars", "locals", "eval", "exec"}


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


@dataclass(frozen=True)
class _Definition:
    """What is known of a definition: digests of what it runs and shows, names that it reads, and its own imports."""

    runs: str
    shows: str
    reads: list[str]
    imports: dict[str, list[Import]]


@dataclass(frozen=True)
class _Source:
    """What is known of a Python file: its definitions, what it imports by the name it gives it, and whole modules."""

    definitions: dict[str, _Definition]
    imports: dict[str, list[Import]]


def _source(file: Path) -> _Source:
    return _parsed(file, file.stat().st_mtime_ns)


@functools.cache
def _parsed(file: Path, changed: int) -> _Source:
    """A file as parsed; kept between processes by its bytes, since parsing all of ours takes seconds."""
    content = file.read_bytes()
    kept = cache_dir() / "parsed" / f"{hashlib.sha256(_parser() + content).hexdigest()}.json"
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        found = json.loads(kept.read_text(encoding="utf-8"))
        return _Source({k: _Definition(**v) for k, v in found["definitions"].items()}, found["imports"])
    source = _parse(content)
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(
            json.dumps(asdict(source)), encoding="utf-8"
        )  # half of it is no JSON, and is parsed again
    return source


@functools.cache
def _parser() -> bytes:
    """What a parsed file depends on beside its bytes: the version of Python, and this module."""
    return sys.version.encode() + Path(__file__).read_bytes()


def _parse(content: bytes) -> _Source:
    """Sort a module's statements by what they define."""
    by: dict[str, list[ast.stmt]] = {LOADED: []}
    imports: dict[str, list[Import]] = {}
    for node in ast.parse(content).body:
        if _for_types(node) or _is_text(node):
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name, one in _imports(node):
                imports.setdefault(name, []).append(one)
            continue
        for name in _defined(node):
            by.setdefault(name, []).append(node)
    found = {name: _definition(nodes) for name, nodes in by.items()}
    for name, more in found[LOADED].imports.items():  # within ``try`` or ``if``
        imports.setdefault(name, []).extend(more)
    return _Source(found, imports)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _for_types(node: ast.AST) -> bool:
    """Whether only a type checker runs it."""
    return getattr(getattr(node, "test", None), "id", "") == "TYPE_CHECKING"


def _defined(node: ast.stmt) -> list[str]:
    """Names that a statement of a module defines; :data:`LOADED` for what does anything else."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    names = [n for t in targets for n in (t.elts if isinstance(t, ast.Tuple) else [t])]
    plain = [n.id for n in names if isinstance(n, ast.Name)]
    return plain if plain and len(plain) == len(names) else [LOADED]


def _definition(nodes: list[ast.stmt]) -> _Definition:
    reads: set[str] = set()
    imports: dict[str, list[Import]] = {}
    for node in nodes:
        for child in _walked(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                for name, one in _imports(child):
                    imports.setdefault(name, []).append(one)
            elif (name := _dotted(child)) and not isinstance(getattr(child, "ctx", None), ast.Store):
                reads.add(name)
    whole = ast.Module(nodes, [])
    kept = _without_docstrings(whole, lambda node: bool(getattr(node, "decorator_list", ())))
    shows = _text_digest(ast.dump(whole))
    if kept:
        _without_docstrings(whole, lambda node: False)
    return _Definition(_text_digest(ast.dump(whole)) if kept else shows, shows, sorted(reads), imports)


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and all within it, but for what only a type checker runs; of ``a.b.c`` the whole alone."""
    yield node
    if _dotted(node):
        return
    for child in ast.iter_child_nodes(node):
        if not _for_types(child):
            yield from _walked(child)


def _dotted(node: ast.AST) -> str:
    """``a.b.c`` of names alone; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and (start := _dotted(node.value)):
        return f"{start}.{node.attr}"
    return ""


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Import]]:
    """What an import statement binds, by the name that it gives it."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, (node.module or "", node.level, alias.name)
        else:
            yield alias.asname or alias.name.split(".")[0], (None, bool(alias.asname), alias.name)


def _without_docstrings(tree: ast.Module, keep: Callable[[ast.AST], bool]) -> int:
    """Take docstrings out of parsed statements, but for those to be kept; how many of these there are."""
    kept = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                kept += (stays := keep(node))
                node.body = node.body if stays else node.body[1:]
    return kept


def _text_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _module_of(file: Path, module: str, level: int, tops: frozenset[str]) -> str:
    """The module of ours that a statement imports from, with its dots resolved by where the file lies."""
    if level == 0:
        return module if module.split(".")[0] in tops else ""
    folder = file.parents[level - 1]
    for top in tops:
        root = _root(top)
        if root is not None and folder.is_relative_to(root):
            return ".".join([top, *folder.relative_to(root).parts, *filter(None, [module])])
    return ""


#: Reads a file's source, each once.
Known = Callable[[Path], _Source]


def _bound(file: Path, one: Import, rest: list[str], tops: frozenset[str], known: Known) -> list[Place]:
    """What an imported name, and what is taken of it by dots, stands for."""
    start, level, name = one
    if start is None:  # ``import a.b`` binds ``a``, ``import a.b as c`` binds the module itself
        parts = name.split(".") if level else name.split(".")[:1]
        return _within(".".join(parts), rest, tops, known) if parts[0] in tops else []
    module = _module_of(file, start, level, tops)
    if not module:
        return []
    if name == "*":
        found = module_file(module)
        return [(found, ALL)] if found else []
    return _within(module, [name, *rest], tops, known)


def _within(module: str, names: list[str], tops: frozenset[str], known: Known) -> list[Place]:
    """What names, each taken of the one before, stand for from a module on: a definition, or a whole module."""
    file = module_file(module)
    if file is None:
        return []
    if not names:
        return [(file, ALL)]
    first, *rest = names
    source = known(file)
    if first in source.definitions and first != LOADED:
        return [(file, first)]
    inner = module_file(f"{module}.{first}")
    bound = [
        one
        for one in source.imports.get(first, ())
        if not inner or one[0] is None or _module_of(file, one[0], one[1], tops) != module
    ]  # a package that imports a module of its own binds that module
    if bound:
        return [p for one in bound for p in _bound(file, one, rest, tops, known)]
    if inner:
        return _within(f"{module}.{first}", rest, tops, known)
    return [(file, ALL)]  # made on demand, or by what runs as the module is loaded


def _reached_by(file: Path, definition: _Definition, tops: frozenset[str], known: Known) -> Iterator[Place]:
    source = known(file)
    for read in definition.reads:
        first, *rest = read.split(".")
        if first in _EVERYTHING and not rest:
            yield file, ALL
        for one in (*definition.imports.get(first, ()), *source.imports.get(first, ())):
            yield from _bound(file, one, rest, tops, known)
        if first in source.definitions:
            yield file, first
    for one in (*definition.imports.get("*", ()), *source.imports.get("*", ())):
        yield from _bound(file, one, [], tops, known)


#: What was found in this process, with when each file that was read for it was last changed.
_REACHED: dict[
    tuple[tuple[Place, ...], frozenset[str]], tuple[dict[Place, list[Place]], dict[Path, int]]
] = {}


def reached(*starts: Place, tops: Iterable[str] = ()) -> dict[Place, list[Place]]:
    """Every definition that some reach, themselves among them, each with those that it names.

    A start is a file and a definition in it, or :data:`ALL` of them; a name that the file does not define stands for
    all. ``tops`` are packages of ours beside ``metacog``, for a study that lives elsewhere.
    """
    roots = frozenset({"metacog", *tops})
    kept, stamps = _REACHED.get((starts, roots), ({}, {}))
    if stamps and all(file.is_file() and file.stat().st_mtime_ns == one for file, one in stamps.items()):
        return kept
    sources: dict[Path, _Source] = {}

    def known(file: Path) -> _Source:
        if file not in sources:
            sources[file] = _source(file)
        return sources[file]

    found: dict[Place, list[Place]] = {}
    waiting = list(starts)
    while waiting:
        file, name = place = waiting.pop()
        if place in found:
            continue
        source = known(file)
        if name not in source.definitions:
            found[place] = [(file, one) for one in source.definitions]
        else:
            found[place] = [(file, LOADED), *_reached_by(file, source.definitions[name], roots, known)]
        waiting += found[place]
    kept = {place: named for place, named in found.items() if place[1] in known(place[0]).definitions}
    _REACHED[starts, roots] = kept, {file: file.stat().st_mtime_ns for file in sources}
    return kept


def code_digest(*starts: Path | Place, tops: Iterable[str] = (), shown: bool = False) -> str:
    """Digest of the code that some files or definitions reach.

    It is of the parsed code: comments, docstrings and the way lines are broken do not count, nor in which file a
    definition lies. Of code that makes pages (``shown``) docstrings of decorated functions count, since a decorator
    may show them.
    """
    places = [(one, ALL) if isinstance(one, Path) else one for one in starts]
    source = functools.cache(_source)
    found = ((name, source(file).definitions[name]) for file, name in reached(*places, tops=tops))
    return digest(sorted({(name, one.shows if shown else one.runs) for name, one in found}))


def place_of(made: Callable[..., object]) -> Place:
    """Where a function or class is defined: of one made within another, the outer one."""
    made = getattr(made, "func", made)  # of one whose first arguments are given
    return Path(str(sys.modules[made.__module__].__file__)), made.__qualname__.partition(".")[0]


def places_of(value: object, tops: Iterable[str]) -> list[Place]:
    """Where modules of some packages hold a value under a name of their own; in a tuple where nowhere else."""
    roots = frozenset(tops)
    ours = [
        m
        for name, m in list(sys.modules.items())
        if name.partition(".")[0] in roots and hasattr(m, "__file__")
    ]
    for holds in (
        lambda one: one is value,
        lambda one: isinstance(one, tuple) and any(x is value for x in one),
    ):
        found = {
            (Path(str(m.__file__)), name)
            for m in ours
            if m.__file__
            for name, one in list(vars(m).items())
            if holds(one)
        }
        if own := [(file, name) for file, name in found if name in _source(file).definitions]:
            return sorted(own)
    return []
