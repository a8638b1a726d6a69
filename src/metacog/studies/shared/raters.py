"""How many raters, and how many items, does a reliability take? Simulated panels of raters."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.raters.precision import agreement_at, alpha_at, alpha_precision
from metacog.studies.study import analysis

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


RATERS = (3, 5, 10, 20)


ITEMS = (12, 24, 40, 80)


#: Share of the rarer of two judgements.
RARER = (0.5, 0.2, 0.1)


def designs(alpha: float, n_simulations: int, seed: int) -> pd.DataFrame:
    """One row per design: ``rarer, n_items, n_raters``, the fields of its precision, and ``spread``.

    The spread is 1.96 standard deviations of the estimates (:class:`metacog.raters.AlphaPrecision`).
    """
    rows = []
    for rarer in RARER:
        for n_items in ITEMS:
            for n_raters in RATERS:
                found = alpha_precision(
                    n_items, n_raters, alpha, (1 - rarer, rarer), n_simulations=n_simulations, seed=seed
                )
                rows.append(
                    {
                        "rarer": rarer,
                        "n_items": n_items,
                        "n_raters": n_raters,
                        **asdict(found),
                        "spread": 1.96 * found.sd,
                    }
                )
    return pd.DataFrame(rows)


def bars(agreement: float, alpha: float) -> pd.DataFrame:
    """What two bars ask of the same raters, by the share of the rarer judgement.

    ``rarer, chance`` (agreement of raters who know nothing), ``agreement`` of raters at the bar of alpha, and
    ``alpha`` of raters at the bar of agreement.
    """
    rows = []
    for rarer in (*RARER, 0.05):
        shares = (1 - rarer, rarer)
        rows.append(
            (rarer, agreement_at(0, shares), agreement_at(alpha, shares), alpha_at(agreement, shares))
        )
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


@dataclass(frozen=True)
class Raters:
    """How sure agreement of raters is, from simulated panels whose alpha is known.

    ``designs`` holds every design, ``needed`` the raters that a half-width takes, ``bars`` what a bar of
    agreement and one of alpha ask of the same raters.
    """

    designs: pd.DataFrame
    needed: pd.DataFrame
    bars: pd.DataFrame
    alpha: float
    agreement: float
    half_width: float
    simulations: int


@analysis(returns=Raters)
def raters(
    inputs: Inputs,
    *,
    rater_alpha: float = 0.25,
    rater_agreement: float = 0.90,
    half_width: float = 0.15,
    n_panels: int = 500,
    seed: int = 42,
) -> Raters:
    """How many raters, and how many items, does a reliability take?"""
    table = designs(rater_alpha, n_panels, seed)
    return Raters(
        table,
        needed(table, half_width),
        bars(rater_agreement, rater_alpha),
        rater_alpha,
        rater_agreement,
        half_width,
        n_panels,
    )
