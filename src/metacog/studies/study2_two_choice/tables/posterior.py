"""Tables of the posteriors of the published cells."""

from __future__ import annotations

from metacog.report.posterior import group_columns, posterior_columns, predictive_columns, sampling_columns
from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.studies.study2_two_choice.tables.columns import BOTH_ENDS, MODEL, PAIR, SAID, TASK, rows_with
from metacog.studies.study2_two_choice.tables.printed import JUDGED

LOG = number("difference", "log ratio")
OURS = (TASK, MODEL)


def _three(measure: str, title: str) -> Schema:
    """Maximum likelihood, posterior and print of one measure."""
    kinds = (("bayes", "Posterior"), ("printed", "Printed"))
    figures = [(number(k, "mean", 3, name), *limits(f"{k}_lo", f"{k}_hi", name)) for k, name in kinds]
    return Schema(
        "beside",
        columns_of(
            TASK,
            MODEL,
            number("ml", "Maximum likelihood"),
            *figures,
            number("off", "mean", 4, "Posterior less print"),
            number("off_ends", "ends, at most", 4, "Posterior less print"),
            count("matches", "Match, of mean and ends"),
        ),
        f"{title} by maximum likelihood, by the posterior and in print, the latter two with 95 % intervals.",
        pick=rows_with("measure", measure),
    )


TABLES = {
    "posterior.cells": Schema(
        "cells",
        posterior_columns(OURS),
        "Posterior means and 95 % intervals. Against 1: log M-ratio beside 0 and the ROPE of 0.05.",
    ),
    "posterior.sampling": Schema("cells", sampling_columns(OURS), "How well each cell was sampled."),
    "posterior.d_prime": _three("d_prime", "d'"),
    "posterior.meta_d": _three("meta_d", "meta-d'"),
    "posterior.m_ratio": _three("m_ratio", "M-ratio"),
    "posterior.optimality": Schema(
        "ratios",
        columns_of(TASK, MODEL, LOG, BOTH_ENDS, number("undefined", "Draws at or below 0"), SAID),
        "Posterior of log M-ratio against 0, which is optimal.",
        pick=rows_with("kind", "optimality"),
    ),
    "posterior.models": Schema(
        "ratios",
        columns_of(PAIR, LOG, BOTH_ENDS, SAID),
        "Posterior of log M-ratio between models, first less second.",
        pick=rows_with("kind", "models"),
    ),
    "posterior.tasks": Schema(
        "ratios",
        columns_of(PAIR, LOG, BOTH_ENDS, SAID),
        "Posterior of log M-ratio between tasks, first less second.",
        pick=rows_with("kind", "tasks"),
    ),
    "posterior.printed": Schema(
        "verdicts_beside", JUDGED, "Verdicts of M-ratio, printed and by the posterior."
    ),
    "posterior.predictive": Schema(
        "predictive",
        predictive_columns(OURS),
        "Ratings that the fitted model predicts, beside those observed: shares of right and of wrong answers "
        "with at least each confidence, over both responses and each.",
    ),
    "posterior_group.groups": Schema(
        "groups", group_columns(), "The hierarchical model: three models as a group, on each task."
    ),
    "posterior_group.cells": Schema(
        "cells",
        columns_of(
            text("task", "Task"),
            text("name", "Model"),
            number("m_ratio", "M-ratio", 2),
            limits("m_ratio_lo", "m_ratio_hi", digits=2),
        ),
        "Each cell's M-ratio under the hierarchical model, drawn towards its group.",
    ),
}
