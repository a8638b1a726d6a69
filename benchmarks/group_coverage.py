"""How often the hierarchical model's interval holds the group's M-ratio: groups of known observers.

Run: python benchmarks/group_coverage.py                  (about 20 minutes of one processor; resumes)
     python benchmarks/group_coverage.py --minutes 5      (stops after the repeat that passes five minutes)
A repeat is a group of subjects, K = 4, d' ~ N(1.5, 0.3), log M-ratio ~ N(log 0.8, 0.3). `DESIGNS` has how many they
are, how many trials each has, and how many repeats there are; seeds are 0, 1, ... in every design: no repeat is left
out or drawn again. Rows are appended to data/simulations/group_coverage.csv as they come; a repeat already there is not
run again. The sidecar holds the command, what is held fixed, coverage and bias of each design, and versions.
"""

from __future__ import annotations

import time
from importlib.metadata import version

import numpy as np
import pandas as pd
from recording import SIMULATIONS, note, parsed

from metacog.sdt import meta_d_observer
from metacog.sdt.bayes import fit_group

OUT = SIMULATIONS / "group_coverage.csv"
KEYS = ["subjects", "trials", "seed"]
#: Subjects, trials of each, repeats.
DESIGNS = ((30, 400, 100), (12, 120, 60), (12, 60, 60), (12, 240, 60), (30, 120, 30))
RATINGS = 4
GROUP_M, SD_LOG_M = 0.8, 0.3
#: Of the first design; the others have half of the chains and of the draws.
SAMPLING = {"n_chains": 4, "n_draws": 1000, "n_warmup": 500}
SHORTER = {"n_chains": 2, "n_draws": 500, "n_warmup": 300}


def group(seed: int, subjects: int, trials: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Tables of one simulated group, `(subjects, 2K)` each, and the geometric mean of its M-ratios."""
    rng = np.random.default_rng(seed)
    drawn, logs = [], []
    for _ in range(subjects):
        d_prime, log_m = rng.normal(1.5, 0.3), rng.normal(np.log(GROUP_M), SD_LOG_M)
        logs.append(log_m)
        observer = meta_d_observer(d_prime, m_ratio=float(np.exp(log_m)), n_ratings=RATINGS)
        drawn.append(observer.counts(trials, seed=int(rng.integers(2**31))))
    tables = [np.concatenate([d[i] for d in drawn]) for i in (0, 1)]
    return tables[0], tables[1], float(np.exp(np.mean(logs)))


def repeat(seed: int, subjects: int, trials: int) -> dict[str, float]:
    """One row: posterior of the group's M-ratio, whether it holds the truth, and how the chains did."""
    began = time.perf_counter()
    nR_S1, nR_S2, sampled = group(seed, subjects, trials)
    how = SAMPLING if (subjects, trials) == DESIGNS[0][:2] else SHORTER
    fit = fit_group(nR_S1, nR_S2, seed=seed, **how)
    lower, upper = float(fit.m_ratio.lower[0]), float(fit.m_ratio.upper[0])
    return {
        "subjects": subjects,
        "trials": trials,
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
    return {
        "command": "python benchmarks/group_coverage.py",
        "design": {
            "ratings": RATINGS,
            "d_prime": "N(1.5, 0.3)",
            "log_m_ratio": f"N(log {GROUP_M}, {SD_LOG_M})",
            "sampling": {f"{DESIGNS[0][0]} subjects of {DESIGNS[0][1]} trials": SAMPLING, "others": SHORTER},
        },
        "seeds": "0, 1, ... in every design, fixed beforehand; a repeat's seed makes its tables and its chains",
        "designs": [
            _of_design(rows[(rows["subjects"] == s) & (rows["trials"] == t)], s, t, n) for s, t, n in DESIGNS
        ],
        "versions": {name: version(name) for name in ("numpyro", "jax", "numpy")},
    }


def _of_design(rows: pd.DataFrame, subjects: int, trials: int, repeats: int) -> dict[str, object]:
    sigma = rows["sigma_lower"].le(SD_LOG_M) & rows["sigma_upper"].ge(SD_LOG_M)
    return {
        "subjects": subjects,
        "trials": trials,
        "repeats_done": len(rows),
        "repeats_planned": repeats,
        "covered": int(rows["covered"].sum()),
        "sigma_covered": int(sigma.sum()),
        "mean_log_error": _mean(np.log(rows["m_ratio"] / GROUP_M)),
        "mean_log_error_of_sampling_subjects": _mean(np.log(rows["sampled_m_ratio"] / GROUP_M)),
        "mean_log_error_of_estimating": _mean(np.log(rows["m_ratio"] / rows["sampled_m_ratio"])),
        "repeats_with_divergences": int(rows["divergences"].gt(0).sum()),
        "largest_r_hat": float(rows["r_hat"].max()),
    }


def _mean(x: pd.Series) -> dict[str, float]:
    """Mean over repeats and its standard error."""
    return {"mean": float(x.mean()), "se": float(x.std() / np.sqrt(len(x)))}


def main() -> None:
    """Run the repeats that are missing, those of each design in the order of their seeds."""
    given = parsed(__file__, out=OUT, minutes=float("inf"))
    out = given.out
    done = set(pd.read_csv(out)[KEYS].itertuples(index=False, name=None)) if out.exists() else set()
    for subjects, trials, repeats in DESIGNS:
        for seed in range(repeats):
            if (subjects, trials, seed) in done:
                continue
            if given.passed() > 60 * given.minutes:
                return
            row = pd.DataFrame([repeat(seed, subjects, trials)])
            row.to_csv(out, mode="a", header=not out.exists(), index=False, float_format="%.6g")
            print(row.to_string(index=False, header=seed == 0), flush=True)
            note(out, describe(pd.read_csv(out)))


if __name__ == "__main__":
    main()
