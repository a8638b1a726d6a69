"""What every verdict of every study must keep: nothing passes of units that cannot be judged.

Oracle: the code itself, which is read for every function that makes a verdict, and Kleene's "for all".
"""

import ast
import re
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest
from unjudged import CASES, FROM_ROWS, ONE_FIGURE, _leaders, judged_rows

from metacog.core.paths import project_root
from metacog.studies.study5_battery import replication, tracks
from metacog.verdicts.outcomes import those, together
from metacog.verdicts.verdict import Verdict

STUDIES = project_root() / "src" / "metacog" / "studies"
#: What makes a verdict, and where its outcome stands among its arguments.
MAKE = {"Verdict": 3, "judged": None, "outcomes": None}


def makers(root=STUDIES):
    """Functions that make verdicts, and whether any of these can be other than undecided."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        read = path.read_text(encoding="utf-8")
        makes = set(MAKE) - (
            {"outcomes"} if "def outcomes(" in read else set()
        )  # its own makes something else
        for function in ast.walk(ast.parse(read)):
            if not isinstance(function, ast.FunctionDef):
                continue
            calls = [
                n
                for n in ast.walk(function)
                if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in makes
            ]
            if calls:
                name = f"{path.relative_to(root).with_suffix('').as_posix()}:{function.name}"
                found[name] = not all(_undecided(call) for call in calls)
    return found


def _undecided(call):
    place = MAKE[call.func.id]
    given = [k.value for k in call.keywords if k.arg == "passed"]
    if place is not None and len(call.args) > place:
        given.append(call.args[place])
    return bool(given) and isinstance(given[0], ast.Constant) and given[0].value is None


def test_every_maker_of_verdicts_is_put_to_a_unit_that_cannot_be_judged():
    judging = {name for name, judges in makers().items() if judges}
    assert judging == set(CASES) | set(ONE_FIGURE)
    assert not set(CASES) & set(ONE_FIGURE)


def test_a_new_maker_of_verdicts_is_noticed(tmp_path):
    (tmp_path / "new.py").write_text(
        "def judged(x):\n    return Verdict('H', k, 'r', bool(x), 's')\n"
        "def told(x):\n    return Verdict('H', k, 'r', None, 's')\n"
        "def over(units):\n    return judged(units, 'H', k, 'r', name='n')\n"
    )
    assert makers(tmp_path) == {"new:judged": True, "new:told": False, "new:over": True}


@pytest.mark.parametrize("name", sorted(CASES))
def test_nothing_passes_of_units_that_cannot_be_judged(name):
    made = CASES[name]()
    if isinstance(made, pd.DataFrame):
        assert len(made) and [rule for rule in made["rule"].unique() if together(made, rule)] == []
        return
    made = (made,) if isinstance(made, Verdict) else made
    assert made and all(isinstance(v, Verdict) for v in made)
    assert [v.passed for v in made if v.passed] == []


@pytest.mark.parametrize("name", sorted(FROM_ROWS))
def test_a_row_that_cannot_be_judged_is_what_keeps_a_rule_from_passing(name):
    both, whole = judged_rows(name), judged_rows(name, ["whole"])
    if isinstance(both, pd.DataFrame):
        for rule in both["rule"].unique():
            assert together(whole, rule) is True and together(both, rule) is None
            assert ["gap" in who for who in those(both, rule, None)] == [True]
        return
    assert [v.passed for v in whole] == [True] * len(both)
    for verdict in both:
        assert verdict.passed is None and ["gap" in who for who, _ in verdict.undecided] == [True]


def test_every_rule_over_models_is_put_to_rows():
    """Oracle: the rules that the makers have."""
    for name in FROM_ROWS:
        module = import_module("metacog.studies." + name.split(":")[0].replace("/", "."))
        made = judged_rows(name)
        if isinstance(made, pd.DataFrame):
            assert set(made["rule"]) == set(module.RULES)
        else:
            assert {v.rule for v in made} == set(module.RULES.values())


def test_no_unit_is_handed_over_ready_made():
    """A maker that is given units may have a way from its rows to them that loses one."""
    read = ast.parse((Path(__file__).parent / "unjudged.py").read_text(encoding="utf-8"))
    used = {node.id for node in ast.walk(read) if isinstance(node, ast.Name)}
    assert used.isdisjoint({"Unit", "unit", "beyond", "Order", "Correlation"})


def test_comparisons_with_published_values_leave_the_outcome_open():
    compared = {
        name: judges for name, judges in makers().items() if re.fullmatch(r"study1_qa/.*:compare", name)
    }
    assert len(compared) > 5 and not any(compared.values())


def test_a_model_without_scores_leaves_open_whether_one_leads_everywhere():
    table = _leaders()
    assert tracks.h1(table, 0.0).passed is None  # the gap could lead both tracks
    assert tracks.h1(table.assign(unscored=""), 0.0).passed is True
    assert tracks.h1(table.assign(leader="whole", unscored=""), 0.0).passed is False


def test_a_model_that_was_asked_and_never_understood_is_a_unit():
    from unjudged import _means, frame

    sound = _means().iloc[:1]
    kinds = frame(track="T1", item_type="a", chance=0.25, lower=0.5, upper=0.7).iloc[:1]
    graded = frame(signal="probability of KEEP", n=90, auroc2=0.8, lower=0.7, upper=0.9).iloc[:1]
    for judge, table in (
        (replication.monitors, sound),
        (replication.above_chance, kinds),
        (replication.grades, graded),
    ):
        assert judge(table, ["whole"]).passed is True
        lost = judge(table, ["whole", "lost"])
        assert lost.passed is None and ("lost", replication.LOST) in lost.undecided
