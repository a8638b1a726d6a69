"""Figures of the first paper's counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from metacog.report.style import legend_above, looks, new_axes
from metacog.studies.study1_qa.first_paper.estimates import NEAR_MEDIAN


def over_temperature(table: pd.DataFrame, printed: pd.DataFrame) -> Figure:
    """d' and meta-d' with 95 % limits, a look a model, and printed values as hollow marks.

    Parameters
    ----------
    table, printed : DataFrame
        As :class:`.first_paper.OnTemperatures` and :func:`.first_paper.beside_printed` give them.
    """
    shown = table[table["variant"] == NEAR_MEDIAN]
    style = looks(shown["model"])
    figure, axes = new_axes(2, 1, height=2.9, sharex=True)
    for axis, (name, title) in zip(axes, (("d_prime", "d'"), ("meta_d", "meta-d'")), strict=True):
        for model, own in shown.groupby("model", sort=False):
            x, y = own["temperature"].to_numpy(), own[name].to_numpy(dtype=np.float64)
            ends = [own[f"{name}_{end}"].to_numpy(dtype=np.float64) for end in ("lo", "hi")]
            reach = np.nan_to_num(np.stack([np.maximum(y - ends[0], 0), np.maximum(ends[1] - y, 0)]))
            look = style[str(model)]
            axis.errorbar(x, y, yerr=reach, label=model, lw=1.8, ms=7, capsize=3, **look)
            four = printed[printed["model"] == model]
            axis.plot(
                four["temperature"],
                four[f"{name}_printed"],
                ls="none",
                ms=8,
                mfc="none",
                marker=look["marker"],
                color=look["color"],
            )
        axis.set_ylabel(title)
    axes[1].set_xscale("log")
    axes[1].xaxis.set_major_locator(FixedLocator(sorted(set(shown["temperature"]))))
    axes[1].xaxis.set_major_formatter(FuncFormatter(lambda t, _: f"{t:g}"))
    axes[1].xaxis.set_minor_locator(NullLocator())
    axes[1].set_xlabel("sampling temperature T (hollow: printed)")
    legend_above(figure, axes[0])
    return figure
