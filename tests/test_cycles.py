"""Files that import one another in a ring. Oracle: the import statements, wherever they stand in a file."""

from __future__ import annotations

import ast
from pathlib import Path

from metacog.core.code import module_file
from metacog.core.paths import project_root

SRC = project_root() / "src" / "metacog"


def imports(file: Path) -> set[Path]:
    """Files of ours that a file names in any import statement, those for type checkers included."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level and str(node.module).startswith("metacog"):
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if module_file(name) else str(node.module) for name in inner]
        else:
            continue
        found |= {f for name in names if name.split(".")[0] == "metacog" and (f := module_file(name))}
    return found - {file}


def rings(graph: dict[Path, set[Path]]) -> list[list[str]]:
    """Sets of nodes that reach one another (Tarjan 1972), by name."""
    number: dict[Path, int] = {}
    low: dict[Path, int] = {}
    stack: list[Path] = []
    found: list[list[str]] = []

    def visit(node: Path) -> None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in number:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], number[other])
        if low[node] == number[node]:
            ring = [stack.pop()]
            while ring[-1] != node:
                ring.append(stack.pop())
            if len(ring) > 1:
                found.append(sorted(str(f) for f in ring))

    for node in graph:
        if node not in number:
            visit(node)
    return sorted(found)


def test_rings_are_found():
    a, b, c, d = (Path(name) for name in "abcd")
    assert rings({a: {b}, b: {c}, c: {b, d}, d: set()}) == [["b", "c"]]
    assert rings({a: {b, c}, b: {c}, c: {d}, d: set()}) == []
    assert rings({a: {b}, b: {c}, c: {a}}) == [["a", "b", "c"]]


def test_no_files_import_one_another_in_a_ring():
    files = sorted(SRC.rglob("*.py"))
    graph = {file: imports(file) for file in files}
    assert len(files) > 100 and sum(map(len, graph.values())) > len(files)
    found = [[str(Path(f).relative_to(SRC)) for f in ring] for ring in rings(graph)]
    assert found == [], "\n".join(map(str, found))
