"""Two-choice trials of observers whose d', criterion and metacognition are known."""

import numpy as np
import pandas as pd
from scipy.special import expit

from metacog.collect.reading import BLANK
from metacog.trials import COLUMNS

SHIFTS = {"None": 0.0, "S1": -1.0, "S2": 1.0}
SETS = {"A": "A-sentiment", "B": "B-origin", "C": "C-origin"}


def simulate(d_prime, n, *, c=0.0, noise=0.3, seed=0):
    """Stimulus, response, rating 1-5 and P(decision): evidence with added noise in its second reading."""
    rng = np.random.default_rng(seed)
    stimulus = np.arange(n) % 2
    x = (stimulus - 0.5) * d_prime + rng.standard_normal(n)
    response = (x > c).astype(int)
    strength = np.abs(x - c) + noise * rng.standard_normal(n)
    rating = 1 + np.searchsorted([0.3, 0.7, 1.2, 1.8], strength)
    return stimulus, response, rating, expit(1.7 * np.abs(x - c))


def frame(model, task, risk, drawn, *, rated, lost=0.0, seed=0):
    """The rows of one cell; a share ``lost`` of the replies could not be understood."""
    stimulus, response, rating, p = drawn
    n = len(stimulus)
    gone = np.random.default_rng(seed).random(n) < lost
    response, rating = (np.where(gone, np.nan, v) for v in (response, rating))
    rows = {
        **BLANK,
        **{"study": "study2_two_choice", "model": model, "dataset": SETS[task], "domain": task, "task": task},
        **{"temperature": 0.5, "prompt_id": "plain-chat-v1", "form": "label", "wording": "two-choice-v2"},
        "question_id": [f"{task}-{i:04d}" for i in range(n)],
        "question_index": np.arange(n),
        "seed": np.arange(n),
        "correct": response == stimulus,
        "refusal": gone,
        "risk": risk,
        "stimulus": stimulus,
        "response": response,
        "p_decision": np.where(gone, np.nan, p),
        "parse_status": np.where(gone, "unclear", "ok"),
        "repairs": 0,
    }
    if rated:
        expected = np.where(gone, np.nan, 1 + 4 * (2 * p - 1))
        rows |= {"rating": rating, "confidence": (rating - 1) / 4, "expected_confidence": expected}
    assert set(COLUMNS) <= set(rows)
    return pd.DataFrame(rows)


D_PRIMES = {"smollm2-135m": (1.5, 0.0, 0.1), "gemma3-270m": (2.0, 1.0, 0.0)}


def confidence_trials(d_primes=D_PRIMES, n=200, lost=0.05):
    """Trials of the collection ``confidence``: ``d_primes`` by model and task."""
    return pd.concat(
        [
            frame(model, task, "None", simulate(d, n, seed=i * 10 + j), rated=True, lost=lost, seed=j)
            for i, (model, values) in enumerate(d_primes.items())
            for j, (task, d) in enumerate(zip(SETS, values, strict=True))
        ],
        ignore_index=True,
    )


def risk_trials(d_primes=D_PRIMES, n=200, lost=0.0, shifts=SHIFTS):
    """Trials of the collection ``risk``: the criterion moves with the warning by ``shifts``."""
    return pd.concat(
        [
            frame(
                model, task, risk, simulate(d, n, c=shift, seed=i * 100 + j * 10 + k), rated=False, lost=lost
            )
            for i, (model, values) in enumerate(d_primes.items())
            for j, (task, d) in enumerate(zip(SETS, values, strict=True))
            for k, (risk, shift) in enumerate(shifts.items())
        ],
        ignore_index=True,
    )
