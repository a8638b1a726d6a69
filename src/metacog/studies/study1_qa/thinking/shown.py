"""Does thinking help a model to know itself? How it is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.report.drawing import drawing
from metacog.report.style import GREY, legend_above, looks, new_axes
from metacog.report.tables import Column, Schema, answer, columns_of, count, limits, number, text
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import DOMAIN, MODEL, N
from metacog.studies.study1_qa.thinking import judging, words
from metacog.studies.study1_qa.thinking.estimates import OFF, ON
from metacog.studies.study1_qa.thinking.print_alone import modes_in_order


@drawing(
    name="fig-thinking",
    caption=(
        "Accuracy and AUROC2 of three models from thinking off (hollow) to thinking on (filled), from counts by "
        "four ratings, with 95 % intervals. Small crosses are the printed AUROC2 of unrounded confidence; the "
        "dashed line is chance. A model that came to know itself better would move up; one that came to know "
        "more, to the right."
    ),
)
def arrows(result: Any) -> Figure:
    """Three arrows from thinking off to on, in the plane of accuracy and AUROC2."""
    cells, raw = result.cells, result.raw.set_index("model")
    style = looks(cells["model"])
    figure, axis = new_axes(height=4.6)
    for model, own in cells.groupby("model", sort=False):
        look = style[str(model)]
        ends = [own[own["mode"] == mode].iloc[0] for mode in (OFF, ON)]
        for row, mode in zip(ends, ("off", "on"), strict=True):
            _cross(axis, row, look["color"])
            fill = look["color"] if mode == "on" else "white"
            label = str(model) if mode == "on" else None
            place = row["accuracy"], row["auroc2"]
            axis.plot(
                *place, ls="none", ms=9, label=label, mfc=fill, mec=look["color"], marker=look["marker"]
            )
            if model in raw.index:
                axis.plot(row["accuracy"], raw[f"auroc2_{mode}"][model], "x", ms=5, color=look["color"])
        axis.annotate(
            "",
            xy=(ends[1]["accuracy"], ends[1]["auroc2"]),
            xytext=(ends[0]["accuracy"], ends[0]["auroc2"]),
            arrowprops={"arrowstyle": "->", "color": look["color"], "lw": 1.6, "shrinkA": 7, "shrinkB": 7},
        )
    axis.axhline(0.5, color=GREY, ls="--", lw=1.2)
    axis.set_xlabel("Accuracy")
    axis.set_ylabel("AUROC2")
    legend_above(figure, axis, columns=3)
    return figure


def _cross(axis: Any, row: pd.Series, colour: Any) -> None:
    """The intervals of both measures as a cross; an interval that is missing is left out."""
    for name, along in (("accuracy", True), ("auroc2", False)):
        ends = [row[f"{name}_lower"], row[f"{name}_upper"]]
        if np.isfinite(ends).all():
            other = [row["auroc2" if along else "accuracy"]] * 2
            axis.plot(*((ends, other) if along else (other, ends)), color=colour, lw=1.6)


@drawing(
    name="fig-thinking-ratings",
    caption=(
        "How often replies of each rating are right, with 95 % intervals; marks are larger where a rating is "
        "given more often. The ratings are quarters of the confidence with thinking off (hollow). With thinking "
        "on (filled) most replies have the highest, and a higher rating is hardly worth more."
    ),
)
def ratings(result: Any) -> Figure:
    """Share right against rating, thinking off and on, one panel for each model."""
    models = list(dict.fromkeys(result.ratings["model"]))
    style = looks(models)
    figure, axes = new_axes(len(models), 1, height=2.2, sharex=True, sharey=True, squeeze=False)
    for axis, model in zip(axes.flat, models, strict=True):
        own = result.ratings[result.ratings["model"] == model]
        for mode, shift in ((OFF, -0.08), (ON, 0.08)):
            rows = own[own["mode"] == mode].dropna(subset=["right"])
            x, colour = rows["rating"] + shift, style[str(model)]["color"]
            axis.plot(x, rows["right"], color=colour, lw=1.2, ls="--" if mode == OFF else "-")
            axis.vlines(x, rows["right_lower"], rows["right_upper"], color=colour, lw=1.6)
            fill = "white" if mode == OFF else colour
            axis.scatter(x, rows["right"], s=30 + 260 * rows["use"], fc=fill, ec=colour, zorder=3)
        axis.set_title(str(model))
        axis.set_ylabel("Share right")
    axes[-1, 0].set_xlabel("Rating (1: least confident)")
    axes[-1, 0].set_xticks(range(1, 1 + int(result.ratings["rating"].max())))
    return figure


MODE = text("mode", "Thinking")
QUANTITY = text("quantity", "Measure")


def _measured(*names: str) -> tuple[Column, ...]:
    """Estimates with their intervals, each under one header."""
    parts: list[Column] = []
    for name in names:
        parts += _of(name, words.MEASURES[name])
    return columns_of(MODEL, MODE, N, parts)


def _cells(result: Any) -> pd.DataFrame:
    return modes_in_order(result.cells)


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Names of measures and parts as readers know them."""
    table = table.assign(quantity=table["quantity"].map(words.MEASURES))
    return table.assign(part=table["part"].map(words.PARTS)) if "part" in table else table


def _of(part: str, title: str) -> tuple[Column, ...]:
    """An estimate and its interval under one header."""
    return number(part, "is", 3, title), *limits(f"{part}_lower", f"{part}_upper", title)


