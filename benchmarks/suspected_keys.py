"""What does leaving out suspected keys do where it is known which keys are wrong?

Simulated leaderboards of 33 models and 1,500 items (``key_simulation.py``), judged by
``metacog.measures.suspected_keys``: some keys are wrong; models share misconceptions; or every key is right, and wrong
options attract unequally. Writes one row for each truth, threshold and group of models (all, the ten most accurate)::

    python benchmarks/suspected_keys.py --out data/simulations/suspected_keys.csv

Truths that are there already are kept: delete the table to make all of them again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
from key_simulation import KeyedAnswers, attracted_answers, keyed_answers, suspected_keys_under
from recording import parsed

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


def main() -> None:
    """Make the truths that the table lacks."""
    given = parsed(__file__, runs=50, seed=42)
    parts = {(truth,): partial(rows_of, truth, given.runs, given.seed) for truth in TRUTHS}
    given.write(given.completed(parts, ["truth"]), seed=given.seed)


if __name__ == "__main__":
    main()
