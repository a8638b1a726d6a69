"""What is read of others, given inputs that nobody means well: does anything but a short error come out?

Run: python benchmarks/fuzz.py                      (125,000 inputs a target: a million in all, some hours of a core)
     python benchmarks/fuzz.py --resume --minutes 60   (goes on where it stopped, for an hour)
     python benchmarks/fuzz.py --only tables,logs --inputs 2000
     python benchmarks/fuzz.py --plain              (without atheris: inputs changed by the script itself alone)
Inputs are small sound ones, made by code, and changed: by atheris, which keeps those that reach new branches of the
package, and by the script's own changes of bytes, cells and JSON values. atheris is no dependency: it is installed at a
pinned version, held to its checksum, into the cache folder, and where it cannot be had the script's own changes are
made alone. `gguf` always goes without: its reader is llama.cpp, whose branches atheris does not see.
A breach is an exception that is no short error, more than 2 seconds of the processor, memory of more than 1 GiB, or a
file outside its folder. Writes data/simulations/fuzz.csv and a .json (command, seed, versions) next to it
after each part of 5,000, and each breach's input to --found.
Status 1 where there is a breach.
"""

from __future__ import annotations

import argparse
import base64
import csv
import json
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fuzzing.corpus import CORPUS
from fuzzing.mutating import mutated

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "data" / "simulations" / "fuzz.csv"
SEED = 20261126
#: Inputs of each target: a million in all.
INPUTS = 125_000
#: Inputs between two writings of the table, each in a process of its own.
CHUNK = 5_000
ATHERIS = "atheris==3.0.0"
#: SHA-256 of its wheels for Linux on x86-64.
HASHES = {"cp311": "8a5c8a781467c187da40fd29139784193e2647058831f837f675d0bb8cbd8746"}
#: Rooms that read what others wrote, whose branches are looked for.
READ = ["metacog.core", "metacog.collect", "metacog.engines", "metacog.imports", "metacog.trials"]
#: Targets without branches of Python to be found.
UNGUIDED = ("gguf",)


# --- in a process of its own


def inside(target: str, inputs: int, seed: str, guided: bool, folder: Path) -> None:
    """Give a target its inputs; each new breach is a line of ``breaches.jsonl``, the count in ``count``."""
    if guided:
        import atheris

        with atheris.instrument_imports(include=READ, enable_loader_override=False):
            from fuzzing.targets import TARGETS
    else:
        from fuzzing.targets import TARGETS
    from fuzzing.judging import confirmed, limit_memory

    read, seeds, known, chance = TARGETS[target], CORPUS[target](), set(), random.Random(seed)
    for data in seeds:  # what is loaded once counts for no input
        confirmed(target, read, data)
    limit_memory()

    def one(data: bytes) -> None:
        (folder / "last").write_bytes(data)
        found = confirmed(target, read, data)
        if found is not None and found.name not in known:
            known.add(found.name)
            told = {"name": found.name, "what": found.what, "data": base64.b64encode(data).decode()}
            with open(folder / "breaches.jsonl", "a", encoding="utf-8") as handle:
                handle.write(json.dumps(told) + "\n")

    if not guided:
        for n in range(inputs):
            one(mutated(chance.choice(seeds), chance))
            (folder / "count").write_text(str(n + 1))
        return

    def change(data: bytes, most: int, number: int) -> bytes:
        drawn = random.Random(number)
        return atheris.Mutate(data, most) if drawn.random() < 0.3 else mutated(data, drawn, most)

    (folder / "corpus").mkdir(exist_ok=True)
    for i, data in enumerate(seeds):
        (folder / "corpus" / f"seed-{i:03d}").write_bytes(data)
    options = [f"-runs={inputs}", f"-seed={chance.randrange(1, 2**31)}", "-max_len=65536", "-timeout=60"]
    options += ["-rss_limit_mb=0", f"-artifact_prefix={folder}/", str(folder / "corpus")]
    atheris.Setup([sys.argv[0], *options], one, custom_mutator=change)
    atheris.Fuzz()


# --- here


def installed(folder: Path) -> str:
    """Where atheris is, installed if need be; empty where it cannot be had."""
    place = folder / f"{ATHERIS.replace('==', '-')}-cp{sys.version_info.major}{sys.version_info.minor}"
    if (place / "atheris").is_dir():
        return str(place)
    checksum = HASHES.get(f"cp{sys.version_info.major}{sys.version_info.minor}")
    if checksum is None or platform.machine() != "x86_64" or sys.platform != "linux":
        return ""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
        wanted.write(f"{ATHERIS} --hash=sha256:{checksum}\n")
        wanted.flush()
        pip = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--require-hashes",
            "--target",
            str(place),
        ]
        done = subprocess.run([*pip, "-r", wanted.name], capture_output=True, text=True)
    if done.returncode:
        print(f"atheris cannot be had, so it goes without: {done.stderr.strip().splitlines()[-1:]}")
    return str(place) if not done.returncode else ""


