"""Figures of the chapter on measures: what each one sees in one worked table."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.stats import norm

from metacog.report.style import GREY, looks, new_axes
from metacog.report.worked import Worked, by_statement
from metacog.sdt import type1, z_roc
from metacog.sdt.information import binary_entropy
from metacog.sdt.selective import risk_coverage_from_counts

_LOOKS = looks(["right", "wrong"])
_RIGHT, _WRONG = _LOOKS["right"]["color"], _LOOKS["wrong"]["color"]


def bars(table: Worked) -> Figure:
    """Right and wrong answers at each rating."""
    figure, axis = new_axes(height=3.4)
    rating = np.arange(1, table.n.size + 1)
    axis.bar(rating, table.right, color=_RIGHT, label="right", edgecolor="white")
    axis.bar(
        rating, table.wrong, bottom=table.right, color=_WRONG, hatch="//", label="wrong", edgecolor="white"
    )
    axis.set_xticks(rating)
    axis.set_xlabel("rating (8 = most confident)")
    axis.set_ylabel("answers")
    axis.legend(loc="upper center", ncols=2, bbox_to_anchor=(0.5, 1.18))
    axis.grid(axis="x", visible=False)
    return figure


def bells(table: Worked) -> Figure:
    """The two bell curves that d' and c of the middle cut imply."""
    figure, axis = new_axes(height=3.2)
    found = type1(table.wrong, table.right)
    x = np.linspace(-4, 4, 400)
    for mean, name, dashes in ((-found.d_prime / 2, "wrong", "--"), (found.d_prime / 2, "right", "-")):
        axis.plot(x, norm.pdf(x, mean), color=_LOOKS[name]["color"], ls=dashes, lw=2.2, label=name)
    axis.axvline(found.c, color=GREY, lw=1.6)
    axis.annotate("middle cut", (found.c, 0.462), (5, 0), textcoords="offset points", ha="left", color=GREY)
    axis.annotate(
        "",
        (found.d_prime / 2, 0.41),
        (-found.d_prime / 2, 0.41),
        arrowprops={"arrowstyle": "<->", "color": "black"},
    )
    axis.annotate("d'", (-found.d_prime / 4, 0.415), ha="center", va="bottom")
    axis.set_ylim(0, 0.5)
    axis.set_yticks([])
    axis.set_xlabel("confidence, in standard deviations")
    axis.legend(loc="upper left")
    return figure


def roc_and_z_roc(table: Worked) -> Figure:
    """The type-2 ROC with its area, and the same points in z with the fitted line."""
    figure, axes = new_axes(1, 2, height=3.6)
    above = [np.concatenate([[0.0], np.cumsum(x[::-1]) / x.sum()]) for x in (table.wrong, table.right)]
    axes[0].fill_between(above[0], above[1], color=_RIGHT, alpha=0.15)
    axes[0].plot(*above, color=_RIGHT, marker="o", lw=1.8)
    axes[0].plot([0, 1], [0, 1], color=GREY, ls="--", lw=1.2)
    axes[0].set(xlabel="wrong answers above the cut", ylabel="right answers above it", title="ROC")
    line = z_roc(table.wrong, table.right)
    x = np.array([line.z_far.min() - 0.2, line.z_far.max() + 0.2])
    axes[1].plot(line.z_far, line.z_hr, color=_RIGHT, marker="o", ls="none")
    axes[1].plot(x, line.intercept + line.slope * x, color=_RIGHT, lw=1.6)
    axes[1].plot(x, x, color=GREY, ls="--", lw=1.2)
    axes[1].set(xlabel="z(wrong above)", ylabel="z(right above)", title="z-ROC")
    return figure


def information(table: Worked) -> Figure:
    """Share right by rating, and the uncertainty that is left once the rating is known."""
    figure, axes = new_axes(1, 2, height=3.4)
    rating = np.arange(1, table.n.size + 1)
    axes[0].bar(rating, table.share, color=_RIGHT, edgecolor="white")
    axes[0].axhline(table.accuracy, color="black", ls="--", lw=1.4)
    axes[0].set(title="share right", xlabel="rating", ylim=(0, 1))
    before = float(binary_entropy(table.accuracy))
    axes[1].bar(rating, binary_entropy(table.share), color="#9ca3af", edgecolor="white")
    axes[1].axhline(before, color="black", ls="--", lw=1.4)
    axes[1].set(title="uncertainty left (bits)", xlabel="rating", ylim=(0, 1.05))
    for axis in axes:
        axis.set_xticks(rating[::2])
        axis.grid(axis="x", visible=False)
    return figure


def speaking(ways: Mapping[str, Worked]) -> Figure:
    """Reliability of several ways of speaking about the same answers."""
    figure, axis = new_axes(height=4.2)
    axis.plot([0, 1], [0, 1], color=GREY, ls="--", lw=1.2)
    style = looks(ways)
    for name, table in ways.items():
        heard = by_statement(table)
        axis.plot(heard.stated, heard.share, label=name, lw=1.6, ms=8, **style[name])
    axis.set(xlabel="stated probability of being right", ylabel="share right", xlim=(0, 1), ylim=(0, 1))
    axis.legend(loc="upper left")
    return figure


def risk(tables: Mapping[str, Worked]) -> Figure:
    """Risk-coverage curves of several tables, with the risk of answering at random as dashes."""
    figure, axis = new_axes(height=3.8)
    style = looks(tables)
    for name, table in tables.items():
        curve = risk_coverage_from_counts(table.wrong, table.right)
        axis.plot(
            curve.coverage,
            curve.risk,
            label=name,
            lw=1.8,
            ms=8,
            markevery=(curve.coverage.size // 10, curve.coverage.size // 8),
            **style[name],
        )
        axis.axhline(curve.full_risk, color=style[name]["color"], ls="--", lw=1.2)
    axis.set(
        xlabel="share of questions answered", ylabel="share wrong among them", xlim=(0, 1), ylim=(0, None)
    )
    axis.legend(loc="lower right")
    return figure


def two_choice(pair: pd.DataFrame) -> Figure:
    """Share right by confidence of two observers with one d' and different M-ratios."""
    figure, axis = new_axes(height=3.6)
    names = {r: f"M-ratio {r:g}" for r in dict.fromkeys(pair["m_ratio"])}
    style = looks(names.values())
    for ratio, rows in pair.groupby("m_ratio", sort=False):
        name = names[ratio]
        axis.plot(rows["confidence"], rows["share_right"], label=name, lw=1.8, ms=8, **style[name])
    overall = float((pair["share_right"] * pair["mass"]).sum() / pair["mass"].sum())
    axis.axhline(overall, color=GREY, ls="--", lw=1.2)
    axis.set(xlabel="confidence (4 = most confident)", ylabel="share right", ylim=(0.5, 1))
    axis.set_xticks([1, 2, 3, 4])
    axis.legend(loc="upper left")
    return figure
