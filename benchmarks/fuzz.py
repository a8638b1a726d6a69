"""What is read of others, given inputs that nobody means well: does anything but a short error come out?

Run: python benchmarks/fuzz.py                              (4,000 inputs a target, half an hour of a core)
     python benchmarks/fuzz.py --only tables logs --inputs 20000 --seed 7
Sound inputs (`fuzzing/seeds`) are changed by Hypothesis, in a process of its own for each target. A breach is an
exception that is no short error, more than 2 seconds of the processor, memory of more than 1 GiB, or a file outside its
folder; the inputs of breaches go to the folder --out. Status 1 where there is one.

Hypothesis took the place of a frame of our own around atheris. Where the reader of Inspect's logs had been made to
catch less on purpose, it came upon 13 breaches in 1,300 inputs and 200 s, atheris with our own changes upon 9 in 2,500
inputs and 104 s, and atheris alone upon 9 in 2,500 and 85 s.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from fuzzing.inputs import SEEDS, changed, seeds
from fuzzing.judging import confirmed, limit_memory
from hypothesis import HealthCheck, given, seed, settings
from recording import parsed

from metacog.core.paths import cache_dir

TARGETS = sorted(path.name for path in SEEDS.iterdir())


def breaches(target: str, inputs: int, number: int, found: Path) -> list[str]:
    """Give a target its inputs; what they did that they must not, each once, their inputs in a folder."""
    from fuzzing.targets import TARGETS as READERS

    read, names = READERS[target], dict[str, bytes]()
    for data in seeds(target):  # what is loaded once counts for no input
        confirmed(target, read, data)
    limit_memory()

    @seed(number)
    @settings(max_examples=inputs, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(changed(target))
    def tried(data: bytes) -> None:
        (found / f"{target}-last.bin").write_bytes(data)  # should the process die of it
        breach = confirmed(target, read, data)
        if breach is not None and breach.name not in names:
            names[breach.name] = data
            print(f"BREACH {breach.name}: {breach.what}", flush=True)
            (found / (re.sub(r"[^a-z0-9]+", "-", breach.name.lower()) + ".bin")).write_bytes(data)

    tried()
    return list(names)


def main() -> int:
    """Every target in a process of its own."""
    only = {"nargs": "+", "choices": TARGETS, "default": TARGETS}
    asked = parsed(__file__, out=cache_dir() / "fuzz", only=only, inputs=4_000, seed=20261126, inside=False)
    asked.out.mkdir(parents=True, exist_ok=True)
    if asked.inside:
        return int(bool(breaches(asked.only[0], asked.inputs, asked.seed, asked.out)))
    died = []
    for target in asked.only:
        words = [
            "--only",
            target,
            "--inputs",
            str(asked.inputs),
            "--seed",
            str(asked.seed),
            "--out",
            str(asked.out),
        ]
        if subprocess.run([sys.executable, __file__, "--inside", *words]).returncode:
            died.append(target)
        asked.tell(f"{target}, {asked.inputs} inputs")
    if died:
        print(f"breaches of {', '.join(died)}: their inputs are in {asked.out}")
    return int(bool(died))


if __name__ == "__main__":
    sys.exit(main())
