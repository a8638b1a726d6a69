"""Tables of regulation, pairs, reliability and commitment."""

from __future__ import annotations

from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.studies.study5_battery.tables.columns import DELTA, MODEL, TRACK

ENDS = limits("lower", "upper", digits=1)

TABLES = {
    "regulation.pairs": Schema(
        "pairs",
        columns_of(
            MODEL,
            number("direct", "Answers directly, %", 1),
            number("hint", "Asks for a hint, %", 1),
            number("decline", "Declines, %", 1),
            DELTA,
            count("n_defined", "Tracks"),
        ),
        "Paths chosen on T6 beside the mean withdraw delta of T1 to T5.",
    ),
    "contrasts.pairs": Schema(
        "pairs",
        columns_of(
            text("pair", "Pair"),
            TRACK,
            number("accuracy_a", "first", 3, "Accuracy"),
            number("accuracy_b", "second", 3, "Accuracy"),
            number("p", "p"),
            number("stood_a", "first", 1, "KEEP, %"),
            number("stood_b", "second", 1, "KEEP, %"),
            number("delta_a", "first", 1, "Withdraw delta"),
            number("delta_b", "second", 1, "Withdraw delta"),
            number("difference", "Difference", 1),
            ENDS,
        ),
        "Models that reason at length and their like that do not. p: McNemar's exact test of accuracy.",
    ),
    "contrasts.scaling": Schema(
        "scaling",
        columns_of(
            text("family", "Family"),
            text("measure", "On"),
            text("course", "Course"),
            number("change", "Largest less smallest", 1),
            limits("change_lower", "change_upper", digits=1),
            text("claim", "Printed"),
        ),
        "Withdraw delta over size within families.",
        pick=lambda frame: frame[frame["step"] == 0],
    ),
    "robustness.items": Schema(
        "items",
        columns_of(
            text("measure", "Measure"),
            count("models", "Models"),
            number("r", "r of the halves", 2),
            limits("lower", "upper", "95 % of the deals", 2),
            number("whole", "Forms of full length", 2),
        ),
        "Two halves of the items of each kind, T1 to T5, correlated over models: median of the deals.",
    ),
    "commitment.measures": Schema(
        "measures",
        columns_of(
            MODEL,
            count("n_incorrect", "Wrong"),
            number("auroc2", "AUROC2"),
            limits("lower", "upper"),
            number("merged", "merged", 3, "AUROC2 with"),
            number("within", "pairs of one track", 3, "AUROC2 with"),
            number("keep_alone", "KEEP alone", 3, "AUROC2 with"),
            number("meta_i", "meta-I in bits"),
            number("meta_i2r", "meta-I2r"),
        ),
        "Both probes as one confidence of four levels, T1 to T5. No interval from fewer than ten wrong "
        "answers.",
    ),
    "commitment.halves": Schema(
        "halves",
        columns_of(
            text("pair", "Half against half"),
            count("models", "Models"),
            number("rho", "Spearman's rho", 2),
            limits("lower", "upper", "95 % of the deals", 2),
        ),
        "Measures of one half of the items of each kind against those of the other, over models: median of "
        "the deals.",
    ),
    "commitment.states": Schema(
        "states",
        columns_of(
            text("state", "State"),
            count("n", "Responses"),
            number("right", "Right"),
            limits("lower", "upper"),
            count("climb", "Models that climb"),
            count("of", "of"),
        ),
        "How often each state of commitment is right, all models of T1 to T5 together.",
    ),
}
