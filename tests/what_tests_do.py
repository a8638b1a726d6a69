"""What a test asserts and what it reads, from its source alone."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

#: Calls that fail where something is not as it should be; all that begin with ``assert`` do, too.
FAILS = {"raises", "warns", "fail"}
#: Modules of ours that only say where a file lies.
PLACES = {"metacog.core.paths"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def called(node: ast.AST) -> Iterator[str]:
    """Names of what is called in some code."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call):
            yield getattr(one.func, "id", getattr(one.func, "attr", ""))


def tells(statement: ast.Assert) -> bool:
    """Whether an assertion can fail: it is of no constant, and of nothing that is compared with itself."""
    test = statement.test
    same = isinstance(test, ast.Compare) and ast.dump(test.left) == ast.dump(test.comparators[0])
    return not (isinstance(test, ast.Constant) or same)


class Suite:
    """Tests below some folder, and programs beside it that they may import."""

    def __init__(self, tests: Path, programs: Path) -> None:
        texts = {file: file.read_text("utf-8") for file in sorted(tests.rglob("*.py"))}
        self.trees = {file: ast.parse(text) for file, text in texts.items()}
        self.reading = {file for file, text in texts.items() if "simulations" in text}
        self.programs = {file.stem for file in programs.glob("*.py")}
        self.helpers: dict[str, list[Function]] = {}
        for tree in [
            *self.trees.values(),
            *(ast.parse(f.read_text("utf-8")) for f in programs.rglob("*.py")),
        ]:
            for node in ast.walk(tree):
                if isinstance(node, Function):
                    self.helpers.setdefault(node.name, []).append(node)

    def tests(self) -> Iterator[tuple[Path, Function]]:
        """Each test and its file."""
        for file, tree in self.trees.items():
            if file.name.startswith("test_"):
                for node in ast.walk(tree):
                    if isinstance(node, Function) and node.name.startswith("test_"):
                        yield file, node

    def asserts(self, test: Function, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a test, or a helper that it calls, can fail by an assertion."""
        if any(isinstance(one, ast.Assert) and tells(one) for one in ast.walk(test)):
            return True
        names = set(called(test))
        if names & FAILS or any(name.startswith("assert") for name in names):
            return True
        known = (helper for name in names - seen for helper in self.helpers.get(name, ()))
        return any(self.asserts(helper, seen | names) for helper in known)

    @functools.cache  # noqa: B019 - one suite a process
    def _imports(self, file: Path) -> tuple[set[str], dict[str, str]]:
        """Names that a file has of ours, and of programs: each with its program."""
        ours, programs = set(), {}
        for node in ast.walk(self.trees[file]):
            if isinstance(node, ast.ImportFrom) and node.module:
                top = node.module.partition(".")[0]
                names = [alias.asname or alias.name for alias in node.names]
                if top == "metacog" and node.module not in PLACES:
                    ours.update(names)
                elif top in self.programs:
                    programs |= dict.fromkeys(names, top)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name in self.programs:
                        programs[alias.asname or alias.name] = alias.name
        return ours, programs

    def _whole(self, file: Path, test: ast.AST) -> list[ast.AST]:
        """A test with what it uses of its file: constants, helpers, fixtures."""
        there: dict[str, ast.AST] = {}
        for node in self.trees[file].body:
            if isinstance(node, Function):
                there[node.name] = node
            elif isinstance(node, ast.Assign):
                there |= {one.id: node for one in node.targets if isinstance(one, ast.Name)}
        found, waiting = [], [test]
        while waiting:
            found.append(node := waiting.pop())
            names = {getattr(one, "id", getattr(one, "arg", None)) for one in ast.walk(node)}
            waiting += [there[name] for name in names & there.keys() if there[name] not in found + waiting]
        return found

    def only_reads(self, file: Path, test: Function) -> set[str]:
        """Tables of simulations that a test reads and does nothing else with; none where it runs something of ours."""
        if file not in self.reading:
            return set()
        parts = self._whole(file, test)
        tables = set(
            re.findall(r"(?:simulations/|simulations' / ')(\w+)\.", " ".join(map(ast.unparse, parts)))
        )
        used = {one.id for part in parts for one in ast.walk(part) if isinstance(one, ast.Name)}
        ours, programs = self._imports(file)
        return set() if used & (ours | programs.keys()) else tables

    def made_again(self) -> set[str]:
        """Programs of which some test calls something."""
        found = set()
        for file, tree in self.trees.items():
            programs = self._imports(file)[1]
            for one in ast.walk(tree):
                if isinstance(one, ast.Call):
                    root = one.func
                    while isinstance(root, ast.Attribute):
                        root = root.value
                    found |= (
                        {programs[root.id]} if isinstance(root, ast.Name) and root.id in programs else set()
                    )
        return found
