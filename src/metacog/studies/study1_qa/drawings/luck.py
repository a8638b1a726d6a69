"""Figures of public difficulty, private knowledge and the luck of the draw."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import seaborn as sns
from matplotlib.figure import Figure

from metacog.measures.self_knowledge import DIFFICULTY, DRAW, OWN
from metacog.report.drawing import drawing
from metacog.report.style import GREY, legend_above, looks, new_axes

#: Rows of the first figure, top to bottom: columns of the table, and what readers call them.
KINDS = {
    "own_draw": "the draw's own confidence",
    "other_draw": "another draw of the question",
    "within": "within a question, own",
}
PARTS = {DIFFICULTY: "difficulty others see", OWN: "own state (at most)", DRAW: "the draw"}


@drawing(
    name="fig-luck-draws",
    caption=(
        "AUROC2 at T = 1 with a draw's own confidence, with that of another draw of the same question, and "
        "of right and wrong draws within one question; 95 % intervals over questions, the dashed line is "
        "chance. The gap between the first two lines of a model is the luck of the draw. Were confidence "
        "about the question, the first two would coincide and the third would lie at 0.5."
    ),
)
def draws(found: Any) -> Figure | None:
    """AUROC2 by own and by another draw's confidence, and within questions, for each model."""
    rows = found.draws[found.draws["own_draw"].notna()]
    if rows.empty:
        return None
    style = looks(rows["model"])
    figure, axis = new_axes(height=1.1 + 0.42 * len(KINDS) * len(rows))
    labels: list[str] = []
    for row in rows.to_dict("records"):
        for kind, title in KINDS.items():
            place = len(labels)
            labels.append(title)
            if np.isfinite(row[f"{kind}_lower"]):
                axis.plot(
                    [row[f"{kind}_lower"], row[f"{kind}_upper"]],
                    [place, place],
                    lw=2,
                    color=style[row["model"]]["color"],
                )
            named = row["model"] if kind == "own_draw" else None
            axis.plot(row[kind], place, ls="none", ms=8, label=named, **style[row["model"]])
    axis.axvline(0.5, color=GREY, ls="--", lw=1.2)
    axis.set_yticks(range(len(labels)), labels)
    axis.margins(y=0.1)
    axis.invert_yaxis()
    axis.set_xlabel("AUROC2 at T = 1")
    legend_above(figure, axis)
    return figure


@drawing(
    name="fig-luck-parts",
    caption=(
        "Information that confidence carries about being right, by temperature: what the other models' "
        "confidence at the lowest temperature tells, what the model's own there adds, and what the "
        "confidence of the draw adds to both. A part that comes out below 0 is drawn as 0. If the rise of "
        "the measures with temperature were the model's knowledge of itself, the middle part would grow."
    ),
)
def parts(found: Any) -> Figure | None:
    """Stacked bars of three parts of information by temperature, one panel for each model."""
    rows = found.parts[found.parts["bits"].notna()]
    if rows.empty:
        return None
    models = list(dict.fromkeys(rows["model"]))
    colours = dict(zip(PARTS, sns.color_palette("colorblind", 3), strict=True))
    figure, axes = new_axes(1, min(2, len(models)), height=3.8, sharey=True, squeeze=False)
    for axis, model in zip(axes[0], models, strict=False):
        own = rows[rows["model"] == model]
        temperatures = sorted(own["temperature"].unique())
        base = np.zeros(len(temperatures))
        for part, title in PARTS.items():
            bits = own[own["part"] == part].set_index("temperature")["bits"].reindex(temperatures)
            height = bits.fillna(0).clip(lower=0).to_numpy()
            axis.bar(
                range(len(temperatures)), height, bottom=base, color=colours[part], label=title, width=0.75
            )
            base += height
        axis.set_title(model)
        axis.set_xticks(range(len(temperatures)), [f"{t:g}" for t in temperatures])
        axis.set_xlabel("Temperature")
    axes[0][0].set_ylabel("Bits")
    legend_above(figure, axes[0][0], columns=3)
    return figure


@drawing(
    name="fig-luck-rises",
    caption=(
        "AUROC2 for the answers at each temperature. Filled: with the confidence of the draw itself, as "
        "everywhere in the study. Open: with the confidence of the model's answer to the same question at "
        "the lowest temperature, which knows nothing of the draw. Where the filled line climbs and the open "
        "one does not, the rise is the luck of the draw."
    ),
)
def rises(found: Any) -> Figure | None:
    """AUROC2 against temperature with the draw's and with the question's confidence, two lines a model."""
    rows = found.rises[found.rises["why"] == ""] if len(found.rises) else found.rises
    if rows.empty:
        return None
    style = looks(rows["model"])
    figure, axis = new_axes(height=3.8)
    for model, own in rows.groupby("model", sort=False):
        first = own.iloc[0]
        x = [first["reference"], *own["temperature"]]
        for column, fill in (("auroc2_draw", "full"), ("auroc2_question", "none")):
            whose = "draw" if fill == "full" else "question"
            axis.plot(
                x,
                [first["auroc2_reference"], *own[column]],
                ms=8,
                fillstyle=fill,
                ls="-" if fill == "full" else "--",
                label=f"{model}, the {whose}'s",
                **style[model],
            )
    axis.axhline(0.5, color=GREY, ls=":", lw=1.2)
    axis.set_xlabel("Temperature")
    axis.set_ylabel("AUROC2")
    legend_above(figure, axis)
    return figure


FIGURES = {
    "luck.draws": draws,
    "luck.draws_in_short": replace(draws, name="fig-summary-luck"),  # a label is of one page alone
    "luck.parts": parts,
    "luck.rises": rises,
}
