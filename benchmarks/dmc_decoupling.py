"""Which measures of metacognition stay flat when only ability changes? By simulation.

Three kinds of observer, each with its own meaning of fixed efficiency, at eight abilities; every measure by
ability, with intervals from resampled questions, its coefficient of variation over abilities as it stands
and with sampling variance taken off, and the same with endlessly many trials. Writes two tables::

    python benchmarks/dmc_decoupling.py
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import pandas as pd

from metacog.core.paths import project_root
from metacog.core.provenance import provenance
from metacog.studies.study3_dmc.dmc import VALUES, VARIATIONS, decoupled


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=project_root() / "data" / "simulations")
    parser.add_argument("--trials", type=int, nargs="+", default=[1_000, 10_000], help="of each observer")
    parser.add_argument("--resamples", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=42)
    given = parser.parse_args(arguments)
    started = time.perf_counter()
    values, variations = [], []
    for n in given.trials:
        found = decoupled(n, given.resamples, given.seed)
        values.append(found.values.assign(n_trials=n))
        variations.append(found.variations.assign(n_trials=n))
        print(f"{n} trials: {time.perf_counter() - started:.0f} s", flush=True)
    pd.concat(values).to_csv(given.folder / VALUES, index=False, float_format="%.6g")
    pd.concat(variations).to_csv(given.folder / VARIATIONS, index=False, float_format="%.6g")
    facts = {
        "command": " ".join(["python benchmarks/dmc_decoupling.py", *(arguments or sys.argv[1:])]),
        "seconds": round(time.perf_counter() - started),
        "resamples": given.resamples,
        "made_by": provenance(seed=given.seed),
    }
    sidecar = (given.folder / VARIATIONS).with_suffix(".json")
    sidecar.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
