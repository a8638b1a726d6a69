"""Figures of the estimators and of decoupling."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from metacog.report.drawing import drawing
from metacog.report.show import spaced
from metacog.report.style import GREY, looks, new_axes
from metacog.studies.study3_dmc.dmc.estimators import ESTIMATORS, of_factor
from metacog.studies.study3_dmc.observers.fixed_efficiency import KINDS, MEASURES


@drawing(
    name="fig-study3-decoupling",
    caption=(
        "Each measure by ability, divided by its mean, for three kinds of observer whose efficiency is held "
        "fixed. Lines are for infinitely many trials, points for one sample with 95 % intervals. Points of one "
        "ability stand side by side. A measure of metacognition alone would lie on the grey line."
    ),
    alt="Measures divided by their mean against ability for three kinds of observer",
)
def decoupling(result: Any) -> Figure:
    """Measures divided by their mean against ability for three kinds of observer."""
    shone = {k: v for k, v in MEASURES.items() if k != "auroc2_above"}
    style = looks(shone.values())
    rows = result.values[result.values["n_trials"] == result.values["n_trials"].max()]
    # side by side within the distance of two abilities, so that measures that agree do not hide each other
    apart = np.diff(np.unique(rows["d_prime"])).min(initial=1.0)
    shifts = apart * np.linspace(-0.36, 0.36, len(shone))
    figure, axes = new_axes(len(KINDS), 1, height=2.1, sharex=True, sharey=True)
    for axis, (kind, title) in zip(axes, KINDS.items(), strict=True):
        axis.axhline(1, color=GREY, lw=1)
        for shift, (measure, name) in zip(shifts, shone.items(), strict=True):
            one = rows[(rows["kind"] == kind) & (rows["measure"] == measure)]
            mean, x = one["exact"].mean(), one["d_prime"] + shift
            ends = [(one["value"] - one["lower"]).clip(lower=0), (one["upper"] - one["value"]).clip(lower=0)]
            axis.plot(x, one["exact"] / mean, color=style[name]["color"], lw=1)
            axis.errorbar(
                x,
                one["value"] / mean,
                yerr=[e / mean for e in ends],
                ls="none",
                ms=4,
                capsize=2,
                lw=1,
                label=name,
                **style[name],
            )
        axis.set_title(spaced(f"Held fixed: {title}"), loc="left")
    axes[1].set_ylabel("divided by its mean")
    axes[-1].set_xlabel("ability d'")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=3)
    return figure


@drawing(
    name="fig-study3-cv",
    caption=(
        "Coefficients of variation over abilities. Points: as observed in a sample, hollow with sampling "
        "variance subtracted, with 95 % intervals of the latter. Crosses: with infinitely many trials."
    ),
    alt="Coefficient of variation of each measure for three kinds of observer, sampled and exact",
)
def variations(result: Any) -> Figure:
    """Coefficient of variation of each measure for three kinds of observer, sampled, corrected and exact."""
    rows = result.variations
    sizes = sorted(rows["n_trials"].unique())
    style = looks([f"{n:,} trials" for n in sizes])
    figure, axes = new_axes(len(KINDS), 1, height=2.7, sharex=True)
    for axis, (kind, title) in zip(axes, KINDS.items(), strict=True):
        for shift, n in zip(np.linspace(-0.26, 0.26, len(sizes)), sizes, strict=True):
            one = result.variations[
                (result.variations["kind"] == kind) & (result.variations["n_trials"] == n)
            ]
            one = one.set_index("measure").loc[list(MEASURES)]
            y = np.arange(len(MEASURES)) + shift
            look = style[f"{n:,} trials"]
            ends = [one["corrected"] - one["corrected_lower"], one["corrected_upper"] - one["corrected"]]
            axis.errorbar(
                one["corrected"],
                y,
                xerr=[e.clip(lower=0) for e in ends],
                ls="none",
                ms=5,
                capsize=2,
                lw=1.2,
                mfc="none",
                **look,
            )
            axis.plot(one["cv"], y, ls="none", ms=4, label=f"{n:,} trials", **look)
        axis.plot(
            one["exact"],
            np.arange(len(MEASURES)),
            ls="none",
            marker="x",
            color="black",
            ms=6,
            label="infinitely many trials",
        )
        axis.set_yticks(range(len(MEASURES)), list(MEASURES.values()))
        axis.invert_yaxis()
        axis.set_title(spaced(f"Held fixed: {title}"), loc="left")
    axes[-1].set_xlabel("coefficient of variation")
    axes[-1].set_xlim(left=-0.01)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=3)
    return figure


@drawing(
    name="fig-study3-estimators",
    caption=(
        "Bias of the mean estimate, with two Monte-Carlo standard errors: above, by number of trials; below, by "
        "how the four ratings are used, at the number of trials that the axis names."
    ),
    alt="Bias of DMC, its released variant and maximum likelihood against trials and against use of ratings",
)
def estimators(result: Any) -> Figure:
    """Bias of DMC, its released variant and maximum likelihood against trials and against use of ratings."""
    style = looks(ESTIMATORS.values())
    figure, axes = new_axes(2, 1, height=2.7)
    trials, usage = of_factor(result.designs, "n_trials"), of_factor(result.designs, "usage")
    usage = usage[usage["n_trials"] == usage["n_trials"].min()]
    kinds = list(dict.fromkeys(usage["usage"]))
    for shift, name in zip((-0.15, 0, 0.15), ESTIMATORS.values(), strict=True):
        more = trials[trials["name"] == name]
        axes[0].errorbar(
            more["n_trials"],
            more["bias"],
            yerr=2 * more["bias_se"],
            label=name,
            lw=1.4,
            ms=6,
            capsize=2,
            **style[name],
        )
        one = usage[usage["name"] == name].set_index("usage").loc[kinds]
        axes[1].errorbar(
            one["bias"],
            np.arange(len(kinds)) + shift,
            xerr=2 * one["bias_se"],
            ls="none",
            ms=6,
            capsize=2,
            **style[name],
        )
    axes[0].axhline(0, color=GREY, lw=1)
    axes[1].axvline(0, color=GREY, lw=1)
    axes[0].set_xscale("log")
    axes[0].xaxis.set_major_formatter("{x:,.0f}")
    axes[0].set_xlabel("trials")
    axes[0].set_ylabel("bias of the ratio")
    axes[1].set_yticks(range(len(kinds)), kinds)
    axes[1].invert_yaxis()
    axes[1].set_xlabel(f"bias of the ratio, {int(usage['n_trials'].iloc[0]):,} trials")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=2)
    return figure
