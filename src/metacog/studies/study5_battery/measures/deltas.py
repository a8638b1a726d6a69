"""Withdraw and bet deltas: how much more often right answers are stood by than wrong ones.

Rates and deltas are in percentage points. A delta without a right or without a wrong answer is undefined,
never zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.core.frames import rows_of, typed_rows
from metacog.sdt.intervals import Interval, difference_of_shares
from metacog.sdt.weighted_shares import StratifiedTest, stratified_permutation, weighted_shares
from metacog.studies.study5_battery.ledger.published import RETROSPECTIVE, models_of

#: What each probe's "yes" is called.
PROBES = {"keep": "withdraw delta", "bet": "bet delta"}


#: Columns of :func:`deltas` after those of its groups.
COUNTED = dict.fromkeys(("n", "n_correct", "n_incorrect", "stood_correct", "stood_incorrect"), "int64")
DELTAS = COUNTED | dict.fromkeys(("accuracy", "stood", "kc", "ki", "delta", "lower", "upper"), "float64")
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
    """Right and wrong answers of each group that are judged, and how many of them were stood by.

    Columns of ``by``, then ``n_correct, n_incorrect, stood_correct, stood_incorrect``.
    """
    judged = responses[responses["judged"]]
    right, stood = judged["correct"], judged[probe]
    flags = judged[list(by)].assign(
        n_correct=right, n_incorrect=~right, stood_correct=right & stood, stood_incorrect=~right & stood
    )
    return flags.groupby(list(by), sort=False).sum().astype("int64").reset_index()


def delta_of(row: Any, level: float = 0.95) -> Interval:
    """The delta of a row of :func:`counts`, with Newcombe's interval, in shares."""
    return difference_of_shares(
        row.stood_correct, row.n_correct, row.stood_incorrect, row.n_incorrect, level=level
    )


def deltas(
    responses: pd.DataFrame,
    by: Sequence[str] = ("model", "track"),
    probe: str = "keep",
    level: float = 0.95,
) -> pd.DataFrame:
    """Rates and delta of each group.

    Returns
    -------
    DataFrame
        Columns of ``by``, then ``n, n_correct, n_incorrect, stood_correct, stood_incorrect, accuracy, stood``
        (rate of standing by, in %), ``kc, ki`` (the same of right and of wrong answers), ``delta, lower,
        upper``.
    """
    results = []
    for row in rows_of(counts(responses, by, probe)):
        one = delta_of(row, level)
        n = row.n_correct + row.n_incorrect
        results.append(
            {
                **{name: getattr(row, name) for name in by},
                "n": n,
                "n_correct": row.n_correct,
                "n_incorrect": row.n_incorrect,
                "stood_correct": row.stood_correct,
                "stood_incorrect": row.stood_incorrect,
                "accuracy": row.n_correct / n,
                "stood": 100 * (row.stood_correct + row.stood_incorrect) / n,
                "kc": rate(row.stood_correct, row.n_correct),
                "ki": rate(row.stood_incorrect, row.n_incorrect),
                "delta": 100 * one.estimate,
                "lower": 100 * one.lower,
                "upper": 100 * one.upper,
            }
        )
    return typed_rows(results, {**{name: responses[name].dtype for name in by}, **DELTAS})


def with_bets(responses: pd.DataFrame) -> pd.DataFrame:
    """:func:`deltas` of KEEP by model and track, and next to them ``bet_delta, bet_lower, bet_upper``."""
    key, ends = ["model", "track"], ["delta", "lower", "upper"]
    bets = deltas(responses, probe="bet")[[*key, *ends]].rename(columns={c: f"bet_{c}" for c in ends})
    return deltas(responses).merge(bets, on=key, validate="one_to_one")


def table_of(frame: pd.DataFrame, index: str, columns: Sequence[str]) -> dict[str, dict[str, float]]:
    """Numbers of a frame with one row per name, as ``table[column][name]``."""
    return {c: {str(k): float(v) for k, v in zip(frame[index], frame[c], strict=True)} for c in columns}


def rate(part: int, whole: int) -> float:
    """Percent; NaN of nothing."""
    return 100 * part / whole if whole else float("nan")


def sum_of(per_track: pd.DataFrame, weights: ArrayLike, level: float = 0.95) -> Interval:
    """A weighted sum of the deltas of rows of :func:`deltas`, with a score interval.

    Undefined where one of the deltas is; see :func:`metacog.sdt.weighted_shares.weighted_shares`.
    """
    w = np.asarray(weights, dtype=float)
    hits, n = (
        np.concatenate([per_track[f"{name}_correct"], per_track[f"{name}_incorrect"]])
        for name in ("stood", "n")
    )
    one = weighted_shares(hits, n, np.concatenate([w, -w]), level=level)
    return Interval(100 * one.estimate, 100 * one.lower, 100 * one.upper, level)


def mean_of(per_track: pd.DataFrame, level: float = 0.95) -> Interval:
    """Mean of the defined deltas of some rows of :func:`deltas`, with a score interval."""
    subset = per_track[per_track["delta"].notna()]
    return sum_of(subset, np.full(len(subset), 1 / max(len(subset), 1)), level)


def mean_test(per_track: pd.DataFrame) -> StratifiedTest | None:
    """Exact permutation test of that mean, answers changing places within tracks; None without a delta."""
    subset = per_track[per_track["delta"].notna()]
    if subset.empty:
        return None
    return stratified_permutation(
        subset["stood_correct"], subset["n_correct"], subset["stood_incorrect"], subset["n_incorrect"]
    )


def mean_deltas(per_track: pd.DataFrame, tracks: Sequence[str] = RETROSPECTIVE) -> pd.DataFrame:
    """Mean delta of each model over the tracks in which it is defined.

    Returns
    -------
    DataFrame
        One row for each model: ``model, delta, lower, upper`` (score interval), ``p`` (exact, two-sided:
        right and wrong answers change places within tracks), ``n_defined, complete`` (defined on all tracks;
        only such means may be ranked), ``accuracy`` and ``stood`` (means over all tracks).
    """
    results = []
    for model in models_of(per_track):
        subset = per_track[(per_track["model"] == model) & per_track["track"].isin(tracks)]
        one, test = mean_of(subset), mean_test(subset)
        results.append(
            {
                "model": model,
                "delta": one.estimate,
                "lower": one.lower,
                "upper": one.upper,
                "p": np.nan if test is None else test.two_sided,
                "n_defined": int(subset["delta"].notna().sum()),
                "complete": bool(subset["delta"].notna().sum() == len(tracks)),
                "accuracy": subset["accuracy"].mean(),
                "stood": subset["stood"].mean(),
            }
        )
    return typed_rows(results, MEANS)


def mean_difference(first: pd.DataFrame, second: pd.DataFrame, level: float = 0.95) -> Interval:
    """Difference of two models' means over the tracks that both have defined, first minus second.

    Parameters
    ----------
    first, second : DataFrame
        Rows of :func:`deltas`, one for each track.
    level : float
    """
    known = [one[one["delta"].notna()] for one in (first, second)]
    shared = set(known[0]["track"]) & set(known[1]["track"])
    both = pd.concat([one[one["track"].isin(shared)] for one in known])
    k = max(len(shared), 1)
    return sum_of(both, np.repeat([1 / k, -1 / k], len(shared)), level)
