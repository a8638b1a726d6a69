"""Tables of the signals on the book's own trials."""

from __future__ import annotations

from metacog.report.tables import Schema, columns_of, count, limits, number, text

MODEL, SIGNAL, SET = text("model", "Model"), text("name", "Signal"), text("dataset", "Set")
CALLS = number("calls", "Calls", 0)
ASKED = columns_of(count("asked", "Asked"), number("parsed", "Parsed", 2), count("questions", "Questions"))
MEASURES = columns_of(
    number("accuracy", "Accuracy", 2),
    number("auroc2", "AUROC2", 2),
    limits("auroc2_lower", "auroc2_upper", "95 % of AUROC2", 2),
    number("meta_i2r", "meta-I2r"),
    number("ece", "ECE", 2),
    number("brier", "Brier", 2),
)
WHY = text("why", "Undefined because", optional=True)

TABLES = {
    "signals.pooled": Schema(
        "pooled",
        columns_of(MODEL, SIGNAL, ASKED, MEASURES, CALLS, WHY),
        "Every signal over all sets. An undefined one has no measures and is not ranked.",
    ),
    "signals.by_set": Schema(
        "table",
        columns_of(MODEL, SET, SIGNAL, ASKED, MEASURES, WHY, text("remarks", "Remarks", optional=True)),
        "The same on each set. Where trials are few there is accuracy alone.",
        lambda frame: frame[frame["dataset"] != "all sets"],
    ),
    "signals.ranking": Schema(
        "ranking",
        columns_of(
            MODEL,
            SIGNAL,
            number("rank_auroc2", "by AUROC2", 1, "Rank"),
            number("rank_meta_i2r", "by meta-I2r", 1, "Rank"),
            number("rank_calls", "by calls", 1, "Rank"),
            number("auroc2", "AUROC2", 2),
            number("meta_i2r", "meta-I2r"),
            CALLS,
        ),
        "Defined signals, ranked within their model; ties share the mean rank.",
        empty="No signal can be ranked.",
    ),
    "signals.failures": Schema(
        "failures",
        columns_of(
            MODEL,
            SIGNAL,
            text("status", "What became of the reply"),
            count("n", "Replies"),
            number("share", "Share", 2),
        ),
        "Replies by what could be read from them.",
    ),
    "signals.positions": Schema(
        "positions",
        columns_of(
            MODEL,
            SET,
            count("n", "Trials"),
            count("questions", "Questions"),
            number("first", "A chosen", 2),
            number("bias", "Position bias", 2),
            limits("lower", "upper", digits=2),
            number("accuracy", "Accuracy", 2),
        ),
        "Asked by letters: 1 always says A, -1 always says B, 0 has no preference.",
    ),
}
