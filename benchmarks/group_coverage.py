"""How often the hierarchical model's interval holds the group's M-ratio: 100 groups of known observers.

Run: python benchmarks/group_coverage.py                  (about 7 minutes of one processor; resumes)
     python benchmarks/group_coverage.py --minutes 5      (stops after the repeat that passes five minutes)
Each repeat is 30 subjects of 400 trials, K = 4, d' ~ N(1.5, 0.3), log M-ratio ~ N(log 0.8, 0.3), with the
seeds 0 ... 99 fixed beforehand: no repeat is left out or drawn again. Rows are appended to
data/simulations/group_coverage.csv as they come; a repeat already there is not run again. The sidecar
holds the commands, what is held fixed, coverage and versions.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from metacog.sdt import meta_d_observer
from metacog.sdt.bayes import fit_group

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "group_coverage.csv"
REPEATS = 100
SUBJECTS, TRIALS, RATINGS = 30, 400, 4
GROUP_M, SD_LOG_M = 0.8, 0.3
SAMPLING = {"n_chains": 4, "n_draws": 1000, "n_warmup": 500}


def group(seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Tables of one simulated group, `(SUBJECTS, 2K)` each, and the geometric mean of its M-ratios."""
    rng = np.random.default_rng(seed)
    drawn, logs = [], []
    for _ in range(SUBJECTS):
        d_prime, log_m = rng.normal(1.5, 0.3), rng.normal(np.log(GROUP_M), SD_LOG_M)
        logs.append(log_m)
        observer = meta_d_observer(d_prime, m_ratio=float(np.exp(log_m)), n_ratings=RATINGS)
        drawn.append(observer.counts(TRIALS, seed=int(rng.integers(2**31))))
    tables = [np.concatenate([d[i] for d in drawn]) for i in (0, 1)]
    return tables[0], tables[1], float(np.exp(np.mean(logs)))


def repeat(seed: int) -> dict[str, float]:
    """One row: posterior of the group's M-ratio, whether it holds the truth, and how the chains did."""
    began = time.perf_counter()
    nR_S1, nR_S2, sampled = group(seed)
    fit = fit_group(nR_S1, nR_S2, seed=seed, **SAMPLING)
    lower, upper = float(fit.m_ratio.lower[0]), float(fit.m_ratio.upper[0])
    return {
        "seed": seed,
        "m_ratio": float(fit.m_ratio.estimate[0]),
        "lower": lower,
        "upper": upper,
        "covered": lower <= GROUP_M <= upper,
        "sampled_m_ratio": sampled,
        "sigma": float(fit.sigma.estimate[0]),
        "sigma_lower": float(fit.sigma.lower[0]),
        "sigma_upper": float(fit.sigma.upper[0]),
        "divergences": fit.divergences,
        "r_hat": fit.r_hat,
        "ess_bulk": fit.ess_bulk,
        "importance_efficiency": float(fit.importance_efficiency.min()),
        "seconds": time.perf_counter() - began,
    }


def describe(rows: pd.DataFrame) -> dict[str, object]:
    """The sidecar: what was run, what came out of the repeats so far."""
    sigma = rows["sigma_lower"].le(SD_LOG_M) & rows["sigma_upper"].ge(SD_LOG_M)
    return {
        "command": "python benchmarks/group_coverage.py",
        "design": {
            "subjects": SUBJECTS,
            "trials": TRIALS,
            "ratings": RATINGS,
            "d_prime": "N(1.5, 0.3)",
            "log_m_ratio": f"N(log {GROUP_M}, {SD_LOG_M})",
            "sampling": SAMPLING,
        },
        "seeds": f"0 ... {REPEATS - 1}, fixed beforehand; a repeat's seed makes its tables and its chains",
        "repeats_done": len(rows),
        "repeats_planned": REPEATS,
        "covered": int(rows["covered"].sum()),
        "sigma_covered": int(sigma.sum()),
        "mean_log_error": _mean(np.log(rows["m_ratio"] / GROUP_M)),
        "mean_log_error_of_sampling_subjects": _mean(np.log(rows["sampled_m_ratio"] / GROUP_M)),
        "mean_log_error_of_estimating": _mean(np.log(rows["m_ratio"] / rows["sampled_m_ratio"])),
        "repeats_with_divergences": int(rows["divergences"].gt(0).sum()),
        "largest_r_hat": float(rows["r_hat"].max()),
        "versions": {name: version(name) for name in ("numpyro", "jax", "numpy")},
    }


def _mean(x: pd.Series) -> dict[str, float]:
    """Mean over repeats and its standard error."""
    return {"mean": float(x.mean()), "se": float(x.std() / np.sqrt(len(x)))}


def main(out: Path, minutes: float, repeats: int) -> None:
    """Run the repeats that are missing, in the order of their seeds."""
    began = time.perf_counter()
    done = set(pd.read_csv(out)["seed"]) if out.exists() else set()
    for seed in range(repeats):
        if seed in done:
            continue
        if time.perf_counter() - began > 60 * minutes:
            break
        row = pd.DataFrame([repeat(seed)])
        row.to_csv(out, mode="a", header=not out.exists(), index=False, float_format="%.6g")
        print(row.to_string(index=False, header=seed == 0), file=sys.stderr, flush=True)
        sidecar = json.dumps(describe(pd.read_csv(out)), indent=2)
        out.with_suffix(".json").write_text(sidecar + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="start no repeat after these")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    options = parser.parse_args()
    main(options.out, options.minutes, options.repeats)
