"""Figures of the chapter on the correction."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from metacog.report.style import GREY, looks, new_axes
from metacog.studies.study1_qa.cells.counts import Cells
from metacog.studies.study1_qa.correction.measures import d_prime_at_cuts, m_ratio_curve
from metacog.studies.study1_qa.correction.recovery import (
    ASKED,
    BOTH,
    NEITHER,
    NO_VALUE,
    ORDER_ONLY,
    SLOPES,
    TURNED,
    Recovery,
)
from metacog.studies.study1_qa.correction.recovery_judging import SHOWN
from metacog.studies.study1_qa.ledger import published

_LOOKS = looks(ASKED)


def label(model: str) -> str:
    """Short name of a model for a figure."""
    return published.MODELS.get(model, model)


def recovered(recoveries: Mapping[str, Recovery]) -> Figure:
    """Each measure relative to the first answerer's, against true efficiency; one panel a design."""
    figure, axes = new_axes(1, len(recoveries), height=4.0, squeeze=False, sharey=True)
    for axis, (title, recovery) in zip(axes[0], recoveries.items(), strict=True):
        axis.plot([0.2, 1], [0.2, 1], color=GREY, ls="--", lw=1.2)
        for shift, measure in zip((-0.012, 0.0, 0.012), SHOWN, strict=True):
            rows = recovery.of(measure)
            truth = rows["efficiency"] / rows["efficiency"].iloc[0]
            low, high = rows["ratio"] - rows["ratio_lower"], rows["ratio_upper"] - rows["ratio"]
            axis.errorbar(
                truth + shift,
                rows["ratio"],
                yerr=[low, high],
                label=ASKED[measure],
                lw=1.6,
                ms=6,
                capsize=3,
                **_LOOKS[measure],
            )
        axis.set_title(title, loc="left")
        axis.set_xlabel("true efficiency")
    axes[0, 0].set_ylabel("measured, first answerer = 1")
    axes[0, 0].set_ylim(bottom=0)
    axes[0, 0].legend(loc="lower right")
    return figure


def families(cells: pd.DataFrame, accuracies: tuple[float, float] = (0.43, 0.1)) -> Figure:
    """M-ratio of expected tables against true efficiency: a line a variant, a panel an accuracy."""
    figure, axes = new_axes(1, 2, height=5.6, sharey=True)
    known = cells[cells["m_ratio"].notna() & (cells["family"] != "levels")]
    style = looks(known["variant"])
    for axis, accuracy in zip(axes, accuracies, strict=True):
        axis.axhline(1, color=GREY, lw=0.8)
        axis.plot([0.2, 1], [0.2, 1], color=GREY, ls="--", lw=1.2)
        for name, rows in known[known["accuracy"] == accuracy].groupby("variant", sort=False):
            axis.plot(rows["efficiency"], rows["m_ratio"], lw=1.4, ms=5.5, **style[str(name)])
        axis.set_title(f"{100 * accuracy:.0f} % right", loc="left")
        axis.set_xlabel("true efficiency")
        axis.set_xlim(0.2, 1.05)
        axis.set_xticks([0.25, 0.5, 0.75, 1])
    axes[0].set_ylabel("M-ratio")
    figure.legend(
        [Line2D([], [], lw=1.4, ms=5.5, **look) for look in style.values()],
        list(style),
        loc="outside lower center",
        ncols=2,
    )
    return figure


#: How an outcome is drawn: marker, colour, filled.
_OUTCOMES = {
    BOTH: ("o", "#0173b2", True),
    ORDER_ONLY: ("o", "#0173b2", False),
    NEITHER: ("X", "#d55e00", True),
    TURNED: ("v", "#d55e00", False),
    NO_VALUE: ("_", GREY, True),
}