VIEWS = Views(
    "thinking",
    tables={
        "measures": Schema(
            _cells,
            _measured("accuracy", "auroc2", "meta_i2r"),
            "Three models with thinking off and on, from the counts by four ratings; 95 % intervals.",
        ),
        "fitted": Schema(
            _cells,
            _measured("d_prime", "criterion", "meta_d", "m_ratio"),
            "What signal detection theory makes of the same counts, right replies in place of signals. For open "
            "answers M-ratio is a statistic of the shape of one table; see the warning.",
        ),
        "differences": Schema(
            lambda result: _named(result.differences),
            columns_of(
                QUANTITY,
                MODEL,
                number("off", "Off"),
                number("on", "On"),
                number("difference", "On minus off"),
                limits("lower", "upper"),
                number("p_holm", "p (Holm)", 4),
            ),
            "Thinking on minus off. The modes are resampled apart, because the counts do not say which replies "
            "belong to one question; p is adjusted over the three models.",
        ),
        "ratings": Schema(
            lambda result: modes_in_order(result.ratings),
            columns_of(
                MODEL,
                MODE,
                count("rating", "Rating"),
                count("n", "Replies"),
                number("use", "Share of replies"),
                _of("right", "Share right"),
            ),
            "Which ratings are used, and how often each is right. Ratings are the quarters of confidence with "
            "thinking off, and the same edges are used with thinking on.",
        ),
        "parts": Schema(
            lambda result: _named(result.parts),
            columns_of(
                MODEL,
                QUANTITY,
                text("part", "Part of the change"),
                number("change", "Change"),
                limits("lower", "upper"),
            ),
            "What the change is made of: accuracy, how the ratings are used, and what a rating is worth. Parts of "
            "one model and measure add up to its whole change. meta-I2r without its correction for bias, which is "
            "nearly the same in both modes.",
        ),
        "equal": Schema(
            lambda result: _named(result.equal),
            columns_of(
                MODEL,
                QUANTITY,
                number("off", "Off"),
                number("on", "On"),
                number("accuracy_equal", "accuracy", 3, "On, with the same ... as off"),
                number("both_equal", "accuracy and use", 3, "On, with the same ... as off"),
            ),
            "The measures with thinking on if accuracy, and the use of the ratings, were those of thinking off, "
            "and a rating were worth what it is.",
        ),
        "replies": Schema(
            lambda result: _named(result.replies),
            columns_of(
                MODEL,
                QUANTITY,
                count("left_out_off", "Left out, off"),
                count("left_out_on", "Left out, on"),
                _of("off", "Off"),
                _of("on", "On"),
                number("worst", "worst", 3, "On minus off"),
                number("best", "best", 3, "On minus off"),
                limits("worst_lower", "best_upper", "With sampling"),
            ),
            "Replies that the author left out as malformed, and the bounds of what they could change: of both "
            "modes, of the difference, and with 95 % limits of sampling around its worst and best case.",
        ),
        "fits": Schema(
            lambda result: modes_in_order(result.fits),
            columns_of(
                MODEL,
                MODE,
                number("padding", "Padding", 1),
                number("d_prime", "d'"),
                number("meta_d", "meta-d'"),
                number("m_ratio", "M-ratio"),
                number("printed", "M-ratio, printed"),
                answer("converged", "Converged"),
                number("usable", "Resamples with an M-ratio"),
                number("negative", "With d' not above 0"),
                text("flag", "Note", optional=True),
            ),
            "Maximum-likelihood fits of the six tables with 0.5 in every cell (the author's padding) and without.",
        ),
        "raw": Schema(
            "raw",
            columns_of(
                MODEL,
                _of("auroc2_off", "Off"),
                _of("auroc2_on", "On"),
                _of("no_trace", "On, trace not shown"),
                limits("printed_lower", "printed_upper", "On minus off, printed"),
                limits("lower", "upper", "On minus off, unpaired"),
            ),
            "AUROC2 of unrounded confidence as printed. Intervals of the three areas and the unpaired ones from the "
            "numbers of right and wrong replies (Hanley and McNeil); the printed ones pair the questions.",
        ),
        "marking": Schema(
            "marking",
            columns_of(
                MODEL,
                count("right_off", "Right, off"),
                count("right_on", "Right, on"),
                number("accuracy_off", "off", 3, "Accuracy"),
                number("accuracy_on", "on", 3, "Accuracy"),
                number("auroc2_off", "off", 3, "AUROC2"),
                number("auroc2_on", "on", 3, "AUROC2"),
                number("difference", "On minus off"),
                limits("lower", "upper"),
                number("usual", "As marked otherwise"),
            ),
            "The same replies, right only if they equal an accepted answer or nearly do. Otherwise a reply also "
            "counts as right where an accepted answer stands anywhere in it. With fewer than "
            f"{MIN_FOR_INTERVALS} right or wrong replies in a mode there is no interval.",
        ),
        "domains": Schema(
            "domains",
            columns_of(
                MODEL,
                DOMAIN,
                number("accuracy_off", "off", 3, "Accuracy"),
                number("accuracy_on", "on", 3, "Accuracy"),
                number("auroc2_off", "off", 3, "AUROC2"),
                number("auroc2_on", "on", 3, "AUROC2"),
                number("difference", "On minus off"),
                limits("lower", "upper"),
            ),
            "Printed values by domain, AUROC2 of unrounded confidence; intervals from n and accuracy.",
        ),
    },
    figures={"arrows": arrows, "ratings": ratings},
    sentences={
        "in_short": words.in_short,
        "shares": words.shares,
        "fits_say": words.fits_say,
        "without_trace": words.without_trace,
        "marked_strictly": words.marked_strictly,
        "by_domain": words.by_domain,
        "left_out": words.left_out,
    },
    verdicts={
        **{name: words.raises(measure) for name, measure in judging.ASKED.items()},
        "worth": words.worth,
        "left_out": words.left_out_verdict,
    },
    rules=judging.RULES,
)
