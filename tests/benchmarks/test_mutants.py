"""Small changes of programs and whether tests notice. Oracle: a toy of which it is known, and mutants once killed.

A slice of `benchmarks/mutants.py`, without coverage.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import mutants
import pytest
from mutation.operators import Mutant
from mutation.operators import mutants as changes

ROOT = Path(mutants.__file__).parents[1]
TOY = """LIMIT = 3

def over(x):
    return x > LIMIT

def total(values):
    found = 0
    for one in values:
        found += one
    return found

def waits(n: int = 2):
    while n > 0:
        n -= 1
    return n
"""
TESTS = """from metacog.toy import over, total, waits

def test_over():
    assert over(5) and not over(1)

def test_total():
    assert total([1, 2]) == 3

def test_waits():
    assert waits(1) == 0
"""
#: Tries mutants in a process of its own: of the package named on the command line, with some tests each.
TRY = """
import json, sys, tempfile
from pathlib import Path
from mutation.operators import mutants
from mutation.running import copied, tried, with_tests

root, asked, seconds = Path(sys.argv[1]), json.loads(sys.argv[2]), float(sys.argv[3])
with tempfile.TemporaryDirectory() as place:
    copy, found = copied(root, Path(place)), {}

    def work(session):
        items = {one.nodeid: one for one in session.items}
        for module, names in asked.items():
            for one in mutants(module, (root / "src" / "metacog" / module).read_bytes()):
                tests = names.get(one.name, names.get("all"))
                if tests:
                    found[one.name] = tried(copy, one, items, [tests], seconds)

    with_tests(copy, sorted({t.partition("::")[0] for of in asked.values() for ts in of.values() for t in ts}), work)
    print("FOUND " + json.dumps(found))
