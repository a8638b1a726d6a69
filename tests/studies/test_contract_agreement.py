"""Agreement with a printed figure is judged in one place. Oracle: the syntax trees of the sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from metacog.core.paths import project_root

SRC = project_root() / "src" / "metacog"
FILES = sorted(SRC.rglob("*.py"))
#: Where agreement is judged, and by which tolerance.
RULE = ("metacog.ledger.judging", "metacog.ledger.tolerances")
#: Differences of two computed figures that are compared with a bound: no printed figure is among them.
COMPUTED = {"studies/study1_qa/correction_grid.py", "studies/study1_qa/luck_usual.py"}


def is_ledger_room(file: Path) -> bool:
    """A folder or file that is called after the ledger, of the package or of a study."""
    return any(part.startswith("ledger") for part in file.relative_to(SRC).parts)


def rules_imported(tree: ast.AST) -> Iterator[str]:
    """What of the rule is imported, in any form."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name for name in names if name in RULE)


def tolerances(tree: ast.AST) -> Iterator[str]:
    """Half a digit written out, and sizes of differences of two figures that are compared with a bound.

    A difference from a constant (a number, or a name in capitals) is none of two figures, and a bound that is
    a whole number is one of counts.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            ten = isinstance(node.left, ast.Constant) and node.left.value == 10
            if ten and isinstance(node.right, ast.UnaryOp) and isinstance(node.right.op, ast.USub):
                yield ast.unparse(node)
        if not isinstance(node, ast.Compare) or not all(
            isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops
        ):
            continue
        sides = [node.left, *node.comparators]
        if any(map(_is_difference, sides)) and not any(map(_is_whole, sides)):
            yield ast.unparse(node)


def _is_difference(node: ast.expr) -> bool:
    """``abs(a - b)``, ``np.abs(a - b)``, ``(a - b).abs()``, and the like on a whole column."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
    if name not in ("abs", "fabs", "absolute"):
        return False
    held = node.args[0] if node.args else node.func.value if isinstance(node.func, ast.Attribute) else None
    if not isinstance(held, ast.BinOp) or not isinstance(held.op, ast.Sub):
        return False
    return not any(_is_constant(side) for side in (held.left, held.right))


def _is_constant(node: ast.expr) -> bool:
    name = ast.unparse(node).rsplit(".", 1)[-1]
    return isinstance(node, ast.Constant) or name.isupper()


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


@pytest.mark.parametrize(
    "line",
    [
        "n = ((a - b).abs() <= 0.5 * 10.0**-digits + 1e-9).sum()",
        "ok = abs(ours - theirs) <= 5e-4",
        "ok = np.abs(frame['r'] - float(text)) < half",
        "off = half < (table['c'] - table['c_printed']).abs()",
    ],
)
def test_a_tolerance_is_noticed(line):
    assert list(tolerances(ast.parse(line)))


@pytest.mark.parametrize(
    "line", ["near = abs(m - 1) <= 0.1", "near = abs(m - BOUND) <= half", "one = abs(n - row['n']) <= 1"]
)
def test_what_is_no_tolerance_is_let_be(line):
    assert not list(tolerances(ast.parse(line)))


def test_the_rule_is_noticed_in_any_form_of_import():
    for line in (
        "import metacog.ledger.judging",
        "from metacog.ledger import tolerances",
        "from metacog.ledger.judging import agrees as near",
    ):
        assert list(rules_imported(ast.parse(line)))
    assert not list(rules_imported(ast.parse("from metacog.ledger.entry import Status")))


def test_only_ledger_rooms_know_the_rule_of_agreement():
    found = {
        str(file.relative_to(SRC)): names
        for file in FILES
        if not is_ledger_room(file) and (names := sorted(rules_imported(ast.parse(file.read_text("utf-8")))))
    }
    assert not found


def test_no_study_has_a_tolerance_of_its_own():
    """Nor have the ledger rooms of studies: they ask the rule."""
    found = {
        name: lines
        for file in FILES
        if (name := str(file.relative_to(SRC))).startswith("studies/")
        and name not in COMPUTED
        and (lines := list(tolerances(ast.parse(file.read_text("utf-8")))))
    }
    assert not found
