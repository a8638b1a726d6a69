"""Is a book that is made again the same, and what is left of that on a processor with fewer instructions?

Run: python benchmarks/same_again.py                    (the smoke book: three times its time, in parts)
     python benchmarks/same_again.py --book toy         (a book of one small study, in minutes)

A copy of the project makes the book from nothing twice, in one place, and a third time from the first one's replies
with instructions taken away: numpy's, OpenBLAS's and XLA's code for an older processor. llama.cpp has no such switch,
so replies are not asked in that way; on another processor they may differ where two tokens tie. The books are compared
as `metacog doctor --same` does. Writes data/simulations/same_again.csv, a row for each part of a book and comparison,
and a record beside it; rows of another book stay. It goes on where it was stopped: after 55 minutes it stops by itself.
Status 1 if the second book is not the first one, or a posterior of the third is more than four Monte Carlo errors off.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

from metacog.core.paths import cache_dir, project_root
from metacog.core.provenance import provenance
from metacog.install.processor import this_processor

ROOT = project_root()
sys.path.insert(0, str(ROOT / "tests"))
import toy_house  # noqa: E402

OUT = ROOT / "data" / "simulations" / "same_again.csv"
#: Steps of the proof: how often the book is made, and what is held against the first.
STEPS = ("first", "again", "fewer instructions")
LEVELS = ("times", "rounded", "different")
MINUTES, ERRORS = 55.0, 4.0
#: In a copy: what is found, as `metacog doctor --same` tells it.
COMPARE = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from metacog.book.same import compare
print(json.dumps([asdict(part) for part in compare(Path.cwd(), Path(sys.argv[1]))]))
"""


def fewer_instructions(cache: Path) -> dict[str, str]:
    """Variables with which numpy, OpenBLAS and XLA use what an older processor has; none where there is no newer."""
    have = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    if not have:
        return {}
    return {
        "NPY_DISABLE_CPU_FEATURES": " ".join(have),
        "OPENBLAS_CORETYPE": "Haswell" if __cpu_features__.get("AVX512F") else "Nehalem",
        "XLA_FLAGS": f"--xla_cpu_max_isa={'AVX2' if __cpu_features__.get('AVX512F') else 'SSE4_2'}",
        "JAX_COMPILATION_CACHE_DIR": str(cache),
    }


def lay_out(house: Path, book: str) -> None:
    """Lay a copy of the project out in a folder: the files that are committed, as they are now."""
    house.mkdir(parents=True)
    if book == "toy":
        toy_house.lay_out(house)
        return
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        (house / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, house / name)


def make(work: Path, book: str, step: str, until: float) -> bool:
    """Make one of the books, all of them in one place; whether it was done in time."""
    house, kept = work / "house", work / step
    if kept.is_dir():
        return True
    begun = house / ".step"
    if not begun.is_file() or begun.read_text() != step:
        shutil.rmtree(house, ignore_errors=True)
        lay_out(house, book)
        if step == STEPS[2]:
            shutil.copytree(work / STEPS[0] / "runs", house / "runs")
        begun.write_text(step)
    more = fewer_instructions(work / "compiled") if step == STEPS[2] else {}
    command = [sys.executable, "-m", "metacog.cli", "book", "--profile", book]
    child = subprocess.Popen(command, cwd=house, env=toy_house.environment(house, **more))
    try:
        if child.wait(max(1.0, until - time.monotonic())):
            raise SystemExit(f"the book {step!r} in {house} failed: its last lines say why")
    except subprocess.TimeoutExpired:
        child.terminate()
        child.wait()
        return False
    house.rename(kept)
    return True


