"""Speed of batched meta-d' fits against metadpy, growth with tables and ratings, and the whole v1 bootstrap.

Run: python benchmarks/meta_d.py [--quick]
Prints a table and writes results/benchmarks/meta_d.json. Compile time is shown apart; everything else is
timed warm (best of several runs), except the v1 bootstrap, which runs in a fresh process with its compile
time inside, so that its seconds and peak memory are what a user meets.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import platform
import resource
import subprocess
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np

from metacog.sdt import bootstrap_meta_d, fit_meta_d, fit_meta_d_batch, meta_d_observer
from metacog.sdt.resampling import resample_tables

OUT = Path(__file__).resolve().parents[1] / "results" / "benchmarks" / "meta_d.json"
MODELS = {"a": (1.4, 1.0), "b": (1.6, 0.85), "c": (1.4, 1.05), "d": (0.95, 1.05)}
DOMAINS = (1248, 1167, 667, 634, 1284)
TEMPERATURES = (0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)


def tables(n: int, k: int = 4, trials: int = 5_000) -> tuple[np.ndarray, np.ndarray]:
    """Padded bootstrap tables of one simulated model."""
    a, b = meta_d_observer(1.4, m_ratio=0.9, c=0.1, n_ratings=k).counts(trials, seed=1)
    x, y = resample_tables(a[0], b[0], n, np.random.default_rng(2))
    return x + 0.5, y + 0.5


def timed(action, repeats: int = 3) -> float:
    """Best wall-clock seconds of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def against_metadpy(n_peer: int, n_ours: int) -> dict:
    """Fits per second of both, warm, K = 4, and how far the shared fits lie apart."""
    a, b = tables(n_ours)
    start = time.perf_counter()
    fit_meta_d_batch(a, b)
    first = time.perf_counter() - start
    seconds = timed(lambda: fit_meta_d_batch(a, b), 5)
    start = time.perf_counter()
    fit_meta_d(a[0], b[0])
    single_first = time.perf_counter() - start
    single = timed(lambda: [fit_meta_d(x, y) for x, y in zip(a[:50], b[:50], strict=True)]) / 50
    ours = fit_meta_d_batch(a[:n_peer], b[:n_peer]).meta_d
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        from metadpy.mle import fit_metad

        fit_metad(nR_S1=a[0], nR_S2=b[0], nRatings=4)  # compiles its likelihood
        pairs = list(zip(a[:n_peer], b[:n_peer], strict=True))
        start = time.perf_counter()
        theirs = [fit_metad(nR_S1=x, nR_S2=y, nRatings=4)["meta_d"] for x, y in pairs]
        peer = (time.perf_counter() - start) / n_peer
    return {
        "metadpy_fits": n_peer,
        "metadpy_fits_per_s": 1 / peer,
        "metacog_fits": n_ours,
        "metacog_fits_per_s": n_ours / seconds,
        "ratio": n_ours / seconds * peer,
        "compile_s": first - seconds,
        "single_fit_ms": 1e3 * single,
        "single_fit_ratio": peer / single,
        "single_fit_compile_s": single_first - single,
        "largest_difference": float(np.abs(ours - np.array(theirs)).max()),
    }


def growth(sizes: tuple[int, ...], ratings: tuple[int, ...], at: int) -> list[dict]:
    """Fits per second over the number of tables (K = 4) and of ratings (a fixed number of tables)."""
    rows = []
    for n, k in [(n, 4) for n in sizes] + [(at, k) for k in ratings]:
        a, b = tables(n, k)
        start = time.perf_counter()
        fit_meta_d_batch(a, b)
        first = time.perf_counter() - start
        seconds = timed(lambda a=a, b=b: fit_meta_d_batch(a, b))
        rows.append({"tables": n, "K": k, "seconds": seconds, "fits_per_s": n / seconds, "first_s": first})
    return rows


def simulated_study(seed: int = 42) -> dict[str, np.ndarray]:
    """224,000 trials: 4 models x 8,000 questions x 7 temperatures with a continuous confidence."""
    rng = np.random.default_rng(seed)
    domain = np.concatenate([np.repeat(np.arange(5), DOMAINS), np.full(3_000, 5)])
    columns: dict[str, list[np.ndarray]] = {
        "model": [],
        "temperature": [],
        "domain": [],
        "correct": [],
        "nlp": [],
    }
    for m, (d, efficiency) in enumerate(MODELS.values()):
        for t, temperature in enumerate(TEMPERATURES):
            correct = rng.random(8_000) < 0.55 - 0.05 * temperature
            x = (correct - 0.5) * d * efficiency + rng.standard_normal(8_000)
            for name, value in zip(columns, (m, t, domain, correct, x), strict=True):
                columns[name].append(np.broadcast_to(value, 8_000))
    return {name: np.concatenate(parts) for name, parts in columns.items()}


