"""Tables of the audit."""

from __future__ import annotations

from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.studies.study4_probe.benchmarks import COMPOSITES
from metacog.studies.study4_probe.published import BENCHMARKS, TASKS, short

MODEL, TASK = text("model", "Model"), text("task", "Task")
PRINTED = "Printed"

TABLES = {
    "printed.leaderboard": Schema(
        "leaderboard",
        columns_of(
            MODEL,
            [number(task, short(task), 0) for task in TASKS],
            number("mean_T1_T2_T4_T5", "of four", 2, "Mean"),
            number("mean_T1_T5", "of five", 2, "Mean"),
            number("slots", "15-slot composite", 2),
        ),
        "Table 1 of the paper. Both means are recomputed; the composite of fifteen slots is as printed.",
    ),
    "printed.items": Schema(
        "items",
        columns_of(count("item", "Item"), count("correct", "Right"), count("confidence", "Confidence in %")),
        "Gemini 2.5 Flash on the twelve items of T4-CR, as printed.",
    ),
    "printed.constant": Schema(
        "constant",
        columns_of(
            MODEL,
            number("score", "T4-CR printed", 0),
            number("right_at_100", "Right, if always 100 % sure", 0),
            count("ways", "Ways with any one confidence"),
        ),
        "What a confidence that never moves would need to give the printed score.",
    ),
    "printed.tests": Schema(
        "tests",
        columns_of(
            MODEL,
            number("rho", "rho", 3, PRINTED),
            number("p", "p", 3, PRINTED),
            number("lo", "from", 2, PRINTED),
            number("hi", "to", 2, PRINTED),
            number("p_24", "p", 4, "With 24 items"),
            limits("lo_24", "hi_24", "With 24 items", 2),
            text(
                "sizes_p",
                "of this p",
            ),
            text("sizes_ci", "of this interval"),
            number("pearson", "r behind T1-CC", 2),
        ),
        "Spearman's rho of confidence with correctness on T1-CC.",
    ),
    "printed.external": Schema(
        "external",
        columns_of(
            text("benchmark", "Benchmark"),
            count("rankings", "Orders that fit"),
            number("printed", "Printed rho"),
            [number(name, title, 3, "With the order found") for name, title in COMPOSITES.items()],
            limits("lo", "hi", "95 % at N = 8", 2),
            text("rho_status", "In the ledger"),
        ),
        "Rank correlation of the composite with five benchmarks.",
    ),
    "printed.rankings": Schema(
        "rankings",
        columns_of(MODEL, [number(name, name, 0) for name in BENCHMARKS]),
        "Places of the models on each benchmark, as the printed correlations fix them.",
    ),
    "printed.loadings": Schema(
        "loadings",
        columns_of(
            TASK,
            number("c1", "recomputed", 3, "Component 1"),
            number("c1_printed", "printed", 3, "Component 1"),
            number("c2", "recomputed", 3, "Component 2"),
            number("c2_printed", "printed", 3, "Component 2"),
        ),
        "Loadings of the tasks on the first two components.",
    ),
    "printed.cosines": Schema(
        "cosines",
        columns_of(
            text("panel", "Panel"),
            number("raw", "Scores as they are"),
            number("by_task", "Less the task's mean"),
            number("forced", "-1/(n - 1)"),
            number("by_model", "Less the model's mean"),
        ),
        "Mean cosine of all pairs of profiles.",
    ),
    "printed.reliability": Schema(
        "reliability",
        columns_of(
            TASK,
            number("agreement", "Agreement", 2),
            number("gap_agreement", "over 0.90", 2),
            number("alpha", "Krippendorff's alpha", 2),
            number("gap_alpha", "over 0.25", 2),
            answer("agrees", "Bar of agreement met"),
            answer("reliable", "Bar of alpha met"),
        ),
        "Table 2 of the paper against the two bars.",
    ),
}
