"""Rates and deltas: how much more often right answers are stood by than wrong ones, in percentage points.

A delta without a right or without a wrong answer is undefined, never zero.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.core.frames import typed_rows
from metacog.sdt.combined_intervals import difference_of_shares
from metacog.sdt.intervals import Interval
from metacog.sdt.weighted import stratified_permutation, weighted_shares
from metacog.studies.study5_battery.ledger.responses import PATHS
from metacog.studies.study5_battery.paper import RETROSPECTIVE, models_of

#: Columns of :func:`counts` after those of its groups.
COUNTED = ["n_correct", "n_incorrect", "stood_correct", "stood_incorrect"]
#: Columns of :func:`mean_deltas`.
MEANS = {
    "model": "str",
    **dict.fromkeys(("delta", "lower", "upper", "p"), "float64"),
    "n_defined": "int64",
    "complete": "bool",
    **dict.fromkeys(("accuracy", "stood"), "float64"),
}


def counts(
    responses: pd.DataFrame, by: Sequence[str] = ("model", "track"), probe: str = "keep"
) -> pd.DataFrame:
    """Right and wrong answers of each group that are judged, and how many of them were stood by."""
    judged = responses[responses["judged"]]
    right, stood = judged["correct"], judged[probe]
    flags = judged[list(by)].assign(
        n_correct=right, n_incorrect=~right, stood_correct=right & stood, stood_incorrect=~right & stood
    )
    return flags.groupby(list(by), sort=False).sum().astype("int64").reset_index()


def deltas(
    responses: pd.DataFrame, by: Sequence[str] = ("model", "track"), probe: str = "keep"
) -> pd.DataFrame:
    """Rates in % and delta of each group, with Newcombe's interval; ``kc`` and ``ki`` of right and wrong answers."""
    table = counts(responses, by, probe)
    n_right, n_wrong, right, wrong = (table[name] for name in COUNTED)
    gaps = [difference_of_shares(*row) for row in zip(right, n_right, wrong, n_wrong, strict=True)]
    ends = 100 * np.array([(one.estimate, *one) for one in gaps], dtype=float).reshape(-1, 3)
    n = n_right + n_wrong
    rates = {"accuracy": n_right / n, "stood": 100 * (right + wrong) / n}
    rates |= {"kc": 100 * right / n_right, "ki": 100 * wrong / n_wrong}
    return table.assign(n=n, **rates, **dict(zip(("delta", "lower", "upper"), ends.T, strict=True)))


def sum_of(per_track: pd.DataFrame, weights: ArrayLike, level: float = 0.95) -> Interval:
    """A weighted sum of the deltas of rows of :func:`deltas`, with a score interval; undefined where one of them is."""
    w = np.asarray(weights, dtype=float)
    hits, n = (
        np.concatenate([per_track[f"{name}_correct"], per_track[f"{name}_incorrect"]])
        for name in ("stood", "n")
    )
    one = weighted_shares(hits, n, np.concatenate([w, -w]), level=level)
    return Interval(100 * one.estimate, 100 * one.lower, 100 * one.upper, level)


def mean_deltas(per_track: pd.DataFrame) -> pd.DataFrame:
    """Mean delta of each model over those of T1 to T5 in which it is defined, with a score interval.

    ``p`` is exact and two-sided: right and wrong answers change places within tracks. Only means that are ``complete``
    may be ranked. ``accuracy`` and ``stood`` are means over all tracks.
    """
    results = []
    for model in models_of(per_track):
        own = per_track[(per_track["model"] == model) & per_track["track"].isin(RETROSPECTIVE)]
        known = own[own["delta"].notna()]
        n = len(known)
        one = sum_of(known, np.full(n, 1 / max(n, 1)))
        columns = ("stood_correct", "n_correct", "stood_incorrect", "n_incorrect")
        p = stratified_permutation(*(known[name] for name in columns)).two_sided if n else np.nan
        means = own["accuracy"].mean(), own["stood"].mean()
        row = (model, one.estimate, *one, p, n, n == len(RETROSPECTIVE), *means)
        results.append(dict(zip(MEANS, row, strict=True)))
    return typed_rows(results, MEANS)


def mean_difference(first: pd.DataFrame, second: pd.DataFrame, level: float = 0.95) -> Interval:
    """Difference of two models' means over the tracks that both have defined, first minus second."""
    known = [one[one["delta"].notna()] for one in (first, second)]
    shared = set(known[0]["track"]) & set(known[1]["track"])
    both = pd.concat([one[one["track"].isin(shared)] for one in known])
    k = max(len(shared), 1)
    return sum_of(both, np.repeat([1 / k, -1 / k], len(shared)), level)


def path_rates(responses: pd.DataFrame) -> pd.DataFrame:
    """How often each path of T6 was chosen, in percent: ``model, direct, hint, decline``."""
    six = responses[responses["track"] == "T6"]
    shares = pd.crosstab(six["model"], six["path"], normalize="index") * 100
    shares = shares.reindex(columns=list(PATHS.values()), fill_value=0.0).reindex(models_of(responses))
    return shares.set_axis(["direct", "hint", "decline"], axis=1).rename_axis("model").reset_index()
