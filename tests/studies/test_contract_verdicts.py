"""What every verdict of every study must keep: nothing passes of units that cannot be judged.

Oracle: the code itself, which is read for every function that makes a verdict, and Kleene's "for all".
"""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest
from unjudged import CASES, FROM_ROWS, ONE_FIGURE, judged_rows

from metacog.core.paths import project_root
from metacog.verdicts.outcomes import those, together

STUDIES = project_root() / "src" / "metacog" / "studies"


def makers(root=STUDIES):
    """Functions that judge by a rule."""
    found = set()
    for path in sorted(root.rglob("*.py")):
        read = path.read_text(encoding="utf-8")
        if "def outcomes(" in read:  # its own makes something else
            continue
        for function in ast.walk(ast.parse(read)):
            if isinstance(function, ast.FunctionDef) and any(
                isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "outcomes"
                for n in ast.walk(function)
            ):
                found.add(f"{path.relative_to(root).with_suffix('').as_posix()}:{function.name}")
    return found


#: Where the rules of study 5 are put to such units.
OWN = Path(__file__).parent / "study5_battery" / "test_battery_outcomes.py"


def _called(name, text):
    of = name.partition("/")[2].replace(":", ".")
    return re.search(rf"\b{re.escape(of)}\b", text) is not None


def test_every_maker_of_verdicts_is_put_to_a_unit_that_cannot_be_judged():
    own = OWN.read_text(encoding="utf-8")
    found = {name for name in makers() if not (name.startswith("study5_battery/") and _called(name, own))}
    assert found == set(CASES) | set(ONE_FIGURE)
    assert not set(CASES) & set(ONE_FIGURE)


def test_a_new_maker_of_verdicts_is_noticed(tmp_path):
    (tmp_path / "new.py").write_text(
        "def judged(x):\n    return outcomes('r', [unit(x, True)])\ndef told(x):\n    return x\n"
    )
    assert makers(tmp_path) == {"new:judged"}


@pytest.mark.parametrize("name", sorted(CASES))
def test_nothing_passes_of_units_that_cannot_be_judged(name):
    made = CASES[name]()
    assert len(made) and [rule for rule in made["rule"].unique() if together(made, rule)] == []


@pytest.mark.parametrize("name", sorted(FROM_ROWS))
def test_a_row_that_cannot_be_judged_is_what_keeps_a_rule_from_passing(name):
    both, whole = judged_rows(name), judged_rows(name, ["whole"])
    for rule in both["rule"].unique():
        assert together(whole, rule) is True and together(both, rule) is None
        assert ["gap" in who for who in those(both, rule, None)] == [True]


def test_every_rule_over_models_is_put_to_rows():
    """Oracle: the rules that the makers have."""
    for name in FROM_ROWS:
        module = import_module("metacog.studies." + name.split(":")[0].replace("/", "."))
        assert set(judged_rows(name)["rule"]) == set(module.RULES)


def test_no_unit_is_handed_over_ready_made():
    """A maker that is given units may have a way from its rows to them that loses one."""
    read = ast.parse((Path(__file__).parent / "unjudged.py").read_text(encoding="utf-8"))
    used = {node.id for node in ast.walk(read) if isinstance(node, ast.Name)}
    assert used.isdisjoint({"Unit", "unit", "beyond", "Order", "Correlation"})
