"""Parameter recovery and interval coverage of meta-d', as a table the Recovery chapter reads.

Run: python benchmarks/recovery.py            (about 40 million fits)
     python benchmarks/recovery.py --quick    (50 x 100, to see that it works; writes nothing)
Sweeps take 1,000 simulations x 1,000 resamples. The six core designs take 5,000 simulations, because with
1,000 the Monte-Carlo error of a coverage (0.7 %) is of the size of the band it is held against (93-97 %).
Writes data/simulations/recovery.csv and recovery.json (command, seed, versions) next to it.
"""

from __future__ import annotations

import sys
from dataclasses import asdict

import pandas as pd
from recording import SIMULATIONS, parsed

from metacog.sdt import meta_d_observer
from metacog.sdt.recovering import recovery

OUT = SIMULATIONS / "recovery.csv"
SEED = 20260325
CENTRE = {"d_prime": 1.0, "m_ratio": 0.8, "n_ratings": 4, "base_rate": 0.5, "n_trials": 1_000}


def designs() -> list[dict]:
    """Six core designs, then one factor at a time around the centre."""
    rows = [
        {**CENTRE, "sweep": "core", "d_prime": d, "m_ratio": m, "n_trials": 5_000}
        for d in (0.5, 1.0, 2.0)
        for m in (0.6, 1.0)
    ]
    sweeps = {
        "n_trials": (100, 200, 500, 1_000, 2_000, 5_000, 10_000),
        "n_ratings": (2, 3, 4, 6, 10),
        "d_prime": (0.25, 0.5, 1.0, 1.5, 2.0, 3.0),
        "base_rate": (0.1, 0.25, 0.5, 0.75, 0.9),
    }
    rows += [{**CENTRE, "sweep": name, name: value} for name, values in sweeps.items() for value in values]
    return rows


def main() -> None:
    """Run every design; exit 1 if a core design misses its target."""
    few = {"simulations": 50, "core_simulations": 50, "resamples": 100}
    given = parsed(__file__, out=OUT, quick=few, simulations=1_000, core_simulations=5_000, resamples=1_000)
    rows = []
    for i, design in enumerate(designs()):
        observer = meta_d_observer(
            design["d_prime"],
            m_ratio=design["m_ratio"],
            n_ratings=design["n_ratings"],
            base_rate=design["base_rate"],
        )
        n = given.core_simulations if design["sweep"] == "core" else given.simulations
        how = {"n_simulations": n, "n_resamples": given.resamples, "seed": SEED + i}
        rows.append({**design, **asdict(recovery(observer, design["n_trials"], **how))})
        given.tell(rows[-1])
    table = pd.DataFrame(rows)
    core = table[table["sweep"] == "core"]
    biased = core["bias_meta_d"].abs() >= 0.02
    uncovered = ~core["coverage_meta_d"].between(0.93, 0.97) | ~core["coverage_m_ratio"].between(0.93, 0.97)
    print(f"core designs outside the target: bias {biased.sum()}, coverage {uncovered.sum()}")
    facts = {
        "pad": 0.5,
        "interval": "percentile, 95 %, trial-level resampling",
        "observer": "metacog.sdt.meta_d_observer with c = 0, s = 1, confidence levels used equally",
    }
    given.write(table, "%.6g", seed=f"{SEED} + row number", **facts)
    sys.exit(int(biased.any() or uncovered.any()))


if __name__ == "__main__":
    main()
