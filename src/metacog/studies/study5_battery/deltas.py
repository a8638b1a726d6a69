"""Withdraw and bet deltas: how much more often right answers are stood by than wrong ones.

Rates and deltas are in percentage points. A delta without a right or without a wrong answer is undefined,
never zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.report.verdicts import rows_of
from metacog.sdt.proportions import Estimated, combined, difference_of_shares
from metacog.studies.study5_battery.published import RETROSPECTIVE, models_of

#: What each probe's "yes" is called.
PROBES = {"keep": "withdraw delta", "bet": "bet delta"}


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


def delta_of(row: Any, level: float = 0.95) -> Estimated:
    """The delta of a row of :func:`counts`, with Newcombe's interval, in shares."""
    return difference_of_shares(
        row.stood_correct, row.n_correct, row.stood_incorrect, row.n_incorrect, level
    )  # fmt: skip


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
        Columns of ``by``, then ``n, n_correct, n_incorrect, accuracy, stood`` (rate of standing by, in %),
        ``kc, ki`` (the same of right and of wrong answers), ``delta, lower, upper``.
    """
    found = []
    for row in rows_of(counts(responses, by, probe)):
        one = delta_of(row, level)
        n = row.n_correct + row.n_incorrect
        found.append(
            {
                **{name: getattr(row, name) for name in by},
                "n": n, "n_correct": row.n_correct, "n_incorrect": row.n_incorrect,
                "accuracy": row.n_correct / n,
                "stood": 100 * (row.stood_correct + row.stood_incorrect) / n,
                "kc": rate(row.stood_correct, row.n_correct),
                "ki": rate(row.stood_incorrect, row.n_incorrect),
                "delta": 100 * one.estimate, "lower": 100 * one.lower, "upper": 100 * one.upper,
            }
        )  # fmt: skip
    return pd.DataFrame(found)


def with_bets(responses: pd.DataFrame) -> pd.DataFrame:
    """:func:`deltas` of KEEP by model and track, and beside them ``bet_delta, bet_lower, bet_upper``."""
    key, ends = ["model", "track"], ["delta", "lower", "upper"]
    bets = deltas(responses, probe="bet")[[*key, *ends]].rename(columns={c: f"bet_{c}" for c in ends})
    return deltas(responses).merge(bets, on=key, validate="one_to_one")


def table_of(frame: pd.DataFrame, index: str, columns: Sequence[str]) -> dict[str, dict[str, float]]:
    """Numbers of a frame with one row a name, as ``found[column][name]``."""
    return {c: {str(k): float(v) for k, v in zip(frame[index], frame[c], strict=True)} for c in columns}


def rate(part: int, whole: int) -> float:
    """Percent; NaN of nothing."""
    return 100 * part / whole if whole else float("nan")


def mean_of(per_track: pd.DataFrame, weights: Sequence[float] | None = None) -> Estimated:
    """Mean of the defined deltas of some rows of :func:`deltas`, with MOVER's interval."""
    own = per_track[per_track["delta"].notna()]
    w = np.full(len(own), 1 / max(len(own), 1)) if weights is None else np.asarray(weights, dtype=float)
    return combined(own["delta"], own["lower"], own["upper"], w)


def mean_deltas(per_track: pd.DataFrame, tracks: Sequence[str] = RETROSPECTIVE) -> pd.DataFrame:
    """Mean delta of each model over the tracks in which it is defined.

    Returns
    -------
    DataFrame
        A row a model: ``model, delta, lower, upper, n_defined, complete`` (defined on all tracks; only such
        means may be ranked), ``accuracy`` and ``stood`` (means over all tracks).
    """
    found = []
    for model in models_of(per_track):
        own = per_track[(per_track["model"] == model) & per_track["track"].isin(tracks)]
        one = mean_of(own)
        found.append(
            {
                "model": model, "delta": one.estimate, "lower": one.lower, "upper": one.upper,
                "n_defined": int(own["delta"].notna().sum()),
                "complete": bool(own["delta"].notna().sum() == len(tracks)),
                "accuracy": own["accuracy"].mean(), "stood": own["stood"].mean(),
            }
        )  # fmt: skip
    return pd.DataFrame(found)


def mean_difference(first: pd.DataFrame, second: pd.DataFrame) -> Estimated:
    """Difference of two models' means over the tracks that both have defined, first less second.

    Parameters
    ----------
    first, second : DataFrame
        Rows of :func:`deltas`, a row a track.
    """
    both = first.merge(second, on="track", suffixes=("_a", "_b"))
    both = both[both["delta_a"].notna() & both["delta_b"].notna()]
    k = max(len(both), 1)
    x, low, high = (pd.concat([both[f"{name}_a"], both[f"{name}_b"]]) for name in ("delta", "lower", "upper"))
    return combined(x, low, high, np.repeat([1 / k, -1 / k], len(both)))
