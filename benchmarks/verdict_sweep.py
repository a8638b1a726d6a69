"""How often each verdict is supported where that would be wrong, over all studies.

Run: python benchmarks/verdict_sweep.py --resume           (what is lacking or was made under another design)
     python benchmarks/verdict_sweep.py                    (all anew: about seven hours of a core)
     python benchmarks/verdict_sweep.py --only "probe"     (one family; the rest stays as it stands)
     python benchmarks/verdict_sweep.py --list             (what is lacking; runs nothing)
     python benchmarks/verdict_sweep.py --front            (level and power of the rules that readers meet first)
     python benchmarks/verdict_sweep.py --prune            (drops rows of rules by which nothing is judged any more)
     python benchmarks/verdict_sweep.py --quick            (to see that it works; writes nothing)
Writes data/simulations/verdict_sweep.csv and .json after every few runs of a family and world, which it takes up again
with --resume, and stops after --minutes. The .json names what is lacking.
"""

from __future__ import annotations

import argparse
import json
import os
import time
import warnings
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import cache
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from zlib import crc32

import numpy as np
import pandas as pd
from sweep.families import FAMILIES, Family, design_of, tallied
from sweep.nulls import FRONT, is_null, must_not_pass, null_of
from sweep.outcomes import Key

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "verdict_sweep.csv"
SEED = 20260412
LEVEL = 0.05
RUNS, RESAMPLES = 200, 100
#: Runs of a world in which a rule of the front page or an overview is wrong.
FRONT_RUNS = 1_000
#: Runs of a world that is nobody's null are fewer by this.
FEWER = 66
#: Runs of a world between two writings of the table.
CHUNK = 20
KEYS = ["study", "analysis", "hypothesis", "kind", "topic", "rule", "level"]
PART = ["family", "world"]
#: What is added up over runs.
SUMS = ["runs", "judged", "n_supported", "n_refuted", "could"]


def allowed(row: pd.Series) -> float:
    """The largest share of supported that a true null allows: the level and two Monte-Carlo errors.

    A rule that counts models by intervals of their own (``uncorrected`` models in which nothing is) is passed by any
    of these, each with half the level.
    """
    level = 1 - (1 - LEVEL / 2) ** row["uncorrected"] if row["uncorrected"] else LEVEL
    return float(level + 2 * np.sqrt(level * (1 - level) / row["runs"]))


def rows_of(family: Family, world: str, together: dict[Key, Counter], runs: int, design: str) -> pd.DataFrame:
    """Rows of the table, with counts in place of shares (:data:`SUMS`); ``could`` pass."""
    found = []
    for key, counts in sorted(together.items(), key=str):
        null = null_of(key)
        units = together.get(Key(**{**vars(key), "level": "unit"}), Counter())
        own = bool(null and null.uncorrected and world == null.edge and key.level == "verdict")
        found.append(
            {
                "family": family.name,
                "world": world,
                "design": design,
                **{k: getattr(key, k) for k in KEYS},
                "runs": runs,
                "judged": _all(counts),
                "n_supported": counts[True],
                "n_refuted": counts[False],
                "could": counts["could"],
                "uncorrected": round(_all(units) / _all(counts)) if own else 0,
                "is_null": is_null(key, world),
                "one_unjudged": must_not_pass(key, world),
                "no_null": null.reason if null else "",
            }
        )
    return pd.DataFrame(found)


def _all(counts: Counter) -> int:
    return counts[True] + counts[False] + counts[None]


def seeds_of(family: Family, world: str, runs: int) -> list[int]:
    """Seeds of the runs; the same for the same family and world, and the first of more."""
    root = np.random.SeedSequence([SEED, crc32(f"{family.name} {world}".encode())])
    return [int(s) for s in root.generate_state(runs)]


