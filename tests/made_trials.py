"""Trials as somebody else might have written them down, of two simulated models."""

import numpy as np
import pandas as pd

#: Noise between what an answer rests on and the confidence that is stated, by model.
NOISE = {"insightful": 0.5, "vague": 2.0}


def simulate_table(n_trials=5000, seed=42):
    """``llm, item, topic, is_right, stated`` (percent).

    Each of two models sees evidence x for its answer, is right with probability 1/(1 + exp(-x)), and
    states 1/(1 + exp(-(x + noise))) as its confidence; only the noise differs (:data:`NOISE`), so both
    are equally accurate and one knows more of what it knows.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    n_items = n_trials // len(NOISE)
    difficulty = rng.normal(1.2, 1.8, n_items)
    frames = []
    for model, noise in NOISE.items():
        x = difficulty + rng.normal(0, 0.8, n_items)
        stated = 1 / (1 + np.exp(-(x + rng.normal(0, noise, n_items))))
        made = {
            "llm": model,
            "item": np.arange(n_items),
            "topic": np.array(["history", "nature", "sport"])[np.arange(n_items) % 3],
            "is_right": (rng.random(n_items) < 1 / (1 + np.exp(-x))).astype(int),
            "stated": np.round(100 * stated, 1),
        }
        frames.append(pd.DataFrame(made))
    return pd.concat(frames, ignore_index=True)
