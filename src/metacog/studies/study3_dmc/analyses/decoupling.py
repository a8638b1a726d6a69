"""Simulated observers whose ability varies while efficiency is held fixed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study3_dmc import decoupling as parts
from metacog.studies.study3_dmc.observers import ABILITIES

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Decoupling:
    """Measures by ability, and their coefficients of variation over abilities.

    ``values`` has a row a kind of observer, measure, ability and number of trials, ``variations`` one a
    kind, measure and number of trials. The sentences say what these show.
    """

    values: pd.DataFrame
    variations: pd.DataFrame
    flat_said: str
    zero_said: str
    sampled_said: str
    abilities: int
    lowest: float
    highest: float


@analysis(returns=Decoupling, files=("data/simulations/dmc_decoupling*.csv",))
def decoupling(inputs: Inputs) -> Decoupling:
    """Which measures stay flat when only ability changes?"""
    found = parts.load()
    return Decoupling(
        parts.with_names(found.values),
        parts.with_names(found.variations),
        parts.flat_said(found.variations),
        parts.zero_said(found.variations),
        parts.sampled_said(found.variations),
        len(ABILITIES),
        min(ABILITIES),
        max(ABILITIES),
    )
