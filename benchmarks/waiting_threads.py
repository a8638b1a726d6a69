"""Should llama.cpp's threads spin or sleep while they wait, and what does work beside them cost?

Run: python benchmarks/waiting_threads.py              (some ten minutes)
     python benchmarks/waiting_threads.py --quick      (few questions, to see that it works; writes nothing)

Open answers of study 1 are collected with `metacog collect` under three rules for threads that wait at the end of a
parallel region: the package's own (a spin of some microseconds, then sleep), spinning, and sleeping at once. Each rule
is tried alone and together with a program that computes without end on one core; the package's own also together with a
Snakemake that waits for one step while a hundred others are ready, as `metacog book` has it wait and as it does by
default. All take turns, in every round in another order. The seconds are those of asking, from the manifest, without
loading.
Writes data/benchmarks/waiting_threads.json, with the machine's load before each run and Snakemake's own processor time.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from metacog.core.machine import available_cores
from metacog.core.provenance import provenance
from metacog.install.processor import this_processor

OUT = Path(__file__).resolve().parents[1] / "data" / "benchmarks" / "waiting_threads.json"
MODEL, QUESTIONS, ROUNDS, SEED = "smollm2-135m", 82, 2, 42
WAITING = {
    "own": {},
    "spin": {"OMP_WAIT_POLICY": "active", "GOMP_SPINCOUNT": "infinite"},
    "sleep": {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "0"},
}
SNAKEMAKES = {"Snakemake": "10000/1m", "Snakemake, by default": "100/1s"}
BUSY = "while True: pass"
#: A step that outlasts every run, waited for as the book's steps are.
SNAKEFILE = """
rule all:
    input: "first", expand("{n}", n=range(100))
rule first:
    output: "first"
    priority: 1
    threads: workflow.cores
    shell: "sleep 3600"
rule others:
    output: "{n}"
    params: n=lambda w: w.n
    shell: "touch {output}"
"""


def seconds_of(process: subprocess.Popen[bytes]) -> float:
    """Processor seconds that a program has used, those of its threads with them (Linux)."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def working(what: str, folder: Path) -> Iterator[subprocess.Popen[bytes] | None]:
    """Another program, while this lasts."""
    if what == "nothing":
        yield None
        return
    if what in SNAKEMAKES:
        (folder / "Snakefile").write_text(textwrap.dedent(SNAKEFILE), encoding="utf-8")
        command = [sys.executable, "-m", "snakemake", "--snakefile", str(folder / "Snakefile")]
        command += ["--directory", str(folder), "--cores", str(available_cores()), "--nolock"]
        command += ["--max-jobs-per-timespan", SNAKEMAKES[what]]
    else:
        command = [sys.executable, "-c", BUSY]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        time.sleep(8 if what in SNAKEMAKES else 1)  # until it waits
        if process.poll() is not None:
            raise SystemExit(f"{what} ended before anything was measured")
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()


def collect(waiting: str, questions: int, runs: Path) -> float:
    """Seconds of asking."""
    command = [sys.executable, "-m", "metacog", "collect", "--profile", "default", "--study", "study1_qa"]
    command += [
        "--collection",
        "open",
        "--model",
        MODEL,
        "--limit",
        str(questions),
        "--runs",
        str(runs),
        "--quiet",
    ]
    environment = {k: v for k, v in os.environ.items() if k not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
    subprocess.run(command, env={**environment, **WAITING[waiting]}, stdout=subprocess.DEVNULL, check=True)
    manifests = [json.loads(p.read_text(encoding="utf-8")) for p in runs.rglob("manifest.json")]
    return sum(part["seconds"] for manifest in manifests for part in manifest["parts"].values())


def measure(questions: int, rounds: int) -> list[dict[str, Any]]:
    """Every rule alone and with a busy program, the package's own with Snakemakes too, in turn."""
    pairs = [(waiting, beside) for waiting in WAITING for beside in ("nothing", "a busy program")]
    pairs += [("own", beside) for beside in SNAKEMAKES]
    rows: dict[tuple[str, str], dict[str, Any]] = {
        (w, b): {"waiting": w, "beside": b, "seconds": [], "load": [], "share_of_a_core": []}
        for w, b in pairs
    }
    order = random.Random(SEED)
    for _ in range(rounds):
        for waiting, beside in order.sample(pairs, len(pairs)):
            row = rows[waiting, beside]
            row["load"].append(round(os.getloadavg()[0], 1))
            with tempfile.TemporaryDirectory() as folder, working(beside, Path(folder)) as other:
                begun, before = time.perf_counter(), seconds_of(other) if other else 0.0
                row["seconds"].append(round(collect(waiting, questions, Path(folder) / "runs"), 2))
                if other:
                    spent = seconds_of(other) - before
                    row["share_of_a_core"].append(round(spent / (time.perf_counter() - begun), 3))
            print(waiting, "beside", beside, row["seconds"][-1], row["share_of_a_core"][-1:], flush=True)
    for row in rows.values():
        row["median"] = statistics.median(row["seconds"])
    return list(rows.values())


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    rows = measure(*((8, 1) if args.quick else (QUESTIONS, ROUNDS)))
    for row in rows:
        print(f"{row['waiting']:6s} beside {row['beside']:22s} {row['median']:8.2f} s")
    if args.quick:
        return
    facts = {
        "command": "python benchmarks/waiting_threads.py",
        "model": MODEL,
        "questions": QUESTIONS,
        "machine": {"processor": this_processor().name, "cores": available_cores()},
        "rows": rows,
        **provenance(),
    }
    OUT.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
