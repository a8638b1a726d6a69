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
import importlib.util
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from metacog.core.config import digest
from metacog.core.paths import cache_dir

#: What is reached: a file and a definition in it, or every one of its definitions.
Place = tuple[Path, str]
ALL = "*"
#: Name of what runs whenever a module is loaded.
LOADED = ""
#: Names that give access to everything in a module.
_EVERYTHING = {"globals", "vars", "locals", "eval", "exec"}
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

#: What a parsed file depends on beside its bytes: the version of Python, and this module.
_PARSER = sys.version.encode() + Path(__file__).read_bytes()
#: What imports bind, by the name that they give it: ``module:`` or ``module:name``, by absolute names.
Imports = dict[str, list[str]]


class _Definition(NamedTuple):
    """What is known of a definition: digests of what it runs and shows, names that it reads, and its own imports."""

    runs: str
    shows: str
    reads: list[str]
    imports: Imports


class _Source(NamedTuple):
    """What is known of a Python file."""

    definitions: dict[str, _Definition]
    imports: Imports


class Sources(dict[Path, _Source]):
    """Files as parsed, each looked at once."""

    def __missing__(self, file: Path) -> _Source:
        self[file] = _parsed(file, file.stat().st_mtime_ns)
        return self[file]


@functools.cache
def module_file(name: str) -> Path | None:
    """Source of a module of a package of ours; None if there is no such module."""
    top, *rest = name.split(".")
    start = getattr(importlib.import_module(top), "__file__", None)
    if start is None:
        return None
    place = Path(start).parent.joinpath(*rest)
    return next((one for one in (place / "__init__.py", place.with_suffix(".py")) if one.is_file()), None)


@functools.cache
def _parsed(file: Path, changed: int) -> _Source:
    """A file as parsed; kept between processes by its bytes, since parsing all of ours takes seconds."""
    content, package = file.read_bytes(), _package(file.parent)
    about = _PARSER + package.encode() + content
    kept = cache_dir() / "parsed" / f"{hashlib.sha256(about).hexdigest()}.json"
    with contextlib.suppress(OSError, ValueError, TypeError):
        definitions, imports = json.loads(kept.read_text(encoding="utf-8"))
        return _Source({name: _Definition(*one) for name, one in definitions.items()}, imports)
    source = _parse(content, package)
    with contextlib.suppress(OSError):  # half of it is no JSON, and is parsed again
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(source), encoding="utf-8")
    return source


@functools.cache
def _package(folder: Path) -> str:
    """The package that a folder is: the names from the topmost one with an ``__init__.py`` on; empty if it is none."""
    if not any((above / "__init__.py").is_file() for above in (folder, *folder.parents)):
        return ""
    return f"{_package(folder.parent)}.{folder.name}".lstrip(".")


