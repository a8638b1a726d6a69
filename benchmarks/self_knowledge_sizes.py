"""What seems to remain of confidence with few models, few questions, or a confidence of two values?

Simulated models whose self-knowledge is known (``answerers.py``) answer the same questions and are
judged as an imported file is: no families, every other model stands for difficulty. Writes one row for each kind of
observer, number of models and of questions, and sort of confidence::

    python benchmarks/self_knowledge_sizes.py --out data/simulations/self_knowledge_sizes.csv

Rows that are there already are kept: delete the table to make all of them again.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from answerers import level_of, models_like_a_leaderboard, simulated_models
from recording import parsed

from metacog.measures.model_items import ModelItems
from metacog.measures.remainder import remainder

N_MODELS = (3, 6, 10, 20)
N_ITEMS = (150, 450)
#: Kinds of models, and about how many are judged for a row.
KINDS = {"difficulty": 100, "own state": 20}
#: Confidence as the models state it, or whether it is a model's highest.
VALUES = ("graded", "two")
#: Models of at most this accuracy take part: most of them err ten times in 150 questions.
MOST_ACCURATE = 0.93
N_RESAMPLES = 100
#: What tells rows apart.
DESIGN = ("kind", "n_models", "n_items", "values")


def simulated(kind: str, n_models: int, n_items: int, values: str, seed: int) -> ModelItems:
    """Answers of some of the simulated models, spread evenly over their accuracies."""
    made = simulated_models(kind, n_items=n_items, seed=seed)
    most = level_of(MOST_ACCURATE)
    able = sorted((m for m in models_like_a_leaderboard(0.0) if m.level <= most), key=lambda m: m.level)
    chosen = [able[i].name for i in np.linspace(0, len(able) - 1, n_models).round().astype(int)]
    made = made[made["model"].isin(chosen)]
    if values == "two":
        top = made.groupby("model")["confidence"].transform("max")
        made = made.assign(confidence=(made["confidence"] == top).astype(float))
    return ModelItems.of(made, item="item")


def row_of(kind: str, n_models: int, n_items: int, values: str, runs: int, seed: int) -> dict[str, object]:
    """Counts over all models of all runs, and means."""
    tables = [
        remainder(
            simulated(kind, n_models, n_items, values, one),
            information=False,
            n_resamples=N_RESAMPLES,
            seed=one,
        )
        for one in range(seed * 10_000, seed * 10_000 + runs)
    ]
    above = [int((table["corrected_lower"] > 0).sum()) for table in tables]
    every = pd.concat(tables)
    return dict(zip(DESIGN, (kind, n_models, n_items, values), strict=True)) | {
        "n_runs": runs,
        "n_judged": int(every["corrected"].notna().sum()),
        "above_0": sum(above),
        "most_above_0": sum(n >= -(-n_models // 2) for n in above),
        "corrected": float(every["corrected"].mean()),
        "uncorrected": float(every["within"].mean() - 0.5),
    }


def main() -> None:
    """Make the rows that the table lacks."""
    only = {"nargs": "+", "choices": list(KINDS), "help": "make rows of these kinds alone"}
    given = parsed(__file__, seed=1, only=only)
    parts = {
        design: partial(row_of, *design, runs=-(-KINDS[design[0]] // design[1]), seed=given.seed)
        for design in product(given.only or KINDS, N_MODELS, N_ITEMS, VALUES)
    }
    given.write(given.completed(parts, list(DESIGN)), seed=given.seed)


if __name__ == "__main__":
    main()
