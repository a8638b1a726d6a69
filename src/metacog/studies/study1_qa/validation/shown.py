"""What must hold before the hypotheses are tested? How it is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.style import new_axes
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.sdt.intervals import wilson
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    D_PRIME,
    DATASET,
    DOMAIN,
    FLAG,
    MODEL,
    NAMES,
    QUARTERS,
    TEMPERATURE,
    comparison,
    plain,
)
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED, RUN
from metacog.studies.study1_qa.cells.figures import model_looks, temperature_axis
from metacog.studies.study1_qa.cells.flags import MIN_CLASS
from metacog.studies.study1_qa.cells.sentences import in_run, solved_from
from metacog.studies.study1_qa.validation.judging import RULE_MINIMUM, RULE_MONOTONE

NO_DOMAINS = "The questions of this run have no domains."


@drawing(
    name="fig-validation-quartiles",
    caption=(
        "Accuracy against confidence, in quarters. A line that climbs at every step says that NLP orders "
        "answers by how likely they are to be right; a flat or falling step would mean that confidence is "
        "uninformative there."
    ),
    alt="Accuracy by quartile of NLP for each model",
)
def quartiles(result: Any) -> Figure:
    """Accuracy against quartile of NLP, one line per model (and question set)."""
    table = result.quartiles
    several = table["dataset"].nunique() > 1
    names = [f"{r.model}, {r.dataset}" if several else r.model for r in rows_of(table)]
    style = model_looks(names)
    figure, axis = new_axes(height=3.6)
    for name, (_, row) in zip(names, table.iterrows(), strict=True):
        values = row[["q1", "q2", "q3", "q4"]].to_numpy(dtype=np.float64)
        axis.plot(range(1, 5), values, label=name, lw=1.8, ms=7, **style[name])
    axis.set_xticks(range(1, 5), ["lowest", "2nd", "3rd", "highest"])
    axis.set_xlabel("quartile of NLP")
    axis.set_ylabel("accuracy at T = 1")
    axis.set_ylim(-0.03, 1.03)  # so that marks at 0 and at 1 are whole
    axis.legend(loc="upper left")
    return figure


@drawing(
    name="fig-validation-temperature",
    caption=(
        "Top: accuracy by temperature. Bottom: answers cut off at the token limit, and answers without a "
        "confidence, such as empty ones. Where "
        "the lower lines climb, later comparisons over temperature rest on damaged texts."
    ),
    alt="Accuracy, truncation and answers without a confidence against temperature",
)
def temperature(result: Any) -> Figure:
    """Accuracy, and shares of truncated answers and of those without a confidence, against temperature."""
    answers = result.answers
    style = model_looks(answers["model"])
    figure, axes = new_axes(2, 1, height=2.6, sharex=True)
    for model, all_rows in answers.groupby("model", sort=False):
        rows = all_rows.groupby("temperature")[["accuracy", "truncated", "empty"]].mean()
        look = {"lw": 1.8, "ms": 7, **style[str(model)]}
        axes[0].plot(rows.index, rows["accuracy"], label=model, **look)
        axes[1].plot(rows.index, rows["truncated"], label=f"{model}, cut off", **look)
        axes[1].plot(
            rows.index,
            rows["empty"],
            label=f"{model}, without a confidence",
            **(look | {"ls": ":", "mfc": "none"}),
        )
    temperature_axis(axes[1], answers["temperature"])
    axes[0].set_ylabel("accuracy")
    axes[1].set_ylabel("share of answers")
    axes[1].set_xlabel("sampling temperature T")
    for axis in axes:
        axis.set_ylim(bottom=-0.03)
        axis.legend()
    return figure


def quartiles_sentence(verdict: Verdict) -> str:
    """In which models accuracy rises at every step."""
    rises, falls = verdict.values["rises"], verdict.values["falls"]
    return (
        f"Accuracy rises from each quartile of NLP to the next in {listed(rises)}"
        + (f", and not at every step in {listed(falls)}." if falls else ".")
        + undecided_clause(verdict.undecided)
    )


def minimum_sentence(verdict: Verdict) -> str:
    """How many cells are large enough."""
    v = verdict.values
    if not v["n_cells"]:
        return NO_DOMAINS
    undecided = undecided_clause(verdict.undecided)
    if not v["n_judged"]:
        return f"No cell can be judged.{undecided}"
    return (
        f"{v['n_enough']} of {plural(v['n_judged'], 'cell')} are large enough; the smallest class holds "
        f"{plural(v['smallest'], 'answer')}.{undecided}"
    )


def published_sentence(verdict: Verdict) -> str:
    """Whether printed quarters follow from the counts, and where accuracy rises at every step."""
    v = verdict.values
    return (
        f"{solved_from('accuracies by quarter', v['agree'], 4 * v['n_published'])} Accuracy rises at every "
        f"quartile in {v['published_rises']} of {v['n_published']} published cells and "
        f"{in_run(v['run_rises'], v['n_run'])}."
    )


def answer_sentence(result: Any) -> str:
    """Whether accuracy rises with confidence from each quarter of the answers to the next."""
    theirs, ours = (result.comparison[result.comparison["source"] == one] for one in (RECOMPUTED, RUN))
    known = ours["monotone"].dropna().astype(bool)
    own = (
        "cannot tell"
        if known.empty
        else "agrees"
        if known.all()
        else "does not"
        if not known.any()
        else "agrees for some of its models"
    )
    return (
        f"Accuracy rises with confidence at every step in {int(theirs['monotone'].sum())} of {len(theirs)} published "
        f"sets of answers; this run {own}."
    )


def by_eye(result: Any) -> str:
    """How many marks the reader's judgement contradicts, of those that were read."""
    table = result.by_eye
    if table.empty:
        return "No answer of this run was read by eye."
    parts = []
    for marked, own in table.groupby("marked", sort=False):
        n, wrong = int(own["n"].sum()), int(own["mismarked"].sum())
        low, high = (float(limit[0]) for limit in wilson([wrong / n], [n]))
        parts.append(f"{wrong} of {n} marked {marked} ({100 * low:.0f} to {100 * high:.0f} %)")
    return f"By the reader's judgement mismarked: {listed(parts)}."


