"""Is it self-knowledge? The rules, and what the estimates say to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.rules import Unit, beyond, judged, those
from metacog.report.verdicts import Kind, Verdict

#: Share of the information of which it is asked whether it is a model's own.
HALF = 0.5
#: What an interval must lie beyond for a rule, by the rule's name: quantity, limit, and the rule's words.
OVER_MODELS = {
    "remains": (
        "corrected",
        0.0,
        "For at least half of the models the 95 % interval of what their confidence has left within difficulty (AUROC2 "
        "among items that equally many others answer correctly, less what reading difficulty alone would give) lies "
        "above 0.",
    ),
    "most": (
        "share",
        HALF,
        "For at least half of the models the 95 % interval of the share of the information in their confidence that "
        "difficulty does not explain lies above one half.",
    ),
    "single": (
        "own_less_single_median",
        0.0,
        "For at least half of the models the 95 % interval of their own AUROC2 less the median of single other models' "
        "(whose confidence is taken for theirs) lies above 0.",
    ),
    "crowd": (
        "own_less_crowd",
        0.0,
        "For at least half of the models the 95 % interval of their own AUROC2 less that of the others' mean "
        "confidence lies above 0.",
    ),
}
PRIVILEGED = (
    "The 95 % interval, over items, of what the diagonal of the matrix has on average beyond row and column lies above "
    "0, and shuffling confidence among equally hard items gives as much in fewer than 5 % of permutations."
)


def units_of(models: pd.DataFrame, quantity: str, limit: float) -> list[Unit]:
    """What each model says to a rule on one quantity."""
    return [
        beyond(
            row["model"],
            row[f"{quantity}_lower"],
            row[f"{quantity}_upper"],
            limit,
            row.get("flag") or row.get("why") or "no estimate",
        )
        for row in models.to_dict("records")
    ]


def over_models(models: pd.DataFrame, name: str) -> Verdict:
    """A verdict on one of :data:`OVER_MODELS`."""
    quantity, limit, rule = OVER_MODELS[name]
    units = units_of(models, quantity, limit)
    return judged(
        units,
        name,
        Kind.EXPLORATORY,
        rule,
        name=name,
        k=-(-len(units) // 2),
        topic=name,
        holding=len(those(units, True)),
        against=len(those(units, False)),
        open=len(those(units, None)),
        of=len(units),
        median=float(models[quantity].median()),
    )


def privileged(means: pd.DataFrame, rows: str) -> Verdict:
    """Whether the diagonal has something beyond row and column."""
    one = means[(means["quantity"] == "advantage") & (means["rows"] == rows)].iloc[0]
    unit = beyond("the diagonal", one["lower"], one["upper"], 0.0)
    if unit.holds and not one["p"] < 0.05:
        unit = Unit("the diagonal", None, "shuffling within difficulty gives as much")
    return judged(
        [unit],
        "privileged",
        Kind.EXPLORATORY,
        PRIVILEGED,
        name="privileged",
        topic="privileged",
        mean=float(one["mean"]),
        lower=float(one["lower"]),
        upper=float(one["upper"]),
        p=float(one["p"]),
    )


def answer(verdicts: Sequence[Verdict]) -> str:
    """Which of the four answers the verdicts give: ``own``, ``some``, ``difficulty`` or ``open``."""
    outcome = {v.name: v.passed for v in verdicts}
    if outcome["most"]:
        return "own"
    if outcome["remains"]:
        return "some"
    if outcome["most"] is False:
        return "difficulty"
    return "open"


def stable(table: pd.DataFrame, quantity: str, limit: float) -> pd.DataFrame:
    """How many models hold in each way of taking the rows: ``rows, cut, holding, against, open, median``."""
    made = []
    for (rows, cut), own in table.groupby(["rows", "cut"], sort=False):
        units = units_of(own, quantity, limit)
        made.append(
            {
                "rows": rows,
                "cut": cut,
                "models": len(own),
                "holding": len(those(units, True)),
                "against": len(those(units, False)),
                "open": len(those(units, None)),
                "median": float(own[quantity].median()),
                "n_strata": float(own["n_strata"].median()),
                "n_pairs": float(own["n_pairs"].median()),
            }
        )
    return pd.DataFrame(made)


def range_of(models: pd.DataFrame, quantity: str) -> tuple[float, float, float]:
    """Lowest, median and highest value of a quantity over models."""
    values = models[quantity].dropna()
    if values.empty:
        return (np.nan,) * 3
    return float(values.min()), float(values.median()), float(values.max())


def named(models: pd.DataFrame, quantity: str, limit: float) -> list[str]:
    """Models whose interval of a quantity lies above a limit."""
    return [r.model for r in rows_of(models[models[f"{quantity}_lower"] > limit])]
