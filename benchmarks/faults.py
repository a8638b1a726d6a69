"""What the software survives: commands killed at each of their writes, disks that are full, clocks that jump.

Run: python benchmarks/faults.py --resume               (what is lacking, an hour at most; all of it takes some
                                                          hours of a core)
     python benchmarks/faults.py --only collect --minutes 10
     python benchmarks/faults.py --resume --only smoke    (60 kills of three smoke books on their way, drawn by seed;
                                                          most of an hour of two cores, with the models of the book)
No model is needed: the toy study of the tests is asked of a scripted engine, and of a scripted server. A shim in C
(`benchmarks/faulting/shim.c`) numbers what each process writes below the clone, and lets the n-th write go wrong:
`kill` ends the process, or all of them, by SIGKILL, with half of its bytes written; `ENOSPC` and `EROFS` let all
writes from the n-th on fail, as a full disk or a read-only one does, at the first write of each kind of writer;
`ENOLCK` refuses every lock; `clock` sets the time, and that of files, three days back or forward. After each fault
the same command is run again, as a user would, and replies and results are held against those of an undisturbed run.
`collect` and `served` are `metacog collect`, of the engine and of the server: every write, in forks of a process
that has imported the package, and some of each writer as commands of their own. `book` is `metacog book` in the same
way: the process that writes or all of them are killed in turns, and both where a writer has one write; of what Sphinx
writes, some are drawn by seed, as of an empty cache, which `cold` fills. Each smoke book is killed twenty times on its
way and goes on each time from what it has; its end is compared. `others` are faults of another kind
(`benchmarks/faulting/others.py`).
Writes data/simulations/faults.csv, a row for each fault and writer, and a .json (command, seed, versions) next to it,
after every fault. Status 1 where something is lost, doubled, changed or left, hangs, or is told by a traceback.
"""

from __future__ import annotations

import argparse
import csv
import json
import platform
import random
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from faulting.others import OTHERS
from faulting.running import Fault, Ran, Write, compiled, said
from faulting.scenes import SMOKE, Difference, Scene, scene

from metacog.core.files import replacing

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "faults.csv"
SEED = 20261127
COLUMNS = (
    "scene",
    "fault",
    "how",
    "writer",
    "numbers",
    "times",
    "lost",
    "doubled",
    "changed",
    "results",
    "asked_again",
    "left",
    "wrong",
    "message",
)
SUMS = ("times", "lost", "doubled", "changed", "results", "asked_again", "left")
#: Scenes that need no model.
ALL = ("served", "collect", "book", "others", "cold")
#: Seconds by which a clock is set back or forward, and at how many writes.
DAYS, CLOCKS = 3 * 86400, 4
#: Of what others than the package write, and of what it only keeps to be quicker, so many writes are drawn.
DRAWN = 30
OTHERS_WRITE = ("_build/", "_static_generated/mathjax")
#: Kills of commands as they are for each writer; smoke books, and kills of each on its way.
EACH, BOOKS, KILLS = 2, 3, 20
ON_ITS_WAY = "on its way"


