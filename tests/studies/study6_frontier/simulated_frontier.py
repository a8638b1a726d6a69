"""Rows like the atlas's, of observers whose knowledge is known."""

import numpy as np
import pandas as pd

#: Names that the atlas knows, with their families.
MODELS = {
    "Opus 4.6": "Anthropic",
    "Sonnet 4": "Anthropic",
    "DeepSeek-R1": "DeepSeek",
    "GPT-5.4": "OpenAI",
    "GPT-oss-20B": "OpenAI",
    "Qwen Think": "Qwen",
    "Gemini 3 Flash": "Gemini",
    "Gemma 4 31B": "Gemma",
}


def frontier_trials(n_items=300, own=1.0, shared=1.0, seed=7, models=tuple(MODELS), wrong_keys=0):
    """Trials of models that answer by a difficulty all share and a state of their own.

    ``own`` and ``shared`` are the weights of both in stated confidence; on the first ``wrong_keys`` items all models
    give, surely, one answer that is not the key.
    """
    rng = np.random.default_rng(seed)
    ease = rng.normal(1.2, 1.2, n_items)
    keys = rng.integers(0, 4, n_items)
    rows = []
    for model in models:
        state = rng.normal(0, 1.2, n_items)
        right = ease + state + rng.logistic(0, 0.4, n_items) > 0
        sure = shared * ease + own * state + rng.normal(0, 0.3, n_items)
        answer = np.where(right, keys, (keys + rng.integers(1, 4, n_items)) % 4)
        answer[:wrong_keys] = (keys[:wrong_keys] + 1) % 4
        sure[:wrong_keys] += 3
        rows.append(
            pd.DataFrame(
                {
                    "model": model,
                    "family": MODELS[model],
                    "question_id": [f"{i:04d}" for i in range(n_items)],
                    "subject": np.array(["biology", "law", "logic"])[np.arange(n_items) % 3],
                    "domain": np.array(["natural_science", "humanities"])[np.arange(n_items) % 2],
                    "answer": np.array(list("ABCD"))[answer],
                    "key": np.array(list("ABCD"))[keys],
                    "correct": answer == keys,
                    "score": np.round(100 / (1 + np.exp(-sure)) / 5) * 5,
                    "stated": True,
                }
            )
        )
    trials = pd.concat(rows, ignore_index=True)
    return trials.assign(confidence=trials["score"] / 100)
