"""Do the models know when they are right? How it is shown: tables and sentences."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.tables import Schema, columns_of, count, limits, number
from metacog.report.views import Views
from metacog.studies.study2_two_choice.cells.columns import MODEL, TASK, N, ratio_tables
from metacog.studies.study2_two_choice.cells.sentences import (
    below_one,
    compared,
    falls,
    left_out,
    named,
    place,
)
from metacog.studies.study2_two_choice.two_choice import figures
from metacog.studies.study2_two_choice.two_choice.analysis import TwoChoice

TABLES = {
    "cells": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            N,
            number("accuracy", "Accuracy"),
            number("d_prime", "d'", 2),
            limits("d_prime_lower", "d_prime_upper", "95 % of d'", 2),
            number("meta_d", "meta-d'", 2),
            limits("meta_d_lower", "meta_d_upper", "95 % of meta-d'", 2),
            number("m_ratio", "M-ratio", 2),
            limits("m_ratio_lower", "m_ratio_upper", "95 % of M-ratio", 2),
            number("c", "c", 2),
            count("empty", "Ratings never used"),
        ),
        "Maximum likelihood on the published counts, no cell padded; intervals from resampled trials.",
    ),
    "without_model": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            number("auroc2", "AUROC2"),
            limits("auroc2_lower", "auroc2_upper"),
            number("meta_i", "meta-I in bits", 4),
            number("meta_i1r", "meta-I1r"),
            number("meta_i2r", "meta-I2r"),
            number("rmi", "RMI"),
        ),
        "Measures that do not assume the bell curves: the area under the type-2 ROC, and information.",
    ),
    **ratio_tables("log M-ratio"),
}


def published_d_prime(result: TwoChoice) -> str:
    """How far the published d' lie from those of the counts, and what else the furthest row holds."""
    *near, row = rows_of(result.cells.sort_values("off", key=abs))
    return (
        f"In {len(near)} of {len(result.cells)} cells the published d' lies within {abs(near[-1].off):.1f} "
        f"standard errors of that of the counts. It lies furthest off in {place(row)}: the counts give "
        f"{row.d_prime:.4f}, published is {row.d_prime_published:.4f}, {abs(row.off):.1f} standard errors "
        f"away. Its published meta-d' over its published d' is {row.ratio_published:.3f}, its published "
        f"M-ratio {row.m_ratio_published:.3f}."
    )


def orders(result: TwoChoice) -> str:
    """On how many tasks AUROC2 orders the models as M-ratio does, who is first where it does not, and meta-I1r."""
    differ, tasks = [], result.cells["task"].unique()
    for task, part in result.cells.groupby("task", sort=False):
        if (part["auroc2"].rank() != part["m_ratio"].rank()).any():
            by_area, by_ratio = (part.sort_values(m)["name"].iloc[-1] for m in ("auroc2", "m_ratio"))
            by = "by either" if by_area == by_ratio else f"and not {by_ratio}"
            differ.append(f"{by_area} is first on task {task} {by}")
    same = len(tasks) - len(differ)
    sentence = f"AUROC2 orders the models as the M-ratio does on {same} of {plural(len(tasks), 'task')}."
    by_area = f" By AUROC2 {'; '.join(differ)}." if differ else ""
    return f"{sentence}{by_area} {_without_d_prime(result)}"


def _without_d_prime(result: TwoChoice) -> str:
    """Pairs that meta-I1r and M-ratio, both corrected for d', order differently; whether M-ratio tells them apart."""
    known = result.cells.set_index(["task", "model"])["meta_i1r"].to_dict()
    pairs = rows_of(result.ratios[result.ratios["kind"] == "models"])
    turned = [r for r in pairs if (known[r.task, r.first] - known[r.task, r.second]) * r.difference < 0]
    if not turned:
        return (
            "meta-I1r, which corrects for d' as the M-ratio does, orders them as the M-ratio on every task."
        )
    apart = sum(bool(r.lower > 0 or r.upper < 0) for r in turned)
    names = listed(f"{named(r.first)} and {named(r.second)} (task {r.task})" for r in turned)
    return (
        f"meta-I1r, which corrects for d' as the M-ratio does, orders {len(turned)} of {plural(len(pairs), 'pair')} "
        f"the other way: {names}. The 95 % interval of the difference in M-ratio tells {apart or 'none'} "
        "of these apart."
    )


def page_answer(result: TwoChoice) -> str:
    """Whether confidence tells right from wrong, and how much of the decisions' evidence it uses."""
    cells, ratios = result.cells, result.ratios[result.ratios["kind"] == "optimality"]
    known, less = int((cells["auroc2_lower"] > 0.5).sum()), int((ratios["upper"] < 0).sum())
    area, ratio = (f"{cells[m].min():.2f} to {cells[m].max():.2f}" for m in ("auroc2", "m_ratio"))
    wasted = (
        f"but in {less} of them it uses less evidence than the decision did: the M-ratio is {ratio}"
        if less
        else f"and in none of them is it shown to use less evidence than the decision did (M-ratio {ratio})"
    )
    return (
        f"In {known} of {plural(len(cells), 'cell')} of a model and a task, confidence is higher for right answers "
        f"than for wrong ones (AUROC2 {area}, where 0.5 is chance), {wasted}, where 1 would waste nothing."
    )


VIEWS = Views(
    "two_choice",
    tables=TABLES,
    figures={
        "m_ratio": figures.m_ratio,
        "log_ratios": figures.log_ratios,
        "accuracy": figures.accuracy,
        "confidence_given": figures.given,
    },
    sentences={
        "answer": page_answer,
        "orders": orders,
        "models_compared": lambda result: compared(result.ratios, "models"),
        "tasks_compared": lambda result: compared(result.ratios, "tasks"),
        "optimality": lambda result: below_one(result.ratios),
        "published_d_prime": published_d_prime,
        "left_out": left_out,
        "falls": falls,
    },
)
