"""Figures of deltas, ranks and profiles."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from metacog.core.frames import rows_of
from metacog.report.drawing import drawing
from metacog.report.style import GREY, height_of, looks, name_rows, new_axes
from metacog.studies.study5_battery.ledger.published import RETROSPECTIVE
from metacog.studies.study5_battery.measures.profiles import NAMES, PRINTED
from metacog.studies.study5_battery.monitoring.profiles import SHIFTS
from metacog.studies.study5_battery.showing.marks import legend, named_at_side, profile_legend, profile_looks


@drawing(
    name="fig-study5-deltas",
    caption=(
        "Mean withdraw delta over T1 to T5 with a 95 % score interval, by printed profile. Hollow: a mean "
        "over fewer than five tracks, which is not ranked. Look how few intervals lie apart."
    ),
    alt="Mean withdraw delta of twenty models with intervals, most of which overlap",
)
def deltas(result: Any) -> Figure:
    """Mean withdraw delta of twenty models with intervals."""
    style = profile_looks()
    figure, axis = new_axes(height=height_of(len(result.board)))
    axis.axvline(0, color=GREY, lw=1)
    axis.axvline(PRINTED.delta, color=GREY, lw=1, ls=":")
    for y, row in enumerate(rows_of(result.board)):
        look = style[row.profile]
        axis.plot([row.lower, row.upper], [y, y], color=look["color"], lw=2)
        axis.plot(
            row.delta,
            y,
            ls="none",
            ms=8,
            mfc=look["color"] if row.complete else "white",
            label=row.profile,
            **look,
        )
    name_rows(axis, result.board["model"])
    axis.set_xlabel("withdraw delta in points (dotted: the threshold of C)")
    profile_legend(figure, axis, hollow=not result.board["complete"].all())
    return figure


@drawing(
    name="fig-study5-ranks",
    caption=(
        "Rank by accuracy (left) and by mean withdraw delta (right), the models with deltas on all five "
        "tracks. Bars: ranks that cannot be ruled out when all pairs are judged together. Falling and "
        "rising lines would all cross if the ranks were inverted; look how long the bars are compared with "
        "that."
    ),
    alt="Lines from each model's rank by accuracy to its rank by withdraw delta, with bars of uncertainty",
)
def ranks(result: Any) -> Figure:
    """Rank by accuracy against rank by withdraw delta."""
    subset = result.board[result.board["complete"]]
    subset = subset.assign(left=subset["accuracy"].rank(ascending=False, method="first"))
    style = profile_looks()
    figure, axis = new_axes(height=6.4)
    for row in rows_of(subset):
        look = style[row.profile]
        axis.plot([0, 1], [row.left, row.rank], lw=1.6, ms=6, label=row.profile, **look)
        axis.text(-0.04, row.left, row.model, ha="right", va="center", fontsize=10)
        x = 1.12 + 0.04 * (row.rank - 1)
        axis.plot([x, x], [row.rank_from, row.rank_to], color=look["color"], lw=1.5)
        axis.plot(x, row.rank, ls="none", ms=5, **look)
    axis.set_xlim(-0.75, 1.85)
    axis.set_ylim(len(subset) + 0.6, 0.4)
    axis.set_xticks([0, 1, 1.44], ["accuracy", "delta", "not ruled out"])
    axis.set_yticks(range(1, len(subset) + 1))
    axis.set_ylabel("rank")
    axis.grid(axis="x", visible=False)
    profile_legend(figure, axis)
    return figure


@drawing(
    name="fig-study5-profiles",
    caption=(
        "How often a model says KEEP, and its mean withdraw delta with its 95 % interval. The shaded areas "
        "are the profiles by rule; colours and shapes are the printed ones. Named: models that lie in "
        "another area than their own. Look also for intervals that reach across a border."
    ),
    alt="Rate of KEEP against mean withdraw delta of twenty models, with the areas of three profiles",
)
def profile_map(result: Any) -> Figure:
    """Rate of KEEP against mean withdraw delta, with the areas of the profiles."""
    style = profile_looks()
    figure, axis = new_axes(height=6.0)
    d, far = PRINTED.delta, 62
    for corner, size, name in (
        ((PRINTED.high, -d), (101 - PRINTED.high, 2 * d), "A"),
        ((-1, -40), (PRINTED.low + 1, 40 + far), "B"),
        ((PRINTED.low, d), (101 - PRINTED.low, far - d), "C"),
    ):
        axis.add_patch(Rectangle(corner, *size, color=style[NAMES[name]]["color"], alpha=0.12, lw=0))
    for row in rows_of(result.models):
        look = style[NAMES[row.printed]]
        axis.plot([row.stood, row.stood], [row.lower, row.upper], color=look["color"], lw=1, alpha=0.7)
        axis.plot(row.stood, row.delta, ls="none", ms=8, label=NAMES[row.printed], **look)
    axis.set_xlim(-1, 101)
    axis.set_ylim(-40, far)
    axis.axhline(0, color=GREY, lw=1)
    off = result.models[~result.models["same"]]
    named_at_side(axis, off["stood"], off["delta"], off["model"], 103, 5)
    axis.set_xlabel("KEEP, % (mean of T1 to T5)")
    axis.set_ylabel("mean withdraw delta in points")
    profile_legend(figure, axis)
    return figure


@drawing(
    name="fig-study5-fragmentation",
    caption=(
        "Withdraw delta of each model on each track, with the profile it has there by rule (a dot: "
        "unclassified). Hatched: undefined. Orange stands by wrong answers more often than by right ones. "
        "Look along a row for one letter: few models have it."
    ),
    alt="Grid of withdraw deltas, twenty models by five tracks, with the profile of each cell",
)
def fragmentation(result: Any) -> Figure:
    """Grid of withdraw deltas and profiles by model and track."""
    figure, axis = new_axes(height=7.2)
    models = list(result.by_track["model"])
    table = result.cells.pivot(index="model", columns="track", values="delta")
    values = table.reindex(index=models, columns=list(RETROSPECTIVE)).to_numpy(dtype=float)
    shown = axis.pcolormesh(np.ma.masked_invalid(values), cmap="PuOr", vmin=-60, vmax=60)
    for y, row in enumerate(rows_of(result.by_track)):
        for x, track in enumerate(RETROSPECTIVE):
            letter = getattr(row, track)
            delta = values[y, x]
            if not np.isfinite(delta):
                axis.add_patch(Rectangle((x, y), 1, 1, fill=False, hatch="////", ec="0.7", lw=0))
            words = (letter if len(letter) == 1 else "·") + (f"  {delta:.0f}" if np.isfinite(delta) else "")
            axis.text(
                x + 0.5,
                y + 0.5,
                words,
                ha="center",
                va="center",
                fontsize=9,
                color="white" if abs(delta) > 45 else "black",
            )
    axis.set_yticks(np.arange(len(models)) + 0.5, models)
    axis.set_xticks(np.arange(len(RETROSPECTIVE)) + 0.5, RETROSPECTIVE)
    axis.invert_yaxis()
    axis.grid(visible=False)
    figure.colorbar(shown, ax=axis, label="withdraw delta in points", extend="both")
    return figure


@drawing(
    name="fig-study5-thresholds",
    caption=(
        "How many of the 20 profiles change when one threshold is moved. A plateau would be a run of zeros "
        "to both sides of the printed value (0)."
    ),
    alt="Number of changed profiles against the shift of each of the three thresholds",
)
def thresholds(result: Any) -> Figure:
    """Number of changed profiles against the shift of each threshold."""
    names = {"high": "KEEP of A (95 %)", "low": "KEEP of B (10 %)", "delta": "delta of C (15)"}
    style = looks(names)
    figure, axis = new_axes(height=3.2)
    for name, label in names.items():
        subset = result.alone[result.alone["threshold"] == name]
        x = [*(subset["value"] - subset["usual"]), 0.0]
        y = [*subset["changed"], 0]
        order = np.argsort(x)
        axis.plot(np.array(x)[order], np.array(y)[order], lw=1.6, ms=7, label=label, **style[name])
    axis.set_xlabel("shift in points")
    axis.set_ylabel("profiles changed")
    axis.set_ylim(-0.5, 20)
    axis.set_xticks(sorted(SHIFTS))
    legend(figure, axis, 3)
    return figure
