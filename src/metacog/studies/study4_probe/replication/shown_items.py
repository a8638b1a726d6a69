"""How what lies behind the scores is shown: strategies, Brier terms, entropy, single items."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.report.views import Views
from metacog.studies.study4_probe.measures import shown as shared
from metacog.studies.study4_probe.measures.panel import FEWEST_MODELS
from metacog.studies.study4_probe.measures.shown import MURPHY, MURPHY_CAPTION, STRATEGY, TASK
from metacog.studies.study4_probe.replication import figures
from metacog.studies.study4_probe.replication.analysis_items import ReplicationItems
from metacog.studies.study4_probe.replication.judging import RULES
from metacog.studies.study4_probe.replication.shown import RHO, claimed, in_every_model


def entropy_relation(result: ReplicationItems) -> str:
    """Where there is no entropy, and why; else the correlations."""
    table = result.entropy
    if table.empty:
        return "No answer was drawn at temperature 1, so there is no decoding entropy."
    lacking = table[table["rho"].isna()]
    words = [f"{r.model} on {r.task}: undefined, {r.why}" for r in rows_of(lacking)]
    given = table[table["rho"].notna()]
    words += [
        f"{r.model} on {r.task}: rho = {r.rho:.2f} over {r.items} items (p = {r.p:.2f})"
        for r in rows_of(given)
    ]
    return f"Stated confidence with decoding entropy. {'; '.join(words)}."


def item_separation(result: ReplicationItems) -> str:
    """How many items separate the models, and what that allows."""
    frame = result.tasks
    if frame.empty:
        return "One model cannot be compared with others: item discrimination needs at least two."
    models, separate, n = int(frame["models"].max()), int(frame["separate"].sum()), int(frame["items"].sum())
    words = f"{separate} of {plural(n, 'item')} separate the {models} models."
    if models >= FEWEST_MODELS:
        clear = frame[frame["mean_lower"] > 0]
        return (
            f"{words} The mean discrimination of their items lies above 0, by its interval over models, in "
            f"{listed(clear['task'])}."
        )
    if models == 2:
        side = int(frame["with_rest"].sum())
        words += (
            f" With two models a correlation over models is 1 or -1, or does not exist: {side} of the "
            f"{separate} items side with the model that leads on the rest of the task, the others with "
            "the other model, and that is all two models can show."
        )
    return (
        f"{words} Whether an item is a good one cannot be judged from {models} models: correlations over "
        f"models are given from {FEWEST_MODELS} on."
    )


def right_in_words(rows: pd.DataFrame) -> pd.DataFrame:
    """The names of the models that are right, as a list in words."""
    if rows.empty:
        return rows
    return rows.assign(right_in=[listed(filter(None, names.split("; "))) for names in rows["right_in"]])


def lineages_left_out(result: ReplicationItems) -> str:
    """How far the figures depend on one family, or why that cannot be asked."""
    if result.lineages_refused:
        return f"No lineage is left out: {result.lineages_refused}."
    return shared.lineages_left_out(result.lineages)


def strategy_classes(result: ReplicationItems) -> str:
    """Which strategies of stating confidence there are."""
    return shared.strategy_classes(result.strategies)


def murphy_loss(result: ReplicationItems) -> str:
    """What most of each model's loss on T4-CR is."""
    return shared.murphy_loss(result.murphy)


VIEWS = Views(
    "replication_items",
    tables={
        "strategies": Schema(
            "strategies",
            STRATEGY,
            "How this run's models state their confidence.",
            empty="No task with a confidence was asked.",
        ),
        "murphy": Schema("murphy", MURPHY, MURPHY_CAPTION, empty="T4-CR was not asked."),
        "entropy": Schema(
            "entropy",
            columns_of(
                *RHO,
                number("entropy", "Mean entropy, nats per token", 2),
                number("used", "Draws used", 2),
                text("why", "No interval because", optional=True),
            ),
            "Spearman's rho of stated confidence with the decoding entropy of the answer; intervals over items, "
            "p over permutations.",
            empty="No answer was drawn at temperature 1.",
        ),
        "tasks": Schema(
            "tasks",
            columns_of(
                TASK,
                count("models", "Models"),
                count("items", "Items"),
                count("all_right", "All right"),
                count("none_right", "None right"),
                count("separate", "Separate the models"),
                number("share", "Share in %", 0),
                limits("lower", "upper", digits=0),
                number("with_rest", "Side with the leader", 0),
                number("mean", "Mean", 2, "Discrimination"),
                number("mean_lower", "from", 2, "Discrimination"),
                number("mean_upper", "to", 2, "Discrimination"),
                number("defined", "of items", 0, "Discrimination"),
            ),
            "Items that separate the models, by task. A dash: not available from so few models.",
            empty="Fewer than two models or items.",
        ),
        "separating": Schema(
            "separating",
            columns_of(
                TASK,
                text("item", "Item"),
                text("question", "Question"),
                text("right_in", "Right in"),
                number("r", "Item-rest r", 2),
                limits("lower", "upper", digits=2),
            ),
            "The items that separate the models.",
            pick=right_in_words,
            empty="No item separates the models.",
        ),
    },
    figures={"entropy": figures.entropy},
    sentences={
        "strategy_rule": shared.strategy_rule,
        "strategy_classes": strategy_classes,
        "murphy_loss": murphy_loss,
        "entropy_relation": entropy_relation,
        "item_separation": item_separation,
        "lineages_left_out": lineages_left_out,
    },
    verdicts={"in_every_model": in_every_model},
    claims={"in_every_model": claimed},
    rules=RULES,
)
