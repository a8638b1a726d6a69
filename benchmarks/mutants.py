"""Do the tests notice when the program is changed? A thousand small changes, drawn by seed, each run against its tests.

Run: python benchmarks/mutants.py --resume               (goes on where it stopped, for an hour)
     python benchmarks/mutants.py --resume --again       (runs those that survived once more, after tests were mended)
     python benchmarks/mutants.py --show survived        (what they change)
     python benchmarks/mutants.py --branches             (branch coverage of src, a folder of tests at a time)
Changes are made in signal detection (sdt), in marking answers (scoring), in what the ledger judges, in the rules of
verdicts, in what decides that a result is stale, and in what a book plans to make (planning; its tests that start
programs are not asked). Which tests run a changed line is known from coverage of each file, kept in the cache folder.
Tests of more than two seconds (of planning: twenty) are not asked, nor are files that a part does not name (DRAWN): a
survivor may be known to a test that was not asked. Tests run in a fork of a process that has all collected, fastest
first, with at most 60 seconds of the processor, until one fails. Neither mutmut nor cosmic-ray draws by seed, chooses
tests by coverage and resumes; mutmut also wraps what JAX has to compile.
A score is the share of mutants, but for equivalent ones, that tests notice (a test fails, or never ends).
Writes data/simulations/mutants.csv (by module), mutants_drawn.csv (each mutant) and a .json, and branch_coverage.csv.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from mutation.equivalent import EQUIVALENT, LEFT
from mutation.operators import Mutant, mutants
from mutation.running import COVERAGE, copied, digest, installed, mapped, tried, with_tests

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "metacog"
OUT = ROOT / "data" / "simulations" / "mutants.csv"
SEED = 20261126
#: Seconds of the processor for the tests of a mutant, and how many of the fastest run first.
SECONDS, FEW = 60.0, 6
#: Seconds of a test after which it is not asked, and of a file of tests after which no further test of it is.
MAPPED = (2.0, 8.0)
#: The same where every test plans a whole book.
MAPPED_OF = {"planning": (20.0, 120.0)}
#: Seconds of tests in the same files that are not known to run the line.
OTHERS = 10.0
#: How many mutants of what, in which files, and the tests that are asked.
DRAWN: dict[str, tuple[int, str, str]] = {
    "sdt": (600, "sdt/*.py", "tests/sdt/test_*.py"),
    "scoring": (
        100,
        "collect/scoring.py collect/named_lines.py collect/strict_json.py collect/short_answers.py",
        "tests/collect/test_field_lines.py tests/collect/test_json_replies.py tests/collect/test_labelled.py "
        "tests/studies/study1_qa/test_marking.py tests/studies/study1_qa/test_run_on_answers.py",
    ),
    "judging": (100, "ledger/judging.py", "tests/ledger/test_*.py"),
    "verdicts": (
        100,
        "verdicts/*.py",
        "tests/verdicts/test_*.py tests/measures/test_claims.py tests/measures/test_pairs.py "
        "tests/measures/test_posterior.py tests/studies/test_contract_verdicts.py tests/studies/test_named.py "
        "tests/studies/study1_qa/test_robustness.py tests/studies/study7_mmlu_pro/test_replication.py",
    ),
    "staleness": (
        60,
        "core/code.py studies/results.py",
        "tests/core/test_code.py tests/studies/test_store.py tests/studies/test_contract.py "
        "tests/studies/test_packed.py",
    ),
    "planning": (40, "book/pool.py book/plan.py", "tests/book/test_tasks.py tests/book/test_pool.py"),
}
#: Of files that do more: the functions that decide what is stale.
CHOSEN = {
    "book/pool.py": ("Task", "_named", "stale"),
    "core/code.py": (
        "Sources module_file _package _parsed _parse _defined _definition _walked _dotted _add_bound stands_for "
        "_named_by reached code_digest place_of places_of"
    ).split(),
    "studies/results.py": (
        "parameters_of Making making _handed_on profile_for runs other_results _of_ledgers _across rests_on_trials "
        "analysis_needs input_files code_places code_of entries_of folder_of result stored"
    ).split(),
}
#: Traced once and compiled, so that coverage knows only the first test that runs them.
COMPILED = ("sdt/_meta_d_kernel.py", "sdt/_meta_d_batch.py")


def draw(group: str, count: int | None = None) -> list[Mutant]:
    """Mutants of a group in the order that their names and the seed give: one stays while its function does."""
    number, patterns, _ = DRAWN[group]
    found = []
    for file in sorted(file for pattern in patterns.split() for file in SOURCE.glob(pattern)):
        module = str(file.relative_to(SOURCE))
        chosen = CHOSEN.get(module)
        for one in mutants(module, file.read_bytes()):
            if chosen is None or one.function.partition(".")[0] in chosen:
                found.append(one)
    found.sort(key=order)
    kept: list[Mutant] = []
    for one in found:
        if len(kept) == (count or number):
            break
        if compiles(one):
            kept.append(one)
    return kept


def order(mutant: Mutant) -> str:
    """Where a mutant stands in the draw."""
    return hashlib.sha256(f"{SEED}:{mutant.name}".encode()).hexdigest()


def compiles(mutant: Mutant) -> bool:
    """Whether a change is a program."""
    try:
        compile(mutant.apply((SOURCE / mutant.module).read_bytes()), mutant.module, "exec")
    except SyntaxError:
        return False
    return True


# --- which tests run which lines


def files_of(group: str) -> list[str]:
    """Files of tests of a group."""
    return sorted(str(file.relative_to(ROOT)) for p in DRAWN[group][2].split() for file in ROOT.glob(p))


def maps(copy: Path, session: pytest.Session, cache: Path, group: str) -> list[dict[str, Any]]:
    """What each file of a group's tests runs; those that changed, or whose modules did, are run."""
    modules = sorted(str(f.relative_to(SOURCE)) for p in DRAWN[group][1].split() for f in SOURCE.glob(p))
    now = {one: digest(SOURCE / one) for one in modules}
    patience = MAPPED_OF.get(group, MAPPED)
    cache.mkdir(parents=True, exist_ok=True)
    found = []
    for name in files_of(group):
        kept = cache / f"{group}.{name.replace('/', '.')}.json"
        before = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else {}
        same = before.get("file") == digest(ROOT / name) and before["modules"] == modules
        same = same and before.get("patience", list(MAPPED)) == list(patience)
        if not same or any(before["digests"][one] != now[one] for one in before["lines"]):
            new = mapped(copy, session, name, modules, installed(cache.parent / "tools"), *patience)
            before = {
                "file": digest(ROOT / name),
                "modules": modules,
                "digests": now,
                "patience": patience,
                **new,
            }
            if not new["status"]:
                kept.write_text(json.dumps(before), encoding="utf-8")
            counts = f"{len(before['tests'])} of {before['of']} tests, {before['seconds']:.0f} s"
            print(f"{name}: {counts}, status {before['status']}", flush=True)
        found.append(before)
    return found


