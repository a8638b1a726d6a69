"""Valid trial tables from latent-strength observers."""

import numpy as np
import pandas as pd

from metacog.trials import COLUMNS, validate

DOMAINS = ("History & Politics", "Arts & Literature", "Geography", "Science & Technology")
TEMPERATURES = (0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)


def simulate_trials(
    models=None, n_questions=400, temperatures=TEMPERATURES, datasets=("bank",), seed=0, empty=0.01
) -> pd.DataFrame:
    """A valid trial table.

    Each model has ``ability`` and ``noise``: strength x = ability - difficulty + draw, correct if
    x > 0, and NLP falls with x + noise x draw. Temperature lowers x and NLP.
    """
    models = models or {"alpha": {"ability": 0.3, "noise": 0.5}, "beta": {"ability": 0.0, "noise": 1.5}}
    rng = np.random.default_rng(seed)
    frames = []
    for dataset in datasets:
        difficulty = rng.normal(0, 0.6, n_questions)
        for name, how in models.items():
            shift = how.get("domain_noise", {})
            for t_index, temperature in enumerate(temperatures):
                domain = np.array([DOMAINS[i % 4] for i in range(n_questions)])
                x = how["ability"] - difficulty - 0.3 * (temperature - 1) + rng.normal(0, 1, n_questions)
                noise = np.array([shift.get(d, how["noise"]) for d in domain])
                seen = x + noise * rng.normal(0, 1, n_questions) - 0.5 * (temperature - 1)
                nlp = -np.log1p(np.exp(-seen))
                length = rng.integers(1, 8, n_questions)
                gone = rng.random(n_questions) < empty
                correct = (x > 0) & ~gone
                number = np.arange(n_questions, dtype=np.int64)
                about = {
                    "study": "cacioli",
                    "model": name,
                    "dataset": dataset,
                    "temperature": float(temperature),
                }
                about |= {
                    "prompt_id": "fewshot-v1",
                    "matched_alias": "Answer",
                    "refusal": False,
                    "ran_on": "",
                }
                frame = pd.DataFrame(
                    {
                        "question_id": [f"{dataset}-{i:04d}" for i in number],
                        "question_index": number,
                        "domain": domain,
                        "seed": number * 1000 + t_index,
                        "text": np.where(gone, "", " Answer"),
                        "answer": np.where(gone, "", "Answer"),
                        "n_tokens": np.where(gone, 0, length).astype(np.int64),
                        "sum_logprob": np.where(gone, np.nan, nlp * length),
                        "nlp": np.where(gone, np.nan, nlp),
                        "confidence": np.where(gone, np.nan, np.exp(nlp)),
                        "correct": correct,
                        "match": np.where(gone, "empty", np.where(correct, "exact", "none")),
                        "similarity": np.where(gone, 0.0, np.where(correct, 1.0, 0.3)),
                        "truncated": length > 6,
                    }
                )
                frames.append(frame.assign(**about))
    trials = validate(pd.concat(frames, ignore_index=True)[list(COLUMNS)])
    return trials.assign(right_whole=trials["correct"])
