"""Does the engine compute on a GPU what it computes on the processor, the same bits again, and how fast?

Run: python benchmarks/gpu.py --questions 300     (needs a llama.cpp that was built for a GPU: book/scale-out.md)

Asks questions of the bank as the default profile does, on the processor and with all layers on the GPU, each width of a
step twice: a second time must give the same bits. Answers are held against the processor's at the first width. Each
device is also held to the recorded log-probabilities that `make setup` proves a build with. Writes
data/simulations/gpu.csv, a row for each device and width, and a .json beside it. Status 1 where a proof fails or a
second time gives other bits.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from collecting.work import Work, default_work, timed
from recording import parsed

from metacog.collect.models import get_model, locate
from metacog.engines.base import Generation
from metacog.engines.llama import LlamaEngine
from metacog.engines.llama.proof import prove
from metacog.install.processor import this_processor

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "data" / "simulations" / "gpu.csv"
DEVICES = {"processor": 0, "GPU": -1}
WIDTHS = (48, 224)


def answered(path: Path, work: Work, layers: int, width: int) -> tuple[list[Generation], dict[str, float]]:
    """The answers of every block, and the seconds that they took."""
    times: dict[str, float] = {}
    with LlamaEngine(path, n_gpu_layers=layers, width=width) as engine:
        engine.generate(work.tasks[:1], max_tokens=4, stop=work.stop)  # compiles the sampling kernel
        with timed(times):
            blocks = [
                engine.generate(block, max_tokens=work.max_tokens, stop=work.stop)
                for block in work.part(0, 1)
            ]
    return [one for block in blocks for row in block for one in row], times


def apart(ours: list[Generation], theirs: list[Generation], coldest: list[bool]) -> dict[str, float]:
    """Answers of the same tokens in both, and how far the mean log-probability of a token is apart in these."""
    same = [a.token_ids == b.token_ids for a, b in zip(ours, theirs, strict=True)]
    pairs = [(a, b) for a, b, s in zip(ours, theirs, same, strict=True) if s and a.n_tokens]
    differences = [abs(a.sum_logprob - b.sum_logprob) / a.n_tokens for a, b in pairs]
    return {
        "same_answers": float(np.mean(same)),
        "same_coldest": float(np.mean(np.array(same)[coldest])),
        "median_difference": float(np.median(differences)) if differences else np.nan,
        "mean_difference": float(np.mean(differences)) if differences else np.nan,
        "largest_difference": max(differences, default=np.nan),
    }


def graphics() -> str:
    """Name and driver of the GPU, as NVIDIA's tool says them; empty where it is not there."""
    try:
        told = subprocess.run(
            ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
            capture_output=True,
            text=True,
        )
    except OSError:
        return ""
    return told.stdout.strip()


def main() -> None:
    """Ask, compare, write the table."""
    file = {"type": Path, "help": "the model's file, where the project does not find it"}
    given = parsed(__file__, out=OUT, model="smollm2-135m", file=file, questions=300)
    path = given.file or locate(get_model(given.model))[0]
    work = default_work(given.model, given.questions)
    temperatures = [sample.temperature for task in work.tasks for sample in task.samples]
    coldest = [t == min(temperatures) for t in temperatures]
    rows: list[dict[str, Any]] = []
    first: list[Generation] = []
    for device, layers in DEVICES.items():
        proof = prove(path, ROOT / "data" / "proof" / f"{given.model}.json", n_gpu_layers=layers)
        for width in WIDTHS:
            made, times = answered(path, work, layers, width)
            again, _ = answered(path, work, layers, width)
            first, seconds = first or made, times["seconds"]
            row = {"model": given.model, "device": device, "width": width, "trials": len(made)}
            row |= {"seconds": seconds, "per_second": len(made) / seconds, "same_bits_again": made == again}
            row |= {"proved": proof.right, "proof_mean": proof.mean_difference} | apart(made, first, coldest)
            rows.append(row)
            given.tell(row)
    table = pd.DataFrame(rows)
    others = pd.read_csv(given.out).query("model != @given.model") if given.out.is_file() else None
    facts = {"processor": this_processor().name, "cores": os.cpu_count(), "gpu": graphics()}
    given.write(pd.concat([others, table]), "%.4g", **facts)
    sys.exit(int(not (table["proved"].all() and table["same_bits_again"].all())))


if __name__ == "__main__":
    main()
