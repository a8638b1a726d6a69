"""What the printed panel and items allow beyond their own figures: rank agreement, lineages, Flash's loss."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study4_probe.ledger import published, solved
from metacog.studies.study4_probe.measures import lineages, murphy, strategies
from metacog.studies.study4_probe.published import rank_agreement

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class PublishedPanel:
    """Tables by topic.

    ``ranks`` has Kendall's tau-b of each pair of rankings, ``lineages`` the panel's figures without each
    family, ``murphy`` the terms of Flash's Brier score, ``strategy`` how it states confidence,
    ``without_dropped`` which panels without a lineage give the printed correlation, ``discriminating`` bounds of the
    printed item discrimination, and ``sizes`` the numbers of people that give the printed interval of H1 and H2.
    """

    ranks: pd.DataFrame
    lineages: pd.DataFrame
    murphy: pd.DataFrame
    strategy: pd.DataFrame
    without_dropped: pd.DataFrame
    discriminating: solved.Discriminating
    sizes: Mapping[str, tuple[int, ...]]


@analysis(returns=PublishedPanel, files=("data/published/probe_*.csv",))
def published_panel(inputs: Inputs) -> PublishedPanel:
    """What do the printed panel and its printed items allow to be said?"""
    ranks, out = rank_agreement.pairs(), lineages.leave_out(published.scores())
    terms, strategy = murphy.of_flash(), strategies.of_flash()
    return PublishedPanel(
        ranks=ranks,
        lineages=out,
        murphy=terms,
        strategy=strategy,
        without_dropped=solved.without_dropped(out),
        discriminating=solved.t3_items(),
        sizes={hypothesis: tuple(solved.sizes(hypothesis)) for hypothesis in ("H1", "H2")},
    )
