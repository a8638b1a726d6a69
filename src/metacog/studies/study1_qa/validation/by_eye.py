"""Marks compared with a reader's judgement: answers drawn by a seed, as many marked wrong as right of each model."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.paths import project_root
from metacog.sdt.intervals import wilson
from metacog.studies.study1_qa.cells.counts import REFERENCE

#: ``model, question_id, answer, marked, judged, reason``: answers of the reference run as one reader judged them.
FILE = "data/replies/marked_by_eye.csv"
#: Answers of a model with one mark that were read, and the seed that drew them.
DRAWN, SEED = 60, 42


def drawn(trials: pd.DataFrame) -> pd.DataFrame:
    """Answers at T = 1 to be read, :data:`DRAWN` of each model and mark, or all if there are fewer.

    They depend on :data:`SEED` and on which questions each model has answered right.
    """
    at_one = trials[trials["temperature"] == REFERENCE].sort_values(["model", "question_id"])
    found = []
    for _, own in at_one.groupby(["model", "correct"]):
        picked = np.random.default_rng(SEED).choice(len(own), min(DRAWN, len(own)), replace=False)
        found.append(own.iloc[np.sort(picked)])
    return pd.concat(found, ignore_index=True)


def mismarked(trials: pd.DataFrame) -> pd.DataFrame:
    """Shares of marks that the reader's judgement contradicts.

    Parameters
    ----------
    trials : DataFrame
        Open answers; what was read of others counts nothing.

    Returns
    -------
    DataFrame
        ``model, marked, n, mismarked, share, lower, upper``: answers read that the trials hold, and the 95 % Wilson
        interval of the share mismarked (:func:`metacog.sdt.intervals.wilson`), by model and mark.
    """
    read = pd.read_csv(project_root() / FILE, keep_default_na=False)
    at_one = trials[trials["temperature"] == REFERENCE].assign(answer=trials["text"].str.strip())
    both = at_one[["model", "question_id", "answer", "correct"]].merge(
        read, on=["model", "question_id", "answer"], validate="many_to_one"
    )
    both["marked"] = np.where(both["correct"], "right", "wrong")
    both["mismarked"] = both["marked"] != both["judged"]
    table = both.groupby(["model", "marked"], as_index=False).agg(
        n=("mismarked", "size"), mismarked=("mismarked", "sum")
    )
    table["share"] = table["mismarked"] / table["n"]
    table["lower"], table["upper"] = wilson(table["share"], table["n"])
    return table
