"""What was published, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study5_battery.ledger.published import FILES, TRACKS
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import integrity
from metacog.studies.study5_battery.responses.conclusions import conclusions
from metacog.studies.study5_battery.responses.headlines import with_and_without

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Responses:
    """The integrity report.

    ``tracks`` has how many items and responses each track holds, ``identical``, ``declined``,
    ``unnormalised``, ``repeated`` and ``undefined`` the result of each check, ``headlines`` the study's
    headlines as published and after each correction, ``conclusions`` what each of them reads and concludes.
    """

    tracks: pd.DataFrame
    identical: pd.DataFrame
    declined: pd.DataFrame
    unnormalised: pd.DataFrame
    repeated: pd.DataFrame
    undefined: pd.DataFrame
    headlines: pd.DataFrame
    conclusions: pd.DataFrame
    total: int
    items: int
    models: int
    thin: int
    defined: int
    all_right: int
    none_right: int


@analysis(returns=Responses, files=FILES)
def responses(inputs: Inputs) -> Responses:
    """What is wrong with the published responses, and does it matter?"""
    rows = load()
    undefined = integrity.undefined(rows)
    items, all_right, none_right = integrity.easy_items(rows)
    counted = rows.groupby("track").agg(
        items=("item", "nunique"),
        responses=("item", "size"),
        accuracy=("correct", "mean"),
        kept=("keep", "mean"),
        bet=("bet", "mean"),
    )
    counted, headlines = counted.reset_index(), with_and_without(rows)
    return Responses(
        tracks=counted.assign(about=counted["track"].map(TRACKS)),
        identical=integrity.identical(rows),
        declined=integrity.declined(rows),
        unnormalised=integrity.unnormalised(rows),
        repeated=integrity.repeated_answers(rows),
        undefined=undefined,
        headlines=headlines,
        conclusions=conclusions(headlines),
        total=len(rows),
        items=items,
        models=rows["model"].nunique(),
        thin=integrity.thin(rows),
        defined=rows.groupby(["model", "track"]).ngroups - len(undefined),
        all_right=all_right,
        none_right=none_right,
    )


ANALYSES = (responses,)