@dataclass(frozen=True)
class Case:
    """One fault of a scene; `how` is ``fork`` or ``command``."""

    scene: str
    name: str
    how: str
    fault: Fault

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What tells it from others."""
        return self.scene, self.name, self.how, self.fault.at


def by_writer(writes: Iterable[Write]) -> dict[str, list[int]]:
    """Numbers of the writes of each writer."""
    found: dict[str, list[int]] = {}
    for one in writes:
        found.setdefault(one.writer, []).append(one.number)
    return found


def firsts(writes: Iterable[Write], most: int) -> list[int]:
    """Numbers of the first and last writes of each writer, so many of each at most."""
    every = by_writer(writes).values()
    return sorted({n for numbers in every for n in [*numbers[:1], *numbers[1:][1 - most :]][:most]})


def cases(name: str, writes: Sequence[Write]) -> Iterator[Case]:
    """Faults of a scene, from the writes of its undisturbed run: a few of each sort first, then all the others."""
    chance = random.Random(f"{SEED}:{name}")
    theirs = [
        w for w in writes if w.path.lstrip("/").startswith("cache/" if name == "cold" else OTHERS_WRITE)
    ]
    ours = [w for w in writes if w not in theirs] if name != "cold" else []
    drawn = chance.sample(theirs, min(DRAWN, len(theirs)))
    how = "command" if name == "cold" else "fork"
    some = [Case(name, "ENOLCK", how, Fault("ENOLCK", 1))]
    some += [
        Case(name, k, how, Fault(k, n)) for k in ("ENOSPC", "EROFS") for n in firsts([*ours, *drawn[:4]], 1)
    ]
    for n in sorted(one.number for one in chance.sample(ours or theirs, CLOCKS)):
        some.append(Case(name, "clock back", how, Fault("clock", n, -DAYS)))
        some.append(Case(name, "clock forward", how, Fault("clock", n, DAYS)))
    chance.shuffle(some)
    yield from some
    first = firsts(ours, EACH)
    rest = [w.number for w in [*ours, *drawn] if w.number not in first]
    chance.shuffle(rest)
    if name in ("collect", "served"):
        yield from (killed(name, n, "fork", alone=False) for n in [*first, *rest])
        yield from (killed(name, n, alone=alone) for n in first for alone in (True, False))
        return
    begins, only = firsts(ours, 1), {of[0] for of in by_writer(ours).values() if len(of) == 1}
    for n in [*first, *rest]:
        yield killed(name, n, "command" if n in begins else how, alone=n % 2 == 0)
        if n in only:
            yield killed(name, n, how, alone=n % 2 == 1)


def killed(name: str, n: int, how: str = "command", *, alone: bool) -> Case:
    """A command that is killed at a write: the process that writes, or all processes."""
    kind = "alone" if alone else "all"
    return Case(name, f"kill {kind}", how, Fault(kind, n))


def tried(case: Case, where: Scene) -> dict[str, Any]:
    """Let one fault happen, run the command again, and compare."""
    where.begin()
    before = where.asked()
    ran = where.run(case.fault, forked=case.how == "fork")
    return told(case, where, before, ran, where.run(forked=case.how == "fork"))


def on_its_way(where: Scene, number: int, kills: int = KILLS) -> list[dict[str, Any]]:
    """Kill a command several times, each some writes after it went on, and compare its end: a row for each kill."""
    chance = random.Random(f"{SEED}:{where.name}:{number}")
    most = max(1, 2 * len(where.whole.writes) // kills)
    cases = [killed(where.name, chance.randint(1, most), alone=k % 2 == 0) for k in range(kills)]
    where.begin()
    before, ran = where.asked(), [where.run(case.fault) for case in cases]
    ran.append(where.run())
    rows = [told(case, where, before, *ran[k : k + 2], ends=k == kills - 1) for k, case in enumerate(cases)]
    return [{**row, "how": ON_ITS_WAY, "numbers": [number * kills + k]} for k, row in enumerate(rows)]


def told(case: Case, where: Scene, before: int, ran: Ran, again: Ran, *, ends: bool = True) -> dict[str, Any]:
    """A fault's row; where the command that went on was no end either, what lies there is not compared yet."""
    found = where.difference() if ends else Difference(0, 0, 0, ())
    wrong = []
    if ran.hung or again.hung:
        wrong.append("hangs")
    if ends and again.status:
        wrong.append(f"does not go on: {said(again.err, where.house)}")
    if "Traceback" in ran.err + again.err:
        wrong.append("traceback")
    if case.fault.kind in ("ENOSPC", "EROFS") and ran.status and not said(ran.err, where.house):
        wrong.append("says nothing")
    if found.results:
        wrong.append(f"other results: {', '.join(found.results[:3])}")
    hit = ran.hit or next((w for w in ran.writes if w.number == case.fault.at), None)
    writer = "every lock" if case.fault.kind == "ENOLCK" else hit.writer if hit else "after the last write"
    return {
        "scene": case.scene,
        "fault": case.name,
        "how": case.how,
        "writer": writer,
        "numbers": [case.fault.at],
        "times": int(ran.fired),
        "lost": found.lost,
        "doubled": found.doubled,
        "changed": found.changed,
        "results": len(found.results),
        "asked_again": max(0, where.asked() - before - where.requests) if ends else 0,
        "left": ran.left + (again.left if ends else 0),
        "wrong": "; ".join(wrong),
        "message": said(ran.err, where.house),
    }


