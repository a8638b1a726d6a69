"""The figure that ranks signals."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.report.drawing import drawing
from metacog.report.style import GREY, looks, new_axes


@drawing(
    name="fig-study3-signals",
    caption=(
        "Signals by AUROC2 and by meta-I2r, with 95 % intervals over base questions; the calls that a trial "
        "costs are in brackets. The best by mean AUROC2 is on top. The line at one half is chance. Signals "
        "that are undefined are not shown; the table gives the reason."
    ),
    alt="Signals of confidence ranked by AUROC2, with meta-I2r and calls per trial, for each model",
)
def ranking(result: Any) -> Figure | None:
    """Defined signals, best on top, in two panels."""
    rows = result.ranking
    if not len(rows):
        return None
    order = rows.groupby("name")["auroc2"].mean().sort_values().index.tolist()
    models = list(rows["model"].drop_duplicates())
    style = looks(models)
    calls = rows.groupby("name")["calls"].mean()
    figure, axes = new_axes(1, 2, height=0.42 * len(order) + 1.4, sharey=True)
    for i, model in enumerate(models):
        part = rows[rows["model"] == model]
        y = [order.index(name) + 0.18 * (i - (len(models) - 1) / 2) for name in part["name"]]
        look = {**style[model], "ls": "", "ms": 6}
        for axis, measure in zip(axes, ("auroc2", "meta_i2r"), strict=True):
            low, high = (part[measure] - part[f"{measure}_{end}"] for end in ("lower", "upper"))
            ends = [low.clip(lower=0), (-high).clip(lower=0)]
            axis.errorbar(part[measure], y, xerr=ends, capsize=2, elinewidth=1.4, label=model, **look)
    for axis, label, nothing in zip(axes, ("AUROC2", "meta-I2r"), (0.5, 0.0), strict=True):
        axis.axvline(nothing, color=GREY, lw=1)
        axis.set_xlabel(label)
    axes[0].set_yticks(range(len(order)), [f"{name} ({calls[name]:.0f})" for name in order])
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=2)
    return figure
