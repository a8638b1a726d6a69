"""Confidence gates of several models, from any trial table: load and missed errors, as table and figure."""

from __future__ import annotations

import math

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.errors import MetacogError
from metacog.report.style import GREY, legend_above, looks, new_axes
from metacog.report.tables import Column, columns_of, count, number, text
from metacog.report.verdicts import rows_of
from metacog.sdt.gate import cheapest, gate

#: Shares of missed errors for which the table gives the cheapest gate.
BARS = (0.5, 0.2, 0.1, 0.0)
#: Columns of :func:`gate_table` as readers see them.
COLUMNS: tuple[Column, ...] = columns_of(
    text("model", "Model"),
    number("bar", "Errors missed at most", 2),
    number("threshold", "Escalate below", 2),
    number("load", "Load", 2),
    number("missed", "Errors missed", 2),
    count("missed_errors", "that is"),
    number("blind_load", "Load without confidence", 2),
)


def gate_curves(trials: pd.DataFrame) -> pd.DataFrame:
    """Every gate that the trials of each model can tell apart: ``model, threshold, load, missed``.

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
                    "model": model, "threshold": found.threshold, "load": found.load,
                    "missed": found.missed, "missed_errors": found.missed_errors, "risk": found.risk,
                }
            )
        )  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def gate_table(trials: pd.DataFrame) -> pd.DataFrame:
    """The cheapest gate of each model for each bar of :data:`BARS`.

    ``blind_load`` is the load of escalating at random that misses as many errors on average: confidence
    earns what lies between the two. ``threshold`` is NaN where all is escalated.
    Models without an error are left out.
    """
    gate_curves(trials)  # refuses what it cannot judge
    found = []
    for model, rows in trials.groupby("model", sort=False):
        own = gate(rows["correct"].to_numpy(dtype=float), rows["confidence"].to_numpy(dtype=float))
        for bar in BARS if own.errors else ():
            at = cheapest(own, bar)
            found.append(
                {
                    "model": model, "bar": bar, "load": own.load[at],
                    "threshold": own.threshold[at] if own.load[at] < 1 else math.nan,
                    "missed": own.missed[at], "missed_errors": int(own.missed_errors[at]),
                    "blind_load": 1 - own.missed[at],
                }
            )  # fmt: skip
    names = ["model", "bar", "threshold", "load", "missed", "missed_errors", "blind_load"]
    return pd.DataFrame(found, columns=names)


def gate_figure(curves: pd.DataFrame) -> Figure | None:
    """Missed errors against load, a line a model; the dashed line escalates at random."""
    known = curves.dropna(subset=["missed"])
    if known.empty:
        return None
    style = looks(curves["model"])
    figure, axis = new_axes(height=4.0)
    axis.plot([0, 1], [1, 0], color=GREY, lw=1, ls="--")
    for model, own in known.groupby("model", sort=False):
        rows = rows_of(own)
        axis.plot(
            [r.load for r in rows], [r.missed for r in rows], ms=6, lw=1.5, label=model, **style[str(model)]
        )
    axis.set_xlabel("load: share of answers escalated")
    axis.set_ylabel("share of errors missed")
    axis.set_xlim(-0.03, 1.03)
    axis.set_ylim(-0.03, 1.03)
    legend_above(figure, axis)
    return figure
