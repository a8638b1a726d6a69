"""Who reads what results hold: read off the code, without running any of it.

A value is followed from where code asks for a result (``inputs.result("h1")``, ``run.result("h1")`` of a chapter, the
callables of a result's :class:`~metacog.report.views.Views`) through names, containers, comprehensions, arguments and
what functions give back, to the parts that are read of it.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import re
import string
from collections.abc import Iterator
from pathlib import Path

from metacog.core.code import ALL, Sources, place_of, stands_for
from metacog.core.paths import project_root
from metacog.studies import studies
from metacog.studies.chapters import declared
from metacog.studies.study import Analysis, Study

#: A result: its study and analysis.
Of = tuple[str, str]
Values = frozenset[Of]
NONE: Values = frozenset()
#: What a view of a result can do, beside giving its parts.
METHODS = {
    *(
        "answer",
        "again",
        "matrix",
        "rules",
        "says",
        "sentence",
        "text",
        "html",
        "glue",
        "glue_shown",
        "sentences",
        "numbers",
    ),
    *("record", "results", "views", "second", "runs", "study", "get", "items", "values", "keys"),
}
#: Read by programs, not by pages: the ledger's rows, the data of the page of trials, and counts for the explorer.
DOORS = {"ledger": "ledger", "trials_shown": "trials", "run_tables": "counts", "published_tables": "counts"}
#: Results that ledgers are handed.
FOR_LEDGERS = frozenset((one.name, name) for one in studies() if one.ledger for name in one.ledger.results)
#: What keeps a collection of results together.
HOLDING = {"items", "values", "get", "record", "results"}


def tree_of(file: Path) -> ast.Module:
    return _tree(file, file.stat().st_mtime_ns)


@functools.cache
def _tree(file: Path, changed: int) -> ast.Module:
    text = file.read_text(encoding="utf-8")
    return ast.parse(text)


@functools.cache
def functions(file: Path) -> dict[str, ast.FunctionDef]:
    return {n.name: n for n in tree_of(file).body if isinstance(n, ast.FunctionDef)}


def numbers_named(call: ast.Call) -> set[str]:
    """Numbers that the sentences of a call of ``says`` name, in braces."""
    texts = [
        n.value
        for a in call.args
        for n in ast.walk(a)
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
    ]
    found = (
        re.split(r"[.\[]", name)[0]
        for text in texts
        for _, name, _, _ in string.Formatter().parse(text)
        if name
    )
    return set(found)


class Readers:
    """Everything that code reads of results, by result; and names that are read and not there."""

    def __init__(self, fields: dict[Of, set[str]]) -> None:
        self.fields = fields
        self.read: dict[Of, dict[str, set[str]]] = {of: {} for of in fields}
        self.unknown: set[tuple[str, str]] = set()
        self.seen: dict[tuple, Values] = {}
        self.tops = {one.function.__module__.partition(".")[0] for s in studies() for one in s.analyses}

    def reads(self, values: Values, name: str, where: str) -> None:
        values = frozenset(of for of in values if self.fields.get(of))  # others are records of the library
        have = [of for of in values if name in self.fields[of]]
        for of in have:
            self.read[of].setdefault(name, set()).add(where)
        if values and not have and name not in METHODS and not name.startswith("__"):
            self.unknown.add((where, f"{sorted('.'.join(of) for of in values)[0]} has no {name}"))

    def function(
        self, file: Path, name: str, given: dict[str, Values], study: str, of: Analysis | None
    ) -> Values:
        """Follow values through a function's body; what it gives back."""
        key = (file, name, tuple(sorted(given.items())), of.name if of else "", study)
        if key in self.seen:
            return self.seen[key]
        self.seen[key] = NONE
        node = functions(file).get(name)
        if node is None:
            return NONE
        body = Body(self, file, node, dict(given), study, of)
        self.seen[key] = body.follow()
        return self.seen[key]


