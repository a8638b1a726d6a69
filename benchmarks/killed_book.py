"""A book of the 1.5-billion-parameter model, asked live and killed ten times on the way: is anything lost?

Run: metacog models --fetch qwen2.5-coder-1.5b         (its file must be here)
     make book PROFILE=smoke                           (once; what does not depend on the model is taken from it)
     python benchmarks/killed_book.py

The project is copied with its smoke book twice, as benchmarks/five_cases.py does, and the smoke profile of each copy
names the larger model alone. In the first copy `metacog book --profile smoke` runs undisturbed, which gives the seconds
of every study. In the second it is killed (SIGKILL) after a while drawn between 15 seconds and a fifth of the
undisturbed run, ten times, in turn the program alone, whose children must end by themselves, and all its processes at
once; then it runs to its end. The trials of both must be the same bit by bit, and every page must be there.
Writes data/benchmarks/killed_book.json, with the machine's load. Status 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import five_cases
import pandas as pd

from metacog.collect.models import get_model, locate
from metacog.core.machine import available_cores
from metacog.core.paths import project_root
from metacog.core.provenance import provenance
from metacog.install.processor import this_processor

OUT = five_cases.ROOT / "data" / "benchmarks" / "killed_book.json"
MODEL, KILLS, SEED, SHORTEST = "qwen2.5-coder-1.5b", 10, 20261124, 15.0
COMMAND = [sys.executable, "-m", "metacog", "book", "--profile", five_cases.PROFILE]


def killed(target: Path, after: float, *, alone: bool) -> bool:
    """Start the book and kill it after some seconds, the program alone or all its processes; whether it still ran."""
    child = subprocess.Popen(
        COMMAND, cwd=target, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, start_new_session=True
    )
    try:
        child.wait(after)
        return False
    except subprocess.TimeoutExpired:
        (os.kill if alone else os.killpg)(child.pid, signal.SIGKILL)
        child.wait()
        return True


def seconds_by_study(target: Path) -> dict[str, float]:
    """Seconds of asking by study, as the manifests have them."""
    found: dict[str, float] = {}
    for path in sorted((target / "runs").rglob("manifest.json")):
        study = path.relative_to(target / "runs").parts[0]
        parts = json.loads(path.read_text(encoding="utf-8"))["parts"].values()
        found[study] = round(found.get(study, 0.0) + sum(part["seconds"] for part in parts), 1)
    return found


def tables(target: Path) -> dict[str, pd.DataFrame]:
    """Tables of trials of the model by their place."""
    base = target / "results" / five_cases.PROFILE
    found = sorted(base.glob(f"*/trials/*/{MODEL}.*.parquet"))
    return {str(path.relative_to(base)): pd.read_parquet(path) for path in found}


def finished(target: Path) -> dict[str, Any]:
    """Run the book to its end: seconds, and how many pages of each study are rendered."""
    begun = time.perf_counter()
    five_cases.call(target, "book", "--profile", five_cases.PROFILE)
    rendered = [path.stem for path in (target / "_build" / "html" / "_executed").glob("*.html")]
    return {
        "seconds": round(time.perf_counter() - begun, 1),
        "pages": {
            study: sum(name.startswith(f"{study}-") for name in rendered) for study in five_cases.STUDIES
        },
    }


def run(base: Path, work: Path) -> dict[str, Any]:
    """Both books, and how they compare."""
    whole, broken = work / "undisturbed", work / "killed"
    for target in (whole, broken):
        five_cases.copy(base, target)
        five_cases.profile_of(target, lambda profile: [MODEL])
    load = os.getloadavg()[0]
    undisturbed = finished(whole)
    print("undisturbed:", json.dumps(undisturbed), flush=True)
    draw, rows = random.Random(SEED), []
    for number in range(KILLS):
        after = round(draw.uniform(SHORTEST, max(SHORTEST, undisturbed["seconds"] / 5)), 1)
        alone = number % 2 == 0
        hit = killed(broken, after, alone=alone)
        rows.append({"after": after, "alone": alone, "hit": hit, "asking": _asked(broken)})
        print("killed:", json.dumps(rows[-1]), flush=True)
    rest = finished(broken)
    print("the rest:", json.dumps(rest), flush=True)
    return {
        "undisturbed": undisturbed | {"asking_seconds": seconds_by_study(whole)},
        "kills": rows,
        "the_rest": rest,
        **compared(whole, broken),
        "load": {"before": round(load, 1), "after": round(os.getloadavg()[0], 1)},
    }


def compared(whole: Path, broken: Path) -> dict[str, Any]:
    """Tables of trials of an undisturbed book against those of one that was killed, and what is left of half a file."""
    ours, theirs = tables(whole), tables(broken)
    same = {name for name in ours if name in theirs and ours[name].equals(theirs[name])}
    return {
        "tables": len(ours),
        "trials": sum(map(len, ours.values())),
        "tables_that_differ": sorted((ours.keys() | theirs.keys()) - same),
        "left_behind": sorted(str(p.relative_to(broken)) for p in (broken / "runs").rglob("*.tmp*")),
    }


def _asked(target: Path) -> int:
    """Replies on the disk."""
    found = (target / "runs").rglob("manifest.json")
    parts = (json.loads(path.read_text(encoding="utf-8"))["parts"].values() for path in found)
    return sum(part["rows"] for each in parts for part in each)


def main() -> int:
    """Run both books, print and write what came of them; 1 where they differ."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--base", type=Path, default=project_root(), help="a clone that holds a smoke book")
    parser.add_argument("--work", type=Path, help="keep the copies here")
    arguments = parser.parse_args()
    locate(get_model(MODEL))
    with tempfile.TemporaryDirectory(prefix="killed-book-") as temporary:
        found = run(arguments.base.resolve(), arguments.work or Path(temporary))
    facts = {
        "command": "python benchmarks/killed_book.py",
        "model": MODEL,
        "profile": five_cases.PROFILE,
        "sizes": five_cases.SIZES,
        "seed": SEED,
        "machine": {
            "processor": this_processor().name,
            "cores": available_cores(),
            "system": platform.platform(),
        },
        **found,
        **provenance(),
    }
    print(json.dumps(found, indent=1))
    OUT.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    every = (
        all(found["the_rest"]["pages"].values())
        and found["the_rest"]["pages"] == found["undisturbed"]["pages"]
    )
    kills = all(row["hit"] for row in found["kills"])
    return int(bool(found["tables_that_differ"]) or not (every and kills and found["trials"]))


if __name__ == "__main__":
    sys.exit(main())
