"""Posteriors of meta-d' as readers see them: columns of their tables, a forest of M-ratio, the type-2 ROC.

Of the tables that :mod:`metacog.measures.posterior` makes. Drawings are made from a result's field:
``forest_of("cells")`` draws ``result.cells`` with its own caption and alternative text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.measures.posterior import ROPE, names_of
from metacog.report.drawing import Drawing
from metacog.report.style import GREY, looks, new_axes, panel_axes
from metacog.report.tables import Column, answer, columns_of, count, limits, number, text

FOREST_CAPTION = (
    "M-ratio: means and intervals of posteriors. The line at 1 is an observer whose confidence wastes "
    "nothing, the grey band what is taken for no practical difference from it. Hollow: M-ratio cannot be "
    "judged there. Look which intervals are clear of the band."
)
FOREST_ALT = "Posterior means and intervals of M-ratio next to the optimum and the region of no difference"
ROC_CAPTION = (
    "Type-2 ROC: how often right and how often wrong answers carry at least a given confidence. Points are "
    "observed; crosses span what the fitted model predicts for as many trials. Points off their crosses are "
    "ratings that the model does not make."
)
ROC_ALT = "Observed type-2 ROC points over intervals of the fitted model's predictions, one panel per table"
#: Most panels that a figure of predictive checks draws.
MOST_PANELS = 12


def posterior_columns(label_columns: Sequence[Column]) -> tuple[Column, ...]:
    """Columns of :func:`metacog.measures.posterior.posterior_table`, after those of the labels."""
    return columns_of(
        label_columns,
        number("d_prime", "d'", 2),
        limits("d_prime_lower", "d_prime_upper", "95 % of d'", 2),
        number("c", "c", 2),
        number("meta_d", "meta-d'", 2),
        limits("meta_d_lower", "meta_d_upper", "95 % of meta-d'", 2),
        number("m_ratio", "M-ratio", 2),
        limits("m_ratio_lower", "m_ratio_upper", "95 % of M-ratio", 2),
        text("decision", "Against 1"),
        text("why", "Why not judged", optional=True),
    )


def sampling_columns(label_columns: Sequence[Column]) -> tuple[Column, ...]:
    """Columns of the same table that show how well it was sampled."""
    return columns_of(
        label_columns,
        number("r_hat", "R-hat", 4),
        count("ess_bulk", "Effective draws, bulk"),
        count("ess_tail", "Effective draws, tail"),
        count("divergences", "Divergences"),
        number("not_positive", "Draws of M-ratio at or below 0"),
        number("near_zero", "Draws of d' near 0"),
    )


def predictive_columns(label_columns: Sequence[Column]) -> tuple[Column, ...]:
    """Columns of :func:`metacog.measures.posterior.predictive_table`."""
    return columns_of(
        label_columns,
        count("inside", "Rates inside"),
        count("rates", "Rates"),
        number("furthest", "Furthest off"),
        number("p_value", "Predictive p"),
        answer("fits", "Fits"),
    )


def group_columns() -> tuple[Column, ...]:
    """Columns of :func:`metacog.measures.posterior.group_table`."""
    return columns_of(
        text("condition", "Condition"),
        count("tables", "Tables"),
        number("m_ratio", "M-ratio", 2),
        limits("m_ratio_lower", "m_ratio_upper", "95 % of M-ratio", 2),
        number("log_m_ratio", "log M-ratio", 2),
        limits("log_m_ratio_lower", "log_m_ratio_upper", "95 % of it", 2),
        number("tau", "Spread shared over conditions", 2),
        limits("tau_lower", "tau_upper", "95 % of the shared", 2),
        number("sigma", "Other spread", 2),
        limits("sigma_lower", "sigma_upper", "95 % of the other", 2),
        text("decision", "Against 1"),
    )


def forest(
    table: pd.DataFrame, names: Sequence[str], *, colour: str = "", rope: float = ROPE
) -> Figure | None:
    """M-ratio of each table with its interval, the optimum and the ROPE; None without a finite one.

    Parameters
    ----------
    table : DataFrame
        As :func:`metacog.measures.posterior.posterior_table` gives it.
    names : sequence of str
        Columns that name a row.
    colour : str
        Column that chooses colour and marker; all alike without one.
    rope : float
        Half-width of the ROPE on the logarithmic scale.
    """
    finite = table[["m_ratio_lower", "m_ratio", "m_ratio_upper"]].notna().all(axis=1)
    if not finite.any():
        return None
    keys = table[colour].astype(str) if colour else pd.Series("", index=table.index)
    style = looks(keys)
    figure, axis = new_axes(height=max(1.8, 0.42 * len(table) + 1.0))
    axis.axvspan(math.exp(-rope), math.exp(rope), color=GREY, alpha=0.25, lw=0)
    axis.axvline(1, color=GREY, lw=1)
    for y, (row, key, drawn) in enumerate(zip(rows_of(table), keys, finite, strict=True)):
        if not drawn:
            continue
        look = style[key]
        axis.plot([row.m_ratio_lower, row.m_ratio_upper], [y, y], color=look["color"], lw=2)
        face = look["color"] if row.judged else "white"
        axis.plot([row.m_ratio], [y], ls="none", ms=8, mfc=face, mec=look["color"], **look)
    _limit(axis, table.loc[finite])
    axis.set_yticks(range(len(table)), names_of(table, names))
    axis.set_ylim(len(table) - 0.5, -0.5)
    axis.set_xlabel("M-ratio")
    return figure


def _limit(axis: Any, table: pd.DataFrame) -> None:
    """Keep rows that can be judged readable: one near chance may reach over hundreds."""
    sure = table[table["judged"].astype(bool)]
    if sure.empty or len(sure) == len(table):
        return
    low, high = min(float(sure["m_ratio_lower"].min()), 0.9), max(float(sure["m_ratio_upper"].max()), 1.1)
    room = 0.3 * (high - low)
    axis.set_xlim(low - room, high + room)


def forest_of(
    field: str, names: Sequence[str], *, name: str = "", colour: str = "", rope: float = ROPE
) -> Drawing:
    """The forest of a result's field, as a drawing."""
    return Drawing(
        lambda result: forest(getattr(result, field), names, colour=colour, rope=rope),
        name,
        FOREST_CAPTION,
        FOREST_ALT,
    )