def _parse(content: bytes, package: str) -> _Source:
    """Sort a module's statements by what they define."""
    by: dict[str, list[ast.stmt]] = {LOADED: []}
    imports: Imports = {}
    for node in ast.parse(content).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            _add_bound(imports, node, package)
        elif not _for_types(node) and not (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            for name in _defined(node):
                by.setdefault(name, []).append(node)
    found = {name: _definition(nodes, package) for name, nodes in by.items()}
    for name, more in found[LOADED].imports.items():  # within ``try`` or ``if``
        imports.setdefault(name, []).extend(more)
    return _Source(found, imports)


def _for_types(node: ast.AST) -> bool:
    """Whether only a type checker runs it."""
    return getattr(getattr(node, "test", None), "id", "") == "TYPE_CHECKING"


def _defined(node: ast.stmt) -> list[str]:
    """Names that a statement of a module defines; :data:`LOADED` for what does anything else."""
    if isinstance(node, _DEFINING):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    names = [n for t in targets for n in (t.elts if isinstance(t, ast.Tuple) else [t])]
    plain = [n.id for n in names if isinstance(n, ast.Name)]
    return plain if plain and len(plain) == len(names) else [LOADED]


def _definition(nodes: list[ast.stmt], package: str) -> _Definition:
    reads: set[str] = set()
    imports: Imports = {}
    whole = ast.Module(nodes, [])
    for node in _walked(whole):
        if isinstance(node, ast.Import | ast.ImportFrom):
            _add_bound(imports, node, package)
        elif (name := _dotted(node)) and not isinstance(getattr(node, "ctx", None), ast.Store):
            reads.add(name)
    told = [n for n in ast.walk(whole) if isinstance(n, _DEFINING) and ast.get_docstring(n) is not None]
    digests = []
    for decorated in (False, True):  # a decorator may show the docstring
        for node in told:
            if bool(node.decorator_list) == decorated:
                del node.body[0]
        digests.append(hashlib.sha256(ast.dump(whole).encode()).hexdigest())
    shows, runs = digests
    return _Definition(runs, shows, sorted(reads), imports)


def _walked(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and all within it, but for what only a type checker runs; of ``a.b.c`` the whole alone."""
    yield node
    if not _dotted(node):
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


def _add_bound(imports: Imports, node: ast.Import | ast.ImportFrom, package: str) -> None:
    """Add what an import statement binds; ``import a.b`` binds ``a``, ``import a.b as c`` the module itself."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            module = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            bound, name = f"{module}:{alias.name}", alias.name
        else:
            name = alias.name.partition(".")[0]
            bound = f"{alias.name if alias.asname else name}:"
        imports.setdefault(alias.asname or name, []).append(bound)


def stands_for(bound: str, taken: list[str], tops: frozenset[str], sources: Sources) -> list[Place]:
    """What an import, and what is taken of it by dots, stands for: a definition, or a whole module."""
    module, _, name = bound.partition(":")
    ours = module.partition(".")[0] in tops
    file = module_file(module) if ours else None
    names = [name, *taken] if name else taken
    if file is None:  # a folder without an ``__init__.py`` may hold the module
        inside = ours and names and module_file(f"{module}.{names[0]}")
        return stands_for(f"{module}.{names[0]}:", names[1:], tops, sources) if inside else []
    if not names or name == "*":
        return [(file, ALL)]
    first, *rest = names
    if first in sources[file].definitions:
        return [(file, first)]
    inner = f"{module}.{first}"
    is_module = module_file(inner) is not None
    # a package that imports a module of its own binds that module
    others = [
        one for one in sources[file].imports.get(first, ()) if not (is_module and one == f"{module}:{first}")
    ]
    if others:
        return [place for one in others for place in stands_for(one, rest, tops, sources)]
    if is_module:
        return stands_for(f"{inner}:", rest, tops, sources)
    return [(file, ALL)]  # made on demand, or by what runs as the module is loaded


def _named_by(file: Path, definition: _Definition, tops: frozenset[str], sources: Sources) -> Iterator[Place]:
    source = sources[file]
    for read in (*definition.reads, "*"):
        first, *rest = read.split(".")
        if first in _EVERYTHING and not rest:
            yield file, ALL
        for bound in (*definition.imports.get(first, ()), *source.imports.get(first, ())):
            yield from stands_for(bound, rest, tops, sources)
        if first in source.definitions:
            yield file, first


#: What was found in this process, with when each file that was read for it was last changed.
_REACHED: dict[tuple[object, ...], tuple[dict[Place, list[Place]], dict[Path, int]]] = {}


def reached(*starts: Place, tops: Iterable[str] = ()) -> dict[Place, list[Place]]:
    """Every definition that some reach, themselves among them, each with those that it names.

    A start is a file and a definition in it, or :data:`ALL` of them; a name that the file does not define stands for
    all. ``tops`` are packages of ours beside ``metacog``, for a study that lives elsewhere.
    """
    roots = frozenset({"metacog", *tops})
    kept, stamps = _REACHED.get((starts, roots), ({}, {}))
    if stamps and all(file.is_file() and file.stat().st_mtime_ns == one for file, one in stamps.items()):
        return kept
    sources, found, waiting = Sources(), {}, list(starts)
    while waiting:
        file, name = place = waiting.pop()
        if place in found:
            continue
        definitions = sources[file].definitions
        if name in definitions:
            found[place] = [(file, LOADED), *_named_by(file, definitions[name], roots, sources)]
        else:
            found[place] = [(file, one) for one in definitions]
        waiting += found[place]
    kept = {place: named for place, named in found.items() if place[1] in sources[place[0]].definitions}
    _REACHED[starts, roots] = kept, {file: file.stat().st_mtime_ns for file in sources}
    return kept


def code_digest(*starts: Path | Place, tops: Iterable[str] = (), shown: bool = False) -> str:
    """Digest of the code that some files or definitions reach.

    It is of the parsed code: comments, docstrings and the way lines are broken do not count, nor in which file a
    definition lies. Of code that makes pages (``shown``) docstrings of decorated functions count, since a decorator
    may show them.
    """
    places = [(one, ALL) if isinstance(one, Path) else one for one in starts]
    sources = Sources()
    found = ((name, sources[file].definitions[name]) for file, name in reached(*places, tops=tops))
    return digest(sorted({(name, one.shows if shown else one.runs) for name, one in found}))


def place_of(made: Callable[..., object]) -> Place:
    """Where a function or class is defined: of one made within another, the outer one."""
    made = getattr(made, "func", made)  # of one whose first arguments are given
    return Path(str(sys.modules[made.__module__].__file__)), made.__qualname__.partition(".")[0]


def places_of(value: object, tops: Iterable[str]) -> list[Place]:
    """Where modules of some packages hold a value under a name of their own; in a tuple where nowhere else."""
    roots = frozenset(tops)
    found = _kept_places(value, roots)
    if not found:  # new since, or of an identity that another value had
        _HELD[roots] = _held(roots)
        found = _kept_places(value, roots)
    return found


def _kept_places(value: object, roots: frozenset[str]) -> list[Place]:
    found: dict[bool, set[Place]] = {False: set(), True: set()}
    sources = Sources()
    for module, name in _HELD.get(roots, {}).get(id(value), ()):
        one, file = vars(module).get(name), Path(str(module.__file__))
        among = one is not value
        if among and not (isinstance(one, tuple) and any(x is value for x in one)):
            continue  # the name holds another value since
        if name in sources[file].definitions:
            found[among].add((file, name))
    return sorted(found[False] or found[True])


#: By packages, the names of their modules by the identity of what they hold. Asked for every analysis, and made again
#: where a value is not among them.
_HELD: dict[frozenset[str], dict[int, list[tuple[ModuleType, str]]]] = {}


def _held(roots: frozenset[str]) -> dict[int, list[tuple[ModuleType, str]]]:
    made: dict[int, list[tuple[ModuleType, str]]] = {}
    for module in [one for name, one in list(sys.modules.items()) if name.partition(".")[0] in roots]:
        for name, one in list(vars(module).items()) if getattr(module, "__file__", None) else ():
            for held in (one, *one) if isinstance(one, tuple) else (one,):
                made.setdefault(id(held), []).append((module, name))
    return made