def tests_of(mutant: Mutant, known: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[str], float]:
    """Tests that run a changed line, fastest first, others of their files, and the seconds of all together."""
    modules = COMPILED if mutant.module in COMPILED else (mutant.module,)
    wide = mutant.whole or mutant.module in COMPILED
    lines = None if wide else {str(n) for n in range(mutant.line, mutant.end + 1)}
    unseen = wide and not any(
        any(one["lines"].get(module, {}).values()) for one in known for module in modules
    )
    running: dict[str, float] = {}
    others: dict[str, float] = {}
    for one in known:
        contexts = {
            context
            for module in modules
            for line, of in one["lines"].get(module, {}).items()
            if lines is None or line in lines
            for context in of
        }
        if not contexts and not unseen:  # a module of which only the import runs: any test may notice
            continue
        for test, facts in one["tests"].items():
            if facts.get("passed"):
                runs = unseen or test in contexts or contexts.intersection(facts.get("shared", ()))
                (running if runs else others)[test] = facts["seconds"]
    first, spent = [], 0.0
    for test in sorted(running, key=running.__getitem__):
        if spent + running[test] <= SECONDS or not first:
            first.append(test)
            spent += running[test]
    last, more = [], 0.0
    for test in sorted(others, key=others.__getitem__) if first else ():
        if more + others[test] <= min(OTHERS, SECONDS - spent):
            last.append(test)
            more += others[test]
    return first, last, spent + more


