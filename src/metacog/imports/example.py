"""Simulated trials of models whose metacognition is known, for the chapter and the tests."""

from __future__ import annotations

import numpy as np
import pandas as pd

#: Noise between what an answer rests on and the confidence that is stated, by model.
NOISE = {"insightful": 0.5, "vague": 2.0}


def simulate_table(n_trials: int = 5000, seed: int = 42) -> pd.DataFrame:
    """Trials as somebody else might have written them down.

    Each of two models sees evidence x for its answer, is right with probability 1/(1 + exp(-x)), and
    states 1/(1 + exp(-(x + noise))) as its confidence; only the noise differs (:data:`NOISE`), so both
    are equally accurate and one knows more of what it knows.

    Returns
    -------
    DataFrame
        Columns ``llm, item, topic, is_right, stated`` (percent).
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    models = list(NOISE)
    n_items = n_trials // len(models)
    topics = np.array(["history", "nature", "sport"])
    difficulty = rng.normal(0.4, 1.0, n_items)
    frames = []
    for model in models:
        x = difficulty + rng.normal(0, 0.8, n_items)
        stated = 1 / (1 + np.exp(-(x + rng.normal(0, NOISE[model], n_items))))
        frames.append(
            pd.DataFrame(
                {
                    "llm": model,
                    "item": np.arange(n_items),
                    "topic": topics[np.arange(n_items) % 3],
                    "is_right": (rng.random(n_items) < 1 / (1 + np.exp(-x))).astype(int),
                    "stated": np.round(100 * stated, 1),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)
