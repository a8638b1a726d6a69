"""AUROC2 of the paper's models by temperature, as printed and from counts in bins: how it is shown."""

from __future__ import annotations

import pandas as pd

from metacog.core.words import listed, plural
from metacog.report.tables import Schema, columns_of, limits, number
from metacog.studies.study1_qa.cells.columns import ACCURACY, MODEL, TEMPERATURE

PUBLISHED = Schema(
    "published",
    columns_of(
        MODEL,
        TEMPERATURE,
        ACCURACY,
        number("printed", "is", 3, "AUROC2, printed"),
        limits("printed_lower", "printed_upper", "AUROC2, printed"),
        number("printed_rise", "Rise", 3, "AUROC2, printed"),
        number("auroc2", "is", 3, "AUROC2, 20 bins"),
        number("rise", "Rise", 3, "AUROC2, 20 bins"),
        number("unlucky_at_least", "at least", 3, "Wrong, but right at the lowest T"),
        number("unlucky_at_most", "at most", 3, "Wrong, but right at the lowest T"),
    ),
    "The paper's models on TriviaQA: AUROC2 as version 2 printed it, with eight ratings of each temperature's own and "
    "95 % intervals, and from the first paper's counts in 20 bins, whose rise is partly one of ties that dissolve. "
    "Either rise is from the first temperature that has a value.",
)


def printed_rises(published: pd.DataFrame) -> str:
    """In which of the paper's models version 2's printed AUROC2 moves beyond its intervals, and how far in each."""
    known = published[published["printed"].notna()].sort_values("temperature", kind="stable")
    better: list[str] = []
    worse: list[str] = []
    overlap: list[str] = []
    for model, own in known.groupby("model", sort=False):
        low, one = own.iloc[0], own[own["temperature"] == 1.0].iloc[0]
        above = one["printed_lower"] > low["printed_upper"]
        below = one["printed_upper"] < low["printed_lower"]
        kind = better if above else worse if below else overlap
        kind.append(f"{model} {one['printed_rise']:+.2f}")
    models = plural(len(better) + len(worse) + len(overlap), "model")
    text = (
        "By version 2's printed AUROC2 confidence separates right from wrong answers better at T = 1 than at "
        f"T = {known['temperature'].min():g} in {len(better)} of the paper's {models}{_named(better)}"
    )
    if worse:
        text += f", and worse in {len(worse)}{_named(worse)}"
    if overlap:
        others = f"in the other {len(overlap)} " if better or worse else ""
        text += f"; {others}the printed intervals overlap{_named(overlap)}"
    return f"{text}."


def _named(models: list[str]) -> str:
    return f" ({listed(models)})" if models else ""
