"""Every model of the book in one table: how it is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.style import GREY, looks, new_axes
from metacog.report.tables import Schema, columns_of, limits, number, text
from metacog.report.views import Views
from metacog.studies.shared.all_models.analysis import HERE, PUBLISHED, REFERENCE, AllModels

STUDY, QUANTITY = text("study", "Study"), text("quantity", "Quantity")
PART = text("part", "Part", optional=True)


def answer(result: AllModels) -> str:
    """How many published results beat confidence that knows nothing, and whether one model knows best."""
    if result.studies.empty:
        return "No study of this run has a result yet."
    told = result.studies[result.studies["judged"].gt(0) & result.studies["above"].notna()]
    above, judged = int(told["above"].sum()), int(told["judged"].sum())
    if not judged:
        return "No published result of these models has an interval that could tell what it is worth."
    known = result.studies[result.studies["may_lead"].notna()]
    open_ = int((known["may_lead"] > 1).sum())
    which = "not compared" if known.empty else "clear" if not open_ else "open"
    where = " in every comparison" if len(known) > 1 and open_ in (0, len(known)) else ""
    return (
        f"Confidence beats knowing nothing in {above:,} of {judged:,} published results; which model knows best is "
        f"{which}{where}."
    )


def still_open(result: AllModels) -> str:
    """In how many comparisons of published models the first place is open, and between how many."""
    known = result.studies[result.studies["may_lead"].notna()] if len(result.studies) else result.studies
    if known.empty:
        return "No comparison of published models has intervals that could tell which is best."
    open_ = known[known["may_lead"] > 1]
    leaders = [f"{row.may_lead:.0f} of {row.judged} {_short(row.study, row.part)}" for row in rows_of(open_)]
    text = (
        f"Which of the published models knows best what it knows is open in {len(open_)} of "
        f"{plural(len(known), 'comparison')}"
    )
    return f"{text}: the first place may belong to {listed(leaders)}." if leaders else f"{text}."


def _short(study: str, part: str) -> str:
    return f"in {study.split(':')[0].lower()}" + (f" ({part})" if part else "")


@drawing(
    caption=(
        "Each study's number of every model, with its 95 % interval where there is one: published models (grey), the "
        "reference run, and this machine's models. The dashed line is the value of confidence that knows nothing. "
        "Models of different kinds answered different questions, so that only those of one colour in one panel "
        "can be compared."
    ),
    alt="One panel per study and part: every model's result with its interval",
)
def forest(result: AllModels) -> Figure | None:
    """Every judged result, one panel for each study and part, the highest on top."""
    judged = result.models[result.models["estimate"].notna() & (result.models["why"] == "")]
    panels = list(judged.groupby(["study", "part"], sort=False))
    if not panels:
        return None
    # this machine first and the reference run second, as on the page of each model
    style = {PUBLISHED: {"color": GREY, "marker": "o"}, **looks((HERE, REFERENCE))}
    sizes = [max(2.0, len(rows)) for _, rows in panels]
    figure, axes = new_axes(
        rows=len(panels), height=sum(sizes) * 0.2 / len(panels) + 0.55, squeeze=False, height_ratios=sizes
    )
    for axis, ((study, part), rows) in zip(axes[:, 0], panels, strict=True):
        _panel(axis, rows.sort_values("estimate", ascending=False), style)
        name = ": ".join(filter(None, (str(study).split(":")[0], rows["quantity"].iloc[0], str(part))))
        axis.set_title(name, loc="left")
    named = [axis.get_legend_handles_labels() for axis in axes[:, 0]]
    handles = {label: one for of, labels in named for one, label in zip(of, labels, strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside upper left", ncols=3)
    return figure


def _panel(axis: Any, rows: pd.DataFrame, style: dict[str, dict[str, Any]]) -> None:
    for height, row in enumerate(rows_of(rows)):
        known = np.isfinite(row.lower)
        ends = [[row.estimate - row.lower], [row.upper - row.estimate]] if known else None
        axis.errorbar(row.estimate, height, xerr=ends, ls="", ms=5, label=row.whose, **style[row.whose])
    if np.isfinite(rows["nothing"].iloc[0]):
        axis.axvline(rows["nothing"].iloc[0], color=GREY, lw=1, ls="--")
    axis.set_yticks(range(len(rows)), list(rows["model"]))
    axis.tick_params(axis="y", labelsize=9, length=0)
    axis.set_ylim(len(rows) - 0.5, -0.5)


VIEWS = Views(
    "all_models",
    tables={
        "models": Schema(
            "models",
            columns_of(
                text("model", "Model"),
                STUDY,
                QUANTITY,
                PART,
                text("whose", "Whose trials"),
                number("estimate", "Estimate"),
                limits("lower", "upper"),
                number("first", "from", 0, "Place"),
                number("last", "to", 0, "Place"),
                text("why", "Why not judged", optional=True),
            ),
            "Every model in every study's number. Places are those that 95 % intervals leave open among the models of "
            "the same trials, study and part, pair by pair.",
            empty="No study of this run has a result yet.",
        ),
        "meanings": Schema(
            lambda result: result.models.drop_duplicates(["study", "quantity"]),
            columns_of(STUDY, QUANTITY, text("meaning", "What it says")),
            "What each study's number says.",
            empty="No study of this run has a result yet.",
        ),
    },
    figures={"forest": forest},
    sentences={"answer": answer, "still_open": still_open},
)