def compared(work: Path, book: str, step: str) -> list[dict[str, Any]]:
    """A row for each part of the book of a step, held against the first."""
    ours, theirs = work / STEPS[0], work / step
    done = subprocess.run(
        [sys.executable, "-c", COMPARE, str(theirs)],
        cwd=ours,
        env=toy_house.environment(ours),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return [row_of(part, ours, theirs) | {"book": book, "made": step} for part in json.loads(done.stdout)]


def row_of(part: dict[str, Any], ours: Path, theirs: Path) -> dict[str, Any]:
    """What is said of a part: files, how many of each level, the largest rounding, what differs, posteriors' errors."""
    found = part["found"]
    of = {
        name: [file for file, one in found.items() if one["level"] == n] for n, name in enumerate(LEVELS, 1)
    }
    tables = [file for file in of["different"] if file.endswith(".parquet")]
    shared = [file for file in tables if all((book / file).is_file() for book in (ours, theirs))]
    errors = [
        monte_carlo_errors(*(pd.read_parquet(book / file) for book in (ours, theirs))) for file in shared
    ]
    return {
        "part": part["name"],
        "files": part["files"],
        "same": part["files"] - len(found),
        **{name: len(files) for name, files in of.items()},
        "largest": max((found[file]["largest"] for file in of["rounded"]), default=0.0),
        "errors": max(filter(np.isfinite, errors), default=np.nan),
        "which": "; ".join(f"{file}: {found[file]['where']}" for file in of["different"][:20]).replace(
            f"in {theirs}", "in the other"
        ),
    }


def monte_carlo_errors(ours: pd.DataFrame, theirs: pd.DataFrame) -> float:
    """Largest difference of two tables of posteriors, in Monte Carlo errors of the difference; NaN for other tables."""
    names = [name for name in ours.columns if f"{name}_error" in ours.columns]
    if not names or len(ours) != len(theirs) or list(ours.columns) != list(theirs.columns):
        return np.nan
    error = np.hypot(*(table[[f"{name}_error" for name in names]].to_numpy() for table in (ours, theirs)))
    apart = np.abs(ours[names].to_numpy() - theirs[names].to_numpy())
    return float(np.nanmax(np.divide(apart, error, where=apart > 0, out=np.zeros_like(apart))))


def verdict(rows: pd.DataFrame) -> int:
    """1 if the second book differs from the first, or a posterior of the third is too far off."""
    again = rows[rows["made"] == STEPS[1]]
    return int(
        bool(again[["rounded", "different"]].to_numpy().any()) or bool((rows["errors"] > ERRORS).any())
    )


def main(arguments: list[str] | None = None) -> int:
    """Make what is lacking, compare, write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--book", default="smoke", choices=["smoke", "toy"])
    parser.add_argument("--work", type=Path, help="where the books are made [default: in the cache folder]")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    given = parser.parse_args(arguments)
    work, until = given.work or cache_dir() / "same_again" / given.book, time.monotonic() + 60 * given.minutes
    work.mkdir(parents=True, exist_ok=True)
    for step in STEPS:
        print(f"{given.book}, {step}", flush=True)
        if not make(work, given.book, step, until):
            print("time is up: the same command goes on", flush=True)
            return 0
    rows = pd.DataFrame([row for step in STEPS[1:] for row in compared(work, given.book, step)])
    rows = rows[["book", "made", *[name for name in rows.columns if name not in ("book", "made")]]]
    others = pd.read_csv(OUT).query("book != @given.book") if OUT.is_file() else rows[:0]
    pd.concat([others, rows]).to_csv(OUT, index=False, float_format="%.3g")
    facts = {
        "command": f"python benchmarks/same_again.py --book {given.book}",
        "processor": this_processor().name,
        "fewer": {k: v for k, v in fewer_instructions(work).items() if k != "JAX_COMPILATION_CACHE_DIR"},
        "cores": os.cpu_count(),
        "made_by": provenance(),
    }
    OUT.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    print(rows.drop(columns="which").to_string(index=False))
    if found := verdict(rows):
        print(f"not the same: the books are kept in {work}; delete them to begin again")
    else:
        shutil.rmtree(work)
    return found


if __name__ == "__main__":
    sys.exit(main())
