"""H3: is meta-d' stable across temperatures? How it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.core.words import listed
from metacog.report.drawing import drawing
from metacog.report.level_table import LEVELS
from metacog.report.style import GREY, legend_above, new_axes
from metacog.report.tables import Schema, answer, columns_of, limits, number, text
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    D_PRIME,
    FLAG,
    FLAGGED,
    M_RATIO,
    META_D,
    MODEL,
    NAMES,
    PUBLISHED_FORM,
    RANGE_AND_RHO,
    TEMPERATURE,
    N,
    comparison,
)
from metacog.studies.study1_qa.cells.figures import forest, model_looks, temperature_axis
from metacog.studies.study1_qa.h3.judging import (
    BOUND,
    FIXED,
    RULE_CRITERION,
    RULE_RANGE,
    RULE_RHO,
    RULE_TOST,
    TEMPERATURES,
)


@drawing(
    name="fig-h3-temperature",
    caption=(
        "d', meta-d' and the mean type-2 criterion of the upper ratings against temperature, with 95 % "
        "intervals over resampled questions. The hypothesis expects flat lines in the middle panel and a "
        "slope in the lowest. An interval in the middle panel that leaves its neighbours' would speak "
        "against it."
    ),
    alt="d', meta-d' and criterion against temperature",
)
def temperatures(result: Any) -> Figure:
    """d', meta-d' and the type-2 criteria against temperature, with question-level 95 % intervals."""
    table = result.temperatures
    style = model_looks(table["model"])
    figure, axes = new_axes(3, 1, height=2.5, sharex=True)
    panels = (("d_prime", "d'"), ("meta_d", "meta-d'"), ("high_criterion", "mean type-2\ncriterion"))
    for axis, (name, title) in zip(axes, panels, strict=True):
        for model, unsorted in table.groupby("model", sort=False):
            rows = unsorted.sort_values("temperature")
            x, y = rows["temperature"].to_numpy(), rows[name].to_numpy(dtype=np.float64)
            low, high = (rows[f"{name}_{end}"].to_numpy(dtype=np.float64) for end in ("lower", "upper"))
            reach = np.nan_to_num(np.stack([np.maximum(y - low, 0), np.maximum(high - y, 0)]))
            axis.errorbar(x, y, yerr=reach, label=model, ls="-", lw=1.8, ms=7, capsize=3, **style[str(model)])
        axis.set_ylabel(title)
    temperature_axis(axes[2], table["temperature"])
    axes[2].set_xlabel("sampling temperature T")
    legend_above(figure, axes[0])
    return figure


@drawing(
    name="fig-h3-equivalence",
    caption=(
        "Paired differences of meta-d' between temperatures with 90 % intervals. Equivalence is shown where "
        "every interval lies inside the band; an interval that straddles the band's edge is undecided, and "
        "one wholly outside is a difference."
    ),
    alt="Differences of meta-d' between temperatures against an equivalence band",
)
def equivalence(result: Any) -> Figure:
    """Paired differences of meta-d' with 90 % limits; one panel per kind of edges."""
    frame = result.pairs.assign(pair="T " + result.pairs["T_a"] + " \N{MINUS SIGN} " + result.pairs["T_b"])
    style = model_looks(frame["model"])
    kinds = list(dict.fromkeys(frame["edges"])) or [FIXED]
    height = 1.0 + 0.4 * max(frame["pair"].nunique(), 1)
    figure, axes = new_axes(len(kinds), 1, height=height, squeeze=False, sharex=True)
    for axis, kind in zip(axes[:, 0], kinds, strict=True):
        rows = frame[frame["edges"] == kind]
        forest(axis, rows, "pair", "model", value="difference", low="lower", high="upper", style=style)
        axis.axvspan(-result.bound, result.bound, color=GREY, alpha=0.15, lw=0)
        axis.axvline(0, color=GREY, lw=1.2, ls="--")
        axis.set_title(f"rating edges: {kind}", loc="right", fontsize=11)
    axes[-1, 0].set_xlabel(f"difference of meta-d' (90 % interval); band: ±{result.bound:g}")
    legend_above(figure, axes[0, 0])
    return figure


LACKING = f"This run lacks some of T = {listed(f'{t:g}' for t in TEMPERATURES)}: no verdict."


def _models(verdict: Verdict, start: str) -> str:
    """In which models a rule holds, in which it does not, and which are undecided."""
    yes, no = verdict.values["yes"], verdict.values["no"]
    if not yes and no:
        sentence = f"{start} no model; it is refuted in {listed(no)}."
    else:
        sentence = f"{start} {listed(yes) if yes else 'no model that can be judged'}"
        sentence += f", not in {listed(no)}." if no else "."
    return sentence + undecided_clause(verdict.undecided)


def registered_sentence(start: str) -> Callable[[Verdict], str]:
    """The sentence of a pre-registered rule over all models."""

    def sentence(verdict: Verdict) -> str:
        return _models(verdict, start) if verdict.values["complete"] else LACKING

    return sentence


