"""Seconds and memory of the pages on 83 models, and of importing the same rows, by the number of rows.

Run: python benchmarks/million_rows.py                    (some ten minutes of two processors)
     python benchmarks/million_rows.py --items 120 --out /tmp/x.json
The rows of data/mmlu_pro of the first 120, the first 1,204 and all 12,032 questions: about 10,000, 100,000 and 998,656
rows. Each analysis of study 7 is computed with its usual parameters, and `metacog import-trials` reads the rows as a
table with stated confidence and answers, each in a process of its own. Ten times a second the resident memory of that
process and of all that descend from it is added up. Adds its rows to data/benchmarks/million_rows.json, with the
machine and its load. Status 1 where the pages of all rows together take more than 180 s of the clock or one of them
4 GiB, the import more than 240 s, or where the time of either grows faster than rows times their logarithm. Linux only.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import itertools
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from inspect_memory import resident

from metacog.install.processor import this_processor
from metacog.sdt import InputError
from metacog.studies.study7_mmlu_pro import rows

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "data" / "benchmarks" / "million_rows.json"
ITEMS = (120, 1204, 12032)
IMPORT = "import-trials"
ANALYSES = ("reading", "replication", "second_opinions", "thinking", "tone")
MOST_SECONDS, MOST_IMPORT, MOST_BYTES = 180.0, 240.0, 4 * 2**30


def cut(n: int) -> rows.Rows:
    """All models on the first items."""
    whole = rows.load()
    return dataclasses.replace(
        whole,
        items=whole.items.iloc[:n],
        answer=whole.answer[:, :n],
        key=whole.key[:n],
        signals={name: values[:, :n] for name, values in whole.signals.items()},
        n_tokens=whole.n_tokens[:, :n],
    )


def compute(name: str, n: int) -> None:
    """One analysis, in this process; what is too small for it is refused, which is measured as well."""
    from metacog.studies.study6_frontier.effects import effects as atlas
    from metacog.studies.study7_mmlu_pro import STUDY

    inputs = SimpleNamespace(across=lambda: {"": atlas(None)})
    own = {"n_items": n} if name == "replication" else {}
    STUDY.analysis(name)(inputs, rows=cut(n), **own)


def write_table(n: int, path: Path) -> None:
    """The rows as a table that anybody could have: question, model, answer, right, stated."""
    items = cut(n).model_items()
    import numpy as np
    import pandas as pd

    model, item = np.nonzero(items.answered)
    assert items.answer is not None
    pd.DataFrame(
        {
            "model": np.array(items.models)[model],
            "question": np.array(items.items)[item],
            "answer": np.array(items.answers)[items.answer[model, item]],
            "right": items.right[model, item].astype(int),
            "sure": items.confidence[model, item],
        }
    ).to_parquet(path)


def watched(command: list[str]) -> dict[str, float]:
    """Seconds by the clock and by the processor, and most bytes, of a program and what it starts."""
    began, most, spent = time.perf_counter(), 0, os.times()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        while running.poll() is None:
            most = max(most, sum(resident(running.pid)))
            time.sleep(0.1)
        said = running.stdout.read() if running.stdout else ""
    if running.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{said}")
    after = os.times()
    own = after.children_user + after.children_system - spent.children_user - spent.children_system
    return {"seconds": round(time.perf_counter() - began, 1), "processor": round(own, 1), "peak_bytes": most}


def measured(n: int, folder: Path) -> list[dict[str, Any]]:
    """A row for each analysis, and for the import."""
    table = folder / f"{n}.parquet"
    write_table(n, table)
    columns = ["--correct", "right", "--confidence", "sure", "--model", "model", "--question-id", "question"]
    imported = [sys.executable, "-m", "metacog", IMPORT, str(table), *columns, "--answer", "answer"]
    commands = {
        **{name: [sys.executable, __file__, "--one", name, "--items", str(n)] for name in ANALYSES},
        IMPORT: [*imported, "--out", str(folder / str(n))],
    }
    made = []
    for name, command in commands.items():
        load = os.getloadavg()[0]
        row = {
            "what": name,
            "items": n,
            "rows": n * len(rows.load().models),
            **watched(command),
            "load": load,
        }
        print(row, flush=True)
        made.append(row)
    return made


def missed(made: list[dict[str, Any]]) -> list[str]:
    """What is over its bound."""
    size = max(row["rows"] for row in made)
    whole = [row for row in made if row["rows"] == size]
    pages = [row for row in whole if row["what"] != IMPORT]
    took = {
        "pages": sum(r["seconds"] for r in pages),
        IMPORT: sum(r["seconds"] for r in whole if r not in pages),
    }
    found = [
        f"{name}: {took[name]:.0f} s"
        for name, most in (("pages", MOST_SECONDS), (IMPORT, MOST_IMPORT))
        if took[name] > most
    ]
    found += [
        f"{r['what']}: {r['peak_bytes'] / 2**30:.1f} GiB" for r in pages if r["peak_bytes"] > MOST_BYTES
    ]
    for what in {row["what"] for row in made}:
        own = sorted((row for row in made if row["what"] == what), key=lambda row: row["rows"])
        for less, more in itertools.pairwise(own):
            grows = more["rows"] * math.log(more["rows"]) / (less["rows"] * math.log(less["rows"]))
            if more["processor"] > grows * max(less["processor"], 1.0):
                found.append(
                    f"{what}: grows {more['processor'] / less['processor']:.0f} times, {grows:.0f} allowed"
                )
    return found


def main() -> int:
    """Measure, or compute one analysis."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, nargs="+", default=list(ITEMS))
    parser.add_argument("--one", choices=ANALYSES, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    if arguments.one:
        with contextlib.suppress(InputError):
            compute(arguments.one, arguments.items[0])
        return 0
    with tempfile.TemporaryDirectory() as folder:
        made = [row for n in arguments.items for row in measured(n, Path(folder))]
    over = missed(made)
    facts = {
        "command": "python benchmarks/million_rows.py",
        "rows": made,
        "missed": over,
        "machine": {
            "processor": this_processor().name,
            "cores": os.cpu_count(),
            "system": platform.platform(),
        },
        "versions": {
            "python": platform.python_version(),
            **{p: version(p) for p in ("numpy", "pandas", "scipy")},
        },
    }
    arguments.out.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    print("\n".join(over))
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
