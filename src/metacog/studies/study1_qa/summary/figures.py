"""Figure of the one-page summary."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.report.style import GREY, looks, new_axes

_PANELS = (("auroc2", "AUROC2", 0.5), ("meta_i2r", "meta-I2r", 0.0))


def measures_figure(table: pd.DataFrame) -> Figure:
    """AUROC2 and meta-I2r with their intervals, one row a model (and question set)."""
    several = table["dataset"].nunique() > 1
    names = [f"{r.model}, {r.dataset}" if several else str(r.model) for r in table.itertuples()]
    style = looks(names)
    figure, axes = new_axes(1, 2, height=1.2 + 0.55 * len(names), sharey=True)
    for axis, (measure, title, nothing) in zip(axes, _PANELS, strict=True):
        axis.axvline(nothing, color=GREY, ls="--", lw=1.2)
        for place, (name, row) in enumerate(zip(names, table.to_dict("records"), strict=True)):
            if np.isfinite(row[measure]):
                limits = [[row[measure] - row[f"{measure}_lo"]], [row[f"{measure}_hi"] - row[measure]]]
                axis.errorbar(row[measure], place, xerr=np.abs(limits), ms=8, lw=2, capsize=3, **style[name])
        axis.set_xlabel(title)
        axis.set_yticks(range(len(names)), names)
        axis.margins(x=0.12, y=0.25)
    axes[0].invert_yaxis()
    return figure
