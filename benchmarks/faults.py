"""What the software survives: commands killed at their writes, disks that are full, clocks that jump.

Run: python benchmarks/faults.py                        (60 faults of each scene, drawn by seed; about an hour)
     python benchmarks/faults.py --only collect --most 500
No model is needed: the toy study of the tests is asked of a scripted engine, and of a scripted server. A shim in C
(`benchmarks/faulting/shim.c`) numbers what each process writes below the clone, and lets the n-th write go wrong:
`kill` ends the process, or all of them, by SIGKILL, with half of its bytes written; `ENOSPC` and `EROFS` let all
writes from the n-th on fail, as a full disk or a read-only one does, at the first write of each kind of writer;
`ENOLCK` refuses every lock; `clock` sets the time, and that of files, three days back or forward. After each fault
the same command is run again, as a user would, and replies and results are held against those of an undisturbed run.
`collect` and `served` are `metacog collect`, of the engine and of the server, `book` is `metacog book`: two of three in
forks of a process that has imported the package, the others as commands. `others` are faults of another kind
(`benchmarks/faulting/others.py`).
Writes data/simulations/faults.csv, a row for each scene and fault, and a .json (command, seed) next to it. Status 1
where something is lost, doubled, changed or left, hangs, or is told by a traceback.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from recording import ROOT, SIMULATIONS, parsed

sys.path.insert(0, str(ROOT / "tests"))
from faulting.others import OTHERS, told
from faulting.running import Fault, Write, compiled, said
from faulting.scenes import Scene, scene

OUT = SIMULATIONS / "faults.csv"
SEED = 20261127
SUMS = ["times", "lost", "doubled", "changed", "results", "asked_again", "left", "wrong"]
ALL = ("served", "collect", "book", "others")
#: Seconds by which a clock is set back or forward, and at how many writes.
DAYS, CLOCKS = 3 * 86400, 4
#: What others than the package write.
OTHERS_WRITE = ("_build/", "_static_generated/mathjax")


@dataclass(frozen=True)
class Case:
    """One fault of a scene; `how` is ``fork`` or ``command``."""

    scene: str
    name: str
    how: str
    fault: Fault


def firsts(writes: Iterable[Write]) -> list[int]:
    """Number of the first write of each writer."""
    found: dict[str, int] = {}
    for one in writes:
        found.setdefault(one.writer, one.number)
    return sorted(found.values())


def cases(name: str, writes: Sequence[Write]) -> list[Case]:
    """Faults of a scene, from the writes of its undisturbed run: one of each sort first, then as they are drawn."""
    chance = random.Random(f"{SEED}:{name}")
    ours = [one for one in writes if not one.path.lstrip("/").startswith(OTHERS_WRITE)]
    of: dict[str, list[Fault]] = {"ENOLCK": [Fault("ENOLCK", 1)]}
    of |= {kind: [Fault(kind, n) for n in firsts(ours)] for kind in ("ENOSPC", "EROFS")}
    jumps = [one.number for one in chance.sample(ours, CLOCKS)]
    of |= {
        f"clock {way}": [Fault("clock", n, by) for n in jumps]
        for way, by in (("back", -DAYS), ("forward", DAYS))
    }
    of |= {f"kill {kind}": [Fault(kind, one.number) for one in writes] for kind in ("alone", "all")}
    every = [(kind, fault) for kind, faults in of.items() for fault in chance.sample(faults, len(faults))]
    first = {kind: fault for kind, fault in reversed(every)}
    rest = [one for one in every if one[1] is not first[one[0]]]
    chance.shuffle(rest)
    drawn = [*first.items(), *rest]
    return [Case(name, kind, "fork" if k % 3 else "command", fault) for k, (kind, fault) in enumerate(drawn)]


def tried(case: Case, where: Scene) -> dict[str, Any]:
    """Let one fault happen, run the command again, and compare."""
    where.begin()
    before, forked = where.asked(), case.how == "fork"
    ran, again = where.run(case.fault, forked=forked), where.run(forked=forked)
    message = said(ran.err, where.house)
    wrong = {
        "hangs": ran.hung,
        "traceback": "Traceback" in ran.err,
        "says nothing": case.fault.kind in ("ENOSPC", "EROFS") and ran.status and not message,
    }
    hit = ran.hit or next((w for w in ran.writes if w.number == case.fault.at), None)
    fails = "; ".join(words for words, so in wrong.items() if so)
    row = told(where, again, message, hit.writer if hit else "no write", times=int(ran.fired), fails=fails)
    row |= {"left": ran.left + again.left, "asked_again": max(0, where.asked() - before - where.requests)}
    return {"scene": case.scene, "fault": case.name, **row}


def rows(names: Sequence[str], most: int, work: Path) -> Iterator[dict[str, Any]]:
    """A row for each fault, as it has happened."""
    shim = compiled(work)
    for name in names:
        if name == "others":
            for other in OTHERS[:most]:
                yield {"scene": name, "fault": other.__name__, **other(work, shim)}
            continue
        with scene(name, work, shim) as where:
            for case in cases(name, where.whole.writes)[:most]:
                yield tried(case, where)


def summed(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each scene and fault: how often it was tried, and what came of it."""
    counted = table.assign(wrong=(table["wrong"] != "").astype(int), tried=1)
    return counted.groupby(["scene", "fault"], as_index=False)[["tried", *SUMS]].sum()


def main() -> int:
    """Let the faults happen, and write the table."""
    given = parsed(__file__, out=OUT, only={"nargs": "+", "choices": ALL, "default": list(ALL)}, most=60)
    made = []
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        for row in rows(given.only, given.most, Path(folder).resolve()):
            made.append(row)
            wrong = f"WRONG {row['wrong']}: " if row["wrong"] else ""
            given.tell(f"{wrong}{row['scene']} {row['fault']} at {row['writer']}: {row['message']}")
    table = summed(pd.DataFrame(made))
    print(table.to_string(index=False))
    given.write(table, seed=SEED)
    return int(table[["lost", "doubled", "changed", "left", "wrong"]].to_numpy().any())


if __name__ == "__main__":
    sys.exit(main())
