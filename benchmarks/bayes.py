"""Effective samples of meta-d' per second: ours and metadpy's PyMC model, on one table in one run.

Run: pip install '.[benchmark]' (PyMC), then python benchmarks/bayes.py [--quick]
Prints both and writes results/benchmarks/bayes.json. Both draw as many chains and kept draws from the same
published table (K = 5). Ours is timed warm, once before and once after the peer, and the slower counts; the
peer by its own record of the time it sampled. First calls, with compiling, are given as well. Effective samples
are counted by one function (bulk, rank-normalised). On a busy machine a wall clock favours whoever has more
processes, so processor seconds are given as well.
metadpy's `hmetad` imports a top-level module that does not exist, so its model is imported directly.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import resource
import time
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from arviz import ess, rhat

from metacog.core.paths import project_root
from metacog.sdt.bayes import fit_bayes

OUT = project_root() / "results" / "benchmarks" / "bayes.json"
#: Counts of one published table: GPT-5 on task B, 10,000 trials with five levels of confidence.
TASK, MODEL = "B", "GPT-5-2025-08-07"
CHAINS = 4


def table() -> tuple[np.ndarray, np.ndarray]:
    """The table, highest-confidence "S1" first."""
    rows = pd.read_csv(project_root() / "data/published/servajean_meta_d_counts.csv")
    rows = rows[(rows["task"] == TASK) & (rows["model"] == MODEL)]
    place = np.where(rows["response"] == "S1", 5 - rows["confidence"], 4 + rows["confidence"])
    counts = np.zeros((2, 10), dtype=int)
    counts[(rows["stimulus"] == "S2").astype(int), place] = rows["n"]
    return counts[0], counts[1]


def cpu() -> float:
    """Processor seconds of this process and of those it started and awaited."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def summary(draws: np.ndarray, seconds: float, processor: float) -> dict[str, float]:
    """What draws of meta-d' `(chains, draws)` are worth."""
    effective = float(ess(draws, method="bulk"))
    return {
        "mean": float(draws.mean()),
        "sd": float(draws.std()),
        "r_hat": float(rhat(draws)),
        "effective": effective,
        "seconds": seconds,
        "processor_seconds": processor,
        "effective_per_s": effective / seconds,
        "effective_per_processor_s": effective / processor,
    }


def ours(a: np.ndarray, b: np.ndarray, n_draws: int, n_warmup: int, seed: int) -> dict[str, float]:
    """Our fit, from counts to the record with its intervals and diagnostics."""
    start, used = time.perf_counter(), cpu()
    fit = fit_bayes(a, b, n_chains=CHAINS, n_draws=n_draws, n_warmup=n_warmup, seed=seed)
    took = summary(fit.draws("meta_d")[0], time.perf_counter() - start, cpu() - used)
    return took | {"divergences": int(fit.divergences[0])}


def peer(a: np.ndarray, b: np.ndarray, n_draws: int, n_warmup: int, seed: int) -> dict[str, Any]:
    """metadpy's model sampled by PyMC's own sampler: whole call, and the sampling alone."""
    from metadpy.bayesian import extractParameters
    from metadpy.models.subject_level_pymc import hmetad_subjectLevel

    start, used = time.perf_counter(), cpu()
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        _, trace = hmetad_subjectLevel(
            extractParameters(a.astype(float), b.astype(float)),
            num_samples=n_draws,
            num_chains=CHAINS,
            tune=n_warmup,
            random_seed=seed,
            progressbar=False,
            cores=min(CHAINS, os.cpu_count() or 1),
        )
    whole, processor = time.perf_counter() - start, cpu() - used
    alone = float(trace.posterior.attrs["sampling_time"])
    draws = np.asarray(trace.posterior["meta_d"]).reshape(CHAINS, n_draws)
    return summary(draws, alone, processor) | {
        "whole_call_seconds": whole,
        "divergences": int(trace.sample_stats["diverging"].sum()),
    }


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a fifth of the draws")
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    n_draws, n_warmup = (200, 200) if asked.quick else (1_000, 1_000)  # the peer's defaults
    a, b = table()
    load_before = os.getloadavg()[0]
    first = ours(a, b, n_draws, n_warmup, 1)  # compiles
    before = ours(a, b, n_draws, n_warmup, 2)
    theirs = peer(a, b, n_draws, n_warmup, 3)
    after = ours(a, b, n_draws, n_warmup, 4)
    slower = min(before, after, key=lambda x: x["effective_per_s"])
    found = {
        "machine": {
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "load_before": load_before,
            "load_after": os.getloadavg()[0],
            "python": platform.python_version(),
            "versions": {p: version(p) for p in ("numpyro", "jax", "numpy", "pymc", "pytensor", "metadpy")},
        },
        "command": "python benchmarks/bayes.py" + (" --quick" if asked.quick else ""),
        "table": {"task": TASK, "model": MODEL, "trials": int(a.sum() + b.sum()), "ratings": 5},
        "chains": CHAINS,
        "draws": n_draws,
        "warmup": n_warmup,
        "metacog_first_call": first,
        "metacog": [before, after],
        "metadpy": theirs,
        "compile_s": first["seconds"] - min(before["seconds"], after["seconds"]),
        "ratio": slower["effective_per_s"] / theirs["effective_per_s"],
        "ratio_first_call": first["effective_per_s"] / (theirs["effective"] / theirs["whole_call_seconds"]),
        "ratio_first_call_processor": (
            first["effective_per_processor_s"] / theirs["effective_per_processor_s"]
        ),
        "means_apart_in_sd": abs(before["mean"] - theirs["mean"]) / before["sd"],
    }
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    asked.out.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    for name, one in (("metacog", slower), ("metadpy with PyMC", theirs)):
        print(
            f"{name:18} {one['effective']:8,.0f} effective samples of meta-d' in {one['seconds']:7.2f} s: "
            f"{one['effective_per_s']:8,.1f} a second; mean {one['mean']:.4f}, R-hat {one['r_hat']:.3f}, "
            f"{one['divergences']} divergences"
        )
    print(
        f"ratio {found['ratio']:.1f} warm, {found['ratio_first_call']:.1f} on the first call of a session, "
        f"{found['ratio_first_call_processor']:.1f} by its processor seconds; wrote {asked.out}"
    )


if __name__ == "__main__":
    main()
