"""How many trials does an M-ratio take? By simulation of observers whose values are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.collect.plan import settings_of
from metacog.core.errors import MetacogError
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice.asking.sentences import sentences
from metacog.studies.study2_two_choice.sample_size import simulation
from metacog.studies.study2_two_choice.settings import Settings

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class SampleSize:
    """Estimates of two observers whose values are known, at several sizes.

    ``spread`` has bias, spread and failures by observer, way of fitting and size; ``single`` the estimates
    of the first repetitions, ``few`` their mean and spread next to those of all simulations; ``needed``
    the trials for the half-width, ``grid`` the same by d' and M-ratio; ``posteriors`` the Bayesian estimates
    of a stored simulation, ``reached`` :func:`.simulation.reached`'s rows of the run. ``needed_trials`` are
    those of the second observer, whose values the parameters set, ``of_run`` those of each set of the run,
    and ``trials_of_run`` the fewest of these.
    """

    spread: pd.DataFrame
    single: pd.DataFrame
    few: pd.DataFrame
    needed: pd.DataFrame
    grid: pd.DataFrame
    posteriors: pd.DataFrame
    reached: pd.DataFrame
    of_run: dict[str, int]
    d_prime: float
    m_ratio: float
    n_ratings: int
    half_width: float
    repetitions: int
    simulations: int
    trials_of_run: int
    needed_trials: int


@analysis(returns=SampleSize, files=(simulation.POSTERIORS, simulation.REACHED))
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
    known = simulation.observers(d_prime, m_ratio, n_ratings)
    if len(known) < 2:
        raise MetacogError("the second observer is the paper's own: give another d_prime or m_ratio")
    of_run = trials_of(settings_of(inputs.study, inputs.profile))
    fewest = min(of_run.values())
    sizes = simulation.sizes_from(fewest)
    spread, single = simulation.simulated(known, sizes, n_simulations, repetitions, seed)
    needed = simulation.needed(known, half_width, n_simulations, seed)
    chosen = needed[(needed["observer"] == list(known)[1]) & (needed["fitted_to"] == "as drawn")]
    return SampleSize(
        spread=spread,
        single=single,
        few=simulation.by_repetitions(single, spread),
        needed=needed,
        grid=simulation.grid(n_ratings, half_width, n_simulations, seed),
        posteriors=simulation.by_posterior(),
        reached=simulation.reached(of_run),
        of_run=of_run,
        d_prime=d_prime,
        m_ratio=m_ratio,
        n_ratings=n_ratings,
        half_width=half_width,
        repetitions=repetitions,
        simulations=n_simulations,
        trials_of_run=fewest,
        needed_trials=int(chosen["trials"].iloc[0]),
    )


def trials_of(settings: Settings) -> dict[str, int]:
    """Sentences of each set of a run, by its name; a set is read only where all of it is asked."""
    return {name: one.n_sentences or len(sentences(one)) for name, one in settings.sets().items()}