def runs_of(family: Family, world: str, runs: int) -> int:
    """How often a world is drawn: less where it is nobody's null, a tenth near accuracies of 0 and 1.

    Five times as often where a rule that readers meet first is wrong, and as often as nulls where one is right.
    """
    part = (family.name, world)
    if part in {(of, wrong) for of, *_, wrong, _ in FRONT}:
        return runs * FRONT_RUNS // RUNS
    if part in {(of, right) for of, *_, right in FRONT} or world in family.edges:
        return runs
    if world not in family.full:
        return min(runs, max(3, runs // FEWER))
    return min(runs, max(20, runs // 10) if "accuracy" in world else runs)


@cache
def design(family: Family, world: str, n_resamples: int = RESAMPLES) -> str:
    """Digest of what a row of a family and world is made with."""
    return design_of(family, world, seeds_of(family, world, 1)[0], n_resamples)


def lacking(rows: pd.DataFrame, runs: int = RUNS) -> dict[tuple[str, str], int]:
    """Runs that the table has of each family and world that is to be run: 0 if made under another design."""
    left = {}
    for family in FAMILIES:
        for world in family.worlds:
            mine = rows[(rows["family"] == family.name) & (rows["world"] == world)]
            sound = len(mine) and (mine["design"] == design(family, world)).all()
            have = int(mine["runs"].iloc[0]) if sound else 0
            if have < runs_of(family, world, runs):
                left[family.name, world] = have
    return left


def work(family: Family, world: str, seeds: list[int], n_resamples: int) -> pd.DataFrame:
    """Rows of one family in some runs of one world."""
    warnings.filterwarnings("ignore")
    together, n = tallied(family, world, seeds, n_resamples)
    return rows_of(family, world, together, n, design(family, world, n_resamples))


def added(rows: pd.DataFrame, new: pd.DataFrame, have: int) -> pd.DataFrame:
    """A table with further runs of a family and world, of which it keeps those that it has if there are any."""
    own = (rows[PART] == new[PART].iloc[0]).all(axis=1) if len(rows) else pd.Series(dtype=bool)
    both = pd.concat([rows[own], new], ignore_index=True) if have else new
    sums = both.groupby(KEYS, sort=False)[SUMS].sum()
    last = both.drop_duplicates(KEYS, keep="last").drop(columns=SUMS)
    mine = last.merge(sums, left_on=KEYS, right_index=True).assign(runs=have + int(new["runs"].iloc[0]))
    return pd.concat([rows[~own], mine[new.columns]], ignore_index=True) if len(rows) else mine[new.columns]


def with_shares(rows: pd.DataFrame) -> pd.DataFrame:
    """With ``supported``, ``refuted`` and ``undecided``: shares of what was judged."""
    yes, no = rows["n_supported"] / rows["judged"], rows["n_refuted"] / rows["judged"]
    return rows.assign(supported=yes, refuted=no, undecided=1 - yes - no)


def read(path: Path = OUT) -> pd.DataFrame:
    """The table as it stands."""
    return with_shares(pd.read_csv(path, keep_default_na=False, dtype={"design": str}))


def write(rows: pd.DataFrame, out: Path, command: str) -> None:
    """The table, how it was made, and what is lacking."""
    rows = rows.sort_values([*PART, *KEYS], kind="stable").reset_index(drop=True)
    rows.drop(columns=["supported", "refuted", "undecided"], errors="ignore").to_csv(out, index=False)
    front(rows).to_csv(out.with_name("verdict_front.csv"), index=False, float_format="%.4f")
    facts = {
        "command": command,
        "seed": f"{SEED}, family and world",
        "rows": "counts of outcomes of one verdict in one world; level unit: of the models, pairs or cells that the "
        "verdict's rule was applied to, at an edge of those in which nothing is; level family: runs in which any of "
        "these was called so; could: outcomes that could have been supported, had these units held; -1: not noted",
        "lacking": {f"{f}, {w}": f"{n} runs so far" for (f, w), n in lacking(rows).items()},
        "versions": {p: version(p) for p in ("jax", "numpy", "pandas", "scipy")},
    }
    out.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def faults(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows that break the bound, pass with a unit unjudged, or stopped."""
    over = rows["is_null"] & (rows["supported"] > rows.apply(allowed, axis=1))
    return rows[over | (rows["one_unjudged"] & (rows["supported"] > 0)) | (rows["kind"] == "stopped")]


def front(rows: pd.DataFrame) -> pd.DataFrame:
    """Level and power of the rules that readers meet first: shares of *supported* where it is wrong and right."""
    found = []
    for family, analysis, hypothesis, rule, *where in FRONT:
        mine = rows[
            (
                rows[["family", "analysis", "hypothesis", "level"]]
                == [family, analysis, hypothesis, "verdict"]
            ).all(axis=1)
            & rows["rule"].str.startswith(rule)
            & (rows["kind"] != "published values and ours")
        ]
        row: dict = {"analysis": analysis, "hypothesis": hypothesis, "rule": rule}
        for name, world in zip(("wrong", "right"), where, strict=True):
            there = mine[mine["world"] == world]
            row |= {f"{name}_in": world, f"{name}_runs": int(there["runs"].sum())}
            row[f"{name}_supported"] = (
                there["n_supported"].sum() / there["judged"].sum() if len(there) else np.nan
            )
            if name == "right":
                row["right_refuted"] = (
                    there["n_refuted"].sum() / there["judged"].sum() if len(there) else np.nan
                )
            if len(there) > 1:
                raise ValueError(f"{rule!r} begins {len(there)} rules of {analysis}")
        found.append(row)
    return pd.DataFrame(found)


def of_today(rows: pd.DataFrame, family: Family) -> pd.Series:
    """Which rows of a family are of rules by which one run of today judges."""
    mine = rows["family"] == family.name
    world = "equal" if "equal" in family.worlds else family.worlds[0]
    found, _ = tallied(family, world, seeds_of(family, world, 1), 60)
    today = {(k.analysis, k.hypothesis, k.rule) for k in found}
    known = [key in today for key in zip(rows["analysis"], rows["hypothesis"], rows["rule"], strict=True)]
    return mine & (pd.Series(known, rows.index) | rows["kind"].isin(("words", "stopped")))


def pruned(rows: pd.DataFrame, families: list[Family]) -> pd.DataFrame:
    """Without families and worlds that are not run any more, and of some families without rules that are gone."""
    wanted = {(f.name, w) for f in FAMILIES for w in f.worlds}
    kept = pd.Series([part in wanted for part in zip(rows["family"], rows["world"], strict=True)], rows.index)
    for family in families:
        kept &= of_today(rows, family) | (rows["family"] != family.name)
    return rows[kept]


def main() -> None:
    """Run every family in every world and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--only", action="append", choices=[f.name for f in FAMILIES], default=[])
    parser.add_argument("--world", action="append", default=[])
    for flag in ("resume", "list", "quick", "front", "prune"):
        parser.add_argument(f"--{flag}", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    rows = read(asked.out) if asked.out.is_file() else pd.DataFrame(columns=[*PART, "runs", "design"])
    if asked.front:
        print(front(rows).to_string(index=False))
        return
    if asked.prune:
        families = [f for f in FAMILIES if not asked.only or f.name in asked.only]
        kept = pruned(rows, families)
        print(rows[~rows.index.isin(kept.index)][KEYS].drop_duplicates().to_string(index=False))
        write(kept, asked.out, "python benchmarks/verdict_sweep.py --resume")
        return
    runs = 1 if asked.quick else asked.runs
    wanted = {(f.name, w): f for f in FAMILIES for w in f.worlds}
    left = lacking(rows, runs) if asked.resume or asked.list else dict.fromkeys(wanted, 0)
    left = {
        (f, w): n
        for (f, w), n in left.items()
        if (not asked.only or f in asked.only) and (not asked.world or w in asked.world)
    }
    if asked.list:
        print("\n".join(f"{f}, {w}: {n} runs so far" for (f, w), n in left.items()) or "nothing is lacking")
        return
    size = f" --runs {asked.runs}" if asked.runs != RUNS else ""
    command = f"python benchmarks/verdict_sweep.py --resume{size}"
    started = time.perf_counter()
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        jobs: dict = {}
        while jobs or left:
            late = time.perf_counter() - started > 60 * asked.minutes
            # those with the fewest runs first, so that a stop leaves something of each
            for part in sorted(left, key=lambda p: left[p])[: 0 if late else asked.jobs - len(jobs)]:
                family, have = wanted[part], left.pop(part)
                until = min(have + CHUNK, runs_of(family, part[1], runs))
                seeds = seeds_of(family, part[1], until)[have:]
                n = 60 if asked.quick else RESAMPLES
                jobs[pool.submit(work, family, part[1], seeds, n)] = (part, have, until)
            if not jobs:
                print(f"stopped after {asked.minutes:g} minutes; --resume goes on")
                break
            for job in wait(jobs, return_when=FIRST_COMPLETED).done:
                part, have, until = jobs.pop(job)
                new = job.result()
                rows = with_shares(added(rows, new, have))
                if until < runs_of(wanted[part], part[1], runs):
                    left[part] = until
                if not asked.quick:
                    write(rows, asked.out, command)
                print(
                    f"{time.perf_counter() - started:6.0f} s  {part[0]}, {part[1]}: {until} runs", flush=True
                )
                mine = rows[(rows[PART] == list(part)).all(axis=1)]
                for r in faults(mine).to_dict("records"):
                    print(
                        f"         {r['analysis']}: {r['hypothesis']} ({r['level']}), {r['rule'][:80]}: "
                        f"{r['supported']:.3f}"
                    )


if __name__ == "__main__":
    main()
