"""What a threshold of confidence withholds: chosen on one half of the questions, judged on the other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from metacog.measures.cell import FloatArray
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.selective import abstain_held_out, cluster_halves, resample_held_out
from metacog.studies.study1_qa.use.reliability import cells, share

#: Thresholds that a reader can choose.
GRID = tuple(round(step / 100, 2) for step in range(101))
#: What is told of each: the share answered, of errors withheld, of right answers withheld, and right of those answered.
TOLD = ("answered", "caught", "withheld", "right_answered")


def first_half(questions: pd.Series, seed: int) -> frozenset[str]:
    """Half of the questions, for choosing; the same ones for every model and temperature."""
    ids = sorted(questions.unique())
    if len(ids) < 2:
        return frozenset()
    _, first = cluster_halves(None, len(ids), seed=seed)
    return frozenset(np.array(ids, dtype=object)[first].tolist())


def at(answers: pd.DataFrame, threshold: float) -> dict[str, float]:
    """:data:`TOLD` of some answers at a threshold, each with its interval."""
    given, right = answers["confidence"] >= threshold, answers["correct"].astype(bool)
    parts = {
        "answered": given,
        "caught": ~given[~right],
        "withheld": ~given[right],
        "right_answered": right[given],
    }
    return {key: value for name in TOLD for key, value in share(name, parts[name]).items()}


def thresholds(trials: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Every threshold of :data:`GRID`, of each model at the lowest temperature and at 1.

    Returns
    -------
    DataFrame
        ``model, temperature, sampling, threshold``; ``n`` questions to judge by, :data:`TOLD` of them with intervals;
        the same of the half for choosing (``chosen_answered`` and so on); and whether it is the one ``picked``: with
        the most right decisions in the half for choosing (right answers given, wrong ones withheld), the lowest such.
    """
    half = first_half(trials["question_id"], seed)
    rows = []
    for about, known in cells(trials):
        choosing = known["question_id"].isin(half)
        one, other = known[choosing], known[~choosing]
        if one.empty or other.empty:
            continue
        right = one["correct"].to_numpy(bool)
        decided = [((one["confidence"] >= t).to_numpy() == right).mean() for t in GRID]
        for place, threshold in enumerate(GRID):
            chosen = {f"chosen_{name}": value for name, value in at(one, threshold).items() if name in TOLD}
            row = {**about, "threshold": threshold, "n": len(other), **at(other, threshold), **chosen}
            rows.append(row | {"picked": place == int(np.argmax(decided))})
    return pd.DataFrame(rows)


def gains(trials: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """What abstaining gains in right decisions, as study 3 counts them (:mod:`metacog.sdt.selective`).

    Returns
    -------
    DataFrame
        ``model, sampling, n, accuracy``; ``gain`` over the better of answering all and none, with its interval.
    """
    rows = []
    for about, known in cells(trials):
        nothing = dict.fromkeys(("accuracy", "gain", "gain_lower", "gain_upper"), float("nan"))
        row = {**about, "n": len(known), **nothing}
        if known["question_id"].nunique() > 1:
            arrays = known["correct"].to_numpy(bool), known["confidence"].to_numpy(float)
            unit = known["question_id"].to_numpy()
            held = abstain_held_out(*arrays, clusters=unit, seed=seed)
            drawn = [
                resample_held_out(*arrays, unit, weights, seed=seed).gain
                for weights in _weights(len(np.unique(unit)), n_resamples, seed)
            ]
            low, high = percentile_limits(np.concatenate(drawn))
            row |= {
                "accuracy": held.pooled.accuracy,
                "gain": held.gain,
                "gain_lower": low,
                "gain_upper": high,
            }
        rows.append(row)
    return pd.DataFrame(rows)


def _weights(n: int, n_resamples: int, seed: int) -> Iterator[FloatArray]:
    return weight_chunks(n, n_resamples, seed, 8 * n)
