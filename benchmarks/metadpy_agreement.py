"""Fit the same 200 random tables with metacog and metadpy and list every exception.

Run: python benchmarks/metadpy_agreement.py [--tables 200]
Writes data/simulations/metadpy_agreement.csv. A table *agrees* if meta-d' differs by at most 1e-3; an
exception is fine if our log-likelihood is the higher one, and a failure otherwise.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
import warnings
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from metacog.sdt import fit_meta_d

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "metadpy_agreement.csv"
SEED = 20260325
TOLERANCE = 1e-3


def random_table(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float, int]:
    """Make a rating table of an SDT observer with random criteria, lapses and base rate, 1/2 in each cell."""
    from scipy.special import ndtr

    k = int(rng.integers(2, 7))
    s = float(rng.choice([0.7, 1.0, 1.3]))
    n = int(np.exp(rng.uniform(np.log(100), np.log(20_000))))
    d = rng.uniform(0.0, 2.5)
    cuts = np.sort(rng.normal(rng.normal(0, 0.4), 1.0, 2 * k - 1))
    lapse = rng.uniform(0, 0.3)
    tables = []
    n2 = rng.binomial(n, rng.uniform(0.2, 0.8))
    for trials, mean, sd in ((n - n2, -d / 2, 1.0), (n2, d / 2, 1 / s)):
        p = np.diff(np.concatenate([[0], ndtr((cuts - mean) / sd), [1]]))
        tables.append(rng.multinomial(trials, (1 - lapse) * p + lapse / (2 * k)) + 0.5)
    return tables[0], tables[1], s, n


@cache
def _mended() -> Callable:
    from metadpy import mle
    from numba import jit

    return jit(nopython=True, error_model="numpy")(mle.fit_meta_d_logL.py_func)


def run_metadpy(a: np.ndarray, b: np.ndarray, s: float, mend: bool = False) -> dict:
    """Run metadpy's fit without its output.

    Its compiled likelihood divides by areas that can underflow to 0 on the way, and then raises
    ZeroDivisionError. `mend` compiles the same function with NumPy's rule for 0/0, so that its own guard
    against NaN takes over and the fit goes on.
    """
    from metadpy import mle

    original = mle.fit_meta_d_logL
    if mend:
        mle.fit_meta_d_logL = _mended()
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            return mle.fit_metad(nR_S1=a, nR_S2=b, nRatings=len(a) // 2, s=s)
    finally:
        mle.fit_meta_d_logL = original


def compare(n_tables: int, seed: int = SEED) -> pd.DataFrame:
    """One row per table: both estimates, both log-likelihoods and a verdict."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n_tables):
        a, b, s, n = random_table(rng)
        ours = fit_meta_d(a, b, s=s)
        started = time.perf_counter()
        raised = ""
        try:
            theirs = run_metadpy(a, b, s)
        except ZeroDivisionError as error:
            raised = type(error).__name__
        seconds = time.perf_counter() - started
        if raised:
            theirs = run_metadpy(a, b, s, mend=True)
        apart = abs(ours.meta_d - theirs["meta_d"])
        higher = "ours" if ours.log_likelihood > theirs["logL"] else "theirs"
        verdict = "equal" if apart <= TOLERANCE else f"{higher} is higher"
        rows.append(
            {
                "table": i,
                "ratings_per_side": len(a) // 2,
                "s": s,
                "trials": n,
                "d_prime": ours.d_prime,
                "c_prime": ours.c_prime,
                "meta_d": ours.meta_d,
                "meta_d_metadpy": theirs["meta_d"],
                "difference": ours.meta_d - theirs["meta_d"],
                "log_likelihood": ours.log_likelihood,
                "log_likelihood_gain": ours.log_likelihood - theirs["logL"],
                "gradient_norm": ours.gradient_norm,
                "converged": ours.converged,
                "boundary": ours.boundary,
                "multimodal": ours.multimodal,
                "metadpy_seconds": round(seconds, 3),
                "metadpy_raised": raised,
                "verdict": verdict,
            }
        )
    return pd.DataFrame(rows)


def main() -> int:
    """Run the comparison, write the table, list exceptions; exit 1 if metadpy was ever better."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    table = compare(arguments.tables)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    with arguments.out.open("w", encoding="utf-8") as file:
        file.write(f"# python benchmarks/metadpy_agreement.py --tables {arguments.tables} (seed {SEED}; ")
        file.write(", ".join(f"{p} {version(p)}" for p in ("metadpy", "jax", "numpy", "scipy")) + ")\n")
        table.drop(columns="metadpy_seconds").to_csv(file, index=False, float_format="%.10g")
    print(table["verdict"].value_counts().to_string())
    print("largest difference among equal:", table.loc[table.verdict == "equal", "difference"].abs().max())
    print("largest gradient norm:", table["gradient_norm"].max(), " not converged:", (~table.converged).sum())
    print("median metadpy seconds a fit:", table["metadpy_seconds"].median())
    print("metadpy raised ZeroDivisionError and was mended:", (table["metadpy_raised"] != "").sum())
    exceptions = table[table.verdict != "equal"]
    if len(exceptions):
        columns = ["table", "ratings_per_side", "s", "trials", "d_prime", "c_prime", "meta_d"]
        print(
            exceptions[[*columns, "meta_d_metadpy", "log_likelihood_gain", "verdict"]].to_string(index=False)
        )
    return int((table.verdict == "theirs is higher").any())


if __name__ == "__main__":
    sys.exit(main())
