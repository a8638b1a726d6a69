"""How many trials the measures take, by simulation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.plan import settings_of
from metacog.core.errors import MetacogError
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice import sample_size as sizes

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class SampleSize:
    """Estimates of two observers whose values are known, at several sizes.

    ``spread`` has bias, spread and failures by observer, way of fitting and size; ``single`` the estimates
    of the first repetitions, ``beside`` their mean and spread beside those of all simulations; ``needed``
    the trials for the half-width, ``grid`` the same by d' and M-ratio; ``posteriors``
    the Bayesian estimates of a stored simulation.
    """

    spread: pd.DataFrame
    single: pd.DataFrame
    beside: pd.DataFrame
    needed: pd.DataFrame
    grid: pd.DataFrame
    posteriors: pd.DataFrame
    needed_said: str
    failed_said: str
    bias_said: str
    repetitions_said: str
    own_said: str
    ours_said: str
    posterior_said: str
    repetitions: int
    simulations: int
    ours: int
    half_width: float


@analysis(returns=SampleSize, files=(sizes.POSTERIORS,))
def sample_size(
    inputs: Inputs,
    *,
    d_prime: float = 1.0,
    m_ratio: float = 0.8,
    n_ratings: int = 5,
    half_width: float = 0.1,
    repetitions: int = 20,
    n_simulations: int = 2_000,
    seed: int = 42,
) -> SampleSize:
    """How many trials does an M-ratio take?"""
    if not 2 <= repetitions <= n_simulations:
        raise MetacogError(f"repetitions must lie between 2 and n_simulations, {n_simulations:,}")
    known = sizes.observers(d_prime, m_ratio, n_ratings)
    if len(known) < 2:
        raise MetacogError("the second observer is the paper's own: give another d_prime or m_ratio")
    ours = settings_of(inputs.study, inputs.profile).n_sentences
    spread, single = sizes.simulated(known, sizes.sizes_from(ours), n_simulations, repetitions, seed)
    beside = sizes.by_repetitions(single, spread)
    posteriors = sizes.by_posterior()
    needed = sizes.needed(known, half_width, n_simulations, seed)
    own = needed[(needed["observer"] == list(known)[1]) & (needed["fitted_to"] == "as drawn")]["trials"]
    return SampleSize(
        spread=spread,
        single=single,
        beside=beside,
        needed=needed,
        grid=sizes.grid(n_ratings, half_width, n_simulations, seed),
        posteriors=posteriors,
        needed_said=sizes.needed_said(needed, half_width),
        failed_said=sizes.failed_said(spread),
        bias_said=sizes.bias_said(spread),
        repetitions_said=sizes.repetitions_said(beside, repetitions, n_simulations),
        own_said=sizes.own_said(d_prime, m_ratio, n_ratings, half_width, int(own.iloc[0])),
        ours_said=sizes.ours_said(spread, ours),
        posterior_said=sizes.posterior_said(posteriors),
        repetitions=repetitions,
        simulations=n_simulations,
        ours=ours,
        half_width=half_width,
    )
