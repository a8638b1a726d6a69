"""What does leaving out suspected keys do where it is known which keys are wrong?

Simulated leaderboards of 33 models and 1,500 items (``key_simulation.py``), judged by
``metacog.measures.suspected_keys``: some keys are wrong; models share misconceptions; or every key is right, and wrong
options attract unequally. Writes one row for each truth, threshold and group of models (all, the ten most accurate)::

    python benchmarks/suspected_keys.py --out data/simulations/suspected_keys.csv

Truths that are there already are kept: delete the table to make all of them again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pandas as pd
from key_simulation import KeyedAnswers, attracted_answers, keyed_answers, suspected_keys_under

from metacog.core.provenance import provenance
from metacog.studies.study6_frontier.keys import ATTRACTED, EVERY, MISCONCEIVED, OF_BEST, WRONG

THRESHOLDS = (0.5, 0.9)
SHARE = 0.02
#: Share of the items that a truth concerns, and simulated leaderboards of it.
TRUTHS: dict[str, tuple[float, Callable[..., KeyedAnswers]]] = {
    WRONG: (SHARE, partial(keyed_answers, wrong_keys=SHARE)),
    MISCONCEIVED: (SHARE, partial(keyed_answers, wrong_keys=0.0, misconceptions=SHARE)),
    ATTRACTED: (1.0, attracted_answers),
}
#: Models that a row is about.
GROUPS = {EVERY: None, OF_BEST: 10}


def rows_of(truth: str, runs: int, seed: int) -> pd.DataFrame:
    """Means over simulated leaderboards of one truth."""
    share, simulate = TRUTHS[truth]
    parts = []
    for one in range(seed, seed + runs):
        made = simulate(seed=one)
        for group, best in GROUPS.items():
            found = suspected_keys_under(made, thresholds=THRESHOLDS, best=best)
            parts.append(found.assign(models=group, n_models=best or len(made.items.models)))
    keys = ["models", "n_models", "threshold"]
    means = pd.concat(parts).groupby(keys, sort=False).mean().reset_index()
    about = {"truth": truth, "share": share, "runs": runs, "n_items": len(made.items.items)}
    return pd.DataFrame([about] * len(means)).join(means)


def main(arguments: list[str] | None = None) -> None:
    """Make the truths that the table lacks."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=42)
    given = parser.parse_args(arguments)
    started = time.perf_counter()
    table = pd.read_csv(given.out) if given.out.exists() else None
    for truth in TRUTHS:
        if table is not None and truth in set(table["truth"]):
            continue
        rows = rows_of(truth, given.runs, given.seed)
        table = rows if table is None else pd.concat([table, rows])
        table.to_csv(given.out, index=False, float_format="%.4f")
        print(f"{truth}: {time.perf_counter() - started:.0f} s", flush=True)
    facts = {
        "command": "python benchmarks/suspected_keys.py " + " ".join(arguments or sys.argv[1:]),
        "seconds": round(time.perf_counter() - started),
        "made_by": provenance(seed=given.seed),
    }
    given.out.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
