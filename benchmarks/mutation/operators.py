"""Small changes of a program, as in mutation testing: each at one place of the source, the rest stays byte for byte.

Operators are the usual ones: relational, arithmetic and logical ones replaced, constants moved, conditions negated,
statements and named arguments left out, calls such as ``min`` and ``max`` exchanged. Left alone are docstrings,
annotations, decorators, imports, what f-strings say, and the words of errors.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from dataclasses import dataclass

COMPARED = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
}
COMPUTED = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
EXCHANGED = {
    one: other
    for pair in (
        "min max",
        "any all",
        "minimum maximum",
        "argmin argmax",
        "nanmin nanmax",
        "floor ceil",
        "sum mean",
        "nansum nanmean",
        "lower upper",
        "removeprefix removesuffix",
        "startswith endswith",
        "partition rpartition",
    )
    for one, other in (pair.split(), pair.split()[::-1])
}


@dataclass(frozen=True)
class Mutant:
    """One change of one function, whose name is empty for what a module does when it is imported.

    ``whole``: its lines run at import, so that coverage tells nothing of them; ``nth``: which of equal changes in the
    same function; ``edits``: bytes that are replaced.
    """

    module: str
    function: str
    line: int
    end: int
    whole: bool
    operator: str
    before: str
    after: str
    nth: int
    edits: tuple[tuple[int, int, str], ...]

    @property
    def name(self) -> str:
        """Short digest of what it changes, which stays while its function does."""
        text = "\0".join((self.module, self.function, self.operator, self.before, self.after, str(self.nth)))
        return hashlib.sha256(text.encode()).hexdigest()[:10]

    def apply(self, source: bytes) -> bytes:
        """The changed source."""
        for start, end, text in sorted(self.edits, reverse=True):
            source = source[:start] + text.encode() + source[end:]
        return source


class _Finder(ast.NodeVisitor):
    def __init__(self, module: str, source: bytes) -> None:
        self.module, self.source = module, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.scope: list[str] = []
        self.inside = self.signature = 0
        self.found: list[Mutant] = []
        self.seen = Counter[tuple[str, ...]]()

    # places

    def span(self, node: ast.AST) -> tuple[int, int]:
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def text(self, start: int, end: int) -> str:
        return self.source[start:end].decode()

    def add(self, operator: str, node: ast.AST, after: str, *edits: tuple[int, int, str]) -> None:
        start, end = self.span(node)
        edits = edits or ((start, end, after),)
        before = " ".join(self.text(start, end).split())
        of = (".".join(self.scope), operator, before, after)
        lines = node.lineno, node.end_lineno
        if isinstance(node, ast.stmt) and hasattr(node, "body"):
            lines = node.lineno, node.lineno
        whole = not self.inside or bool(self.signature)
        self.found.append(Mutant(self.module, of[0], *lines, whole, *of[1:], self.seen[of], edits))
        self.seen[of] += 1

    def between(self, pattern: str, left: ast.AST, right: ast.AST) -> tuple[int, int] | None:
        start, end = self.span(left)[1], self.span(right)[0]
        found = re.search(pattern, self.text(start, end))
        return (start + found.start(), start + found.end()) if found else None

    # what is left alone, and where one is

    def generic_visit(self, node: ast.AST) -> None:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    visit_Import = visit_ImportFrom = visit_Assert = visit_JoinedStr

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.scope.append(node.name)
        self.signature += 1
        self.visit(node.args)
        self.signature -= 1
        self.inside += 1
        self.body(node.body)
        self.inside -= 1
        self.scope.pop()

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.scope.append(node.name)
        self.body(node.body)
        self.scope.pop()

    def visit_Module(self, node: ast.Module) -> None:
        self.body(node.body)

    def body(self, statements: list[ast.stmt]) -> None:
        for one in statements:
            if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)):
                self.visit(one)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.add("statement left out", node, "pass")

    # changes

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(isinstance(one, ast.Name) and one.id == "__all__" for one in node.targets):
            return
        if self.inside:
            self.add("statement left out", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.add("statement left out", node, "pass")
        if type(node.op) in COMPUTED:
            one, other = COMPUTED[type(node.op)]
            if place := self.between(re.escape(one) + "=", node.target, node.value):
                self.add("arithmetic", node, f"{other}=", (*place, f"{other}="))
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if self.inside and isinstance(node.value, ast.Call):
            self.add("statement left out", node, "pass")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.add("returned value", node, "return None")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.add("loop", node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        self.add("loop", node, "continue")

    def visit_If(self, node: ast.If | ast.IfExp | ast.While) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        start, end = self.span(node.test)
        self.add("condition", node.test, f"not ({self.text(start, end)})")
        self.generic_visit(node)

    visit_IfExp = visit_While = visit_If

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            pattern, others = COMPARED[type(op)]
            place = self.between(pattern, left, right)
            for other in others if place else ():
                self.add("comparison", node, other, (*place, other))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in COMPUTED:
            one, other = COMPUTED[type(node.op)]
            if place := self.between(re.escape(one), node.left, node.right):
                self.add("arithmetic", node, other, (*place, other))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        one, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        pairs = zip(node.values, node.values[1:], strict=False)
        places = [self.between(rf"\b{one}\b", *pair) for pair in pairs]
        if all(places):
            self.add("logical", node, other, *((*place, other) for place in places if place))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            start, end = self.span(node.operand)
            self.add("sign or negation", node, f"({self.text(start, end)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.add("constant", node, str(not value))
        elif isinstance(value, int):
            self.add("constant", node, str(value + 1))
        elif isinstance(value, float):
            self.add("constant", node, repr(2 * value) if value else "1.0")
        elif isinstance(value, str) and "\n" not in value:
            self.add("constant", node, repr(value + "XX"))

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        name = getattr(called, "id", getattr(called, "attr", ""))
        if name in EXCHANGED:
            end = self.span(called)[1]
            self.add("call", node, EXCHANGED[name], (end - len(name), end, EXCHANGED[name]))
        arguments = sorted([*node.args, *node.keywords], key=self.span)
        for k, one in enumerate(arguments):
            if isinstance(one, ast.keyword) and one.arg is not None:
                end = self.span(one)[1]
                start = self.span(arguments[k - 1])[1] if k else self.span(one)[0]
                if not k and len(arguments) > 1:
                    end = self.span(arguments[1])[0]
                self.add("argument left out", one, "", (start, end, ""))
        self.generic_visit(node)


def mutants(module: str, source: bytes) -> list[Mutant]:
    """All changes of a module, in the order of their places."""
    finder = _Finder(module, source)
    finder.visit(ast.parse(source))
    return finder.found