def joined(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each fault and writer."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        key = tuple(str(row[name]) for name in ("scene", "fault", "how", "writer"))
        old = found.setdefault(
            key, {**row, **dict.fromkeys(SUMS, 0), "numbers": [], "wrong": "", "message": ""}
        )
        for name in SUMS:
            old[name] += row[name]
        old["numbers"] = sorted({*old["numbers"], *row["numbers"]})
        old["wrong"] = "; ".join(dict.fromkeys(filter(None, [*old["wrong"].split("; "), row["wrong"]])))
        old["message"] = old["message"] or row["message"]
    return [found[key] for key in sorted(found)]


def read(out: Path) -> list[dict[str, Any]]:
    """Rows as :func:`write` had them; none without a table."""
    if not out.is_file():
        return []
    with open(out, encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    return [
        {
            **row,
            "numbers": [int(n) for n in row["numbers"].split()],
            **{name: int(row[name]) for name in SUMS},
        }
        for row in rows
    ]


def write(out: Path, rows: Iterable[dict[str, Any]], lacking: dict[str, Any]) -> None:
    """The table, and how it was made."""
    with replacing(out, newline="") as handle:
        table = csv.DictWriter(handle, COLUMNS, lineterminator="\n")
        table.writeheader()
        for row in joined(rows):
            table.writerow({**row, "numbers": " ".join(map(str, row["numbers"]))})
    facts = {
        "command": "python benchmarks/faults.py --resume",
        "seed": SEED,
        "lacking": lacking,
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("pandas", "pyarrow", "filelock", "jupyter-book")},
        },
    }
    with replacing(out.with_suffix(".json")) as handle:
        handle.write(json.dumps(facts, indent=1) + "\n")


def main() -> int:
    """Run what is lacking, fault by fault."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--only", default=",".join(ALL), help="scenes, with commas between")
    parser.add_argument(
        "--faults", default="", help="faults by the beginning of their name, with commas between"
    )
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    begun, rows = time.monotonic(), read(given.out)
    names = given.only.split(",")
    facts = given.out.with_suffix(".json")
    lacking: dict[str, Any] = dict.fromkeys((*ALL, SMOKE), "all") | (
        json.loads(facts.read_text())["lacking"] if facts.is_file() else {}
    )
    if not given.resume:
        rows = [row for row in rows if row["scene"] not in names]
    wanted = tuple(given.faults.split(","))

    def over() -> bool:
        return time.monotonic() - begun > 60 * given.minutes

    def keep(row: dict[str, Any]) -> None:
        rows.append(row)
        write(given.out, rows, lacking)
        hit = f"{row['scene']} {row['fault']} ({row['how']}) at {row['writer']}"
        print(f"{'WRONG ' + row['wrong'] + ': ' if row['wrong'] else ''}{hit}: {row['message']}", flush=True)

    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        work = Path(folder).resolve()
        shim = compiled(work)
        for name in names:
            if over():
                break
            done = {(row["scene"], row["fault"], row["how"], n) for row in rows for n in row["numbers"]}
            done |= {(of, fault, "fork", n) for of, fault, how, n in done if how == "command"}
            if name == "others":
                left = [k for k in range(len(OTHERS)) if (name, OTHERS[k].__name__, "command", k) not in done]
                lacking[name] = len(left)
                for k in left:
                    if over():
                        break
                    lacking[name] -= 1
                    known = {"scene": name, "fault": OTHERS[k].__name__, "how": "command", "numbers": [k]}
                    keep({**known, **OTHERS[k](work, shim)})
                continue
            with scene(name, work, shim) as where:
                if name == SMOKE:
                    books = [
                        k for k in range(BOOKS) if (name, "kill all", ON_ITS_WAY, k * KILLS + 1) not in done
                    ]
                    lacking[name] = len(books)
                    for k in books:
                        if over():
                            break
                        lacking[name] -= 1
                        for one in on_its_way(where, k):
                            keep(one)
                    continue
                left = [case for case in cases(name, where.whole.writes) if case.key not in done]
                lacking[name] = len(left)
                for case in left:
                    if over():
                        break
                    if case.name.startswith(wanted):
                        lacking[name] -= 1
                        keep(tried(case, where))
    told = joined(rows)
    for fault in dict.fromkeys((row["scene"], row["fault"]) for row in told):
        of = [row for row in told if (row["scene"], row["fault"]) == fault]
        print(*fault, *(f"{name} {sum(row[name] for row in of)}" for name in SUMS), sep="  ")
    left = {name: n for name, n in lacking.items() if n}
    if left:
        print(f"still lacking, for --resume: {left}")
    bad = [
        row
        for row in told
        if row["wrong"] or any(row[name] for name in ("lost", "doubled", "changed", "left"))
    ]
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
