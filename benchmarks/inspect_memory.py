"""Peak memory of importing large Inspect logs.

Run: python benchmarks/inspect_memory.py                    (100,000 samples a log; some ten minutes of one processor)
     python benchmarks/inspect_memory.py --layouts json     (one layout again; the others' figures are kept)
     python benchmarks/inspect_memory.py --samples 500 --out /tmp/x.json
Writes logs in three layouts: `.eval` with one member per sample, `.eval` with a folder per sample, and `.json`. Each
sample has token log-probabilities, messages and events, about 4 kB in all. Each log is imported by
`metacog import-trials`, report included, in a process of its own. Ten times a second the resident memory of that
process and of all that descend from it (the report's kernel) is added up; pages that they share count for each.
Writes data/benchmarks/inspect_memory.json (command, versions, machine). Status 1 where an import takes 1 GB or more,
or loses a sample. Linux only.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from metacog.install.processor import this_processor

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "data" / "benchmarks" / "inspect_memory.json"
SAMPLES, SEED, LIMIT = 100_000, 42, 1_000_000_000
LAYOUTS = ("members", "folders", "json")
N_TOKENS = 12
HEADER = {
    "version": 2,
    "status": "success",
    "eval": {"task": "quiz", "model": "mock/model", "created": "2026-01-01T00:00:00+00:00"},
    "plan": {"name": "plan", "config": {"temperature": 0.7}},
}


def samples(n: int) -> Iterator[dict[str, Any]]:
    """Samples whose log-probabilities know a little of being right; every tenth is invalidated."""
    rng = random.Random(SEED)
    filler = "Some instructions that every sample repeats, as prompts and transcripts do. " * 8
    for i in range(n):
        ease = rng.gauss(0, 1)
        tokens = [
            {"token": " word", "logprob": -rng.expovariate(2.0 + ease if ease > -1 else 1.0), "bytes": None}
            for _ in range(N_TOKENS)
        ]
        question, answer = f"{filler} Question {i}?", "word " * N_TOKENS
        turns = [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
        yield {
            "id": f"topic {i % 40}/{i}",
            "epoch": 1,
            "input": question,
            "target": "word",
            "messages": turns,
            "metadata": {"source": "made up"},
            "output": {
                "model": "mock/model",
                "choices": [{"message": turns[1], "stop_reason": "stop", "logprobs": {"content": tokens}}],
            },
            "scores": {"match": {"value": "C" if rng.random() < 1 / (1 + 2.718281828**-ease) else "I"}},
            "events": [{"event": "model", "input": turns, "output": {"completion": answer}}],
            "attachments": {},
            **({"invalidation": {"author": "x", "reason": "y"}} if i % 10 == 9 else {}),
        }


def write_log(path: Path, layout: str, n: int) -> int:
    """Write a log; the bytes that it holds when it is unpacked."""
    size = 0
    if layout == "json":
        with path.open("w", encoding="utf-8") as handle:
            handle.write(json.dumps(HEADER)[:-1] + ', "samples": [')
            for i, sample in enumerate(samples(n)):
                handle.write((",\n" if i else "\n") + json.dumps(sample, indent=1))
            handle.write("]}")
        return path.stat().st_size
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for sample in samples(n):
            for name, content in members(sample, layout):
                text = json.dumps(content)
                size += len(text)
                archive.writestr(name, text)
        archive.writestr("header.json", json.dumps({**HEADER, "version": 3 if layout == "folders" else 2}))
    return size


def members(sample: dict[str, Any], layout: str) -> Iterator[tuple[str, Any]]:
    """Files of one sample."""
    place = f"samples/{sample['id']}_epoch_{sample['epoch']}"
    if layout == "members":
        yield f"{place}.json", sample
        return
    apart = ("messages", "events", "attachments", "metadata")
    yield f"{place}/sample.json", {k: v for k, v in sample.items() if k not in apart}
    yield f"{place}/metadata.json", sample["metadata"]
    yield f"{place}/messages/0.json", sample["messages"]
    yield f"{place}/events/0.json", sample["events"]


def resident(pid: int) -> list[int]:
    """Resident bytes of a process and of each that descends from it."""
    found = []
    try:
        for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmRSS:"):
                found.append(1024 * int(line.split()[1]))
        tasks = Path(f"/proc/{pid}/task").glob("*/children")
        children = [child for task in tasks for child in task.read_text(encoding="utf-8").split()]
    except OSError:  # it has just ended
        return found
    return found + [size for child in children for size in resident(int(child))]


def import_log(path: Path, out: Path) -> dict[str, Any]:
    """Import a log and watch its memory."""
    command = [sys.executable, "-m", "metacog.cli", "import-trials", str(path), "--out", str(out)]
    started, together, alone = time.perf_counter(), 0, 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        while running.poll() is None:
            sizes = resident(running.pid) or [0]
            together, alone = max(together, sum(sizes)), max(alone, *sizes)
            time.sleep(0.1)
        said = running.stdout.read() if running.stdout else ""
    if running.returncode:
        raise SystemExit(f"the import of {path.name} failed:\n{said}")
    facts = json.loads((out / "import.json").read_text(encoding="utf-8"))["validation"]
    return {
        "seconds": round(time.perf_counter() - started, 1),
        "peak_bytes": together,
        "peak_bytes_of_one_process": alone,
        "read": facts["n_read"],
        "used": facts["n_used"],
        "invalidated": facts["dropped"].get("the sample was invalidated", 0),
    }


def main() -> int:
    """Write, import and weigh each layout."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--layouts", nargs="+", choices=LAYOUTS, default=LAYOUTS)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    made: dict[str, Any] = {}
    if arguments.out.is_file():
        kept = json.loads(arguments.out.read_text(encoding="utf-8"))
        made = kept["layouts"] if kept["samples"] == arguments.samples else {}
    with tempfile.TemporaryDirectory() as folder:
        for layout in arguments.layouts:
            path = Path(folder) / f"{layout}.{'json' if layout == 'json' else 'eval'}"
            unpacked = write_log(path, layout, arguments.samples)
            made[layout] = {
                "file_bytes": path.stat().st_size,
                "unpacked_bytes": unpacked,
                **import_log(path, Path(folder) / layout),
            }
            path.unlink()
            print(layout, made[layout], flush=True)
    result = {
        "command": f"python benchmarks/inspect_memory.py --samples {arguments.samples}",
        "samples": arguments.samples,
        "limit_bytes": LIMIT,
        "layouts": made,
        "machine": {"processor": this_processor().name, "system": platform.platform()},
        "versions": {
            "python": platform.python_version(),
            **{p: version(p) for p in ("numpy", "pandas", "pyarrow")},
        },
    }
    arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    n, invalidated = arguments.samples, arguments.samples // 10
    sound = all(
        m["peak_bytes"] < LIMIT
        and (m["read"], m["used"], m["invalidated"]) == (n, n - invalidated, invalidated)
        for m in made.values()
    )
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