class Body(ast.NodeVisitor):
    """One function, or a chapter, through which values are followed."""

    def __init__(self, readers, file, node, names, study, of, runs=None):
        self.readers, self.file, self.node = readers, file, node
        self.names: dict[str, Values] = names
        self.study, self.of = study, of
        self.runs: dict[str, str] = runs or {}
        self.given: Values = NONE
        self.where = f"{file.stem}.{getattr(node, 'name', '')}"

    def follow(self) -> Values:
        for _ in range(2):  # loops and functions that are defined before what they name
            for statement in self.node.body if isinstance(self.node.body, list) else [self.node.body]:
                self.statement(statement)
        return self.given

    def statement(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                self.bind(target, node.value)
                if isinstance(target, ast.Name) and isinstance(node.value, ast.Call):
                    self.opened(target.id, node.value)
            return
        if isinstance(node, ast.For):
            self.bind(node.target, node.iter)
        elif isinstance(node, ast.Return) and node.value is not None:
            self.given |= self.value(node.value)
            return
        elif isinstance(node, ast.With):
            for item in node.items:
                self.value(item.context_expr)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child)
            elif isinstance(child, ast.match_case):
                for one in child.body:
                    self.statement(one)
            elif isinstance(child, ast.stmt | ast.ExceptHandler):
                self.statement(child)

    def opened(self, name: str, call: ast.Call) -> None:
        if isinstance(call.func, ast.Name) and call.func.id == "open_run" and call.args:
            self.runs[name] = call.args[0].value

    def bind(self, target: ast.expr, made: ast.expr) -> None:
        """Give names what an expression holds; of several at once each its own."""
        parts = made.elts if isinstance(made, ast.Tuple) else []
        if isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id == "zip":
            parts = made.args
        if isinstance(target, ast.Tuple) and len(parts) == len(target.elts):
            for one, part in zip(target.elts, parts, strict=True):
                self.bind(one, part)
            return
        value = self.value(made)
        for one in ast.walk(target):
            if isinstance(one, ast.Name):
                self.names[one.id] = self.names.get(one.id, NONE) | value

    def value(self, node: ast.expr) -> Values:
        """Results that an expression is, or holds; what is read within it is noted."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id, NONE)
        if isinstance(node, ast.Attribute):
            if ast.unparse(node) == "settings.results":
                return self.value(node.value) | FOR_LEDGERS
            values = self.value(node.value)
            parts = {name for of in values for name in self.readers.fields[of]}
            if values and (node.attr not in HOLDING or node.attr in parts):
                self.readers.reads(values, node.attr, self.where)
                return NONE
            return values
        if isinstance(node, ast.Subscript):
            return self.subscript(self.value(node.value), node.slice)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Lambda):
            return self.value(node.body)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            outside = dict(self.names)
            for part in node.generators:
                for one in ast.walk(part.target):
                    if isinstance(one, ast.Name):
                        self.names.pop(one.id, None)
                self.bind(part.target, part.iter)
                for test in part.ifs:
                    self.value(test)
            if isinstance(node, ast.DictComp):
                self.value(node.key)
            found = self.value(node.value if isinstance(node, ast.DictComp) else node.elt)
            self.names = outside
            return found
        if isinstance(node, ast.NamedExpr):
            self.bind(node.target, node.value)
            return self.value(node.value)
        found: Values = NONE
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                one = self.value(child)
                if not isinstance(node, ast.Compare | ast.JoinedStr | ast.FormattedValue):
                    found |= one
            elif isinstance(child, ast.keyword):
                found |= self.value(child.value)
        return found

    def subscript(self, values: Values, index: ast.expr) -> Values:
        self.value(index)
        if not values or not (isinstance(index, ast.Constant) and isinstance(index.value, str)):
            return values
        study, _, name = index.value.rpartition(".")
        if some := frozenset(of for of in values if of[1] == name and study in ("", of[0])):
            return some
        if some := frozenset(of for of in values if of[0] == index.value):
            return some
        self.readers.reads(values, index.value, self.where)
        return NONE

    def call(self, node: ast.Call) -> Values:
        given = [self.value(a) for a in node.args]
        named = {k.arg or "": self.value(k.value) for k in node.keywords}
        function = node.func
        if isinstance(function, ast.Attribute):
            if (made := self.asked(function, node)) is not None:
                return made
            values = self.value(function.value)
            if values and function.attr == "says":
                for name in numbers_named(node):
                    self.readers.reads(
                        frozenset(of for of in values if name in self.readers.fields[of]), name, self.where
                    )
            if values:
                return self.method(values, function.attr, node)
        if isinstance(function, ast.Name) and function.id == "getattr" and given[0]:
            if len(node.args) > 1 and isinstance(node.args[1], ast.Constant):
                self.readers.reads(given[0], node.args[1].value, self.where)
            else:
                self.everything(given[0])
            return NONE
        if not any(given) and not any(named.values()) and not self.may_give(function):
            return NONE
        targets = self.targets(function)
        found: Values = NONE
        if isinstance(function, ast.Name) and function.id == "partial" and node.args:
            targets, given = self.targets(node.args[0]), given[1:]
        for file, name in targets:
            if called := functions(file).get(name):
                parameters = [a.arg for a in (*called.args.posonlyargs, *called.args.args)]
                passed = {p: v for p, v in zip(parameters, given, strict=False) if v}
                if called.args.vararg and len(given) > len(parameters):
                    passed[called.args.vararg.arg] = frozenset().union(*given[len(parameters) :])
                passed |= {name: v for name, v in named.items() if v and name}
                found |= self.readers.function(file, name, passed, self.study, self.of)
        if targets:
            return found
        return found.union(*given, *named.values())  # of Python, pandas, or a class: it may hold them

    def may_give(self, function: ast.expr) -> bool:
        """Whether a function of this file asks for results itself, as helpers of an analysis do."""
        return isinstance(function, ast.Name) and function.id in functions(self.file)

    def targets(self, function: ast.expr) -> list[tuple[Path, str]]:
        """Functions of ours that an expression names."""
        parts: list[str] = []
        while isinstance(function, ast.Attribute):
            parts.insert(0, function.attr)
            function = function.value
        if not isinstance(function, ast.Name):
            return []
        sources = Sources()
        if not parts and function.id in functions(self.file):
            return [(self.file, function.id)]
        places = [
            place
            for one in sources[self.file].imports.get(function.id, ())
            for place in stands_for(one, parts, frozenset({"metacog", *self.readers.tops}), sources)
        ]
        return [(file, name) for file, name in places if name != ALL]

    def asked(self, function: ast.Attribute, node: ast.Call) -> Values | None:
        """Results that a call asks for; None where it asks for none."""
        fields = self.readers.fields
        if (
            isinstance(function.value, ast.Name)
            and function.value.id in self.runs
            and function.attr == "result"
        ):
            return frozenset({(self.runs[function.value.id], node.args[0].value)})
        if self.of is None:
            return None
        if function.attr == "result" and len(node.args) == 1:
            asked = node.args[0]
            names = {asked.value} if isinstance(asked, ast.Constant) else set(self.of.needs)
            return frozenset((self.study, one) for one in names if (self.study, one) in fields)
        if function.attr in ("across", "reference") and not node.args:
            return frozenset(of for of in fields if of[1] == self.of.across)
        if function.attr == "ledger_results" and not node.args:
            return frozenset(fields)
        return None

    def method(self, values: Values, name: str, node: ast.Call) -> Values:
        first = node.args[0] if node.args else None
        text = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
        if name in ("text", "answer", "sentence", "html"):
            for of in values:
                if (text or "answer") in self.readers.fields[of]:
                    self.readers.reads(frozenset({of}), text or "answer", self.where)
        if name == "matrix":
            for of in values:
                self.readers.reads(frozenset({of}), "outcomes", self.where)
        if name == "get" and text:
            self.readers.reads(values, text, self.where)
            return NONE
        if name not in METHODS:
            self.readers.reads(values, name, self.where)
            return NONE
        return values if name in HOLDING else NONE

    def everything(self, values: Values) -> None:
        for of in values:
            for name in self.readers.fields[of]:
                self.readers.reads(frozenset({of}), name, f"{self.where} (by any name)")


def fields_of(analysis: Analysis) -> set[str]:
    """Names of the parts of what an analysis gives back: of its class, or of the dict that its function writes down."""
    if analysis.returns.__module__.startswith(
        "metacog.measures"
    ):  # a record of the library, with its own readers
        return set()
    if dataclasses.is_dataclass(analysis.returns):
        return {f.name for f in dataclasses.fields(analysis.returns)}
    file, name = place_of(analysis.function)
    return _keys(file, name)


def _keys(file: Path, name: str) -> set[str]:
    node = functions(file).get(name)
    if node is None:
        raise ValueError(f"{file.name} has no function {name}")
    found: set[str] = set()
    assigned = {
        t.id: n.value
        for n in ast.walk(node)
        if isinstance(n, ast.Assign)
        for t in n.targets
        if isinstance(t, ast.Name)
    }
    for one in ast.walk(node):
        if isinstance(one, ast.Return) and one.value is not None:
            value = one.value
            if isinstance(value, ast.Name):
                value = assigned.get(value.id, value)
            found |= _dict_keys(value, file, name)
    return found


def _dict_keys(value: ast.expr, file: Path, name: str) -> set[str]:
    if isinstance(value, ast.Dict):
        return {
            key
            for k, v in zip(value.keys, value.values, strict=True)
            for key in ([k.value] if isinstance(k, ast.Constant) else _dict_keys(v, file, name))
        }
    if isinstance(value, ast.BinOp):
        return _dict_keys(value.left, file, name) | _dict_keys(value.right, file, name)
    if isinstance(value, ast.IfExp):
        return _dict_keys(value.body, file, name) | _dict_keys(value.orelse, file, name)
    if isinstance(value, ast.Call):
        if isinstance(value.func, ast.Name) and value.func.id == "dict":
            return {k.arg for k in value.keywords if k.arg}
        body = Body(Readers({}), file, functions(file)[name], {}, "", None)
        targets = body.targets(value.func)
        return {key for place in targets for key in _keys(*place)}
    raise ValueError(f"{file.name}: {name} does not write down what it gives back")


def results() -> dict[Of, tuple[Study, Analysis]]:
    return {(study.name, one.name): (study, one) for study in studies() for one in study.analyses}


@functools.cache
def readers() -> Readers:
    """Follow results through analyses, views, chapters and pages."""
    known = results()
    found = Readers({of: fields_of(one) for of, (_, one) in known.items()})
    for (study, _), (_, one) in known.items():
        file, name = place_of(one.function)
        found.function(file, name, {}, study, one)
    for study in studies():
        if study.ledger:
            found.function(*place_of(study.ledger.entries), {}, study.name, None)
        for views in study.views:
            of = frozenset({(study.name, views.analysis)})
            told = (*views.sentences.values(), *views.parts.values(), *views.verdicts.values())
            for made in (*told, *filter(None, [views.numbers])):
                _of_callable(found, made, of, study.name)
    for chapter in declared():
        node = ast.Module([n for n in tree_of(chapter.source).body], [])
        Body(found, chapter.source, node, {}, "", None).follow()
    for of, name in glued():
        part = name if name in found.fields[of] else "numbers"
        if part in found.fields[of]:
            found.read[of].setdefault(part, set()).add("pasted into a text")
    for of, fields in found.fields.items():
        name = DOORS.get(of[1], "")
        for one in fields & {name, "outcomes"}:  # the summary tells what became of every rule
            found.read[of].setdefault(one, set()).add("written for programs")
    return found


def _of_callable(found: Readers, made, of: Values, study: str) -> None:
    """Follow a result into a callable of its views; arguments that were given already are no results."""
    given = len(getattr(made, "args", ()))
    keywords = set(getattr(made, "keywords", ()) or ())
    function = inspect.unwrap(getattr(made, "func", made))
    file, name = place_of(function)
    if name == "<lambda>" or "<lambda>" in function.__qualname__:
        for node in ast.walk(tree_of(file)):
            if (
                isinstance(node, ast.Lambda)
                and node.lineno == function.__code__.co_firstlineno
                and node.args.args
            ):
                Body(found, file, node, {node.args.args[0].arg: of}, study, None).follow()
        return
    if "<locals>" in function.__qualname__:
        inner = function.__qualname__.rpartition(".")[2]
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.FunctionDef) and node.name == inner and node.args.args:
                Body(found, file, node, {node.args.args[0].arg: of}, study, None).follow()
        return
    node = functions(file).get(name)
    if node is not None:
        free = [a.arg for a in (*node.args.posonlyargs, *node.args.args) if a.arg not in keywords][given:]
        found.function(file, name, {free[0]: of} if free else {}, study, None)


def glued() -> Iterator[tuple[Of, str]]:
    """Names that texts paste, of every analysis that they could be of."""
    root = project_root()
    texts = [p.read_text(encoding="utf-8") for p in sorted((root / "book").rglob("*.md"))]
    texts += [chapter.source.read_text(encoding="utf-8") for chapter in declared()]
    names = {name for text in texts for name in re.findall(r"\{glue:\w+\}`(?:[^`]*::)?(\w+)", text)}
    for of in results():
        lead = f"{of[1]}_"
        for name in names:
            if name.startswith(lead):
                yield of, name.removeprefix(lead)


def unread() -> dict[str, list[str]]:
    """Parts of results that nothing reads, by analysis."""
    found = readers()
    return {
        ".".join(of): sorted(fields - set(found.read[of]))
        for of, fields in sorted(found.fields.items())
        if fields - set(found.read[of])
    }


if __name__ == "__main__":
    for name, parts in unread().items():
        print(name, parts)
    for one in sorted(readers().unknown):
        print(*one, sep=": ")
