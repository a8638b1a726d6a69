"""Confidence gates of several models: what they escalate, and which errors they miss."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import ended, with_ends
from metacog.sdt.checks import FloatArray
from metacog.sdt.gate import cheapest, gate, gate_worth

#: Shares of missed errors for which the table gives the cheapest gate.
BARS = (0.5, 0.2, 0.1, 0.0)
#: Resamples and seed of the interval of what confidence is worth.
N_RESAMPLES, SEED = 2_000, 42


def gate_curves(trials: pd.DataFrame) -> pd.DataFrame:
    """Every gate that the trials of each model distinguish: ``model, threshold, load, missed``."""
    parts = []
    for model, rows in trials.groupby("model", sort=False):
        found = gate(rows["correct"].to_numpy(dtype=float), rows["confidence"].to_numpy(dtype=float))
        columns = {name: getattr(found, name) for name in ("threshold", "load", "missed")}
        parts.append(pd.DataFrame({"model": model, **columns}))
    return pd.concat(parts, ignore_index=True)


def gate_table(trials: pd.DataFrame) -> pd.DataFrame:
    """The gate of each model that is cheapest on all trials, which flatter it, for each bar of :data:`BARS`.

    ``threshold`` is NaN where all is escalated. ``worth`` is what confidence is worth where the threshold is picked on
    one half of the questions and judged on the other (:func:`metacog.sdt.gate.gate_worth`), 0 for escalating at random.
    Models without an error are left out.
    """
    found = []
    for model, rows in trials.groupby("model", sort=False):
        arrays = rows["correct"].to_numpy(dtype=float), rows["confidence"].to_numpy(dtype=float)
        units = rows["question_id"].to_numpy() if "question_id" in rows else np.arange(len(rows))
        curve = gate(*arrays)
        for bar in BARS if curve.errors else ():
            at = cheapest(curve, bar)
            found.append(
                {
                    "model": model,
                    "bar": bar,
                    "load": curve.load[at],
                    "threshold": curve.threshold[at] if curve.load[at] < 1 else math.nan,
                    "missed": curve.missed[at],
                    "missed_errors": int(curve.missed_errors[at]),
                    **ended("worth", *_worth(arrays, bar, units)),
                }
            )
    names = ("model", "bar", "threshold", "load", "missed", "missed_errors", *with_ends("worth"))
    return pd.DataFrame(found, columns=list(names))


def _worth(arrays: tuple[FloatArray, FloatArray], bar: float, units: NDArray) -> tuple[float, float, float]:
    if np.unique(units).size < 2:
        return math.nan, math.nan, math.nan
    found = gate_worth(*arrays, bar, clusters=units, n_resamples=N_RESAMPLES, seed=SEED)
    return found.worth, found.lower, found.upper
