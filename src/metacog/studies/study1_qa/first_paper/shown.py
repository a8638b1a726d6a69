"""What do the first paper's counts show for the same models? How it is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from metacog.core.words import listed
from metacog.report.drawing import drawing
from metacog.report.style import legend_above, new_axes
from metacog.report.tables import Column, Schema, Sort, answer, columns_of, number, text
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import (
    AUROC2,
    FLAGGED,
    META_I2R,
    MODEL,
    RANGE_AND_RHO,
    TEMPERATURE,
    N,
)
from metacog.studies.study1_qa.cells.figures import model_looks, temperature_axis
from metacog.studies.study1_qa.first_paper.estimates import NEAR_MEDIAN, RULE


@drawing(
    name="fig-first-paper-temperature",
    caption=(
        "d' (above) and meta-d' (below) of the paper's own models against temperature, from the first "
        "paper's counts with the middle cut near the median, with 95 % intervals. Hollow marks are the "
        "printed table 7. Look whether the lower lines are flatter than the upper ones, as H3 claims; "
        "where hollow marks deviate from the line, the edges make the difference, not the answers."
    ),
    alt="d' and meta-d' of the paper's models at seven temperatures, with the printed values at four",
)
def temperatures(result: Any) -> Figure:
    """d' and meta-d' with 95 % limits, one look per model, and printed values as hollow marks."""
    shown = result.temperatures[result.temperatures["variant"] == NEAR_MEDIAN]
    style = model_looks(shown["model"])
    figure, axes = new_axes(2, 1, height=2.9, sharex=True)
    for axis, (name, title) in zip(axes, (("d_prime", "d'"), ("meta_d", "meta-d'")), strict=True):
        for model, rows in shown.groupby("model", sort=False):
            x, y = rows["temperature"].to_numpy(), rows[name].to_numpy(dtype=np.float64)
            ends = [rows[f"{name}_{end}"].to_numpy(dtype=np.float64) for end in ("lower", "upper")]
            reach = np.nan_to_num(np.stack([np.maximum(y - ends[0], 0), np.maximum(ends[1] - y, 0)]))
            look = style[str(model)]
            axis.errorbar(x, y, yerr=reach, label=model, lw=1.8, ms=7, capsize=3, **look)
            four = result.comparison[result.comparison["model"] == model]
            axis.plot(
                four["temperature"],
                four[f"{name}_printed"],
                ls="none",
                ms=8,
                mfc="none",
                marker=look["marker"],
                color=look["color"],
            )
        axis.set_ylabel(title)
    temperature_axis(axes[1], shown["temperature"])
    axes[1].set_xlabel("sampling temperature T (hollow: printed)")
    legend_above(figure, axes[0])
    return figure


def tost_sentence(verdict: Verdict) -> str:
    """In which models meta-d' is shown to be equivalent, or to differ, over the temperatures."""
    v = verdict.values
    equivalent = listed(v["equivalent"]) if v["equivalent"] else "no model that can be judged"
    bounds = [f"{bound:.2f}" for bound in v["smallest_bounds"]]
    return (
        f"On the paper's own models, {v['variant']}: meta-d' is shown to be equivalent over the temperatures "
        f"in {equivalent}"
        + (f", shown to differ in {listed(v['different'])}." if v["different"] else ".")
        + (f" The smallest bounds that would pass are {listed(bounds)}." if bounds else "")
        + undecided_clause(verdict.undecided)
    )


VARIANT = text("variant", "Ratings")
PRINTED, NEAR, WIDE = "Printed, table 7", "Cut near the median", "20 equal widths"
VIEWS = Views(
    "first_paper",
    tables={
        "temperatures": Schema(
            "together",
            columns_of(
                MODEL,
                TEMPERATURE,
                N,
                number("accuracy", "Accuracy", 4),
                AUROC2,
                META_I2R,
                number("d_prime_median", "d'", 3, NEAR),
                number("meta_d_median", "meta-d'", 3, NEAR),
                number("c_median", "criterion", 3, NEAR),
                number("high_criterion_median", "type-2 criterion", 3, NEAR),
                number("d_prime_twenty", "d'", 3, WIDE),
                number("meta_d_twenty", "meta-d'", 3, WIDE),
                number("below_twenty", "below the cut", 0, WIDE),
                Column("flag_twenty", "flag", Sort.TEXT, group=WIDE),
            ),
            "The paper's own models at seven temperatures, from 20 bins whose edges do not move. AUROC2 and "
            "meta-I2r of the 20 bins need no middle cut and no padding.",
        ),
        "summary": Schema(
            "summary",
            columns_of(
                VARIANT,
                MODEL,
                RANGE_AND_RHO,
                number("smallest_bound", "Smallest bound"),
                number("tost_p", "TOST p", 4),
                answer("equivalent", "Equivalent"),
                answer("different", "Different"),
                FLAGGED,
            ),
            "H3 over T = 0.3, 0.5, 0.7 and 1.0. A model with a flagged cell gets no answer.",
        ),
        "comparison": Schema(
            "comparison",
            columns_of(
                MODEL,
                TEMPERATURE,
                number("d_prime_printed", "d'", 3, PRINTED),
                number("meta_d_printed", "meta-d'", 3, PRINTED),
                number("d_prime_median", "d'", 3, NEAR),
                number("meta_d_median", "meta-d'", 3, NEAR),
                number("d_prime_twenty", "d'", 3, WIDE),
                number("meta_d_twenty", "meta-d'", 3, WIDE),
            ),
            "The printed table, whose edges are the quantiles of T = 1, next to the first paper's counts.",
        ),
    },
    figures={"temperatures": temperatures},
    verdicts={"tost": tost_sentence},
    claims={"tost": "meta-d' stays the same over temperature in every model of the paper"},
    rules={"tost": RULE},
)