def v1_bootstrap(n: int = 10_000) -> dict:
    """Run the pre-registered bootstraps on 224,000 trials, from trials to intervals.

    Per model on TriviaQA: the aggregate and four domains at T = 1 (H1, H2, H4), the aggregate at the four
    temperatures of H3, and K = 3 and 6 (R1); n resamples each.
    """
    start = time.perf_counter()
    trials = simulated_study()
    made = time.perf_counter() - start
    jobs, fits, dropped = [], 0, 0
    for m in range(len(MODELS)):
        mine = (trials["model"] == m) & (trials["domain"] < 5)
        at_one = mine & (trials["temperature"] == TEMPERATURES.index(1.0))
        for k in (4, 3, 6):
            edges = np.quantile(trials["nlp"][at_one], np.arange(1, 2 * k) / (2 * k))
            cells = [at_one]
            if k == 4:
                cells += [at_one & (trials["domain"] == d) for d in range(4)]
                cells += [
                    mine & (trials["temperature"] == TEMPERATURES.index(t)) for t in (0.3, 0.5, 0.7, 1.0)
                ]
            for cell in cells:
                rating = np.searchsorted(edges, trials["nlp"][cell], side="right")
                counts = [
                    np.bincount(rating[trials["correct"][cell] == v], minlength=2 * k) for v in (False, True)
                ]
                jobs.append((k, *counts))
    for k, a, b in jobs:
        result = bootstrap_meta_d(a, b, n_resamples=n)
        fits += n
        dropped += sum(result.dropped.values())
        if not result.estimate.converged:
            raise SystemExit(f"the fit of a cell with K = {k} did not converge")
    return {
        "trials": len(trials["nlp"]),
        "cells": len(jobs),
        "resamples": n,
        "fits": fits,
        "dropped": dropped,
        "seconds_with_compile": time.perf_counter() - start - made,
        "simulation_s": made,
        "peak_memory_gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }


def main() -> int:
    """Run everything; exit 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it works")
    parser.add_argument("--v1-only", action="store_true", help="only the v1 bootstrap, as JSON")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    n = 500 if arguments.quick else 10_000
    if arguments.v1_only:
        print(json.dumps(v1_bootstrap(n)))
        return 0
    load_before = os.getloadavg()[0]
    child = [sys.executable, __file__, "--v1-only"] + (["--quick"] if arguments.quick else [])
    v1 = json.loads(subprocess.run(child, check=True, capture_output=True, text=True).stdout)
    versus = against_metadpy(5 if arguments.quick else 30, n)
    a, b = (x[0] for x in meta_d_observer(1.4, m_ratio=0.9, c=0.1).counts(5_000, seed=1))
    one_cell = timed(lambda: bootstrap_meta_d(a, b, n_resamples=n))
    sizes = (1, 10, 100, 1_000) if arguments.quick else (1, 10, 100, 1_000, 10_000, 100_000)
    rows = growth(sizes, (2, 3) if arguments.quick else (2, 3, 4, 5, 6, 8, 10), n)
    report = {
        "machine": {
            "processor": _processor(),
            "cores": os.cpu_count(),
            "load_before": load_before,
            "python": platform.python_version(),
            "versions": {p: version(p) for p in ("jax", "numpy", "scipy", "metadpy")},
        },
        "command": "python benchmarks/meta_d.py" + (" --quick" if arguments.quick else ""),
        "against_metadpy": versus,
        "bootstrap_one_cell": {"resamples": n, "seconds": one_cell},
        "growth": rows,
        "v1": v1,
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return show(report)


def show(report: dict) -> int:
    """Print the report and say which targets are missed."""
    machine, versus, v1 = report["machine"], report["against_metadpy"], report["v1"]
    one = report["bootstrap_one_cell"]
    single = 1e3 / versus["single_fit_ms"]
    compiles = f"{versus['compile_s']:.2f} s (batch), {versus['single_fit_compile_s']:.2f} s (one table)"
    print(f"{machine['processor']}, {machine['cores']} cores, load {machine['load_before']:.1f}")
    print(f"metadpy            {versus['metadpy_fits_per_s']:12,.1f} fits/s   (K = 4, warm)")
    print(f"metacog, batch     {versus['metacog_fits_per_s']:12,.0f} fits/s   {versus['ratio']:,.0f} x")
    print(f"metacog, one table {single:12,.0f} fits/s   {versus['single_fit_ratio']:,.0f} x")
    print(f"compile, once: {compiles}")
    print(f"largest |difference| in meta-d': {versus['largest_difference']:.1e}")
    print(f"bootstrap of one cell, {one['resamples']:,} resamples: {one['seconds']:.3f} s")
    print(f"{'tables':>8} {'K':>3} {'seconds':>9} {'fits/s':>10} {'first call':>11}")
    for row in report["growth"]:
        size = f"{row['tables']:8,} {row['K']:3} {row['seconds']:9.4f}"
        print(f"{size} {row['fits_per_s']:10,.0f} {row['first_s']:9.2f} s")
    print(
        f"v1 bootstrap: {v1['cells']} cells, {v1['fits']:,} fits, {v1['seconds_with_compile']:.1f} s "
        f"with compile, peak {v1['peak_memory_gib']:.2f} GiB, {v1['dropped']} resamples dropped"
    )
    targets = {
        "batch at least 1,000 x metadpy": versus["ratio"] >= 1_000,
        "v1 bootstrap under 60 s": v1["seconds_with_compile"] < 60,
        "peak memory under 4 GiB": v1["peak_memory_gib"] < 4,
    }
    for name, met in targets.items():
        print(f"{'met   ' if met else 'MISSED'} {name}")
    return int(not all(targets.values()))


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
