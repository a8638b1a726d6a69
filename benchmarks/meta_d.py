"""Speed of batched meta-d' fits against metadpy's.

Run: python benchmarks/meta_d.py [--quick]
Prints what it found and writes results/benchmarks/meta_d.json. Compile time is shown apart; everything else is timed
warm (best of several runs).
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
import warnings

import numpy as np
from recording import ROOT, note, parsed

from metacog.core.provenance import provenance
from metacog.install.processor import this_processor
from metacog.sdt import fit_meta_d, fit_meta_d_batch, meta_d_observer
from metacog.sdt.resampling import resample_tables

OUT = ROOT / "results" / "benchmarks" / "meta_d.json"


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


def main() -> int:
    """Measure, print and write; exit 1 if the target is missed."""
    given = parsed(__file__, out=OUT, quick=False)
    load = os.getloadavg()[0]
    found = against_metadpy(5 if given.quick else 30, 500 if given.quick else 10_000)
    machine = {"processor": this_processor().name, "cores": os.cpu_count(), "load_before": load}
    given.out.parent.mkdir(parents=True, exist_ok=True)
    note(given.out, {"machine": machine, "command": given.command, "against_metadpy": found} | provenance())
    single = 1e3 / found["single_fit_ms"]
    print(f"{machine['processor']}, {machine['cores']} cores, load {load:.1f}")
    print(f"metadpy            {found['metadpy_fits_per_s']:12,.1f} fits/s   (K = 4, warm)")
    print(f"metacog, batch     {found['metacog_fits_per_s']:12,.0f} fits/s   {found['ratio']:,.0f} x")
    print(f"metacog, one table {single:12,.0f} fits/s   {found['single_fit_ratio']:,.0f} x")
    print(
        f"compile, once: {found['compile_s']:.2f} s (batch), {found['single_fit_compile_s']:.2f} s (one table)"
    )
    print(f"largest |difference| in meta-d': {found['largest_difference']:.1e}")
    print(f"{'met   ' if found['ratio'] >= 1_000 else 'MISSED'} batch at least 1,000 x metadpy")
    return int(found["ratio"] < 1_000)


if __name__ == "__main__":
    sys.exit(main())
