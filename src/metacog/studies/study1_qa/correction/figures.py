"""Figures of the chapter on the correction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.report.drawing import drawing
from metacog.report.style import GREY, new_axes
from metacog.studies.study1_qa.cells.figures import model_looks
from metacog.studies.study1_qa.correction.measures import d_prime_at_cuts
from metacog.studies.study1_qa.ledger import published

#: What stands dashed beside both measures.
DASHED = (
    "The dashed lines are an M-ratio of 1, where the finer ratings tell as much as the middle cut, and a meta-I2r "
    "of 0, where confidence tells nothing."
)


def label(model: str) -> str:
    """Short name of a model for a figure."""
    return published.MODELS.get(model, model)


@drawing(
    name="fig-correction-cuts",
    caption=(
        "d' at each of the seven cuts. A flat line gives an M-ratio of 1 at any height; the grey "
        "band marks the cut that v1 calls d'. How high a line lies is how much confidence tells; how "
        "it tilts and bends is what the M-ratio is made of. A ratio that followed the height would "
        "change our mind."
    ),
    alt="Lines of d prime at seven cut points for four models on two question sets",
)
def cuts(result: Any) -> Figure:
    """d' at each place where the ratings can be cut in two; M-ratio compares the middle with the rest."""
    cells = result.cells
    datasets = list(dict.fromkeys(cells.frame["dataset"]))
    figure, axes = new_axes(1, len(datasets), height=3.8, squeeze=False, sharey=True)
    style = model_looks(cells.frame["model"])
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


@drawing(
    name="fig-correction-slope",
    caption=(
        "M-ratio against z-ROC slope. Curves: straight z-ROCs of equal sensitivity. Filled "
        "points: TriviaQA, hollow: Natural Questions (10 to 28 % right, so compare them with the "
        "dotted curve). The thin line is an M-ratio of 1. A point off its curve has a z-ROC that bends, or is noisy."
    ),
    alt=("M-ratio against z-ROC slope for eight published cells with three predicted curves"),
)
def slope(result: Any) -> Figure:
    """M-ratio against z-ROC slope: what a straight z-ROC predicts at three accuracies, and the cells."""
    figure, axis = new_axes(height=4.4)
    curves = result.straight.groupby("accuracy", sort=True)
    for (accuracy, curve), dashes in zip(curves, (":", "--", "-"), strict=True):
        axis.plot(
            curve["z_slope"],
            curve["m_ratio"],
            color=GREY,
            ls=dashes,
            lw=1.8,
            label=f"straight z-ROC, {100 * accuracy:.0f} % right",
        )
    style = model_looks(result.measures["model"])
    for row in result.measures.dropna(subset=["m_ratio", "z_slope"]).to_dict("records"):
        look = style[row["model"]]
        filled = row["dataset"] != "nq"
        axis.errorbar(
            row["z_slope"],
            row["m_ratio"],
            yerr=[[row["m_ratio"] - row["m_ratio_lower"]], [row["m_ratio_upper"] - row["m_ratio"]]],
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


def two_measures(table: pd.DataFrame) -> Figure:
    """M-ratio and meta-I2r of the same cells, side by side in one order of models, with intervals."""
    first = table["dataset"].iloc[0]
    ordered = table[table["dataset"] == first].sort_values("m_ratio", na_position="first")["model"]
    models = list(dict.fromkeys([*ordered, *table["model"]]))
    datasets = list(dict.fromkeys(table["dataset"]))
    figure, axes = new_axes(1, 2, height=1.4 + 0.55 * len(models), sharey=True)
    style = model_looks(table["model"])
    shifts = np.linspace(0.14, -0.14, len(datasets)) if len(datasets) > 1 else [0.0]
    for axis, (measure, title) in zip(
        axes, (("m_ratio", "M-ratio (v1)"), ("meta_i2r", "meta-I2r (v2)")), strict=True
    ):
        for row in table.dropna(subset=[measure]).to_dict("records"):
            look, which = style[row["model"]], datasets.index(row["dataset"])
            low, high = row.get(f"{measure}_lower", np.nan), row.get(f"{measure}_upper", np.nan)
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
    axes[1].axvline(0, color=GREY, ls="--", lw=1.2)
    axes[0].set_yticks(range(len(models)), [label(m) for m in models])
    axes[0].set_ylim(-0.6, len(models) - 0.4)
    return figure


@drawing(
    name="fig-correction-two",
    caption=(
        "The same eight tables of counts, measured twice, with 95 % intervals. Filled: TriviaQA, "
        "hollow: Natural Questions. Models stand in the order of v1 on TriviaQA. Note how far "
        f"Mistral's M-ratio moves from one question set to the other. {DASHED}"
    ),
    alt="M-ratio and meta-I2r of four models with confidence intervals side by side",
)
def published_two(result: Any) -> Figure:
    """Both measures of the published cells."""
    return two_measures(result.measures)


@drawing(
    name="fig-correction-replication",
    caption=f"This run's models, measured by both versions, with 95 % intervals. {DASHED}",
    alt="M-ratio and meta-I2r of the run's models with confidence intervals",
)
def run_two(result: Any) -> Figure:
    """Both measures of the run's models."""
    return two_measures(result.measures)