def _flagged(result: Any) -> pd.DataFrame:
    """What to keep in mind, with counts as whole numbers and shares with decimals."""
    rows = result.flagged
    counted = rows["limit"] > 1
    told = {
        name: [
            "-" if pd.isna(value) else f"{value:,.0f}" if whole else f"{value:.3f}"
            for value, whole in zip(rows[name], counted, strict=True)
        ]
        for name in ("value", "limit")
    }
    return rows.assign(**told)


VIEWS = Views(
    "validation",
    names=NAMES,
    tables={
        "quartiles": Schema(
            "quartiles",
            columns_of(
                MODEL, DATASET, QUARTERS, count("n_smallest", "Smallest quarter"), answer("monotone", "Rises")
            ),
            "Accuracy in each quartile of NLP at T = 1.",
        ),
        "minimums": Schema(
            "minimums",
            columns_of(
                MODEL,
                DATASET,
                DOMAIN,
                count("n_correct", "Correct"),
                count("n_incorrect", "Incorrect"),
                count("n_dropped", "Without confidence"),
                answer("enough", "Enough"),
            ),
            "Right and wrong answers at T = 1 by domain.",
            empty=NO_DOMAINS,
        ),
        "sensitivity": Schema(
            "sensitivity",
            columns_of(
                MODEL,
                DATASET,
                ACCURACY,
                D_PRIME,
                number("zroc_slope", "z-ROC slope"),
                number("d_a", "dₐ"),
                number("r2", "R²"),
                FLAG,
            ),
            "Type-1 d' and the z-ROC at T = 1.",
        ),
        "answers": Schema(
            "answers",
            columns_of(
                MODEL,
                DATASET,
                TEMPERATURE,
                number("mean_tokens", "Mean tokens", 1),
                number("truncated", "Cut off"),
                number("refusal", "Refused"),
                number("empty", "Without confidence"),
                count("ran_on", "Went on"),
            ),
            "Mean length in tokens, shares cut off, refused and without a confidence, and how many replies went on "
            "into another question.",
        ),
        "matches": plain("matches", "Shares of answers by how they were marked."),
        "by_eye": Schema(
            "by_eye",
            columns_of(
                MODEL,
                text("marked", "Marked"),
                count("n", "Read"),
                count("mismarked", "Mismarked"),
                number("share", "Share"),
                limits("lower", "upper"),
            ),
            "Answers at T = 1 that were read, and those whose mark the reader's judgement contradicts.",
            empty="No answer of this run was read by eye.",
        ),
        "flagged": Schema(
            _flagged,
            columns_of(
                text("check", "Check"),
                MODEL,
                DATASET,
                text("cell", "Where"),
                text("value", "Value"),
                text("limit", "Limit"),
            ),
            "Things to keep in mind.",
            empty="Nothing is flagged.",
        ),
        "comparison": comparison(
            MODEL, DATASET, QUARTERS, answer("monotone", "Rises"), D_PRIME, number("d_a", "dₐ")
        ),
    },
    figures={"quartiles": quartiles, "temperature": temperature},
    sentences={"answer": answer_sentence, "marks": by_eye},
    verdicts={
        "quartiles": quartiles_sentence,
        "minimum": minimum_sentence,
        "published": published_sentence,
    },
    claims={
        "quartiles": "accuracy rises over the four quartiles of NLP",
        "minimum": f"every domain of every model has {MIN_CLASS} right and {MIN_CLASS} wrong answers",
    },
    rules={"quartiles": RULE_MONOTONE, "minimum": RULE_MINIMUM},
)
