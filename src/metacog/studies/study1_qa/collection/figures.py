"""Figures of the chapter on collection."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.figure import Figure

from metacog.report.style import GREY, looks, new_axes
from metacog.sdt.intervals import wilson


def answer_lengths(trials: pd.DataFrame) -> Figure:
    """Histogram of answer length in tokens, one panel a model, one line a temperature."""
    models = list(dict.fromkeys(trials["model"]))
    temperatures = sorted(trials["temperature"].unique())
    figure, axes = new_axes(len(models), 1, height=2.6, sharex=True, squeeze=False)
    longest = int(trials["n_tokens"].max())
    edges = np.arange(-0.5, longest + 1.5)
    colours = colormaps["viridis"](np.linspace(0, 0.9, len(temperatures)))
    for axis, model in zip(axes[:, 0], models, strict=True):
        for temperature, colour in zip(temperatures, colours, strict=True):
            chosen = trials[(trials["model"] == model) & (trials["temperature"] == temperature)]
            share = np.histogram(chosen["n_tokens"], bins=edges)[0] / max(len(chosen), 1)
            axis.plot(np.arange(longest + 1), share, color=colour, lw=1.8, label=f"T = {temperature:g}")
        axis.set_title(model, loc="left")
        axis.set_ylabel("share of answers")
    axes[-1, 0].set_xlabel("tokens in the answer")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure


def accuracy_by_tier(trials: pd.DataFrame, temperature: float = 1.0) -> Figure:
    """Accuracy with Wilson intervals against tier, one line a model."""
    chosen = trials[trials["temperature"] == temperature]
    figure, axis = new_axes(height=3.4)
    names = list(dict.fromkeys(trials["model"]))
    style = looks(names)
    for shift, name in zip(np.linspace(-0.08, 0.08, len(names)), names, strict=True):
        grouped = chosen[chosen["model"] == name].groupby("tier")["correct"].agg(["sum", "count"])
        x = grouped.index.to_numpy() + shift
        right, n = grouped["sum"].to_numpy(dtype=float), grouped["count"].to_numpy(dtype=float)
        low, high = wilson(right / n, n)
        p = right / n
        axis.errorbar(
            x,
            p,
            yerr=np.clip([p - low, high - p], 0, None),
            label=name,
            lw=1.8,
            ms=7,
            capsize=3,
            **style[name],
        )
    axis.set_xlabel("tier (1 plainest, 5 hardest)")
    axis.set_ylabel(f"accuracy at T = {temperature:g}")
    axis.set_ylim(bottom=0)
    axis.axhline(0, color=GREY, lw=0.8)
    axis.legend()
    return figure
