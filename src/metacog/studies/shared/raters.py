"""How many raters, and how many items, does a reliability take? Simulated panels of raters."""

from __future__ import annotations

import math
from dataclasses import asdict
from itertools import product
from typing import Any

import pandas as pd

from metacog.raters.precision import agreement_at, alpha_at, alpha_precision
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis

RATERS = (3, 5, 10, 20)
ITEMS = (12, 24, 40, 80)
#: Share of the rarer of two judgements.
RARER = (0.5, 0.2, 0.1)


def designs(alpha: float, n_simulations: int, seed: int) -> pd.DataFrame:
    """One row per design: ``rarer, n_items, n_raters``, the fields of its precision, and ``spread``.

    The spread is 1.96 standard deviations of the estimates (:class:`metacog.raters.AlphaPrecision`).
    """
    rows: list[dict[str, Any]] = []
    for rarer, n_items, n_raters in product(RARER, ITEMS, RATERS):
        shares = 1 - rarer, rarer
        found = alpha_precision(n_items, n_raters, alpha, shares, n_simulations=n_simulations, seed=seed)
        design = {"rarer": rarer, "n_items": n_items, "n_raters": n_raters}
        rows.append(design | asdict(found) | {"spread": 1.96 * found.sd})
    return pd.DataFrame(rows)


def bars(agreement: float, alpha: float) -> pd.DataFrame:
    """What two bars ask of the same raters, by the share of the rarer judgement.

    ``rarer, chance`` (agreement of raters who know nothing), ``agreement`` of raters at the bar of alpha, and
    ``alpha`` of raters at the bar of agreement.
    """
    kinds = {rarer: (1 - rarer, rarer) for rarer in (*RARER, 0.05)}
    rows = [
        (rarer, agreement_at(0, shares), agreement_at(alpha, shares), alpha_at(agreement, shares))
        for rarer, shares in kinds.items()
    ]
    return pd.DataFrame(rows, columns=["rarer", "chance", "agreement", "alpha"])


def needed(table: pd.DataFrame, half_width: float) -> pd.DataFrame:
    """Fewest simulated raters whose alpha spreads no further than a half-width, by items and share."""
    rows = []
    for n_items in ITEMS:
        designed = table[table["n_items"] == n_items]
        row: dict[str, object] = {"n_items": n_items}
        for rarer in RARER:
            enough = designed[(designed["rarer"] == rarer) & (designed["spread"] <= half_width)]["n_raters"]
            row[f"share_{rarer:g}"] = str(enough.min()) if len(enough) else f"over {max(RATERS)}"
        rows.append(row)
    return pd.DataFrame(rows)


@analysis()
def raters(
    inputs: Inputs,
    *,
    rater_alpha: float = 0.25,
    rater_agreement: float = 0.90,
    half_width: float = 0.15,
    n_panels: int = 500,
    seed: int = 42,
) -> dict[str, Any]:
    """How many raters, and how many items, does a reliability take?"""
    table = designs(rater_alpha, n_panels, seed)
    return {
        "designs": table,
        "needed": needed(table, half_width),
        "bars": bars(rater_agreement, rater_alpha),
        "alpha": rater_alpha,
        "agreement": rater_agreement,
        "half_width": half_width,
        "simulations": n_panels,
    }


#: Items and raters of a design, and twice as many of either: both cost the same number of judgements.
DOUBLED = (ITEMS[2:4], RATERS[1:3])


def _at(table: pd.DataFrame, rarer: float, n_items: int, n_raters: int) -> float:
    rows = table[(table["rarer"] == rarer) & (table["n_items"] == n_items) & (table["n_raters"] == n_raters)]
    return float(rows["spread"].iloc[0])


def figures(result: Any) -> dict[str, int]:
    """For how many shares of the rarer judgement twice as many items, or raters, measure better, beyond chance."""
    (n_items, longer), (n_raters, more) = DOUBLED
    gaps = []
    for rarer in (RARER[0], RARER[-1]):
        by_raters = _at(result.designs, rarer, n_items, more)
        by_items = _at(result.designs, rarer, longer, n_raters)
        # errors of standard deviations over as many panels as were simulated
        error = math.hypot(by_raters, by_items) / math.sqrt(2 * max(result.simulations - 1, 1))
        gaps.append((by_raters - by_items) / error)
    return {"n_shares": len(gaps), "items": sum(g > 2 for g in gaps), "raters": sum(g < -2 for g in gaps)}


VIEWS = Views("raters", numbers=figures)