def part(target: str, inputs: int, seed: str, atheris: str) -> dict[str, Any]:
    """Some inputs of one target in a process of its own, and what they found."""
    guided = bool(atheris) and target not in UNGUIDED
    begun, breaches = time.perf_counter(), []
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # a disk makes folders ten times slower
    with tempfile.TemporaryDirectory(dir=memory) as place:
        folder = Path(place)
        path = os.pathsep.join(
            [*([atheris] if guided else []), os.environ.get("PYTHONPATH", str(ROOT / "src"))]
        )
        words = [sys.executable, __file__, "--inside", target, "--inputs", str(inputs), "--seed", seed]
        words += ["--folder", place, *([] if guided else ["--plain"])]
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "TMPDIR": place},
        )
        if (folder / "breaches.jsonl").is_file():
            breaches = [json.loads(line) for line in (folder / "breaches.jsonl").read_text().splitlines()]
        told = re.findall(r"cov: (\d+)", done.stderr)
        made = re.findall(r"^#(\d+)\s", done.stderr, re.M)
        count = (
            int(made[-1])
            if made
            else int((folder / "count").read_text() if (folder / "count").is_file() else 0)
        )
        if done.returncode:
            last = (folder / "last").read_bytes() if (folder / "last").is_file() else b""
            why = (done.stderr.strip().splitlines() or [""])[-1][:200]
            name = f"{target}: death with status {done.returncode}"
            breaches.append({"name": name, "what": why, "data": base64.b64encode(last).decode()})
    return {
        "inputs": count,
        "seconds": round(time.perf_counter() - begun, 1),
        "branches_of_seeds": int(told[0]) if told else None,
        "branches": int(told[-1]) if told else None,
        "changed_by": ATHERIS.replace("==", " ") if guided else "the script",
        "breaches": breaches,
    }


def together(before: dict[str, Any] | None, new: dict[str, Any]) -> dict[str, Any]:
    """A target's row with one more part; a breach is counted once by its name."""
    if before is None:
        return {**new, "breaches": sorted({b["name"] for b in new["breaches"]})}
    branches = [b for b in (before["branches"], new["branches"]) if b is not None]
    return {
        **before,
        "inputs": before["inputs"] + new["inputs"],
        "seconds": round(before["seconds"] + new["seconds"], 1),
        "branches": max(branches, default=None),
        "breaches": sorted({*before["breaches"], *(b["name"] for b in new["breaches"])}),
    }


def main() -> int:
    """Run what is lacking, target by target, a part at a time."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=INPUTS, help="of each target")
    parser.add_argument("--only", default=",".join(CORPUS))
    parser.add_argument("--seed", default=str(SEED))
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--found", type=Path, help="folder for the inputs of breaches")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inside:
        inside(given.inside, given.inputs, given.seed, not given.plain, given.folder)
        return 0
    from fuzzing.found import FOUND

    from metacog.core.paths import cache_dir

    begun, found = time.monotonic(), Counter[str]()
    atheris = "" if given.plain else installed(cache_dir() / "tools")
    kept = read(given.out) if given.out.is_file() else {}
    rows = {name: row for name, row in kept.items() if given.resume or name not in given.only.split(",")}
    for target in given.only.split(","):
        while (done := rows.get(target, {"inputs": 0})["inputs"]) < given.inputs:
            if time.monotonic() - begun > 60 * given.minutes:
                print(
                    f"{given.minutes:g} minutes are over: --resume goes on with {target}, of which {done:,} are done"
                )
                break
            size = min(CHUNK, given.inputs - done)
            new = part(target, size, f"{given.seed}:{target}:{done}", atheris)
            for breach in new["breaches"]:
                found[breach["name"]] += 1
                print(f"BREACH {breach['name']}: {breach['what']}")
                if given.found:
                    given.found.mkdir(parents=True, exist_ok=True)
                    name = re.sub(r"[^a-z0-9]+", "-", breach["name"].lower())
                    (given.found / f"{name}.bin").write_bytes(base64.b64decode(breach["data"]))
            rows[target] = together(rows.get(target), new) | {"mended": len(FOUND.get(target, {}))}
            write(given.out, rows, given)
            if not new["inputs"]:
                break
    for name in CORPUS:
        if name in rows:
            print(
                f"{name:14s} "
                + ", ".join(f"{key} {value}" for key, value in rows[name].items() if key != "breaches")
            )
    return 1 if found else 0


def read(out: Path) -> dict[str, dict[str, Any]]:
    """Rows of the table by target, as :func:`write` had them."""
    with open(out, encoding="utf-8", newline="") as handle:
        rows = {row.pop("target"): row for row in csv.DictReader(handle)}
    for row in rows.values():
        row["breaches"] = [name for name in row["breaches"].split("; ") if name]
        row["seconds"] = float(row["seconds"])
        for name in ("inputs", "branches_of_seeds", "branches", "mended"):
            row[name] = int(row[name]) if row[name] else None
    return rows


def write(out: Path, rows: dict[str, dict[str, Any]], given: argparse.Namespace) -> None:
    """The table, in the order of the targets, and how it was made."""
    from metacog.core.files import replacing

    with replacing(out, newline="") as handle:
        names = ["target", *next(iter(rows.values()))]
        table = csv.DictWriter(handle, names, lineterminator="\n")
        table.writeheader()
        for target in (name for name in CORPUS if name in rows):
            table.writerow(
                {"target": target, **rows[target], "breaches": "; ".join(rows[target]["breaches"])}
            )
    packages = ("pandas", "pyarrow", "PyYAML", "httpx", "llama-cpp-python")
    facts = {
        "command": f"python benchmarks/fuzz.py --resume --inputs {given.inputs}",
        "seed": given.seed,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in packages}},
    }
    with replacing(out.with_suffix(".json")) as handle:
        handle.write(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
