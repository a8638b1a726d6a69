"""A trial file with the author's columns, made by simulation around the published counts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.studies.study1_qa import paper

DOMAINS = {
    "History & Politics": 1248,
    "Arts & Literature": 1167,
    "Geography": 667,
    "Science & Technology": 634,
    "Sports": 600,
    "Pop Culture": 684,
}


def author_like_trials(n_other: int = 1500, seed: int = 7) -> pd.DataFrame:
    """At T = 1 each cell has exactly the published counts; other temperatures are noisy subsets."""
    rng = np.random.default_rng(seed)
    domains = np.repeat(list(DOMAINS), list(DOMAINS.values()))
    frames = []
    for (model, dataset), cell in paper.counts().items():
        correct, rating = [], []
        for r, (wrong, right) in enumerate(zip(cell.nR_S1, cell.nR_S2, strict=True)):
            correct += [0] * int(wrong) + [1] * int(right)
            rating += [r] * int(wrong + right)
        order = rng.permutation(cell.n)
        base = pd.DataFrame(
            {
                "model": model,
                "dataset": dataset,
                "temperature": 1.0,
                "question_index": order,
                "nlp": -2 + 0.2 * np.array(rating) + 0.19 * rng.random(cell.n),
                "correct": correct,
                "domain": domains[order] if dataset == "triviaqa" else None,
            }
        )
        frames.append(base)
        for t in (0.1, 0.3, 0.5, 0.7, 1.5, 2.0):
            some = base.sample(n_other, random_state=int(10 * t)).assign(temperature=t)
            some["nlp"] = some["nlp"] + rng.normal(0, 0.2 + abs(1 - t), n_other)
            frames.append(some)
    table = pd.concat(frames, ignore_index=True)
    return pd.concat([table, table.iloc[:25]], ignore_index=True)  # repeated rows, as in the original
