"""Does the advantage of the diagonal turn out as it is?

Simulated models know an item with log-odds a - 1.3 u + v + w, of difficulty u, own state v and the family's
state w; their confidence reads each with a weight and noise. The truth is the same estimate of 40,000 items.
Writes one row for each design::

    python benchmarks/cross_prediction.py --out data/simulations/cross_prediction.csv
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from recording import parsed
from scipy.special import expit

from metacog.measures.cross_prediction import cross_prediction
from metacog.measures.model_items import ModelItems

N_MODELS, N_FAMILIES, N_ITEMS = 12, 6, 1000
TRUE_ITEMS = 40_000


@dataclass(frozen=True)
class Readers:
    """Weights of difficulty, own and family's state in confidence, and the least and largest noise."""

    difficulty: float = 1.0
    own: float = 0.0
    family: float = 0.0
    noise: tuple[float, float] = (0.5, 3.0)

    def answers(self, n_items: int, rng: np.random.Generator) -> ModelItems:
        """Answers to new items; abilities are fixed, in no order with the noise."""
        shape = (N_MODELS, n_items)
        u, own = rng.normal(size=n_items), rng.normal(size=shape)
        family = np.arange(N_MODELS) % N_FAMILIES
        kin = rng.normal(size=(N_FAMILIES, n_items))[family]
        ability = np.random.default_rng(0).permutation(np.linspace(0.2, 2.5, N_MODELS))[:, None]
        right = rng.random(shape) < expit(ability - 1.3 * u + own + kin)
        spread = np.geomspace(*self.noise, N_MODELS)[:, None]
        sure = self.own * own + self.family * kin - self.difficulty * u + spread * rng.normal(size=shape)
        return ModelItems(
            tuple(f"model {i}" for i in range(N_MODELS)),
            tuple(f"item {j}" for j in range(n_items)),
            right.astype(np.float64),
            np.round(2 * sure),
            tuple(f"family {f}" for f in family),
            ("",) * n_items,
        )


DESIGNS = {
    "difficulty alone, equal readers": Readers(noise=(1.0, 1.0)),
    "difficulty alone, unequal readers": Readers(),
    "difficulty and own state": Readers(own=0.5),
    "own state alone": Readers(difficulty=0.0, own=1.0),
    "difficulty and family's state": Readers(family=1.0),
}


def row(name: str, readers: Readers, runs: int, seed: int) -> dict[str, object]:
    """Errors, coverage and shares of significant results of one design."""
    rng = np.random.default_rng([seed, len(name)])
    large = cross_prediction(readers.answers(TRUE_ITEMS, rng), n_resamples=2, n_permutations=1, seed=seed)
    found = [
        cross_prediction(readers.answers(N_ITEMS, rng), n_resamples=200, n_permutations=200, seed=seed + run)
        for run in range(runs)
    ]
    truth = large.advantage["advantage"].to_numpy()
    lower, upper, p, null = (
        np.stack([f.advantage[column] for f in found])
        for column in ("advantage_lower", "advantage_upper", "p_value", "null_mean")
    )
    means = np.array([(f.mean_advantage, f.lower, f.upper, f.p_value) for f in found])
    true_means = large.means.set_index("quantity")["mean"]
    return {
        "design": name,
        "runs": runs,
        "truth": large.mean_advantage,
        "truth_additive": true_means["additive"],
        "truth_of_family": true_means["of_family"],
        "truth_beyond_family": true_means["beyond_family"],
        "bias": means[:, 0].mean() - large.mean_advantage,
        "sd": means[:, 0].std(ddof=1),
        "coverage_of_mean": (
            (means[:, 1] <= large.mean_advantage) & (large.mean_advantage <= means[:, 2])
        ).mean(),
        "p_of_mean_below_05": (means[:, 3] < 0.05).mean(),
        "coverage": ((lower <= truth) & (truth <= upper)).mean(),
        "lower_above_zero": (lower > 0).mean(),
        "p_below_05": (p < 0.05).mean(),
        "null_mean": null.mean(),
    }


def main() -> None:
    """Simulate every design."""
    given = parsed(__file__, runs=60, seed=42)
    rows = []
    for name, readers in DESIGNS.items():
        rows.append(row(name, readers, given.runs, given.seed))
        given.tell(name)
    given.write(pd.DataFrame(rows), seed=given.seed, items=N_ITEMS, models=N_MODELS)


if __name__ == "__main__":
    main()
