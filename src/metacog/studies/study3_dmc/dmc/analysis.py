"""DMC and maximum likelihood on the same simulated counts; observers whose ability alone varies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study3_dmc.dmc import decoupling as abilities
from metacog.studies.study3_dmc.dmc import estimators as designs
from metacog.studies.study3_dmc.dmc.estimators import Moved
from metacog.studies.study3_dmc.ledger import published
from metacog.studies.study3_dmc.observers.fixed_efficiency import ABILITIES

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: A measure with a smaller coefficient of variation than this, were there infinitely many trials, is called flat.
FLAT = 0.05


@dataclass(frozen=True)
class Estimators:
    """Two estimators of one ratio.

    ``counts``, ``accuracy``, ``fits`` and ``moved_answer`` are of one worked table; ``designs`` holds the
    stored simulation, one row per design and estimator. ``lowest_cv`` and ``highest_cv`` are the ends of the
    published CVs of DMC.
    """

    counts: pd.DataFrame
    accuracy: pd.DataFrame
    fits: pd.DataFrame
    moved_answer: Moved
    designs: pd.DataFrame
    trials: int
    wrong: int
    d_prime: float
    ratio: float
    simulations: int
    lowest_cv: float
    highest_cv: float


@analysis(returns=Estimators, files=("data/simulations/dmc_estimators.csv", "data/published/dmc_table1.csv"))
def estimators(
    inputs: Inputs, *, n_trials: int = 400, d_prime: float = 1.5, m_ratio: float = 0.7, seed: int = 42
) -> Estimators:
    """Where do DMC and maximum likelihood differ?"""
    one = designs.worked(n_trials, d_prime, m_ratio, seed)
    table = designs.load()
    cv = published.as_numbers("table1")["dmc"]
    return Estimators(
        counts=one.counts,
        accuracy=one.accuracy,
        fits=one.fits,
        moved_answer=one.moved,
        designs=table,
        trials=n_trials,
        wrong=one.n_wrong,
        d_prime=d_prime,
        ratio=m_ratio,
        simulations=int(table["runs"].max()),
        lowest_cv=float(cv.min()),
        highest_cv=float(cv.max()),
    )


@dataclass(frozen=True)
class Decoupling:
    """Measures by ability, and their coefficients of variation over abilities.

    ``values`` has one row per kind of observer, measure, ability and number of trials, ``variations`` one per
    kind, measure and number of trials. A measure whose coefficient of variation with infinitely many trials is under
    ``flat_below`` counts as flat.
    """

    values: pd.DataFrame
    variations: pd.DataFrame
    abilities: int
    lowest: float
    highest: float
    flat_below: float


@analysis(returns=Decoupling, files=("data/simulations/dmc_decoupling*.csv",))
def decoupling(inputs: Inputs) -> Decoupling:
    """Which measures stay flat when only ability changes?"""
    kept = abilities.load()
    return Decoupling(
        abilities.with_names(kept.values),
        abilities.with_names(kept.variations),
        len(ABILITIES),
        min(ABILITIES),
        max(ABILITIES),
        FLAT,
    )


ANALYSES = (estimators, decoupling)
