"""Figures of the sample-size simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from metacog.report.drawing import drawing
from metacog.report.style import GREY, looks, new_axes

NAMES = {"d_prime": "d'", "meta_d": "meta-d'", "m_ratio": "M-ratio"}
LINES = {"as drawn": "-", "half a trial added": "--"}


@drawing(
    name="fig-study2-sizes",
    caption=(
        "Estimates minus the truth against the number of trials, for the paper's observer (left) and another "
        "(right). Points: single repetitions; line and band: mean and 1.96 standard deviations over all "
        "simulations; dashed: the mean with half a trial added to every cell. A mean away from 0 is bias, a "
        "tall band is uncertainty; look from which size on both are small enough for your question."
    ),
)
def estimates(result: Any) -> Figure:
    """Errors of d', meta-d' and M-ratio against the number of trials for two observers."""
    known = list(dict.fromkeys(result.spread["observer"]))
    figure, axes = new_axes(len(NAMES), len(known), height=2.3, sharex=True, sharey="row")
    style = looks(known)
    for row, (quantity, name) in zip(axes, NAMES.items(), strict=True):
        top = 0.0
        for axis, observer in zip(row, known, strict=True):
            part = result.spread[result.spread["observer"] == observer]
            drawn, padded = (part[part["fitted_to"] == way] for way in LINES)
            single = result.single[result.single["observer"] == observer]
            x, bias, half = (drawn[c] for c in ("n_trials", f"{quantity}_bias", f"{quantity}_half"))
            colour = style[observer]["color"]
            axis.axhline(0, color=GREY, lw=1)
            axis.fill_between(x, bias - half, bias + half, color=colour, alpha=0.18, lw=0)
            axis.plot(x, bias, color=colour, lw=1.6)
            axis.plot(padded["n_trials"], padded[f"{quantity}_bias"], color=colour, lw=1.6, ls="--")
            axis.plot(
                single["n_trials"],
                single[f"{quantity}_off"],
                ls="none",
                marker=".",
                ms=4,
                alpha=0.6,
                color=colour,
            )
            axis.set_xscale("log")
            top = max(top, float((bias.abs() + half).max()), float(single[f"{quantity}_off"].abs().max()))
        row[0].set_ylim(-1.05 * top, 1.05 * top)
        row[0].set_ylabel(f"{name} minus truth")
    for axis, observer in zip(axes[0], known, strict=True):
        axis.set_title(observer, loc="left")
    for axis in axes[-1]:
        axis.set_xlabel("trials")
    return figure


@drawing(
    name="fig-study2-half-width",
    caption=(
        "Expected half-width of the 95 % interval of M-ratio against the number of trials; dashed: half a "
        "trial added to every cell. The grey line is the wanted half-width: read off where a curve "
        "crosses it."
    ),
)
def half_width(result: Any) -> Figure:
    """Half-width of the interval of M-ratio against the number of trials for two observers."""
    figure, axis = new_axes(height=3.6)
    known = list(dict.fromkeys(result.spread["observer"]))
    style = looks(known)
    for (observer, way), part in result.spread.groupby(["observer", "fitted_to"], sort=False):
        look = style[observer] if way == "as drawn" else {"color": style[observer]["color"]}
        label = observer if way == "as drawn" else None
        axis.plot(part["n_trials"], part["m_ratio_half"], ls=LINES[way], lw=1.6, ms=6, label=label, **look)
    axis.axhline(result.half_width, color=GREY, lw=1.4)
    axis.set_xscale("log")
    axis.set_yscale("log")
    ticks = [
        t
        for t in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
        if t <= 1.2 * np.nanmax(result.spread["m_ratio_half"])
    ]
    axis.set_yticks(ticks, [f"{t:g}" for t in ticks])
    axis.minorticks_off()
    axis.set_xlabel("trials")
    axis.set_ylabel("half-width of M-ratio")
    axis.legend()
    return figure
