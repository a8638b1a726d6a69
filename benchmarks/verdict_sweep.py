"""How often each verdict is supported where that would be wrong, over all studies.

Run: python benchmarks/verdict_sweep.py                    (about an hour on two free cores)
     python benchmarks/verdict_sweep.py --only "probe"     (one family again; the rest stays as it stands)
     python benchmarks/verdict_sweep.py --resume           (what is not there yet)
     python benchmarks/verdict_sweep.py --quick            (to see that it works; writes nothing)
Writes data/simulations/verdict_sweep.csv and .json, after each family and world.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from zlib import crc32

import numpy as np
import pandas as pd
from sweep.families import FAMILIES, Family, tallied
from sweep.nulls import must_not_pass, null_of
from sweep.outcomes import Key

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "verdict_sweep.csv"
SEED = 20260412
LEVEL = 0.05
#: Runs of a world that is nobody's null are fewer by this.
FEWER = 66
KEYS = ["study", "analysis", "hypothesis", "kind", "topic", "rule", "level"]


def bound(runs: float) -> float:
    """The largest share of supported that a true null allows: the level and two Monte-Carlo errors."""
    return float(LEVEL + 2 * np.sqrt(LEVEL * (1 - LEVEL) / runs))


def row_of(family: Family, world: str, key: Key, counts: Counter, runs: int) -> dict[str, object]:
    """One row of the table: ``supported``, ``refuted`` and ``undecided`` are shares of what was judged."""
    total, null = sum(counts.values()), null_of(key)
    return {
        "family": family.name,
        "world": world,
        **{k: getattr(key, k) for k in KEYS},
        "runs": runs,
        "judged": total,
        "supported": counts[True] / total,
        "refuted": counts[False] / total,
        "undecided": counts[None] / total,
        "is_null": bool(null and world in null.worlds),
        "one_unjudged": must_not_pass(key, world),
        "no_null": null.reason if null else "",
    }


def seeds_of(family: Family, world: str, runs: int) -> list[int]:
    """Seeds of the runs; the same for the same family and world."""
    root = np.random.SeedSequence([SEED, crc32(f"{family.name} {world}".encode())])
    return [int(s) for s in root.generate_state(runs)]


def runs_of(family: Family, world: str, runs: int) -> int:
    """How often a world is drawn: less where it is nobody's null, a tenth as often near 0 and 1."""
    if world not in family.full:
        return min(runs, max(3, runs // FEWER))
    return min(runs, max(20, runs // 10) if "accuracy" in world else runs)


def work(family: Family, world: str, runs: int, n_resamples: int) -> list[dict[str, object]]:
    """Rows of one family in one world."""
    warnings.filterwarnings("ignore")
    together, n = tallied(family, world, seeds_of(family, world, runs), n_resamples)
    return [row_of(family, world, key, counts, n) for key, counts in sorted(together.items(), key=str)]


def write(rows: pd.DataFrame, out: Path, command: str) -> None:
    """The table and how it was made."""
    rows = rows.sort_values(["family", "world", *KEYS], kind="stable").reset_index(drop=True)
    rows.to_csv(out, index=False, float_format="%.4f")
    facts = {
        "command": command,
        "seed": f"{SEED}, family and world",
        "rows": "shares of outcomes of one verdict in one world; level unit: of the models, pairs or cells "
        "that the verdict's rule was applied to",
        "versions": {p: version(p) for p in ("jax", "numpy", "pandas", "scipy")},
    }
    out.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def faults(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows that break the bound, pass with a unit unjudged, or stopped."""
    over = rows["is_null"] & (rows["supported"] > rows["runs"].map(bound))
    return rows[over | (rows["one_unjudged"] & (rows["supported"] > 0)) | (rows["kind"] == "stopped")]


def main() -> None:
    """Run every family in every world and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--resamples", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", action="append", choices=[f.name for f in FAMILIES], default=[])
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    if asked.quick:
        asked.runs, asked.resamples = 1, 60
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    rows = pd.read_csv(asked.out, keep_default_na=False) if asked.out.is_file() else pd.DataFrame()
    parts = [(f, w) for f in FAMILIES if not asked.only or f.name in asked.only for w in f.worlds]
    if asked.resume and len(rows):
        have = set(zip(rows["family"], rows["world"], strict=True))
        parts = [(f, w) for f, w in parts if (f.name, w) not in have]
    command = f"python benchmarks/verdict_sweep.py --runs {asked.runs} --resamples {asked.resamples}"
    started = time.perf_counter()
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        jobs = {
            pool.submit(work, f, w, runs_of(f, w, asked.runs), asked.resamples): (f.name, w) for f, w in parts
        }
        for job in as_completed(jobs):
            name, world = jobs[job]
            new = pd.DataFrame(job.result())
            if len(rows):
                rows = rows[~((rows["family"] == name) & (rows["world"] == world))]
            rows = pd.concat([rows, new], ignore_index=True)
            if not asked.quick:
                write(rows, asked.out, command)
            print(f"{time.perf_counter() - started:6.0f} s  {name}, {world}", flush=True)
            for r in faults(new).to_dict("records"):
                print(
                    f"         {r['analysis']}: {r['hypothesis']} ({r['level']}), {r['rule'][:80]}: "
                    f"{r['supported']:.3f}"
                )


if __name__ == "__main__":
    main()
