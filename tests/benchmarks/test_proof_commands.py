"""The tables of simulations are those that `make validate` makes: their commands are the Makefile's.

What benchmarks import of the package is there: most take too long for any test to run them.
"""

import ast
import importlib
import json
import re

import pytest

from metacog.core.paths import project_root

MAKEFILE = (project_root() / "Makefile").read_text(encoding="utf-8")
OPTIONS = dict(re.findall(r"^OPTIONS_(\w+) := (.+)$", MAKEFILE, re.MULTILINE))

#: Proofs that write no table.
WITHOUT = ("supply_chain", "fuzz")


def commands(facts):
    """The command of a table, or those of its sections."""
    return {facts["command"]} if "command" in facts else {section["command"] for section in facts.values()}


@pytest.mark.parametrize("proof", sorted(OPTIONS))
def test_the_recorded_command_has_the_options_of_the_makefile(proof):
    facts = json.loads(
        (project_root() / "data" / "simulations" / f"{proof}.json").read_text(encoding="utf-8")
    )
    wanted = f"python benchmarks/{proof}.py {OPTIONS[proof]}"
    # a section made by itself may name more, its size and itself
    assert all(command == wanted or command.startswith(f"{wanted} --") for command in commands(facts))


def test_every_proof_has_its_program_and_its_table():
    proofs = (
        re.search(r"^PROOFS \?= ((?:.*\\\n)*.*)$", MAKEFILE, re.MULTILINE)[1].replace("\\\n", " ").split()
    )
    assert set(OPTIONS) <= set(proofs) and len(proofs) == len(set(proofs))
    for proof in proofs:
        assert (project_root() / "benchmarks" / f"{proof}.py").is_file()
        made = project_root() / "data" / "simulations" / f"{proof}.csv"
        assert made.is_file() != (proof in WITHOUT)


def lacking(text):
    """What a program imports of the package that is not there."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "metacog":
            module = importlib.import_module(node.module)
            found += [f"{node.module}.{one.name}" for one in node.names if not here(module, one.name)]
    return found


def here(module, name):
    """Whether a module has a name, or holds a module of that name."""
    if hasattr(module, name):
        return True
    try:
        importlib.import_module(f"{module.__name__}.{name}")
    except ImportError:
        return False
    return True


def test_what_benchmarks_import_is_there():
    files = sorted((project_root() / "benchmarks").rglob("*.py"))
    assert len(files) > 50
    assert {path.name: told for path in files if (told := lacking(path.read_text(encoding="utf-8")))} == {}
    assert lacking("from metacog.verdicts.claims import ABOVE, nothing") == [
        "metacog.verdicts.claims.nothing"
    ]
