"""Figures of study 1's hypothesis chapters: every one takes a table and gives back a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.style import GREY, WIDTH, legend_above, looks, new_axes
from metacog.studies.study1_qa.cells.figures import forest


def rank_scatter(panels: Mapping[str, pd.DataFrame]) -> Figure:
    """M-ratio and meta-I2r against AUROC2; published and own models in separate rows."""
    figure = Figure(figsize=(WIDTH, 3.9 * len(panels)), layout="constrained")
    parts = figure.subfigures(len(panels), 1, squeeze=False)[:, 0]
    for part, (title, frame) in zip(parts, panels.items(), strict=True):
        style = looks(frame["model"])
        line = part.subplots(1, 2)
        for axis, measure in zip(line, ("m_ratio", "meta_i2r"), strict=True):
            for row in rows_of(frame):
                axis.plot(
                    row.auroc2, getattr(row, measure), ls="none", ms=9, label=row.model, **style[row.model]
                )
            axis.set_xlabel("AUROC2")
            axis.set_ylabel("M-ratio" if measure == "m_ratio" else "meta-I2r")
            axis.margins(0.2)
        handles, labels = line[0].get_legend_handles_labels()
        part.legend(handles, labels, loc="outside upper left", ncols=2, title=title, alignment="left")
    return figure


def risk_coverage_lines(curves: Mapping[tuple[str, str], Any]) -> Figure:
    """Accuracy against coverage; thin lines are accuracy without abstaining."""
    several = len({d for _, d in curves}) > 1
    names = {key: f"{key[0]}, {key[1]}" if several else key[0] for key in curves}
    style = looks(names.values())
    figure, axis = new_axes(height=3.8)
    for key, curve in curves.items():
        look = style[names[key]]
        keep = curve.coverage >= min(20 / len(curve.coverage), 1.0)
        axis.plot(
            curve.coverage[keep],
            1 - curve.risk[keep],
            label=names[key],
            lw=2,
            color=look["color"],
            marker=look["marker"],
            markevery=max(int(keep.sum()) // 8, 1),
            ms=7,
        )
        axis.axhline(1 - curve.full_risk, color=look["color"], lw=0.9, ls=":")
    axis.set_xlabel("coverage: share of questions answered")
    axis.set_ylabel("accuracy on those")
    axis.set_ylim(0, 1.02)
    axis.set_xlim(0, 1.02)
    axis.legend()
    return figure


def pair_differences(tables: Sequence[tuple[str, pd.DataFrame]]) -> Figure:
    """Instruct less base on every measure, a look a pair."""
    frame = pd.concat([table.assign(pair=name) for name, table in tables], ignore_index=True)
    figure, axis = new_axes(height=1.4 + 0.45 * frame["measure"].nunique())
    forest(axis, frame, "measure", "pair", value="difference", low="lo", high="hi")
    axis.axvline(0, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("instruct less base (95 % interval)")
    legend_above(figure, axis, 1)
    return figure
