"""How far does every measure lie from what it measures, by accuracy, number of ratings and number of trials?

Run: python benchmarks/measure_bias.py            (half a minute of a core)
     python benchmarks/measure_bias.py --quick    (a few tables of each, to see that it works; writes nothing)
Observers have the same self-knowledge throughout: confidence in right answers lies one standard deviation above that in
wrong ones, or, for measures of a choice between two, the M-ratio is 0.8. `value` is the measure with infinitely many
trials, so that its rows show how accuracy and the cut into ratings move a measure of the same observer; `bias` is what
the mean over simulated tables lies above it, `bias_se` its Monte Carlo error, `sd` the spread of one table, and
`undefined` the share of tables without a value. DMC stands apart, in `dmc_estimators.csv`.
Writes data/simulations/measure_bias.csv and .json (command, seed, versions) next to it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from metacog.core.provenance import provenance
from metacog.sdt import InputError, confidence_population, precision
from metacog.sdt.compare import MEASURES
from metacog.sdt.populations import TWO_CHOICE, Population, two_choice_population

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "measure_bias.csv"
SEED = 20261127
ACCURACIES, RATINGS, TRIALS = (0.55, 0.7, 0.85, 0.95), (2, 4, 8, 20), (50, 200, 1_000, 5_000)
#: The observers' self-knowledge.
D_A, M_RATIO = 1.0, 0.8
SIMULATIONS = 2_000


def population(measure: str, accuracy: float, n_ratings: int) -> Population | None:
    """The observer of a design; None where a measure is not defined for so few ratings.

    Confidence that states a probability lies in the middle of its rating's share of 0 to 1.
    """
    if n_ratings < 4 and measure in (*TWO_CHOICE, "d_a", "z_slope"):
        return None
    if measure in TWO_CHOICE:
        return two_choice_population(float(2 * ndtri(accuracy)), m_ratio=M_RATIO, n_ratings=n_ratings)
    found = confidence_population(D_A, accuracy=accuracy, n_ratings=n_ratings)
    if MEASURES[measure].scale == "probability":
        return replace(found, ratings=(np.arange(n_ratings) + 0.5) / n_ratings)
    return found


def rows(n_simulations: int) -> Iterator[dict[str, Any]]:
    """One row a measure and design."""
    for measure in MEASURES:
        for accuracy in ACCURACIES:
            for n_ratings in RATINGS:
                observer = population(measure, accuracy, n_ratings)
                for n_trials in TRIALS if observer is not None else ():
                    yield row(measure, accuracy, n_ratings, n_trials, observer, n_simulations)


def row(
    measure: str, accuracy: float, n_ratings: int, n_trials: int, observer: Population, n_simulations: int
) -> dict[str, Any]:
    """Bias and spread of one measure in one design; without numbers where nearly no table has a value."""
    about = {"measure": measure, "accuracy": accuracy, "n_ratings": n_ratings, "n_trials": n_trials}
    try:
        found = precision(observer, measure, n_trials, n_simulations=n_simulations, seed=SEED)
    except InputError:
        return {**about, "value": observer.value(measure), "undefined": 1.0}
    used = n_simulations * (1 - found.share_undefined)
    return {
        **about,
        "value": found.value,
        "bias": found.bias,
        "bias_se": found.se / np.sqrt(used),
        "sd": found.se,
        "undefined": found.share_undefined,
    }


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=SIMULATIONS)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    found = pd.DataFrame(rows(40 if given.quick else given.simulations))
    if given.quick:
        print(found.to_string())
        return
    found.to_csv(given.out, index=False, float_format="%.6g")
    size = f" --simulations {given.simulations}" if given.simulations != SIMULATIONS else ""
    facts = {
        "command": f"python benchmarks/measure_bias.py{size}",
        "seed": SEED,
        "observers": {"d_a of confidence": D_A, "M-ratio": M_RATIO},
        "made_by": provenance(),
    }
    given.out.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    largest = found.assign(share=(found["bias"] / found["sd"]).abs()).groupby("measure")["share"].max()
    print(largest.rename("largest bias over the spread of a table").to_string())


if __name__ == "__main__":
    main()