def predictive_roc(points: pd.DataFrame, names: Sequence[str], *, response: str = "all") -> Figure | None:
    """Observed type-2 ROC points over the model's predicted intervals; None without points.

    Parameters
    ----------
    points : DataFrame
        As :func:`metacog.measures.posterior.predictive_points` gives it; of the first
        :data:`MOST_PANELS` tables.
    names : sequence of str
        Columns that name a table.
    response : str
        ``all``, ``S1`` or ``S2``.
    """
    kept = points[(points["response"] == response) & points[["hit", "false_alarm"]].notna().all(axis=1)]
    panels = list(kept.groupby(list(names), sort=False))[:MOST_PANELS]
    if not panels:
        return None
    figure, axes = panel_axes(len(panels), "wrong answers as sure", "right answers as sure")
    for axis, (_, part) in zip(axes, panels, strict=True):
        _roc(axis, part)
        axis.set_title(names_of(part, names)[0], loc="left", fontsize=11)
    return figure


def _roc(axis: Any, part: pd.DataFrame) -> None:
    """One table's points over the crosses of their predicted intervals."""
    style = looks(["observed", "predicted"])
    x, y = part["false_alarm_mean"], part["hit_mean"]
    axis.plot([0, 1], [0, 1], color=GREY, lw=1, ls="--")
    axis.errorbar(
        x,
        y,
        xerr=[x - part["false_alarm_lower"], part["false_alarm_upper"] - x],
        yerr=[y - part["hit_lower"], part["hit_upper"] - y],
        color=style["predicted"]["color"],
        lw=1.5,
        elinewidth=5,
        alpha=0.6,
    )
    axis.plot(
        part["false_alarm"], part["hit"], ls="none", ms=6, color="black", marker="o", mfc="none", mew=1.4
    )


def predictive_of(field: str, names: Sequence[str], *, name: str = "", response: str = "all") -> Drawing:
    """The predictive check of a result's field, as a drawing."""
    return Drawing(
        lambda result: predictive_roc(getattr(result, field), names, response=response),
        name,
        ROC_CAPTION,
        ROC_ALT,
    )
