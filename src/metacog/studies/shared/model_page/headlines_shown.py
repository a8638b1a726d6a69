"""One model's result of every study: how it is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.drawing import drawing
from metacog.report.style import GREY, looks, new_axes
from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.report.views import Views
from metacog.studies.shared.model_page.headlines import PUBLISHED, REFERENCE, RUN, THIS

STUDY, QUANTITY = text("study", "Study"), text("quantity", "Quantity")
PART = text("part", "Part", optional=True)


def listed_results(result: Any) -> str:
    """Each study's result, and where it lies among the published models, as a list in Markdown."""
    lines = []
    for study, rows in result.results.groupby("study", sort=False) if len(result.results) else ():
        first = rows.iloc[0]
        lines.append(f"- **{study}.** {first['quantity']}: {first['meaning']}.")
        for row in rows_of(rows):
            of = f"{row.part}: " if row.part else ""
            lines.append(f"  - {of}{_result(row)} {_place(row)}")
    return "\n".join(lines) or "No study of this run has a result yet."


def _result(row: Any) -> str:
    if not np.isfinite(row.estimate):
        return f"no result ({row.why})."
    judged = f"; not judged: {row.why}" if row.why else ""
    return f"**{rounded(row.estimate)}**{interval(row.lower, row.upper)}{judged}."


def _place(row: Any) -> str:
    among = f"{plural(row.published, 'published model')}: {rounded(row.lowest)} to {rounded(row.highest)}"
    if row.published == 1:
        among = f"One published model: {rounded(row.lowest)}"
    if np.isfinite(row.below):
        among += (
            f"; the interval lies above that of {row.below:.0f} of them, below that of {row.above:.0f}, and "
            f"overlaps that of {row.meets:.0f}"
        )
    known = np.isfinite(row.reference)
    reference = (
        f" Reference run: {rounded(row.reference)}{interval(row.reference_lower, row.reference_upper)}."
    )
    return f"{among}.{reference if known else ''}"


def interval(lower: float, upper: float) -> str:
    """Both ends of an interval behind a value; nothing where there is none."""
    return f" [{rounded(lower)}, {rounded(upper)}]" if np.isfinite(lower) else ""


def rounded(value: float) -> str:
    """A result with as many decimals as its size asks for."""
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


@drawing(
    caption=(
        "Each study's result of this model (filled, with its 95 % interval), of the other models of this run and of "
        "the reference run, and of the published models (grey marks); one that cannot be judged is left out. The "
        "dashed line is the value of confidence that knows nothing. Published models answered other questions, so a "
        "place among them is a description, not a test."
    ),
    alt="One panel per study: this model's result with its interval among those of other models",
)
def places(result: Any) -> Figure | None:
    """This model's result of each study among those of other models; results that cannot be judged are not drawn."""
    parts = list(result.board.groupby(["study", "part"], sort=False)) if len(result.board) else []
    judged = [(names, rows[rows["estimate"].notna() & (rows["why"] == "")]) for names, rows in parts]
    drawn = [(names, rows) for names, rows in judged if len(rows)]
    if not drawn:
        return None
    style = looks((THIS, REFERENCE, RUN))
    figure, axes = new_axes(rows=len(drawn), height=1.0, squeeze=False)
    for axis, ((study, part), rows) in zip(axes[:, 0], drawn, strict=True):
        _panel(axis, rows, style)
        axis.set_title(
            ": ".join(filter(None, (str(study).split(":")[0], rows["quantity"].iloc[0], str(part))))
        )
    named = [axis.get_legend_handles_labels() for axis in axes[:, 0]]
    handles = {label: one for of, labels in named for one, label in zip(of, labels, strict=True)}
    there = [whose for whose in (THIS, REFERENCE, RUN, PUBLISHED) if whose in handles]
    figure.legend([handles[whose] for whose in there], there, loc="outside upper left", ncols=2)
    return figure


def _panel(axis: Any, rows: pd.DataFrame, style: dict[str, dict[str, Any]]) -> None:
    published = rows.loc[rows["whose"] == PUBLISHED, "estimate"]
    axis.plot(published, np.zeros(len(published)), "|", color=GREY, ms=14, mew=1.5, label=PUBLISHED)
    for whose, height in ((RUN, -0.5), (REFERENCE, 0.0), (THIS, 0.5)):
        for row in rows_of(rows[rows["whose"] == whose]):
            filled = style[whose]["color"] if whose == THIS else "white"
            known = np.isfinite(row.lower)
            ends = [[row.estimate - row.lower], [row.upper - row.estimate]] if known else None
            axis.errorbar(
                row.estimate, height, xerr=ends, ls="", ms=8, mfc=filled, label=whose, **style[whose]
            )
    if np.isfinite(rows["nothing"].iloc[0]):
        axis.axvline(rows["nothing"].iloc[0], color=GREY, lw=1, ls="--")
    axis.set_ylim(-1.3, 1.3)
    axis.set_yticks([])


VIEWS = Views(
    "model_headlines",
    tables={
        "results": Schema(
            "results",
            columns_of(
                STUDY,
                QUANTITY,
                PART,
                number("estimate", "This model"),
                limits("lower", "upper"),
                text("why", "Why not judged", optional=True),
                number("reference", "Reference run"),
                count("published", "Published models"),
                number("lowest", "from", group="Published"),
                number("highest", "to", group="Published"),
                count("below", "this interval lies above"),
                count("above", "below"),
                count("meets", "overlaps"),
            ),
            "One headline per study. The last three columns count published models by their intervals.",
            empty="No study of this run has a result yet.",
        ),
        "board": Schema(
            "board",
            columns_of(
                STUDY,
                QUANTITY,
                PART,
                text("model", "Model"),
                text("whose", "Whose"),
                number("estimate", "Estimate"),
                limits("lower", "upper"),
                text("why", "Why not judged", optional=True),
            ),
            "Every model of every headline.",
            empty="No study of this run has a result yet.",
        ),
    },
    figures={"places": places},
    sentences={"studies": listed_results},
)
