"""Figures of the published counts and of the run alike: one panel per task, one line per model."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.style import GREY, legend_above, looks, name_rows, new_axes
from metacog.sdt.decisions import Practical
from metacog.studies.study2_two_choice.cells.comparisons import ROPE
from metacog.studies.study2_two_choice.cells.sentences import named
from metacog.studies.study2_two_choice.ledger.published import CONFIDENCE, RISKS, TASKS

#: How readers know the configurations, in the order of :data:`RISKS`.
WARNED = {"S1": "of S1", "None": "none", "S2": "of S2"}


def _tasks(table: pd.DataFrame) -> list[str]:
    have = set(table["task"])
    return [task for task in TASKS if task in have]


def _shifts(n: int, step: float) -> list[float]:
    return [(i - (n - 1) / 2) * step for i in range(n)]


def over_risk(cells: pd.DataFrame, measure: str, label: str) -> Figure | None:
    """A measure with its half-widths at the three warnings; None without a cell.

    Parameters
    ----------
    cells : DataFrame
        ``task, name, risk``, the measure and ``MEASURE_half``.
    """
    names, tasks = list(dict.fromkeys(cells["name"])), _tasks(cells)
    if not tasks:
        return None
    style = looks(names)
    figure, axes = new_axes(len(tasks), 1, height=2.1, sharex=True, sharey=True, squeeze=False)
    for axis, task in zip(axes.flat, tasks, strict=True):
        axis.axhline(0, color=GREY, lw=1)
        for shift, name in zip(_shifts(len(names), 0.07), names, strict=True):
            part = cells[(cells["task"] == task) & (cells["name"] == name)].set_index("risk")
            part = part.loc[[risk for risk in RISKS if risk in part.index]]
            x = [RISKS.index(risk) + shift for risk in part.index]
            axis.errorbar(
                x,
                part[measure],
                yerr=part[f"{measure}_half"],
                label=name,
                lw=1.2,
                ms=3.5,
                capsize=5,  # wider than the marker: many an interval is shorter than it
                **style[name],
            )
        axis.set_title(f"Task {TASKS[task]}", loc="left")
        axis.set_ylabel(label)
    axes.flat[-1].set_xticks(range(len(RISKS)), [WARNED[r] for r in RISKS])
    axes.flat[-1].set_xlabel("warning against a wrong answer")
    legend_above(figure, axes.flat[0], min(len(names), 3))
    return figure


def accuracy_by_level(table: pd.DataFrame) -> Figure | None:
    """Share of right answers at each level of confidence, those that are ``shown``; None without one.

    Parameters
    ----------
    table : DataFrame
        ``task, name, confidence, right, lower, upper, shown``.
    """
    if not table["shown"].any():
        return None
    names, tasks = list(dict.fromkeys(table["name"])), _tasks(table)
    style = looks(names)
    figure, axes = new_axes(len(tasks), 1, height=2.1, sharex=True, sharey=True, squeeze=False)
    for axis, task in zip(axes.flat, tasks, strict=True):
        axis.axhline(0.5, color=GREY, lw=1, ls="--")
        for shift, name in zip(_shifts(len(names), 0.05), names, strict=True):
            part = table[(table["task"] == task) & (table["name"] == name) & table["shown"]]
            ends = [part["right"] - part["lower"], part["upper"] - part["right"]]
            axis.errorbar(
                part["confidence"] + shift,
                part["right"],
                yerr=ends,
                label=name,
                lw=1.6,
                ms=6,
                capsize=3,
                **style[name],
            )
        axis.set_title(f"Task {TASKS[task]}", loc="left")
        axis.set_ylabel("share correct")
    axes.flat[-1].set_xticks(CONFIDENCE)
    axes.flat[-1].set_xlabel("confidence")
    legend_above(figure, axes.flat[0], min(len(names), 3))
    return figure


def risk_pairs(pairs: pd.DataFrame, measure: str, label: str) -> Figure:
    """Differences of c or of d' between warnings with both widths of interval, against the ROPE."""
    part = pairs[pairs["measure"] == measure]
    figure, axis = new_axes(height=max(2.4, 0.22 * len(part) + 0.6))
    axis.axvspan(-ROPE[measure], ROPE[measure], color=GREY, alpha=0.25, lw=0)
    axis.axvline(0, color=GREY, lw=1)
    style = looks(dict.fromkeys(part["name"]))
    names = []
    for y, row in enumerate(rows_of(part)):
        look = style[row.name]
        axis.plot([row.lower_wide, row.upper_wide], [y, y], color=look["color"], lw=1)
        axis.plot([row.lower, row.upper], [y, y], color=look["color"], lw=3)
        axis.plot([row.difference], [y], ls="none", ms=6, **look)
        first, second = ("nothing" if risk == "None" else risk for risk in (row.first, row.second))
        names.append(f"{row.task}, {row.name}: {first} \N{MINUS SIGN} {second}")
    axis.set_yticks(range(len(names)), names, fontsize=9)
    axis.invert_yaxis()
    axis.set_xlabel(f"difference of {label}")
    return figure


def log_ratios(ratios: pd.DataFrame) -> Figure | None:
    """Ratios of M-ratios between models and between tasks with both widths of interval, against the ROPE.

    Parameters
    ----------
    ratios : DataFrame
        As :func:`.comparisons.m_ratio_contrasts` gives it, with ``name``. None without a pair.
    """
    kinds = [kind for kind in ("models", "tasks") if (ratios["kind"] == kind).any()]
    if not kinds:
        return None
    parts = [ratios[ratios["kind"] == kind] for kind in kinds]
    figure, axes = new_axes(
        len(kinds), 1, height=0.9 + 0.23 * max(map(len, parts)), sharex=True, squeeze=False
    )
    for axis, kind, part in zip(axes.flat, kinds, parts, strict=True):
        axis.axvspan(np.exp(-ROPE["m_ratio"]), np.exp(ROPE["m_ratio"]), color=GREY, alpha=0.25, lw=0)
        axis.axvline(1, color=GREY, lw=1)
        names = []
        for y, row in enumerate(rows_of(part)):
            for ends, width in (((row.lower_wide, row.upper_wide), 1), ((row.lower, row.upper), 3)):
                axis.plot(np.exp(ends), [y, y], color="C0", lw=width, solid_capstyle="butt")
            face = "C0" if row.decision == Practical.SIGNIFICANT else "white"
            axis.plot([np.exp(row.difference)], [y], "o", ms=6, color="C0", mfc=face)
            place, first, second = row.task or row.name, named(row.first), named(row.second)
            names.append(f"{place}: {first} / {second}")
        name_rows(axis, names)
        axis.set_title(f"Between {kind}", loc="left")
        axis.set_xscale("log")
    ticks = (0.25, 0.5, 0.7, 1, 1.4, 2, 4)
    axes.flat[-1].set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes.flat[-1].minorticks_off()
    low, high = np.exp(ratios["lower_wide"].min()), np.exp(ratios["upper_wide"].max())
    if np.isfinite([low, high]).all():
        axes.flat[-1].set_xlim(0.95 * low, 1.05 * high)
    axes.flat[-1].set_xlabel("M-ratio of the first over that of the second")
    return figure
