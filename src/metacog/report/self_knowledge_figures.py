"""Pictures of self-knowledge: own against others', the matrix, and what remains within difficulty.

Drawn from :class:`metacog.report.self_knowledge_verdicts.SelfKnowledge`. They have no name: a chapter gives its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.self_knowledge_verdicts import HALF
from metacog.report.style import GREY, PALETTE, height_of, legend_above, legend_of, looks, name_rows, new_axes

#: What a model's answers are ordered by: columns of the table, what readers call them, marker.
SIGNALS = {
    "own": ("the model's own confidence", "o"),
    "crowd": ("mean confidence of the others", "s"),
    "crowd_right": ("share of the others that are right", "^"),
}


#: Ends of the axis of shares.
SHARES_SHOWN = (-0.3, 1.3)
#: A caption names models that have confidences for a smaller share of the items.
FEW = 0.5


def few_confidences(result: Any) -> str:
    """Models that stand on far fewer answers than others, and why other pages may place them elsewhere."""
    few = result.models[result.models["n"] < FEW * result.n_panel]
    if few.empty:
        return ""
    told = listed(f"{row.n:,} for {row.model}" for row in rows_of(few))
    return (
        f"Only answers for which a model gave a confidence are used here: of {result.n_panel:,} items, {told}. On "
        "pages that use all answers, the values of such models can differ."
    )


@drawing(
    more=few_confidences,
    caption=(
        "How well three things tell each model's right answers from its wrong ones (AUROC2): its own confidence, with "
        "a 95 % interval; the mean confidence of the other models (of other families where families are known) in "
        "their own answers to the same items; and the share of these models that are right. The dashed line is chance."
    ),
)
def signals(result: Any) -> Figure | None:
    """Own confidence, others' confidence and others' correctness against correctness, for each model."""
    rows = result.models[result.models["own"].notna() | result.models["crowd_right"].notna()]
    if rows.empty:
        return None
    figure, axis = new_axes(height=4.6)
    colours = dict(zip(SIGNALS, PALETTE[:3], strict=True))
    places = np.arange(len(rows))
    axis.axhline(0.5, color=GREY, ls="--", lw=1.2)
    axis.vlines(places, rows["own_lower"], rows["own_upper"], color=colours["own"], lw=1.8, zorder=3)
    for column, (title, marker) in SIGNALS.items():  # a model's own lies above what it is compared with
        look = {"marker": marker, "color": colours[column], "zorder": 4 if column == "own" else 2}
        axis.plot(places, rows[column], ls="none", ms=4.5, label=title, **look)
    axis.set_xticks(places, list(rows["model"]), rotation=90, fontsize=8.5)
    axis.tick_params(axis="x", length=0, pad=1)
    axis.set_xlim(-0.7, len(rows) - 0.3)
    axis.grid(axis="x", visible=False)
    axis.set_ylabel("AUROC2")
    legend_above(figure, axis, columns=1)
    return figure


@drawing(
    caption=(
        "The confidence of the model of a row against the correctness of the model of a column: AUROC2 on the items "
        "that both answered. On the diagonal (framed) a model's own. Models by family, then by their own AUROC2. Were "
        "confidence only about the question, the diagonal would look like the rest of its row and column."
    ),
)
def matrix(result: Any) -> Figure | None:
    """Heat map of areas, models by models, with a framed diagonal that stands out a little."""
    if result.matrix.empty:
        return None
    names = result.models[["model", "family", "own"]]
    if not _families_known(result):
        names = names.assign(family="")
    names = names.sort_values(["family", "own"], ascending=[True, False])
    order = list(names["model"])
    table = result.matrix.pivot(index="confidence_of", columns="correctness_of", values="area")
    table = table.reindex(index=order, columns=order)
    figure, axis = new_axes(height=6.6)
    image = axis.imshow(table.to_numpy(), cmap="viridis", vmin=0.4, vmax=0.85, aspect="equal")
    for place in range(len(order)):
        axis.add_patch(Rectangle((place - 0.5, place - 0.5), 1, 1, fill=False, ec="white", lw=1.3))
    edges = np.flatnonzero(names["family"].to_numpy()[1:] != names["family"].to_numpy()[:-1]) + 0.5
    for edge in edges:
        axis.axhline(edge, color="white", lw=0.6)
        axis.axvline(edge, color="white", lw=0.6)
    axis.set_xticks(range(len(order)), order, rotation=90, fontsize=7.5)
    axis.set_yticks(range(len(order)), order, fontsize=7.5)
    axis.tick_params(length=0, pad=1)
    axis.grid(visible=False)
    axis.set_xlabel("Correctness of")
    axis.set_ylabel("Confidence of")
    figure.colorbar(image, ax=axis, shrink=0.5, fraction=0.05, pad=0.01, label="AUROC2")
    return figure


def cut_or_left_out(result: Any) -> str:
    """Whether intervals are longer than the axis, and how many models are not shown."""
    rows = result.models
    least, most = SHARES_SHOWN
    cut = bool((rows["share_lower"].lt(least) | rows["share_upper"].gt(most)).any())
    out = int(rows["corrected"].isna().sum())
    told = [f"Intervals on the right are cut at {least:g} and {most:g}."] * cut
    if out:
        told.append(f"{plural(out, 'model has', 'models have')} no row: what remains cannot be computed.")
    return " ".join(told)


@drawing(
    more=cut_or_left_out,
    caption=(
        "What is left of a model's confidence among items that equally many of the others (models of other families "
        "where families are known) answer correctly, with 95 % intervals. Left: AUROC2 there, less what confidence "
        "would have that only reads difficulty; in grey what the confidence of a model of another family leaves in its "
        "place: the median (|) and the best (x) of them. Right: the share of the information in confidence that "
        "difficulty does not explain; where confidence is not shown to hold any information there is no share. Dashed: "
        "nothing, and all; dotted: half."
    ),
)
def remains(result: Any) -> Figure | None:
    """What remains within difficulty for each model, as AUROC2 and as a share of the information, with intervals."""
    rows = result.models[result.models["corrected"].notna()]
    if rows.empty:
        return None
    rows = rows.sort_values("corrected", ascending=False, kind="stable")
    style = looks(sorted(set(result.models["family"]))) if _families_known(result) else {}
    one = {"color": PALETTE[0], "marker": "o"}
    figure, (left, right) = new_axes(1, 2, height=height_of(len(rows)), sharey=True)
    for y, row in enumerate(rows_of(rows)):
        look = style.get(row.family, one)
        for name, marker in (("placebo", "|"), ("placebo_best", "x")):
            left.plot(getattr(row, name), y, ls="none", ms=7, color=GREY, marker=marker, mew=1.6)
        for axis, name in ((left, "corrected"), (right, "share")):
            low, value, high = (getattr(row, f"{name}{end}") for end in ("_lower", "", "_upper"))
            if np.isfinite(value):
                axis.plot([low, high], [y, y], color=look["color"], lw=1.8)
                axis.plot(value, y, ls="none", ms=6, **look)
    for axis, lines in ((left, (0.0,)), (right, (0.0, HALF, 1.0))):
        for line in lines:
            axis.axvline(line, color=GREY, ls=":" if line == HALF else "--", lw=1.2)
        axis.grid(axis="y", visible=False)
    name_rows(left, rows["model"])
    left.set_xlabel("AUROC2 beyond difficulty")
    right.set_xlabel("Share of information")
    right.set_xlim(*SHARES_SHOWN)
    if style:
        legend_of(figure, rows["family"], style)
    return figure


def _families_known(result: Any) -> bool:
    return bool(result.n_families < result.n_models)
