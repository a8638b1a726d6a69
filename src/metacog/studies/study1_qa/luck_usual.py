"""Is the more usual of two wrong answers the surer one only because it is short, or made of common words?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import ended
from metacog.sdt.intervals import percentile_limits
from metacog.studies.study1_qa.word_rarity import word_table
from metacog.trials import SCORE

#: Zipf frequencies of the rarest words, within which answers are alike: a factor of ten.
ALIKE = 1.0
#: Fewest questions with such a pair.
FEWEST = 20
COLUMNS = ("model", "surface", "surface_lower", "surface_upper", "n_surface")


def usual_in_surface(trials: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """How often the more usual of two wrong answers that look alike carries more confidence, by model.

    Parameters
    ----------
    trials : DataFrame
        Draws at one temperature: ``model, question_id, correct, answer, n_tokens``, confidence, and ``same``, the share
        of the model's other answers to the question that are the same answer.
    n_resamples, seed : int
        Of the bootstrap over questions.

    Returns
    -------
    DataFrame
        ``surface``: of two wrong answers to one question with equally many tokens, whose rarest words are about as
        common (:data:`ALIKE`) and of which one is the more usual, the share in which that one has more confidence,
        ties one half; the mean over the ``n_surface`` questions with such a pair, with 95 % limits. NaN below
        :data:`FEWEST`.
    """
    wrong = trials[~trials["correct"].astype(bool) & trials[SCORE].notna() & trials["same"].notna()]
    texts = wrong["answer"].fillna("").astype(str)
    wrong = wrong.assign(rarest=word_table().rarest(texts))
    rng, rows = np.random.default_rng(seed), []
    for model, own in wrong.groupby("model", sort=False):
        shares = []
        for _, drawn in own.groupby("question_id", sort=False):
            columns = (drawn[name].to_numpy() for name in ("same", SCORE, "n_tokens", "rarest"))
            same, sure, tokens, rarest = columns
            one, other = np.triu_indices(len(drawn), 1)
            alike = (tokens[one] == tokens[other]) & (np.abs(rarest[one] - rarest[other]) <= ALIKE)
            usual, surer = np.sign(same[one] - same[other])[alike], np.sign(sure[one] - sure[other])[alike]
            if usual.any():
                shares.append(((1 + usual * surer)[usual != 0] / 2).mean())
        value, ends = np.nan, (np.nan, np.nan)
        if len(shares) >= FEWEST:
            value = float(np.mean(shares))
            ends = percentile_limits(rng.choice(shares, (n_resamples, len(shares))).mean(axis=1))
        rows.append({"model": model, "n_surface": len(shares)} | ended("surface", value, *map(float, ends)))
    return pd.DataFrame(rows, columns=list(COLUMNS))
