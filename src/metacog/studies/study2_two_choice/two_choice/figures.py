"""Figures of the experiments with confidence."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from metacog.report.drawing import Drawing, drawing
from metacog.report.style import GREY, legend_above, looks, new_axes, panel_axes
from metacog.studies.study2_two_choice.cells import panels
from metacog.studies.study2_two_choice.cells.comparisons import ROPE
from metacog.studies.study2_two_choice.ledger.published import CONFIDENCE, MODELS, TASKS


@drawing(
    name="fig-study2-m-ratio",
    caption=(
        "M-ratio of nine cells by maximum likelihood, with 95 % bootstrap intervals; hollow: the published "
        "means of posteriors. The line at 1 is an observer whose confidence wastes nothing, the grey band "
        "what the paper takes for no practical difference from it. Look which intervals are clear of it."
    ),
)
def m_ratio(result: Any) -> Figure:
    """M-ratio of three models on three tasks with intervals, and the published values."""
    style = looks(MODELS.values())
    figure, axis = new_axes(height=3.6)
    axis.axhspan(np.exp(-ROPE["m_ratio"]), np.exp(ROPE["m_ratio"]), color=GREY, alpha=0.25, lw=0)
    axis.axhline(1, color=GREY, lw=1)
    for shift, (model, name) in zip((-0.22, 0, 0.22), MODELS.items(), strict=True):
        part = result.cells[result.cells["model"] == model].set_index("task").loc[list(TASKS)]
        x = np.arange(len(TASKS)) + shift
        y = part["m_ratio"]
        axis.errorbar(
            x,
            y,
            yerr=[y - part["m_ratio_lower"], part["m_ratio_upper"] - y],
            label=name,
            ls="none",
            ms=7,
            capsize=3,
            **style[name],
        )
        axis.plot(x + 0.08, part["m_ratio_published"], ls="none", ms=7, mfc="none", **style[name])
    axis.set_xticks(range(len(TASKS)), list(TASKS))
    axis.set_xlabel("task (hollow: published)")
    axis.set_ylabel("M-ratio")
    legend_above(figure, axis, 3)
    return figure


@drawing(
    name="fig-study2-given",
    caption=(
        "How often each confidence was given with right (filled) and with wrong answers (hollow, dashed). "
        "The further apart the two, the more confidence tells; where nearly everything lies on one or two "
        "levels, it cannot tell much."
    ),
)
def given(result: Any) -> Figure:
    """Distribution of confidence given right and wrong answers, a panel for each task and model."""
    style = looks(MODELS.values())
    cells = [(task, model) for task in TASKS for model in MODELS]
    figure, axes = panel_axes(len(cells), "confidence", "share", height=1.7)
    for axis, (task, model) in zip(axes, cells, strict=True):
        part = result.given[(result.given["task"] == task) & (result.given["model"] == model)]
        look = style[MODELS[model]]
        for correct, options in ((True, {"ls": "-"}), (False, {"ls": "--", "mfc": "none"})):
            shown = part[part["correct"] == correct]
            axis.plot(shown["confidence"], shown["share"], lw=1.5, ms=6, **look, **options)
        axis.set_title(f"Task {task}, {MODELS[model]}", loc="left", fontsize=11)
        axis.set_xticks(CONFIDENCE)
    return figure


log_ratios = Drawing(
    lambda result: panels.log_ratios(result.ratios),
    name="fig-study2-log-ratios",
    caption=(
        "M-ratios compared: of two models on one task (above) and of one model on two tasks (below), the first over "
        "the second. Thick: 95 % bootstrap intervals; thin: as wide as a test of all 27 pairs. Grey: differences too "
        "small to matter by the paper's rule. Filled: the thick interval is clear of the grey."
    ),
    alt="Ratios of M-ratios between models and between tasks with two intervals each, against no difference",
)
accuracy = Drawing(
    lambda result: panels.accuracy_by_level(result.accuracy),
    name="fig-study2-accuracy",
    caption=(
        "Share of right answers at each level of confidence, with Wilson's 95 % intervals; levels with "
        "few trials are left out. The dashed line is guessing; below it, doubt is worse than chance. A "
        "model that knows itself climbs from left to right; a flat line is uninformative confidence."
    ),
    alt="Accuracy against confidence for three models, one panel per task",
)
