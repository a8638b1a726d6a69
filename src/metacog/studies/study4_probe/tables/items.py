"""Tables of what lies behind the scores: this run's and the printed ones."""

from __future__ import annotations

from metacog.report.tables import Schema, columns_of, count, limits, number, text

MODEL, TASK = text("model", "Model"), text("task", "Task")

STRATEGY = columns_of(
    MODEL,
    TASK,
    count("items", "Items"),
    count("stated", "Stated"),
    count("values", "Different values"),
    number("commonest", "Share of the commonest", 2),
    number("at_top", "Share near the top", 2),
    text("strategy", "Strategy"),
    text("loose", "with a share of 80 %"),
    text("strict", "with all"),
)
MURPHY = columns_of(
    MODEL,
    text("binning", "Bins"),
    count("bins", "in use"),
    number("loss", "Brier points lost", 2),
    number("reliability", "Reliability", 2),
    number("resolution", "Resolution", 2),
    number("uncertainty", "Uncertainty", 2),
    number("remainder", "Within bins", 2),
    number("score", "100 less the sum", 2),
    number("reliability_0", "reliability", 2, "Less the bias of few items"),
    number("resolution_0", "resolution", 2, "Less the bias of few items"),
    number("skill", "Skill", 2),
)
MURPHY_CAPTION = (
    "T4-CR's Brier score taken apart, in points: reliability less resolution plus uncertainty plus what bins "
    "hide."
)

TABLES = {
    "own_items.strategies": Schema(
        "strategies",
        STRATEGY,
        "How this run's models state their confidence.",
        empty="No task with a confidence was asked.",
    ),
    "own_items.murphy": Schema("murphy", MURPHY, MURPHY_CAPTION, empty="T4-CR was not asked."),
    "own_items.entropy": Schema(
        "entropy",
        columns_of(
            MODEL,
            TASK,
            number("rho", "rho", 2),
            limits("lo", "hi", digits=2),
            number("p", "p", 3),
            count("items", "Items"),
            count("left_out", "Left out"),
            number("entropy", "Mean entropy, nats a token", 2),
            number("used", "Draws used", 2),
            text("why", "No interval because", optional=True),
        ),
        "Spearman's rho of stated confidence with the decoding entropy of the answer; intervals over items, "
        "p over permutations.",
        empty="No answer was drawn at temperature 1.",
    ),
    "own_items.tasks": Schema(
        "tasks",
        columns_of(
            TASK,
            count("models", "Models"),
            count("items", "Items"),
            count("all_right", "All right"),
            count("none_right", "None right"),
            count("separate", "Separate the models"),
            number("share", "Share in %", 0),
            limits("lo", "hi", digits=0),
            number("with_rest", "Side with the leader", 0),
            number("mean", "Mean", 2, "Discrimination"),
            number("mean_lo", "from", 2, "Discrimination"),
            number("mean_hi", "to", 2, "Discrimination"),
            number("defined", "of items", 0, "Discrimination"),
        ),
        "Items that tell the models apart, by task. A dash: not to be had from so few models.",
        empty="Fewer than two models or items.",
    ),
    "own_items.separating": Schema(
        "separating",
        columns_of(
            TASK,
            text("item", "Item"),
            text("question", "Question"),
            text("right_in", "Right in"),
            number("r", "Item-rest r", 2),
            limits("lo", "hi", digits=2),
        ),
        "The items that separate the models.",
        empty="No item separates the models.",
    ),
    "printed_panel.ranks": Schema(
        "ranks",
        columns_of(
            text("kind", "Pair of"),
            text("first", "First"),
            text("second", "Second"),
            number("tau", "tau-b", 2),
            limits("lo", "hi", digits=2),
            number("p", "p over all orders", 4),
            count("n", "N"),
            text("hypothesis", "Hypothesis", optional=True),
        ),
        "Kendall's tau-b of printed rankings.",
    ),
    "printed_panel.lineages": Schema(
        "lineages",
        columns_of(
            text("left_out", "Left out"),
            text("models", "that is", optional=True),
            count("n", "Models left"),
            text("leader", "Leads the mean of four"),
            number("r", "r of T1-CC and T2-EV", 2),
            number("tau", "Mean tau-b of tasks", 2),
            number("share", "Two components, %", 0),
            number("c1", "first", 2, "Cosine with the whole panel's component"),
            number("c2", "second", 2, "Cosine with the whole panel's component"),
        ),
        "The panel's figures without each lineage. A dash: fewer than six models are left.",
    ),
    "printed_panel.murphy": Schema("murphy", MURPHY, MURPHY_CAPTION),
    "printed_panel.strategy": Schema("strategy", STRATEGY, "How Flash states its confidence on T4-CR."),
}
