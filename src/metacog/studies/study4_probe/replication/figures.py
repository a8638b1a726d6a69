"""Figures of the replies of this run's models."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.report.drawing import drawing
from metacog.report.gates import gate_figure
from metacog.report.style import GREY, looks, new_axes


@drawing(
    name="fig-study4-replication-profile",
    caption=(
        "The five scores of this run's models, with 95 % intervals over items. Look how wide they are: ten "
        "or twenty items say little about a model. At 50 (dashed) confidence on T1-CC knows nothing."
    ),
    alt="Five scores by model with intervals",
)
def profile(result: Any) -> Figure:
    """Five scores by model with intervals."""
    style = looks(result.profile["model"])
    figure, axis = new_axes(height=4.2)
    tasks = list(dict.fromkeys(result.profile["task"]))
    shift = np.linspace(-0.18, 0.18, len(style)) if len(style) > 1 else [0.0]
    for (model, rows), dy in zip(result.profile.groupby("model", sort=False), shift, strict=True):
        y = np.array([tasks.index(t) for t in rows["task"]]) + dy
        axis.hlines(y, rows["lower"], rows["upper"], color=style[model]["color"], lw=2)
        axis.plot(rows["score"], y, ls="none", ms=7, label=model, **style[model])
    at = tasks.index("T1-CC") if "T1-CC" in tasks else 0
    axis.plot([50, 50], [at - 0.4, at + 0.4], color=GREY, lw=1, ls="--")
    axis.set_yticks(range(len(tasks)), tasks)
    axis.invert_yaxis()
    axis.set_xlim(-2, 102)
    axis.set_xlabel("score")
    figure.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=2)
    return figure


@drawing(
    name="fig-study4-replication-steady",
    caption=(
        "Stated confidence of T4-CR against the share of resamples that repeat the answer, one point per item "
        "(points that coincide are set apart a little). Confidence that knew how steady the answer is would "
        "climb from lower left to upper right. Filled: the answer is right."
    ),
    alt="Stated confidence against agreement of resamples, item by item",
)
def steady(result: Any) -> Figure | None:
    """Stated confidence against agreement of resamples, item by item."""
    rows = result.items[result.items["task"] == "T4_CR"].dropna(subset=["stated", "agreement"])
    if rows.empty:
        return None
    style = looks(result.profile["model"])
    figure, axis = new_axes(height=4.0)
    apart = np.random.default_rng(1)
    for model, of_model in rows.groupby("model", sort=False):
        look = style[model]
        for right in (True, False):
            some = rows_of(of_model[of_model["correct"] == right])
            x = [r.agreement + apart.uniform(-0.015, 0.015) for r in some]
            y = [r.stated + apart.uniform(-1.5, 1.5) for r in some]
            fill = look["color"] if right else "none"
            label = model if right or not of_model["correct"].any() else None
            axis.plot(x, y, ls="none", ms=7, mec=look["color"], mfc=fill, label=label, **look)
    axis.set_xlabel("share of resamples with the same answer")
    axis.set_ylabel("stated confidence in %")
    axis.set_xlim(-0.05, 1.05)
    axis.set_ylim(-5, 105)
    figure.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=2)
    return figure


@drawing(
    name="fig-study4-replication-gate",
    caption=(
        "What a gate lets slip against what it costs: each point escalates all answers below one confidence. "
        "A line below the dashed one, which escalates at random, is a confidence that is worth something."
    ),
    alt="Share of errors missed against share of answers escalated, by model",
)
def gates(result: Any) -> Figure | None:
    """Share of errors missed against share of answers escalated, by model."""
    return gate_figure(result.curves)


@drawing(
    name="fig-study4-replication-entropy",
    caption=(
        "Stated confidence of T4-CR against the decoding entropy of the answer line, one point per item. A "
        "model whose words follow its own doubt goes from upper left to lower right. Filled: right answers."
    ),
    alt="Stated confidence against decoding entropy, item by item",
)
def entropy(result: Any) -> Figure | None:
    """Stated confidence against decoding entropy, item by item."""
    rows = result.drawn[result.drawn["task"] == "T4_CR"].dropna(subset=["stated", "entropy"])
    if rows.empty:
        return None
    style = looks(result.models)
    figure, axis = new_axes(height=4.0)
    for model, of_model in rows.groupby("model", sort=False):
        look = style[model]
        for right in (True, False):
            some = rows_of(of_model[of_model["correct"] == right])
            axis.plot(
                [r.entropy for r in some],
                [r.stated for r in some],
                ls="none",
                ms=7,
                mec=look["color"],
                mfc=look["color"] if right else "none",
                label=model if right or not of_model["correct"].any() else None,
                **look,
            )
    axis.set_xlabel("decoding entropy of the answer, nats per token")
    axis.set_ylabel("stated confidence in %")
    axis.set_ylim(-5, 105)
    figure.legend(*axis.get_legend_handles_labels(), loc="outside upper left", ncols=2)
    return figure
