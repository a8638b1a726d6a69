"""The tables of the run, its models and the page that sums it up."""

from __future__ import annotations

from metacog.report.tables import Column, Schema, answer, columns_of, count, limits, number, text
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    AUROC2,
    COVERAGE,
    D_PRIME,
    DATASET,
    DOMAIN,
    FLAG,
    META_I2R,
    MODEL,
    QUARTERS,
    TEMPERATURE,
    N,
    beside,
    plain,
)

SUMMARY = {
    "summary.measures": Schema(
        "measures",
        columns_of(
            MODEL,
            DATASET,
            N,
            ACCURACY,
            AUROC2,
            limits("auroc2_lo", "auroc2_hi", "AUROC2, 95 %"),
            META_I2R,
            limits("meta_i2r_lo", "meta_i2r_hi", "meta-I2r, 95 %"),
            number("p_value", "p (perm.)", 4),
            COVERAGE,
            FLAG,
        ),
        "Measures at T = 1.",
    ),
    "summary.outcomes": Schema(
        "outcomes",
        columns_of(
            text("hypothesis", "Hypothesis"),
            text("question", "Question"),
            text("kind", "Kind of rule"),
            text("outcome", "Outcome"),
            text("sentence", "What the data say"),
        ),
        "All verdicts of this run.",
        empty="This run is too small for verdicts; the chapters show the path only.",
    ),
}

COLLECTION = {
    "collection.facts": Schema(
        "facts",
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
    "collection.outcomes": Schema(
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
        ),
        "Shares of trials by how they were marked.",
    ),
    "collection.examples": Schema(
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
    "collection.cells": plain("cells", "Right answers of those asked at T = 1, by domain and tier."),
}

VALIDATION = {
    "validation.quartiles": Schema(
        "quartiles",
        columns_of(
            MODEL, DATASET, QUARTERS, count("n_smallest", "Smallest quarter"), answer("monotone", "Rises")
        ),
        "Accuracy in each quartile of NLP at T = 1.",
    ),
    "validation.minimums": Schema(
        "minimums",
        columns_of(
            MODEL,
            DATASET,
            DOMAIN,
            count("n_correct", "Correct"),
            count("n_incorrect", "Incorrect"),
            count("n_dropped", "Empty"),
            answer("enough", "Enough"),
        ),
        "Right and wrong answers at T = 1 by domain.",
        empty="The questions of this run have no domains.",
    ),
    "validation.sensitivity": Schema(
        "sensitivity",
        columns_of(
            MODEL,
            DATASET,
            ACCURACY,
            D_PRIME,
            number("zroc_slope", "z-ROC slope"),
            number("d_a", "d_a"),
            number("r2", "R²"),
            FLAG,
        ),
        "Type-1 d' and the z-ROC at T = 1.",
    ),
    "validation.answers": Schema(
        "answers",
        columns_of(
            MODEL,
            DATASET,
            TEMPERATURE,
            number("mean_tokens", "Mean tokens", 1),
            number("truncated", "Cut off"),
            number("refusal", "Refused"),
            number("empty", "Empty"),
        ),
        "Mean length in tokens, and shares cut off, refused and empty.",
    ),
    "validation.matches": plain("matches", "Shares of answers by how they were marked."),
    "validation.flagged": Schema(
        "flagged",
        columns_of(
            text("check", "Check"),
            MODEL,
            DATASET,
            text("cell", "Where"),
            number("value", "Value"),
            number("limit", "Limit"),
        ),
        "Things to keep in mind.",
        empty="Nothing is flagged.",
    ),
    "validation.beside": beside(
        MODEL, DATASET, QUARTERS, answer("monotone", "Rises"), D_PRIME, number("d_a", "d_a")
    ),
}

_ANSWERS = columns_of(
    text("Question", "Question"), text("Answer", "Answer"), number("Confidence", "Confidence", 2)
)
MODEL_PAGE = {
    "model_page.about": plain("about"),
    "model_page.sure_and_right": Schema(
        "sure_and_right", _ANSWERS, "Sure and right", empty="Nothing was right."
    ),
    "model_page.sure_and_wrong": Schema(
        "sure_and_wrong", _ANSWERS, "Sure and wrong", empty="Nothing was wrong."
    ),
    "model_page.unsure_and_right": Schema(
        "unsure_and_right", _ANSWERS, "Unsure and right", empty="No more than those were right."
    ),
    "model_page.overall": plain("overall"),
    "model_page.domains": plain("domains", empty="The questions of this run are of one domain."),
    "model_page.temperatures": plain("temperatures", empty="This run has one temperature."),
}

TABLES = {**SUMMARY, **COLLECTION, **VALIDATION, **MODEL_PAGE}