def tost_sentence(verdict: Verdict) -> str:
    """In which models meta-d' is shown to be equivalent, and which bounds would have passed."""
    v = verdict.values
    if not v["complete"]:
        return LACKING
    start = f"With rating edges {v['edges']}, meta-d' is shown to be equivalent over the temperatures in"
    bounds = listed(f"{b:.2f}" for b in v["smallest_bounds"])
    passing = f" The smallest bounds that would pass are {bounds}." if v["smallest_bounds"] else ""
    return f"{_models(verdict, start)}{passing}"


def criterion_sentence(verdict: Verdict) -> str:
    """In which models the type-2 criteria move, and how far."""
    moved = [
        f"{one['model']} ({', '.join(f'{side}-side {by:+.2f}' for side, by in one['changes'].items())})"
        for one in verdict.values["moved"]
    ]
    return (
        "From the lowest to the highest of these temperatures the mean type-2 criteria move in "
        f"{listed(moved) if moved else 'no model that can be judged'}.{undecided_clause(verdict.undecided)}"
    )


def published_sentence(verdict: Verdict) -> str:
    """How many printed verdicts follow from the printed table, and how many models pass each rule."""
    v = verdict.values
    sentence = (
        f"Both printed verdicts follow from the printed table for {v['agree']} of {v['n_published']} models. "
        f"The range rule passes in {v['published_tost_pass']} of {v['n_published']} published models"
    )
    if not v["n_run"]:
        lacking = "none of this run's models can be judged by it"
        return f"{sentence}; {lacking if v['complete'] else 'this run lacks temperatures for it'}."
    return (
        f"{sentence} and in {v['run_tost_pass']} of {v['n_run']} of this run; the rank rule in "
        f"{v['published_relative_robust']} and in {v['run_relative_robust']}."
    )


def fixed_edges(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows that rest on the rating edges of T = 1."""
    return frame[frame["edges"] == FIXED] if len(frame) else frame


VIEWS = Views(
    "h3",
    names=NAMES,
    tables={
        "temperatures": Schema(
            "temperatures",
            columns_of(
                MODEL,
                TEMPERATURE,
                N,
                ACCURACY,
                D_PRIME,
                META_D,
                M_RATIO,
                number("mean_rating", "Mean rating"),
                FLAG,
            ),
            "All temperatures of the run; the hypothesis is about 0.3, 0.5, 0.7 and 1.0.",
        ),
        "summary": Schema(
            "summary",
            columns_of(MODEL, RANGE_AND_RHO, FLAGGED),
            "The pre-registered statistics.",
            fixed_edges,
        ),
        "separate_edges": Schema(
            "separate_edges",
            columns_of(MODEL, TEMPERATURE, N, ACCURACY, D_PRIME, META_D, M_RATIO, FLAG),
            "The same with the rating edges of each temperature's own trials.",
        ),
        "equivalence": Schema(
            "summary",
            columns_of(
                MODEL,
                text("edges", "Rating edges"),
                number("meta_d_range", "Range of meta-d'"),
                number("smallest_bound", "Smallest bound"),
                number("tost_p", "TOST p", 4),
                answer("equivalent", "Equivalent"),
                answer("different", "Different"),
                FLAGGED,
            ),
            "Smallest bound: what the true TOST would have passed with.",
        ),
        "criteria": Schema(
            "summary",
            columns_of(
                MODEL,
                number("low_criterion_change", "Low side"),
                limits("low_criterion_change_lower", "low_criterion_change_upper", "Low side, 97.5 %"),
                number("high_criterion_change", "High side"),
                limits("high_criterion_change_lower", "high_criterion_change_upper", "High side, 97.5 %"),
                FLAGGED,
            ),
            "How far the mean type-2 criteria move from the lowest to the highest of the four temperatures.",
            fixed_edges,
        ),
        "corrected": Schema(
            "corrected",
            columns_of(MODEL, TEMPERATURE, PUBLISHED_FORM),
            "meta-I2r and AUROC2 by temperature.",
        ),
        "levels": LEVELS,
        "comparison": comparison(MODEL, RANGE_AND_RHO),
    },
    figures={"temperatures": temperatures, "equivalence": equivalence},
    verdicts={
        "range": registered_sentence(f"The range of meta-d' is below {BOUND} in"),
        "rho": registered_sentence("meta-d' follows temperature less than d' in"),
        "tost": tost_sentence,
        "criterion": criterion_sentence,
        "published": published_sentence,
    },
    claims={
        "range": f"H3, the range of meta-d' over temperature stays below {BOUND} in every model",
        "rho": "H3, meta-d' follows temperature less than d' in every model",
        "tost": lambda verdict: (
            f"meta-d' stays within ±{BOUND} over temperature, rating edges {verdict.values['edges']}"
        ),
        "criterion": "the type-2 criterion moves with temperature in every model",
    },
    rules={"range": RULE_RANGE, "rho": RULE_RHO, "tost": RULE_TOST, "criterion": RULE_CRITERION},
)
