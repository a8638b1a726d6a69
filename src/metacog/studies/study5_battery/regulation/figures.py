"""Figures of regulation, families, reliability and commitment."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.drawing import drawing
from metacog.report.style import GREY, height_of, looks, name_rows, new_axes
from metacog.studies.study5_battery.regulation.contrasts import FAMILIES
from metacog.studies.study5_battery.showing.marks import legend, named_at_side, profile_legend, profile_looks


@drawing(
    name="fig-study5-dissociation",
    caption=(
        "Looking back (left: mean withdraw delta, T1 to T5, with its 95 % interval) and looking ahead (right: share "
        "of T6 answered directly), one row for each model, ordered by the latter. Hollow: fewer than five tracks. "
        "Look how few models choose anything but to answer: a correlation of the two rests on those few."
    ),
    alt="Mean withdraw delta and the rate of answering directly of each model, the latter near 100 % for most",
)
def dissociation(result: Any) -> Figure:
    """Mean withdraw delta and the rate of answering directly, side by side."""
    style = profile_looks()
    pairs = result.pairs.sort_values("direct", kind="stable")
    figure, (back, ahead) = new_axes(1, 2, height=height_of(len(pairs)), sharey=True)
    back.axvline(0, color=GREY, lw=1)
    for y, row in enumerate(rows_of(pairs)):
        look = style[row.profile]
        face = {"mfc": look["color"] if row.complete else "white"}
        back.plot([row.lower, row.upper], [y, y], color=look["color"], lw=2)
        back.plot(row.delta, y, ls="none", ms=7, label=row.profile, **look, **face)
        ahead.plot(row.direct, y, ls="none", ms=7, clip_on=False, **look, **face)
    name_rows(back, list(pairs["model"]))
    back.set_xlabel("withdraw delta in points")
    ahead.set_xlim(0, 100)
    ahead.set_xlabel("answers directly, %")
    profile_legend(figure, back, hollow=not pairs["complete"].all())
    return figure


@drawing(
    name="fig-study5-scaling",
    caption=(
        "Withdraw delta over size within three families: the mean over T1 to T5 and T2 alone, with 95 % "
        "intervals. Look whether a line's course is longer than its intervals."
    ),
    alt="Withdraw delta of the models of three families from small to large, with intervals",
)
def scaling(result: Any) -> Figure:
    """Withdraw delta over size within three families."""
    names = {"mean": "mean of T1 to T5", "T2": "T2 alone"}
    style = looks(names)
    figure, axes = new_axes(len(FAMILIES), 1, height=2.3, sharey=True)
    for axis, family in zip(axes, FAMILIES, strict=True):
        axis.axhline(0, color=GREY, lw=1)
        for shift, (measure, label) in zip((-0.04, 0.04), names.items(), strict=True):
            subset = result.scaling
            subset = subset[(subset["family"] == family.name) & (subset["measure"] == measure)]
            ends = [subset["delta"] - subset["lower"], subset["upper"] - subset["delta"]]
            axis.errorbar(
                subset["step"] + shift,
                subset["delta"],
                yerr=ends,
                lw=1.6,
                ms=7,
                capsize=3,
                label=label,
                **style[measure],
            )
        axis.set_xticks(range(len(family.models)), family.models)
        axis.set_xlim(-0.4, len(family.models) - 0.6)
        axis.set_title(family.name, loc="left")
        axis.set_ylabel("delta")
    legend(figure, axes[0])
    return figure


@drawing(
    name="fig-study5-halves",
    caption=(
        "Mean withdraw delta of T1, T2 and T4 against that of T3, T5 and T6. On the line both halves agree. "
        "Look how far a model may deviate from it: that is how well one half predicts the other."
    ),
    alt="Mean withdraw delta of one half of the tracks against the other half",
)
def halves(result: Any) -> Figure:
    """Mean withdraw delta of one half of the tracks against the other half."""
    style = profile_looks()
    figure, axis = new_axes(height=5.2)
    values = result.halves[["first", "second"]].to_numpy()
    both = np.array([values.min(), values.max()])
    axis.plot(both, both, color=GREY, lw=1, ls="--")
    for row in rows_of(result.halves):
        axis.plot(row.first, row.second, ls="none", ms=8, label=row.profile, **style[row.profile])
    right = float(result.halves["first"].max()) + 3
    axis.set_xlim(float(both[0]) - 2, right - 1)
    axis.set_ylim(float(both[0]) - 3, float(both[1]) + 3)
    named_at_side(axis, result.halves["first"], result.halves["second"], result.halves["model"], right, 2.6)
    axis.set_xlabel("T1, T2 and T4, points")
    axis.set_ylabel("T3, T5 and T6, points")
    profile_legend(figure, axis)
    return figure


@drawing(
    name="fig-study5-commitment",
    caption=(
        "AUROC2 of the four states of commitment, with 95 % intervals, and hollow of KEEP alone. At 0.5 "
        "commitment tells nothing. Look how much the second probe adds."
    ),
    alt="AUROC2 of twenty models with intervals, by both probes and by KEEP alone",
)
def commitment(result: Any) -> Figure:
    """AUROC2 of twenty models by both probes and by KEEP alone."""
    style = looks(["both probes", "KEEP alone"])
    figure, axis = new_axes(height=5.8)
    axis.axvline(0.5, color=GREY, lw=1, ls="--")
    for y, row in enumerate(rows_of(result.measures)):
        if np.isfinite(row.lower):
            axis.plot([row.lower, row.upper], [y, y], color=style["both probes"]["color"], lw=2)
        axis.plot(row.auroc2, y, ls="none", ms=8, label="both probes", **style["both probes"])
        axis.plot(row.keep_alone, y, ls="none", ms=7, mfc="white", label="KEEP alone", **style["KEEP alone"])
    axis.set_yticks(range(len(result.measures)), result.measures["model"])
    axis.invert_yaxis()
    axis.set_xlabel("AUROC2")
    legend(figure, axis)
    return figure