def outcome_grid(outcomes: pd.DataFrame, measures: tuple[str, ...] = SHOWN) -> Figure:
    """What each measure recovers: a panel a measure, a line a variant, a column an accuracy."""
    variants = list(dict.fromkeys(outcomes["variant"]))
    accuracies = sorted(set(outcomes["accuracy"]))
    figure, axes = new_axes(1, len(measures), height=1.8 + 0.3 * len(variants), sharey=True)
    for axis, measure in zip(axes, measures, strict=True):
        for row in outcomes[outcomes["measure"] == measure].to_dict("records"):
            marker, colour, filled = _OUTCOMES[row["outcome"]]
            axis.scatter(
                accuracies.index(row["accuracy"]),
                variants.index(row["variant"]),
                marker=marker,
                s=46,
                linewidths=1.6,
                edgecolors=None if marker == "_" else colour,
                c=colour if filled else "white",
            )
        axis.set_title(ASKED[measure], loc="left")
        axis.set_xticks(range(len(accuracies)), [f"{100 * a:.0f}" for a in accuracies])
        axis.set_xlim(-0.6, len(accuracies) - 0.4)
        axis.grid(axis="x", visible=False)
    axes[0].set_yticks(range(len(variants)), variants)
    axes[0].set_ylim(len(variants) - 0.4, -0.6)
    axes[len(axes) // 2].set_xlabel("answers right (%)")
    shown = {w: look for w, look in _OUTCOMES.items() if (outcomes["outcome"] == w).any()}
    handles = [
        Line2D([], [], ls="", marker=m, color=c, mfc=c if filled else "white", mew=1.6, ms=7)
        for m, c, filled in shown.values()
    ]
    figure.legend(handles, list(shown), loc="outside lower center", ncols=2)
    return figure


def shapes(recovery: Recovery) -> Figure:
    """Fully efficient answerers of different z-ROC slopes: what each measure makes of them."""
    figure, axis = new_axes(height=3.6)
    slopes = list(SLOPES)
    middle = slopes.index(1.0)
    for shift, measure in zip((-0.01, 0.0, 0.01), SHOWN, strict=True):
        rows = recovery.of(measure)
        unit = rows["mean"].iloc[middle]
        axis.errorbar(
            np.array(slopes) + shift,
            rows["mean"] / unit,
            yerr=[(rows["mean"] - rows["lower"]) / unit, (rows["upper"] - rows["mean"]) / unit],
            label=ASKED[measure],
            lw=1.6,
            ms=6,
            capsize=3,
            **_LOOKS[measure],
        )
    axis.axhline(1, color=GREY, ls="--", lw=1.2)
    axis.set_xlabel("z-ROC slope of the answerer (all of efficiency 1)")
    axis.set_ylabel("measured, slope 1 = 1")
    axis.legend(loc="lower left")
    return figure


def slope_and_ratio(table: pd.DataFrame, accuracies: tuple[float, ...] = (0.15, 0.43, 0.6)) -> Figure:
    """M-ratio against z-ROC slope: what a straight z-ROC predicts at three accuracies, and the cells."""
    figure, axis = new_axes(height=4.4)
    slopes = np.linspace(0.6, 1.45, 18)
    for accuracy, dashes in zip(accuracies, (":", "--", "-"), strict=True):
        axis.plot(
            slopes,
            m_ratio_curve(accuracy, slopes),
            color=GREY,
            ls=dashes,
            lw=1.8,
            label=f"straight z-ROC, {accuracy:.0%} right",
        )
    style = looks(table["model"])
    for row in table.dropna(subset=["m_ratio", "z_slope"]).to_dict("records"):
        look = style[row["model"]]
        filled = row["dataset"] != "nq"
        axis.errorbar(
            row["z_slope"],
            row["m_ratio"],
            yerr=[[row["m_ratio"] - row["m_ratio_lo"]], [row["m_ratio_hi"] - row["m_ratio"]]],
            color=look["color"],
            marker=look["marker"],
            ms=9,
            lw=1.4,
            capsize=3,
            mfc=look["color"] if filled else "white",
            mew=1.6,
            label=label(row["model"]) if filled else None,
        )
    axis.axhline(1, color=GREY, lw=0.8)
    axis.set_xlabel("z-ROC slope")
    axis.set_ylabel("M-ratio")
    axis.legend(fontsize=10, loc="upper center", ncols=2, bbox_to_anchor=(0.5, -0.18))
    return figure


def cuts(cells: Cells) -> Figure:
    """d' at each place where the ratings can be cut in two; M-ratio compares the middle with the rest."""
    datasets = list(dict.fromkeys(cells.frame["dataset"]))
    figure, axes = new_axes(1, len(datasets), height=3.8, squeeze=False, sharey=True)
    style = looks(cells.frame["model"])
    for axis, dataset in zip(axes[0], datasets, strict=True):
        axis.axvspan(3.7, 4.3, color="#e5e7eb", zorder=0)
        for i in np.flatnonzero((cells.frame["dataset"] == dataset).to_numpy() & cells.measurable):
            model = cells.frame["model"].iloc[i]
            values = d_prime_at_cuts(cells.nR_S1[i] + 0.5, cells.nR_S2[i] + 0.5)
            axis.plot(range(1, len(values) + 1), values, lw=1.6, ms=6, label=label(model), **style[model])
        axis.set_title(published.DATASETS.get(dataset, dataset), loc="left")
        axis.set_xlabel("ratings cut after")
    axes[0, 0].set_ylabel("d' at the cut")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def two_measures(table: pd.DataFrame) -> Figure:
    """M-ratio and meta-I2r of the same cells, side by side in one order of models, with intervals."""
    first = table["dataset"].iloc[0]
    ordered = table[table["dataset"] == first].sort_values("m_ratio", na_position="first")["model"]
    models = list(dict.fromkeys([*ordered, *table["model"]]))
    datasets = list(dict.fromkeys(table["dataset"]))
    figure, axes = new_axes(1, 2, height=1.4 + 0.55 * len(models), sharey=True)
    style = looks(dict.fromkeys(table["model"]))
    shifts = np.linspace(0.14, -0.14, len(datasets)) if len(datasets) > 1 else [0.0]
    for axis, (measure, title) in zip(
        axes, (("m_ratio", "M-ratio (v1)"), ("meta_i2r", "meta-I2r (v2)")), strict=True
    ):
        for row in table.dropna(subset=[measure]).to_dict("records"):
            look, which = style[row["model"]], datasets.index(row["dataset"])
            low, high = row.get(f"{measure}_lo", np.nan), row.get(f"{measure}_hi", np.nan)
            axis.errorbar(
                row[measure],
                models.index(row["model"]) + shifts[which],
                xerr=[[row[measure] - low], [high - row[measure]]],
                color=look["color"],
                marker=look["marker"],
                ms=8,
                lw=1.8,
                capsize=3,
                mew=1.6,
                mfc=look["color"] if which == 0 else "white",
            )
        axis.set_title(title, loc="left")
        axis.grid(axis="y", visible=False)
    axes[0].axvline(1, color=GREY, ls="--", lw=1.2)
    axes[1].axvline(0, color=GREY, lw=0.8)
    axes[0].set_yticks(range(len(models)), [label(m) for m in models])
    axes[0].set_ylim(-0.6, len(models) - 0.4)
    return figure
