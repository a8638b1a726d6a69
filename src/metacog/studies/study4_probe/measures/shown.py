"""Sentences that the pages on this run's models and on the published panel share."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.tables import columns_of, count, number, text
from metacog.studies.study4_probe.ledger.solved import printed_correlations
from metacog.studies.study4_probe.measures.murphy import BINNINGS
from metacog.studies.study4_probe.measures.panel import DROPPED, FEWEST_MODELS
from metacog.studies.study4_probe.measures.strategies import LOOSE, RULE, STRICT

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
    number("score", "100 minus the sum", 2),
    number("reliability_0", "reliability", 2, "Minus the bias of few items"),
    number("resolution_0", "resolution", 2, "Minus the bias of few items"),
    number("skill", "Skill", 2),
    number("auroc2", "AUROC2", 2),
)
MURPHY_CAPTION = (
    "T4-CR's Brier score taken apart, in points: reliability minus resolution plus uncertainty plus what bins "
    "hide. Resolution has no direction; AUROC2 has, and is below 0.5 where wrong answers carry more confidence."
)


def strategy_rule(_: object) -> str:
    """The rule in words."""
    most, ceiling = _percent(RULE.most), _percent(RULE.ceiling)
    return (
        f"Confidence is *constant* if it has one value; *near the ceiling* if at least "
        f"{most} of it lies at {ceiling} of the top of the scale or above; "
        f"*two-valued* if two values make up at least {most}; *graded* otherwise; and "
        f"*not stated* if less than half of the replies hold one, or fewer than {RULE.fewest}."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def strategy_classes(frame: pd.DataFrame) -> str:
    """Which strategies there are, and which depend on the share in the rule."""
    if frame.empty:
        return "No task with a confidence was asked."
    named = [
        f"{kind} {listed(f'{r.model} on {r.task}' for r in rows_of(rows))}"
        for kind, rows in frame.groupby("strategy", sort=False)
    ]
    moved = frame[(frame["strict"] != frame["strategy"]) | (frame["loose"] != frame["strategy"])]
    tail = (
        f"The class of {listed(f'{r.model} on {r.task}' for r in rows_of(moved))} would be another with a "
        f"share of {_percent(LOOSE.most)} or {_percent(STRICT.most)}."
        if len(moved)
        else f"With a share of {_percent(LOOSE.most)} or {_percent(STRICT.most)} no class would be another."
    )
    graded = int((frame["strategy"] == "graded").sum())
    first = f"Confidence is graded in {graded} of {plural(len(frame), 'case')} of a model and a task."
    return f"{first} Strategies: {'; '.join(named)}. {tail}"


def murphy_loss(frame: pd.DataFrame) -> str:
    """What each model's loss consists of, and whether its resolution goes in the right direction."""
    if frame.empty:
        return "T4-CR was not asked."
    words = []
    for row in rows_of(frame[frame["binning"] == BINNINGS["unique"]]):
        if row.uncertainty == 0:
            words.append(
                f"{row.model} loses {row.loss:.1f} points and all its answers have the same outcome: none of that is "
                "uncertainty, and there was nothing to resolve"
            )
            continue
        words.append(
            f"{row.model} loses {row.loss:.1f} points: {row.uncertainty:.1f} of uncertainty, {row.reliability:.1f} of "
            f"miscalibration, minus {row.resolution:.1f} of resolution{_direction(row)}; stating {row.right:.0f} "
            f"throughout would lose {row.uncertainty:.1f}"
        )
    return f"{'. '.join(words)}."


def _direction(row: Any) -> str:
    """A caution where resolution, which has no direction, stands beside more confidence in wrong answers."""
    if not (round(row.resolution, 1) > 0 and row.auroc2 < 0.5):
        return ""
    return (
        f" (which has no direction: AUROC2 of these {row.n} items is {row.auroc2:.2f}, so that wrong answers carry "
        "more confidence here)"
    )


def lineages_left_out(frame: pd.DataFrame) -> str:
    """How far the figures move, which leave-out moves them most, and what could not be done."""
    whole, each = frame.iloc[0], frame.iloc[1:]
    done = each[each["r"].notna()]
    if done.empty:
        return f"No lineage can be left out: fewer than {FEWEST_MODELS} models would remain."
    far = done.iloc[int((done["r"] - whole["r"]).abs().argmax())]
    turned = done.iloc[int(done["c1"].argmin())]
    words = (
        f"The correlation of T1-CC with T2-EV is {whole['r']:.2f} over all models and between "
        f"{done['r'].min():.2f} and {done['r'].max():.2f} when a lineage is left out; it moves most without "
        f"{far['left_out']}. Two components carry {done['share'].min():.0f} to {done['share'].max():.0f} "
        f"percent of the variance. The first turns most without {turned['left_out']} (cosine "
        f"{turned['c1']:.2f} with that of the whole panel). "
    )
    other = each[each["leader"] != whole["leader"]]
    words += f"{whole['leader']} leads the mean of four tasks"
    words += "".join(f"; without {r.left_out} {r.leader} does" for r in rows_of(other)) + "."
    missing = each[each["r"].isna()]
    for row in rows_of(missing):
        words += f" Without {row.left_out} {plural(int(row.n), 'model')} remain, too few for a panel."
    return words


def printed_correlation(near: pd.DataFrame) -> str:
    """Is the printed correlation of T1-CC with T2-EV that of a panel without some lineage?

    If so, the printed correlation without one more model is tried as well.

    Parameters
    ----------
    near : DataFrame
        Of :func:`.solved.without_dropped`.
    """
    text, other = printed_correlations()
    if near.empty:
        return f"The printed correlation, {text}, is not reproduced whichever lineage is left out."
    words = (
        f"The printed correlation, {text}, would be that of the panel without {listed(near['left_out'])}. "
    )
    for row in rows_of(near):
        words += (
            f"The one printed for that panel without {DROPPED} as well, {other}, "
            f"{'does' if row.fits else 'does not'} follow from it ({row.r:.2f} is recomputed)"
        )
        words += "." if row.fits else ", and one of many parts of a panel will give any figure by chance."
    return words