"""


def trial(root: Path, asked: dict[str, dict[str, list[str]]], seconds: float) -> dict[str, dict[str, str]]:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "benchmarks")])
    done = subprocess.run(
        [sys.executable, "-c", TRY, str(root), json.dumps(asked), str(seconds)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert "FOUND " in done.stdout, done.stdout[-2000:] + done.stderr[-2000:]
    return json.loads(done.stdout.rpartition("FOUND ")[2])


def told(one: Mutant) -> str:
    return f"{one.function}: {one.before} => {one.after}"


def test_each_change_is_of_one_place_and_docstrings_words_and_annotations_stay():
    source = (
        '"""Words < 1."""\ndef f(x: int = 1) -> bool:\n    """More."""\n    if not x < 2:\n'
        '        raise ValueError("no")\n    return g(x, k=3)\n'
    )
    found = {told(one): one.apply(source.encode()).decode() for one in changes("f.py", source.encode())}
    assert set(found) == {
        "f: 1 => 2",
        "f: not x < 2 => not (not x < 2)",
        "f: not x < 2 => (x < 2)",
        "f: x < 2 => <=",
        "f: x < 2 => >=",
        "f: 2 => 3",
        'f: raise ValueError("no") => pass',
        "f: return g(x, k=3) => return None",
        "f: k=3 => ",
        "f: 3 => 4",
    }
    assert found["f: k=3 => "].endswith("return g(x)\n") and "x <= 2" in found["f: x < 2 => <="]
    assert all(len(set(text.splitlines()) ^ set(source.splitlines())) in (1, 2) for text in found.values())


@pytest.mark.proof
def test_in_a_toy_it_is_known_what_tests_notice(tmp_path):
    for file, text in {
        "src/metacog/__init__.py": "",
        "src/metacog/toy.py": TOY,
        "tests/test_toy.py": TESTS,
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    tests = [f"tests/test_toy.py::test_{name}" for name in ("over", "total", "waits")]
    found = trial(tmp_path, {"toy.py": {"all": tests}}, 0)
    known = {told(one): found[one.name] for one in changes("toy.py", TOY.encode())}
    outcomes = {change: one["outcome"] for change, one in known.items()}
    assert {change for change, outcome in outcomes.items() if outcome == "survived"} == {
        "over: x > LIMIT => >=",
        ": 3 => 4",
        "waits: 2 => 3",
    }
    endless = {"waits: n -= 1 => +=", "waits: n -= 1 => pass"}
    assert {change for change, outcome in outcomes.items() if outcome == "timed out"} == endless
    assert (
        known["total: found += one => -="]["by"] == tests[1]
        and (tmp_path / "src/metacog/toy.py").read_text() == TOY
    )


def test_a_drawn_mutant_stays_while_its_function_does():
    source = (mutants.SOURCE / "verdicts" / "levels.py").read_bytes()
    before = {one.name: one for one in changes("verdicts/levels.py", source)}
    after = {one.name: one for one in changes("verdicts/levels.py", b"import math\nNEW = 1 + 1\n" + source)}
    assert before and before.keys() < after.keys()
    assert all(after[name].line == one.line + 2 for name, one in before.items())
    drawn = [one.name for one in mutants.draw("judging", 20)]
    assert drawn == [one.name for one in mutants.draw("judging", 40)][:20] and len(set(drawn)) == 20


def test_a_table_says_what_it_lacks_and_its_counts_are_those_of_its_mutants(tmp_path):
    drawn = {one.name: (of, one) for of in ("judging", "verdicts") for one in mutants.draw(of, 3)}
    new = {"by": "", "seconds": 1.0, "tests": 2}
    *ran, last = drawn.items()
    outcomes = ["killed", "timed out", "survived", "killed", "survived"]
    rows = {
        name: mutants.row(of, one, None, {"outcome": said, **new})
        for (name, (of, one)), said in zip(ran, outcomes, strict=True)
    }
    mutants.write(tmp_path / "m.csv", rows, drawn, 5.0)
    assert json.loads((tmp_path / "m.json").read_text())["lacking"] == {last[1][0]: 1}
    assert mutants.read(tmp_path / "m.csv") == rows
    (whole,) = [one for one in mutants.summed(list(rows.values())) if one["of"] == "all"]
    assert [whole[name] for name in ("mutants", "killed", "survived", "timed out")] == [5, 2, 2, 1]
    assert whole["score_before"] == whole["score_after"] == "0.600"


def test_the_committed_table_and_what_it_lacks_are_all_that_is_drawn():
    facts = json.loads(mutants.OUT.with_suffix(".json").read_text(encoding="utf-8"))
    rows = mutants.read(mutants.OUT)
    assert facts["drawn"] == sum(number for number, *_ in mutants.DRAWN.values()) == 1000
    assert len(rows) + sum(facts["lacking"].values()) == 1000
    assert facts["equivalent"].keys() <= rows.keys() and facts["left"].keys() <= rows.keys()


@pytest.mark.proof
def test_mutants_that_were_killed_still_are():
    """Ten of the table, drawn by a seed, each with the one test that noticed it."""
    rows = [row for row in mutants.read(mutants.OUT).values() if row["now"] == "killed" and "::" in row["by"]]
    modules = {row["module"] for row in rows}
    there = {one.name for file in modules for one in changes(file, (mutants.SOURCE / file).read_bytes())}
    able = [row for row in rows if row["mutant"] in there and float(row["seconds"]) < 2]
    assert len(able) > 0.5 * len(rows), "most functions of the table have changed: make it again"
    chosen = random.Random(mutants.SEED).sample(able, 10)
    asked: dict[str, dict[str, list[str]]] = {}
    for row in chosen:
        asked.setdefault(row["module"], {})[row["mutant"]] = [row["by"]]
    found = trial(ROOT, asked, 60)
    assert len(found) == len(chosen) and {one["outcome"] for one in found.values()} == {"killed"}


def test_coverage_is_added_up_by_folder_and_over_all():
    def one(*counts):
        return {"summary": dict(zip(mutants.COUNTED, counts, strict=True))}

    files = {
        "src/metacog/cli.py": one(4, 2, 0, 0),
        "src/metacog/sdt/a.py": one(10, 9, 4, 1),
        "src/metacog/sdt/b.py": one(5, 5, 1, 1),
        "src/metacog/studies/study1_qa/c.py": one(0, 0, 0, 0),
    }
    found = mutants.by_room(files)
    assert list(found) == ["all", "metacog", "sdt", "studies.study1_qa"]
    assert list(found["sdt"].values()) == [15, 14, 5, 2] and list(found["all"].values()) == [19, 16, 5, 2]
    assert mutants.share(found["sdt"]) == 0.8 and mutants.share(found["studies.study1_qa"]) == 1.0
