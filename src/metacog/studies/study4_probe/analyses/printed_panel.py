"""What the printed panel and items allow beyond their own figures: rank agreement, lineages, Flash's loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study4_probe import (
    discrimination,
    lineages,
    murphy,
    published,
    rank_agreement,
    strategies,
)

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class PrintedPanel:
    """Tables by topic, and sentences that say what they show.

    ``ranks`` has Kendall's tau-b of each pair of rankings, ``lineages`` the panel's figures without each
    family, ``murphy`` the terms of Flash's Brier score, ``strategy`` how it states confidence.
    """

    ranks: pd.DataFrame
    lineages: pd.DataFrame
    murphy: pd.DataFrame
    strategy: pd.DataFrame
    ranks_said: str
    composites_said: str
    people_said: str
    lineages_said: str
    lineages_printed_said: str
    murphy_said: str
    strategy_said: str
    strategy_rule: str
    discrimination_said: str


@analysis(returns=PrintedPanel, files=("data/published/probe_*.csv",))
def printed_panel(inputs: Inputs) -> PrintedPanel:
    """What do the printed panel and its printed items allow to be said?"""
    ranks, out = rank_agreement.pairs(), lineages.leave_out(published.scores())
    terms, strategy = murphy.of_flash(), strategies.of_flash()
    return PrintedPanel(
        ranks=ranks,
        lineages=out,
        murphy=terms,
        strategy=strategy,
        ranks_said=rank_agreement.said(ranks),
        composites_said=rank_agreement.composites_said(ranks),
        people_said=rank_agreement.people_said(),
        lineages_said=lineages.said(out),
        lineages_printed_said=lineages.printed_said(out),
        murphy_said=murphy.said(terms),
        strategy_said=strategies.said(strategy),
        strategy_rule=strategies.RULE.said(),
        discrimination_said=discrimination.printed_said(),
    )
