"""Figures of the published counts and of the run alike: one panel per task, one line per model."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.style import GREY, legend_above, looks, new_axes
from metacog.studies.study2_two_choice.cells.comparisons import ROPE
from metacog.studies.study2_two_choice.ledger.published import CONFIDENCE, RISKS, TASKS

#: How readers know the configurations, in the order of :data:`RISKS`.
WARNED = {"S1": "of S1", "None": "none", "S2": "of S2"}


def _tasks(table: pd.DataFrame) -> list[str]:
    have = set(table["task"])
    return [task for task in TASKS if task in have]


def _shifts(n: int, step: float) -> list[float]:
    return [(i - (n - 1) / 2) * step for i in range(n)]


def over_risk(cells: pd.DataFrame, measure: str, label: str) -> Figure:
    """A measure with its half-widths at the three warnings.

    Parameters
    ----------
    cells : DataFrame
        ``task, name, risk``, the measure and ``MEASURE_half``.
    """
    names, tasks = list(dict.fromkeys(cells["name"])), _tasks(cells)
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
                lw=1.6,
                ms=6,
                capsize=3,
                **style[name],
            )
        axis.set_title(f"Task {TASKS[task]}", loc="left")
        axis.set_ylabel(label)
    axes.flat[-1].set_xticks(range(len(RISKS)), [WARNED[r] for r in RISKS])
    axes.flat[-1].set_xlabel("warning against a wrong answer")
    legend_above(figure, axes.flat[0], min(len(names), 3))
    return figure


def accuracy_by_level(table: pd.DataFrame) -> Figure:
    """Share of right answers at each level of confidence, those that are ``shown``.

    Parameters
    ----------
    table : DataFrame
        ``task, name, confidence, right, lower, upper, shown``.
    """
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


def d_pairs(pairs: pd.DataFrame) -> Figure:
    """Differences of d' between warnings with both widths of interval, against the ROPE."""
    part = pairs[pairs["measure"] == "d_prime"]
    figure, axis = new_axes(height=max(2.4, 0.26 * len(part) + 0.6))
    axis.axvspan(-ROPE["d_prime"], ROPE["d_prime"], color=GREY, alpha=0.25, lw=0)
    axis.axvline(0, color=GREY, lw=1)
    style = looks(dict.fromkeys(part["name"]))
    names = []
    for y, row in enumerate(rows_of(part)):
        look = style[row.name]
        axis.plot([row.lower_wide, row.upper_wide], [y, y], color=look["color"], lw=1)
        axis.plot([row.lower, row.upper], [y, y], color=look["color"], lw=3)
        axis.plot([row.difference], [y], ls="none", ms=6, **look)
        names.append(f"{row.task}, {row.name}: {row.first} - {row.second}")
    axis.set_yticks(range(len(names)), names, fontsize=9)
    axis.invert_yaxis()
    axis.set_xlabel("difference of d'")
    return figure