def judged(
    copy: Path, mutant: Mutant, session: pytest.Session, known: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What a mutant's tests say of it."""
    first, last, seconds = tests_of(mutant, known)
    if not first:
        return {"outcome": "survived", "by": "no test that is asked runs it", "seconds": 0.0, "tests": 0}
    limit = min(SECONDS, 12 + 5 * seconds)
    items = {one.nodeid: one for one in session.items}
    batches = ([one for one in batch if one in items] for batch in (first[:FEW], first[FEW:], last))
    return {**tried(copy, mutant, items, batches, limit), "tests": len(first)}


# --- the table


def row(
    group: str, mutant: Mutant, before: Mapping[str, str] | None, new: Mapping[str, Any]
) -> dict[str, str]:
    """A mutant's line of the table; what it came to the first time stays."""
    return {
        "mutant": mutant.name,
        "of": group,
        "module": mutant.module,
        "function": mutant.function,
        "line": str(mutant.line),
        "operator": mutant.operator,
        "before": mutant.before[:120],
        "after": mutant.after[:120],
        "first": before["first"] if before else new["outcome"],
        "now": new["outcome"],
        "by": new["by"],
        "tests": str(new["tests"]),
        "seconds": str(new["seconds"]),
    }


def summed(rows: Sequence[Mapping[str, str]]) -> list[dict[str, Any]]:
    """By module, and of all: how many, what they came to, and the share that tests notice before and after mending."""
    found = []
    keys = sorted(
        {(one["of"], one["module"]) for one in rows}, key=lambda key: ([*DRAWN].index(key[0]), key[1])
    )
    for of, module in [*keys, *((of, "all") for of in DRAWN), ("all", "all")]:
        its = [one for one in rows if of in (one["of"], "all") and module in (one["module"], "all")]
        same = [one for one in its if one["mutant"] in EQUIVALENT]
        able = [one for one in its if one["mutant"] not in EQUIVALENT]
        count = {
            name: sum(one["now"] == name for one in able) for name in ("killed", "survived", "timed out")
        }
        shares = [
            f"{sum(one[when] != 'survived' for one in able) / len(able):.3f}" if able else ""
            for when in ("first", "now")
        ]
        found.append(
            {
                "of": of,
                "module": module,
                "mutants": len(its),
                **count,
                "equivalent": len(same),
                "score_before": shares[0],
                "score_after": shares[1],
            }
        )
    return found


def write(out: Path, rows: Mapping[str, Mapping[str, str]], drawn: Mapping[str, Any], seconds: float) -> None:
    """The tables, and how they were made."""
    from metacog.core.files import replacing

    listed = [rows[name] for name in drawn if name in rows]
    for file, made in ((out, summed(listed)), (every(out), listed)):
        with replacing(file, newline="") as handle:
            table = csv.DictWriter(handle, list(made[0]), lineterminator="\n")
            table.writeheader()
            table.writerows(made)
    packages = ("numpy", "scipy", "pandas", "jax", "pytest", "hypothesis")
    facts = {
        "command": "python benchmarks/mutants.py --resume",
        "seed": SEED,
        "drawn": len(drawn),
        "lacking": {
            of: n for of in DRAWN if (n := sum(drawn[name][0] == of for name in drawn if name not in rows))
        },
        "seconds_of_the_processor": round(seconds),
        "equivalent": {name: why for name, why in EQUIVALENT.items() if name in rows},
        "left": {name: why for name, why in LEFT.items() if name in rows},
        "versions": {
            "python": platform.python_version(),
            COVERAGE.split("==")[0]: COVERAGE.split("==")[1],
            **{name: version(name) for name in packages},
        },
    }
    with replacing(out.with_suffix(".json")) as handle:
        handle.write(json.dumps(facts, indent=1) + "\n")


def every(out: Path) -> Path:
    """The table of each mutant beside the one by module."""
    return out.with_name(f"{out.stem}_drawn.csv")


def read(out: Path) -> dict[str, dict[str, str]]:
    """Rows of :func:`every` by the mutant's name."""
    if not every(out).is_file():
        return {}
    with open(every(out), encoding="utf-8", newline="") as handle:
        return {one["mutant"]: one for one in csv.DictReader(handle)}


def branches(until: float) -> int:
    """Branch coverage of src by the tests, a folder of them at a time; what was run is kept in results/coverage.

    What tests start as programs of their own is not measured, so that the share is the least that it can be.
    """
    from metacog.core.files import replacing
    from metacog.core.paths import cache_dir

    place, out = installed(cache_dir() / "tools"), ROOT / "results" / "coverage"
    out.mkdir(parents=True, exist_ok=True)
    code = f"import sys; sys.path.append({str(place)!r}); from coverage.cmdline import main; sys.exit(main())"
    tool = [sys.executable, "-c", code]
    folders: dict[str, list[str]] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        name = ".".join(file.relative_to(ROOT / "tests").parts[:-1]) or "tests"
        folders.setdefault(name, []).append(str(file.relative_to(ROOT)))
    for name, files in folders.items():
        data, left = out / f"data.{name}", until - time.monotonic()
        if data.is_file() or left <= 0:
            continue
        words = ["run", "--branch", "--source=src/metacog", f"--data-file={data}.part", "-m", "pytest", "-q"]
        words += ["-p", "no:cacheprovider", "-m", "not real", *files]
        try:
            done = subprocess.run([*tool, *words], cwd=ROOT, timeout=left)
        except subprocess.TimeoutExpired:
            break
        print(f"{name}: pytest ended with {done.returncode}", flush=True)
        Path(f"{data}.part").rename(data)
    made = [out / f"data.{name}" for name in folders if (out / f"data.{name}").is_file()]
    whole = f"--data-file={out}/whole"
    subprocess.run([*tool, "combine", "--keep", "-q", whole, *map(str, made)], cwd=ROOT, check=True)
    subprocess.run([*tool, "report", whole, "--skip-covered", "--sort=cover"], cwd=ROOT, check=True)
    if len(made) < len(folders):
        print(f"{len(made)} of {len(folders)} parts of the tests were run; --branches goes on")
        return 1
    told = out / "whole.json"
    subprocess.run([*tool, "json", whole, "-q", "-o", str(told)], cwd=ROOT, check=True)
    with replacing(OUT.with_name("branch_coverage.csv"), newline="") as handle:
        table = csv.writer(handle, lineterminator="\n")
        table.writerow(["room", *COUNTED, "share"])
        for room, counts in by_room(json.loads(told.read_text(encoding="utf-8"))["files"]).items():
            table.writerow([room, *counts.values(), f"{share(counts):.4f}"])
    return 0


#: What is counted of each file: lines that can run and ways out of a branch, and how many tests run.
COUNTED = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def by_room(files: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Sums of :data:`COUNTED` by folder of the package, and of all of it (``all``)."""
    found: dict[str, dict[str, int]] = {}
    for name, one in sorted(files.items()):
        for room in (".".join(Path(name).relative_to("src/metacog").parts[:-1]) or "metacog", "all"):
            counts = found.setdefault(room, dict.fromkeys(COUNTED, 0))
            for key in COUNTED:
                counts[key] += one["summary"][key]
    return dict(sorted(found.items(), key=lambda item: item[0] != "all"))


def share(counts: Mapping[str, int]) -> float:
    """Lines and ways that are run, of all; 1 where there are none."""
    of = counts["num_statements"] + counts["num_branches"]
    return (counts["covered_lines"] + counts["covered_branches"]) / of if of else 1.0


def main() -> int:
    """Run what is lacking until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--resume", action="store_true")
    parser.add_argument(
        "--again", action="store_true", help="those that survived, with the tests as they are now"
    )
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--only", default=",".join(DRAWN))
    parser.add_argument("--show", metavar="OUTCOME")
    parser.add_argument("--branches", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    if given.branches:
        return branches(time.monotonic() + 60 * given.minutes)
    from metacog.core.paths import cache_dir

    drawn = {one.name: (group, one) for group in DRAWN for one in draw(group)}
    drawn = dict(sorted(drawn.items(), key=lambda item: order(item[1][1])))
    rows = read(given.out) if given.resume or given.again or given.show else {}
    groups, known = given.only.split(","), {**EQUIVALENT, **LEFT}
    if given.show:
        for name, one in rows.items():
            if name in drawn and one["now"] == given.show and name not in known:
                print(
                    f"{name} {drawn[name][1].module}:{drawn[name][1].line} {one['function']} [{one['operator']}] "
                    f"{one['before']}  =>  {one['after']}  ({one['tests']} tests)"
                )
        return 0
    lacking = [
        name
        for name, (group, _) in drawn.items()
        if group in groups
        and (name not in rows or (given.again and rows[name]["now"] == "survived" and name not in known))
    ]
    until, spent = time.monotonic() + 60 * given.minutes, 0.0
    if every(given.out).is_file() and given.out.with_suffix(".json").is_file() and rows:
        spent = json.loads(given.out.with_suffix(".json").read_text(encoding="utf-8"))[
            "seconds_of_the_processor"
        ]

    def work(session: pytest.Session) -> None:
        nonlocal spent
        for group in groups:
            its = [name for name in lacking if drawn[name][0] == group]
            mapped_tests = maps(copy, session, cache_dir() / "mutants", group) if its else []
            if its and not any(one["tests"] for one in mapped_tests):
                print(f"{group}: none of its tests could be run; {len(its)} are lacking", flush=True)
                continue
            for n, name in enumerate(its):
                if time.monotonic() > until:
                    print(
                        f"{given.minutes:g} minutes are over, of {group} {len(its) - n} are lacking: --resume goes on"
                    )
                    break
                new = judged(copy, drawn[name][1], session, mapped_tests)
                spent += float(new["seconds"])
                rows[name] = row(group, drawn[name][1], rows.get(name), new)
                print(
                    *(rows[name][key] for key in ("mutant", "module", "line", "now", "by", "seconds")),
                    flush=True,
                )
                if n % 10 == 9:
                    write(given.out, rows, drawn, spent)

    with tempfile.TemporaryDirectory() as folder:
        copy = copied(ROOT, Path(folder))
        if lacking:
            with_tests(copy, sorted({file for group in groups for file in files_of(group)}), work)
        os.chdir(ROOT)
    write(given.out, rows, drawn, spent)
    for one in summed([one for name, one in rows.items() if name in drawn]):
        print(", ".join(f"{key} {value}" for key, value in one.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
