"""What was asked, of whom, and what came back? How it is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.style import GREY, new_axes
from metacog.report.tables import Column, Schema, columns_of, count, number, text
from metacog.report.views import Views
from metacog.sdt.intervals import wilson
from metacog.studies.study1_qa.cells.columns import ACCURACY, DATASET, MODEL, NAMES, TEMPERATURE, plain
from metacog.studies.study1_qa.cells.counts import REFERENCE
from metacog.studies.study1_qa.cells.figures import model_looks
from metacog.studies.study1_qa.cells.flags import MIN_CLASS


@drawing(
    name="fig-collection-lengths",
    caption=(
        "Length of answers in tokens, by temperature. Where the lines climb at the right edge, answers were "
        "cut off at the token limit, and their NLP is that of an unfinished text."
    ),
    alt="Histograms of answer length by temperature",
)
def lengths(result: Any) -> Figure:
    """Histogram of answer length in tokens, one panel per model, one line per temperature."""
    trials = result.answers
    models = list(dict.fromkeys(trials["model"]))
    temperatures = sorted(trials["temperature"].unique())
    figure, axes = new_axes(len(models), 1, height=2.6, sharex=True, squeeze=False)
    longest = int(trials["n_tokens"].max())
    edges = np.arange(-0.5, longest + 1.5)
    colours = colormaps["viridis"](np.linspace(0, 0.9, len(temperatures)))
    for axis, model in zip(axes[:, 0], models, strict=True):
        for temperature, colour in zip(temperatures, colours, strict=True):
            chosen = trials[(trials["model"] == model) & (trials["temperature"] == temperature)]
            share = np.histogram(chosen["n_tokens"], bins=edges)[0] / max(len(chosen), 1)
            axis.plot(np.arange(longest + 1), share, color=colour, lw=1.8, label=f"T = {temperature:g}")
        axis.set_title(model, loc="left")
        axis.set_ylabel("share of answers")
    axes[-1, 0].set_xlabel("tokens in the answer")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure


@drawing(
    name="fig-collection-tiers",
    caption=(
        "Accuracy at T = 1 by tier. The tiers were set by the writers; if the lines did not fall, the "
        "writers' sense of difficulty would not be the models'. Bars are 95 % Wilson intervals."
    ),
    alt="Accuracy falls with tier for each model",
)
def tiers(result: Any) -> Figure:
    """Accuracy with Wilson intervals against tier, one line per model."""
    trials = result.answers
    chosen = trials[trials["temperature"] == REFERENCE]
    figure, axis = new_axes(height=3.4)
    names = list(dict.fromkeys(trials["model"]))
    style = model_looks(names)
    shifts = np.linspace(-0.08, 0.08, len(names)) if len(names) > 1 else np.zeros(1)
    for shift, name in zip(shifts, names, strict=True):
        grouped = chosen[chosen["model"] == name].groupby("tier")["correct"].agg(["sum", "count"])
        x = grouped.index.to_numpy() + shift
        right, n = grouped["sum"].to_numpy(dtype=float), grouped["count"].to_numpy(dtype=float)
        low, high = wilson(right / n, n)
        p = right / n
        axis.errorbar(
            x,
            p,
            yerr=np.clip([p - low, high - p], 0, None),
            label=name,
            lw=1.8,
            ms=7,
            capsize=3,
            **style[name],
        )
    axis.set_xlabel("tier (1 plainest, 5 hardest)")
    axis.xaxis.set_major_locator(MultipleLocator(1))
    axis.set_ylabel(f"accuracy at T = {REFERENCE:g}")
    axis.axhline(0, color=GREY, lw=0.8)
    axis.set_ylim(bottom=-0.03)  # so that a mark at 0 is whole
    axis.legend()
    return figure


def enough(result: Any) -> str:
    """Which domain cells are large enough, and how many answers were right and wrong over all domains."""
    cells = result.cells
    if cells.empty:
        return f"There are no trials at T = {REFERENCE:g}."
    short = cells[~cells["enough"]]
    total = cells.groupby("model", sort=False)[["right", "wrong"]].sum()
    overall = ", ".join(
        f"{model} {row['right']:,} right and {row['wrong']:,} wrong" for model, row in total.iterrows()
    )
    if short.empty:
        head = (
            f"Every one of the {len(cells)} domain cells has at least {MIN_CLASS} right and {MIN_CLASS} "
            "wrong answers"
        )
    else:
        names = "; ".join(
            f"{r['model']}, {r['domain']} ({min(r['right'], r['wrong'])})" for r in short.to_dict("records")
        )
        head = (
            f"{len(short)} of {len(cells)} domain cells have fewer than {MIN_CLASS} right or wrong answers, "
            f"and are flagged wherever they are used: {names}"
        )
    return f"{head} at T = {REFERENCE:g}. Over all domains: {overall}."


def answer(result: Any) -> str:
    """How many answers there are, and whether there are enough of them to compare domains."""
    models = plural(result.outcomes["model"].nunique(), "model")
    text = f"{int(result.outcomes['n_trials'].sum()):,} answers of {models} lie behind this study"
    if result.cells.empty:
        return f"{text}."
    enough = result.cells["enough"].astype(bool)
    told = "enough" if enough.all() else "too few" if not enough.any() else "in some subjects too few"
    return f"{text}: {told} to compare subjects."


def ran_on(result: Any) -> str:
    """How many replies went on into a next question, in which models, and what marks that changed."""
    counts = ["n_trials", "ran_on", "righted"]
    total = result.outcomes.groupby("model", sort=False, as_index=False)[counts].sum()
    cut = total[total["ran_on"] > 0]
    if cut.empty:
        return "No reply of this run went on into another question."
    whole = listed(f"{row.ran_on:,} of {row.n_trials:,} of {row.model}" for row in rows_of(cut))
    return (
        f"So many replies went on into another question and were cut where it begins: {whole}. "
        f"{int(cut['righted'].sum()):,} of these {int(cut['ran_on'].sum()):,} answers are right without it and "
        "would be wrong with it."
    )


VIEWS = Views(
    "collection",
    tables={
        "facts": Schema(
            # the other tables quote questions and answers, in which no word is renamed
            lambda result: result.facts.assign(dataset=result.facts["dataset"].replace(NAMES)),
            columns_of(
                MODEL,
                DATASET,
                text("prompt", "Prompt"),
                count("n_trials", "Trials"),
                number("minutes", "Minutes", 1),
                number("trials_per_second", "Trials a second", 1),
                count("sessions", "Sessions"),
                count("damaged_parts", "Damaged parts"),
                text("sha256", "SHA-256"),
                text("engine", "Engine"),
                text("llama_cpp", "llama-cpp-python"),
            ),
            "The runs behind this page.",
        ),
        "outcomes": Schema(
            "outcomes",
            columns_of(
                MODEL,
                TEMPERATURE,
                count("n_trials", "Trials"),
                ACCURACY,
                number("exact", "Exact"),
                number("similar", "Similar"),
                number("wrong", "Wrong"),
                number("refused", "Refused"),
                number("empty", "Empty"),
                Column("unanswered", "Still thinking", optional=True),
                number("truncated", "Cut off"),
                number("mean_tokens", "Mean tokens"),
                count("ran_on", "Went on"),
            ),
            "Shares of trials by how they were marked, and how many replies went on into another question.",
        ),
        "examples": Schema(
            "examples",
            columns_of(
                text("kind", "Kind"),
                MODEL,
                number("T", "T", 2),
                text("question", "Question"),
                text("answer", "Answer"),
                text("nearest key", "Nearest key"),
                number("NLP", "NLP", 2),
            ),
            "Trials of each kind.",
        ),
        "cells": plain("cells", "Right answers of those asked at T = 1, by domain and tier."),
    },
    figures={"lengths": lengths, "tiers": tiers},
    sentences={"answer": answer, "enough": enough, "ran_on": ran_on},
)
