"""Posterior means of d', meta-d' and M-ratio at a few sizes, and maximum likelihood on the same tables.

Run: python benchmarks/sample_size_bayes.py            (some minutes of two processors)
The observers, sizes and first 20 repetitions are those of the chapter on how many trials, with its seed. Rows
go to data/simulations/sample_size_bayes.csv, one row per table; the sidecar holds the command, what is held
fixed, how the chains did, and versions.
"""

from __future__ import annotations

import argparse
import json
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from metacog.sdt import fit_meta_d_batch
from metacog.sdt.bayes import fit_bayes
from metacog.sdt.power import draw_tables
from metacog.studies.study2_two_choice.sample_size import observers

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "sample_size_bayes.csv"
SIZES = (200, 1_000, 5_000)
REPETITIONS, DRAWN, SEED = 20, 2_000, 42
OTHER = {"d_prime": 1.0, "m_ratio": 0.8, "n_ratings": 5}
SAMPLING = {"n_chains": 4, "n_draws": 1_000, "n_warmup": 500}


def main(out: Path) -> None:
    """Fit all tables in one run of the sampler."""
    began = time.perf_counter()
    rows, tables = [], []
    for name, observer in observers(**OTHER).items():
        for n in SIZES:
            a, b = (x[:REPETITIONS] for x in draw_tables(observer, n, DRAWN, SEED))
            tables.append((a, b))
            truth = {"d_prime_true": observer.d_prime, "meta_d_true": observer.meta_d}
            rows += [{"observer": name, "n_trials": n, "repetition": i + 1, **truth} for i in range(len(a))]
    a, b = (np.concatenate(side) for side in zip(*tables, strict=True))
    fit = fit_bayes(a, b, seed=SEED, **SAMPLING)
    found = {}
    for name in ("d_prime", "meta_d", "m_ratio"):
        one = getattr(fit, name)
        found |= {name: one.estimate, f"{name}_lower": one.lower, f"{name}_upper": one.upper}
    found |= {"judged": fit.judged, "r_hat": fit.r_hat, "ess_bulk": fit.ess_bulk}
    found["divergences"] = fit.divergences
    likely = fit_meta_d_batch(a, b, undefined="flag")
    for name in ("d_prime", "meta_d", "m_ratio"):
        found[f"{name}_ml"] = np.where(likely.converged, getattr(likely, name), np.nan)
    table = pd.concat([pd.DataFrame(rows), pd.DataFrame(found)], axis=1)
    out.parent.mkdir(parents=True, exist_ok=True)
    table.round(5).to_csv(out, index=False)
    facts = {
        "command": "python benchmarks/sample_size_bayes.py",
        "design": {"sizes": SIZES, "repetitions": REPETITIONS, "other": OTHER, "sampling": SAMPLING},
        "seed": SEED,
        "divergences": int(fit.divergences.sum()),
        "largest_r_hat": float(fit.r_hat.max()),
        "smallest_ess": float(fit.ess_bulk.min()),
        "seconds": round(time.perf_counter() - began),
        "versions": {name: version(name) for name in ("numpyro", "jax", "numpy")},
    }
    out.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(facts, indent=2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    main(parser.parse_args().out)
