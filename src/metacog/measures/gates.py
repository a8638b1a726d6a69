"""Confidence gates of several models, from any trial table: load and missed errors."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.sdt.gate import cheapest, gate, gate_worth

FloatArray = NDArray[np.float64]

#: Shares of missed errors for which the table gives the cheapest gate.
BARS = (0.5, 0.2, 0.1, 0.0)


def gate_curves(trials: pd.DataFrame) -> pd.DataFrame:
    """Every gate that the trials of each model distinguish: ``model, threshold, load, missed``.

    Parameters
    ----------
    trials : DataFrame
        With ``model``, ``correct`` and ``confidence``.

    Raises
    ------
    MetacogError
        If a column is missing, or there is no trial.
    """
    lacking = [c for c in ("model", "correct", "confidence") if c not in trials]
    if lacking or not len(trials):
        raise MetacogError(
            f"a confidence gate needs trials with the columns {', '.join(lacking)}"
            if lacking
            else "a confidence gate needs at least one trial"
        )
    parts = []
    for model, rows in trials.groupby("model", sort=False):
        found = gate(rows["correct"].to_numpy(dtype=float), rows["confidence"].to_numpy(dtype=float))
        parts.append(
            pd.DataFrame(
                {
                    "model": model,
                    "threshold": found.threshold,
                    "load": found.load,
                    "missed": found.missed,
                    "missed_errors": found.missed_errors,
                    "risk": found.risk,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def gate_table(trials: pd.DataFrame, *, n_resamples: int = 2_000, seed: int = 42) -> pd.DataFrame:
    """The cheapest gate of each model for each bar of :data:`BARS`.

    Parameters
    ----------
    trials : DataFrame
        As for :func:`gate_curves`; trials of one ``question_id``, where there is that column, stay together.
    n_resamples, seed : int

    Returns
    -------
    DataFrame
        ``model, bar``; ``threshold, load, missed, missed_errors`` of the gate that is cheapest on all trials,
        which flatter it (``threshold`` is NaN where all is escalated); ``worth`` with limits, what confidence
        is worth where the threshold is picked on one half of the questions and judged on the other
        (:func:`metacog.sdt.gate.gate_worth`), 0 for escalating at random. Models without an error are
        left out.
    """
    gate_curves(trials)  # refuses what it cannot judge
    found = []
    for model, rows in trials.groupby("model", sort=False):
        arrays = rows["correct"].to_numpy(dtype=float), rows["confidence"].to_numpy(dtype=float)
        units = rows["question_id"].to_numpy() if "question_id" in rows else np.arange(len(rows))
        curve = gate(*arrays)
        for bar in BARS if curve.errors else ():
            at = cheapest(curve, bar)
            worth, lower, upper = _worth(arrays, bar, units, n_resamples, seed)
            found.append(
                {
                    "model": model,
                    "bar": bar,
                    "load": curve.load[at],
                    "threshold": curve.threshold[at] if curve.load[at] < 1 else math.nan,
                    "missed": curve.missed[at],
                    "missed_errors": int(curve.missed_errors[at]),
                    "worth": worth,
                    "worth_lower": lower,
                    "worth_upper": upper,
                }
            )
    names = ["model", "bar", "threshold", "load", "missed", "missed_errors"]
    names += ["worth", "worth_lower", "worth_upper"]
    return pd.DataFrame(found, columns=names)


def _worth(
    arrays: tuple[FloatArray, FloatArray], bar: float, units: NDArray, n_resamples: int, seed: int
) -> tuple[float, float, float]:
    if np.unique(units).size < 2:
        return math.nan, math.nan, math.nan
    found = gate_worth(*arrays, bar, clusters=units, n_resamples=n_resamples, seed=seed)
    return found.worth, found.lower, found.upper
