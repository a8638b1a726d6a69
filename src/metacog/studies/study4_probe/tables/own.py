"""Tables of a run's own replies."""

from __future__ import annotations

from metacog.report import gates
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.studies.study4_probe.range_score import RANGE_BAND

MODEL, TASK = text("model", "Model"), text("task", "Task")
_NO_ITEMS = "No item was asked of this task."

TABLES = {
    "own.profile": Schema(
        "profile",
        columns_of(
            MODEL,
            TASK,
            number("score", "Score", 1),
            limits("lo", "hi", digits=1),
            number("p", "p", 3),
            count("items", "Items"),
            number("right", "Points", 1),
            count("unread", "Form failed"),
            number("no_confidence", "No confidence", 0),
            text("note", "Remark", optional=True),
        ),
        "The five scores, 0 to 100, with bootstrap intervals over items. p: that stated confidence on T1-CC "
        "goes with correctness as closely by chance (permutations).",
    ),
    "own.composites": Schema(
        "composites",
        columns_of(
            MODEL,
            number("of_four", "of T1, T2, T4, T5", 1, "Mean"),
            number("of_five", "of all five", 1, "Mean"),
            number("spread", "Highest less lowest", 1),
        ),
        "Means of the scores, and how far apart a model's five scores lie.",
    ),
    "own.boundary": Schema(
        "boundary",
        columns_of(
            MODEL,
            number("key_rule", "Flag and type match the key", 1),
            number("knows_rule", '"I can" exactly when right', 1),
        ),
        "T3-KB by both rules of the paper, in percent of its items.",
        empty=_NO_ITEMS,
    ),
    "own.penalties": Schema(
        "penalties",
        columns_of(
            MODEL,
            number("right", "Right", 0),
            number("sd", "SD", 1, "Confidence"),
            number("spread", "range", 0, "Confidence"),
            number("brier", "Without penalties", 1),
            number("flat", "flat", 1, "Penalty"),
            number("narrow", "narrow", 1, "Penalty"),
            number("score", "T4-CR", 1),
            number("strict", "Matched to the letter", 1),
        ),
        "T4-CR taken apart.",
        empty=_NO_ITEMS,
    ),
    "own.sweep": Schema(
        "sweep",
        columns_of(
            MODEL,
            number("sigma_t", "sigma_T", 0),
            [number(f"range_{name}", f"{r:.0f}", 1, "R_T") for name, r in RANGE_BAND.items()],
        ),
        "T4-CR at the nine pairs of thresholds.",
        empty=_NO_ITEMS,
    ),
    "own.differences": Schema(
        "differences",
        columns_of(
            MODEL,
            number("t1", "T1-CC", 1),
            number("t4", "T4-CR", 1),
            number("difference", "Difference", 1),
            limits("lo", "hi", digits=1),
            number("bare", "Without penalties", 1),
        ),
        "The scores T1-CC less T4-CR, with bootstrap intervals over items. The two scores have different "
        "zeros.",
        empty=_NO_ITEMS,
    ),
    "own.tasks_compared": Schema(
        "tasks_compared",
        columns_of(
            MODEL,
            number("right_t1", "Right", 0, "T1-CC"),
            number("wrong_t1", "Wrong", 0, "T1-CC"),
            number("area_t1", "AUROC2", 2, "T1-CC"),
            limits("lo_t1", "hi_t1", digits=2, group="T1-CC"),
            number("right_t4", "Right", 0, "T4-CR"),
            number("wrong_t4", "Wrong", 0, "T4-CR"),
            number("area_t4", "AUROC2", 2, "T4-CR"),
            limits("lo_t4", "hi_t4", digits=2, group="T4-CR"),
            number("difference", "Difference", 2),
            limits("lo", "hi", digits=2),
            count("left_out", "Left out"),
            text("why", "Not judged because", optional=True),
        ),
        "AUROC2 of both tasks, over the items with a stated confidence, and their difference with 95 % "
        "limits.",
        empty=_NO_ITEMS,
    ),
    "own.audit": Schema(
        "audit",
        columns_of(
            MODEL,
            text("question", "Question"),
            text("key", "Key"),
            text("answer", "Answer"),
            answer("right", "Right"),
            number("stated", "Confidence", 0),
            number("cost", "Brier points lost", 1),
        ),
        "The replies behind T4-CR, item by item.",
        pick=lambda rows: rows[rows["task"] == "T4-CR"],
        empty=_NO_ITEMS,
    ),
    "own.audit_t1": Schema(
        "audit",
        columns_of(
            MODEL,
            text("question", "Question"),
            text("key", "Key"),
            text("answer", "Answer"),
            answer("right", "Right"),
            number("stated", "Confidence", 0),
        ),
        "The replies behind T1-CC, item by item.",
        pick=lambda rows: rows[rows["task"] == "T1-CC"],
        empty=_NO_ITEMS,
    ),
    "own.gates": Schema(
        "gates",
        gates.COLUMNS,
        "The gate with the smallest load for each bar, on T1-CC and T4-CR together; confidence from 0 to 1. "
        "A dash: everything is escalated.",
        empty="No model made an error.",
    ),
    "own.steady": Schema(
        "steady",
        columns_of(
            MODEL,
            TASK,
            number("rho", "rho", 2),
            limits("lo", "hi", digits=2),
            number("p", "p", 3),
            count("items", "Items"),
            count("left_out", "Left out"),
            number("agreement", "Mean agreement", 2),
            number("retest", "Confidence asked again, r", 2),
            text("why", "No interval because", optional=True),
        ),
        "Spearman's rho of stated confidence with the agreement of resampled answers, its interval over "
        "items and its p over permutations.",
        empty="No item was asked again.",
    ),
}
