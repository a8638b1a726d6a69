"""Figures of measures and confidence: intervals, reliability, risk and coverage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.report.style import GREY, looks, new_axes
from metacog.sdt.calibration import reliability_diagram
from metacog.sdt.selective import risk_coverage

LABELS = {
    "accuracy": "Accuracy",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
    "m_ratio": "M-ratio",
    "overconfidence": "Confidence less accuracy",
}
_REFERENCE = {"auroc2": 0.5, "meta_i2r": 0.0, "m_ratio": 1.0, "overconfidence": 0.0}


def _short(text: str, most: int = 22) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _closed(figure: Figure) -> Figure:
    """Take a figure out of pyplot's hands, so that a chapter shows it once: as its cell's last value."""
    plt.close(figure)
    return figure


def interval_figure(table: pd.DataFrame, quantity: str, *, label: str = "model") -> Figure:
    """Estimates with intervals, one line per row of the table, top to bottom; hollow where there is no interval.

    Parameters
    ----------
    table : DataFrame
        Rows of :func:`metacog.measures.table.measure_table`.
    quantity : str
        A column that has bounds.
    label : str
        Column that names the lines; colour and marker are the model's.
    """
    rows = table.reset_index(drop=True)
    style = looks(rows["model"].astype(str))
    figure, axes = new_axes(height=max(1.8, 0.42 * len(rows) + 1.0))
    seen: set[str] = set()
    for i, row in rows.iterrows():
        key = str(row["model"])
        if not np.isfinite(row[quantity]):
            axes.annotate(
                "not judged", (0.02, i), xycoords=("axes fraction", "data"), va="center", color=GREY
            )
            continue
        lower, upper = row.get(f"{quantity}_lower", np.nan), row.get(f"{quantity}_upper", np.nan)
        if np.isfinite(lower):
            axes.plot([lower, upper], [i, i], color=style[key]["color"], lw=2)
        hollow = {} if np.isfinite(lower) else {"markerfacecolor": "white"}
        axes.plot(
            row[quantity],
            i,
            linestyle="none",
            markersize=8,
            color=style[key]["color"],
            marker=style[key]["marker"],
            label=None if key in seen else _short(key),
            **hollow,
        )
        seen.add(key)
    if quantity in _REFERENCE:
        axes.axvline(_REFERENCE[quantity], color=GREY, lw=1, linestyle="--")
    axes.set_yticks(range(len(rows)), [_short(str(v)) for v in rows[label]])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(LABELS.get(quantity, quantity))
    if label != "model" and len(seen) > 1:
        figure.legend(loc="outside lower center", ncols=2)
    return _closed(figure)


def temperature_figure(table: pd.DataFrame) -> Figure:
    """Accuracy and AUROC2 against temperature, one line per model; points without an interval are hollow and apart."""
    style = looks(table["model"].astype(str))
    figure, grid = new_axes(1, 2, height=3.2)
    for axes, quantity in zip(grid, ("accuracy", "auroc2"), strict=True):
        for model, part in table.groupby("model", sort=False):
            look = style[str(model)]
            part = part.sort_values("temperature")
            judged = part[f"{quantity}_lower"].notna()
            line = part[quantity].where(judged)
            axes.plot(part["temperature"], line, lw=1.5, label=_short(str(model)), **look)
            apart = part[~judged]
            axes.plot(
                apart["temperature"], apart[quantity], ls="none", **{**look, "markerfacecolor": "white"}
            )
            axes.fill_between(
                part["temperature"],
                part[f"{quantity}_lower"],
                part[f"{quantity}_upper"],
                color=look["color"],
                alpha=0.15,
                lw=0,
            )
        if quantity in _REFERENCE:
            axes.axhline(_REFERENCE[quantity], color=GREY, lw=1, linestyle="--")
        axes.set_xlabel("Temperature")
        axes.set_ylabel(LABELS.get(quantity, quantity))
    if table["model"].nunique() > 1:
        handles, names = grid[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
    return _closed(figure)


def reliability_figure(trials: Mapping[str, pd.DataFrame]) -> Figure:
    """Accuracy against stated confidence in ten equal-width bins, with Wilson intervals.

    Parameters
    ----------
    trials : mapping of name to trial table
        ``confidence`` must be a probability; trials without one are left out.
    """
    style = looks(trials)
    figure, axes = new_axes(height=4.4)
    axes.plot([0, 1], [0, 1], color=GREY, lw=1, linestyle="--", label="perfectly calibrated")
    for i, (name, part) in enumerate(trials.items()):
        known = part[part["confidence"].notna()]
        if known.empty:
            continue
        d = reliability_diagram(known["correct"].to_numpy(), known["confidence"].to_numpy(), n_bins=10)
        spread = np.abs(np.stack([d.accuracy - d.accuracy_lower, d.accuracy_upper - d.accuracy]))
        shift = 0.006 * (i - (len(trials) - 1) / 2)
        axes.errorbar(
            d.confidence + shift,
            d.accuracy,
            yerr=spread,
            lw=1.5,
            markersize=7,
            label=_short(name),
            **style[name],
        )
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel="Confidence", ylabel="Share right")
    axes.legend(loc="upper left")
    return _closed(figure)


def risk_coverage_figure(trials: Mapping[str, pd.DataFrame]) -> Figure:
    """Error rate among the surest share of answers, with random order for comparison."""
    style: dict[str, dict[str, Any]] = looks(trials)
    figure, axes = new_axes(height=3.6)
    for name, part in trials.items():
        known = part[part["score"].notna()]
        if known.empty:
            continue
        curve = risk_coverage(known["correct"].to_numpy(), known["score"].to_numpy())
        first = max(int(0.02 * curve.coverage.size), 1) - 1
        pick = np.unique(np.linspace(first, curve.coverage.size - 1, 200).astype(int))
        line = axes.plot(
            curve.coverage[pick],
            curve.risk[pick],
            lw=1.8,
            markevery=33,
            markersize=7,
            label=_short(name),
            **style[name],
        )
        axes.axhline(curve.full_risk, color=line[0].get_color(), lw=1, linestyle=":")
    axes.set(xlim=(0, 1.02), ylim=(0, None), xlabel="Share answered, surest first", ylabel="Error rate")
    axes.legend(loc="best")
    return _closed(figure)


def confidence_figure(trials: pd.DataFrame, score: str = "score") -> Figure:
    """How confidence is spread over right and over wrong answers of one model."""
    style = looks(["right", "wrong"])
    figure, axes = new_axes(height=3.2)
    known = trials[trials[score].notna()]
    edges = np.histogram_bin_edges(known[score], bins=25)
    for name, part in (("right", known[known["correct"]]), ("wrong", known[~known["correct"]])):
        axes.hist(
            part[score],
            bins=edges,
            density=True,
            histtype="step",
            lw=2,
            color=style[name]["color"],
            linestyle="-" if name == "right" else "--",
            label=f"{name} ({len(part):,})",
        )
    axes.set(xlabel="Confidence", ylabel="Density")
    axes.legend(loc="best")
    return _closed(figure)
