"""How many trials does an M-ratio take?

Known of the paper's simulation are the observer (d' 3.2, meta-d' 3, c 0, criteria from -2 to -0.5 and from 0.5 to 2)
and 20 repetitions of each size. Taken here: four criteria a side, for the five ratings of the experiments, at equal
distances; sizes from a cell of the profile's run to a cell of the paper; stimuli drawn at random, half of them S2;
fits by maximum likelihood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
from scipy.special import ndtr
from scipy.stats import binom

from metacog.collect.plan import settings_of
from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.sdt.power import simulate_sizes, spread_by_size, trials_for_m_ratio
from metacog.sdt.simulate import MetaDObserver, meta_d_observer
from metacog.studies.study import analysis
from metacog.studies.study2_two_choice.asking.sentences import sentences
from metacog.studies.study2_two_choice.settings import Settings

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


PAPER = MetaDObserver(3.2, 3.0, 0.0, (-2.0, -1.5, -1.0, -0.5), (0.5, 1.0, 1.5, 2.0))
#: Trials of a cell of the paper on task A.
OF_PAPER = 20_000
#: Sizes between a cell of the run and one of the paper.
BETWEEN = (200, 500, 1_000, 2_000, 5_000, 10_000)
#: Posteriors of some of the tables, by ``benchmarks/sample_size_bayes.py``.
POSTERIORS = "data/simulations/sample_size_bayes.csv"
#: Half-widths and floors at the sizes of profiles, by ``benchmarks/reference_sizes.py``.
REACHED = "data/simulations/reference_sizes.csv"
#: What is added to every cell: nothing, as in the paper, or the customary half trial.
PADS = {"as drawn": 0.0, "half a trial added": 0.5}
#: Observers of the table that readers look their own model up in.
D_PRIMES = (0.3, 0.5, 1.0, 1.5, 2.0, 3.0)
M_RATIOS = (0.5, 0.8, 1.0)


def observers(d_prime: float, m_ratio: float, n_ratings: int) -> dict[str, MetaDObserver]:
    """The paper's observer, and one that uses all its ratings equally often, by what readers call them."""
    other = meta_d_observer(d_prime, m_ratio=m_ratio, n_ratings=n_ratings)
    return {f"d' {o.d_prime:g}, M-ratio {o.m_ratio:.2f}": o for o in (PAPER, other)}


def sizes_from(of_run: int) -> tuple[int, ...]:
    """Numbers of trials that are simulated, for a run with ``of_run`` trials per cell."""
    return tuple(sorted({of_run, *BETWEEN, OF_PAPER}))


def simulated(
    known: dict[str, MetaDObserver], sizes: Sequence[int], n_simulations: int, repetitions: int, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Spread by observer, way of fitting and size; and the single estimates of the first repetitions."""
    spread, single = [], []
    for name, observer in known.items():
        for fitted_to, pad in PADS.items():
            estimates = simulate_sizes(observer, sizes, n_simulations=n_simulations, seed=seed, pad=pad)
            row = {"observer": name, "fitted_to": fitted_to}
            spread.append(spread_by_size(estimates, observer).assign(**row))
            if not pad:
                errors = {q: estimates[q] - getattr(observer, q) for q in ("d_prime", "meta_d", "m_ratio")}
                first = estimates.assign(**{f"{q}_off": e for q, e in errors.items()}, **row)
                single.append(first[first["repetition"] <= repetitions])
    return pd.concat(spread, ignore_index=True), pd.concat(single, ignore_index=True)


def by_repetitions(single: pd.DataFrame, spread: pd.DataFrame) -> pd.DataFrame:
    """Mean and spread of M-ratio over the few repetitions and over all simulations."""
    few = single.groupby(["observer", "n_trials"], sort=False)["m_ratio"].agg(["mean", "std", "count"])
    few = few.rename(columns={"mean": "few_mean", "std": "few_sd", "count": "few_fitted"}).reset_index()
    drawn = spread[spread["fitted_to"] == "as drawn"]
    return few.merge(drawn, on=["observer", "n_trials"])


def reached(of_run: Mapping[str, int]) -> pd.DataFrame:
    """Half-widths that the tasks of a run can reach, from a simulation stored before a reply was read.

    Parameters
    ----------
    of_run : mapping of int
        Trials of each set of study 2, by its name.

    Returns
    -------
    DataFrame
        One row per set, accuracy and measure: ``part``, ``n_trials``, ``accuracy``, ``wrong`` (expected wrong
        answers), ``measure``, ``value`` (the simulated observer's), ``bias``, ``half_width``, ``floor`` (value
        that is distinguished from none with a power of 0.8), ``undefined``. Sets that were not simulated at their size
        have no row.

    Raises
    ------
    MetacogError
        If the simulation is not there; says how it is made.
    """
    stored = committed_table(REACHED)
    mine = stored[(stored["study"] == "study2_two_choice") & stored["part"].isin(of_run)]
    mine = mine[mine["n_trials"] == mine["part"].map(of_run)].drop(columns=["study", "profile", "difference"])
    return mine.drop_duplicates(["part", "accuracy", "measure"]).reset_index(drop=True)


def by_posterior() -> pd.DataFrame:
    """Posterior means and maximum likelihood at a few sizes, on the same tables, from a stored simulation.

    ``covering`` of ``n`` intervals contain the truth, ``covering_p`` is the probability that no more than
    these do where each does with a probability of 0.95.

    Raises
    ------
    MetacogError
        If the simulation is not there; says how it is made.
    """
    drawn = committed_table(POSTERIORS)
    drawn["m_ratio_true"] = drawn["meta_d_true"] / drawn["d_prime_true"]
    rows = []
    for (observer, n), own in drawn.groupby(["observer", "n_trials"], sort=False):
        row: dict[str, Any] = {"observer": observer, "n_trials": n, "n": len(own)}
        for name in ("d_prime", "meta_d", "m_ratio"):
            row[f"{name}_bias"] = (own[name] - own[f"{name}_true"]).mean()
            row[f"{name}_bias_ml"] = (own[f"{name}_ml"] - own[f"{name}_true"]).mean()
        lower, upper, truth = (own[f"m_ratio_{part}"] for part in ("lower", "upper", "true"))
        covering = int(((lower <= truth) & (truth <= upper)).sum())
        row |= {
            "m_ratio_sd": own["m_ratio"].std(),
            "m_ratio_sd_ml": own["m_ratio_ml"].std(),
            "m_ratio_half": (upper - lower).mean() / 2,
            "covering": covering,
            "covering_p": float(binom.cdf(covering, len(own), 0.95)),
            "judged": int(own["judged"].sum()),
            "fitted_ml": int(own["m_ratio_ml"].notna().sum()),
            "r_hat": own["r_hat"].max(),
            "divergences": int(own["divergences"].sum()),
        }
        rows.append(row)
    return pd.DataFrame(rows)


def needed_trials(
    known: dict[str, MetaDObserver], half_width: float, n_simulations: int, seed: int
) -> pd.DataFrame:
    """Trials for an M-ratio interval of a half-width: one row per observer and way of fitting."""
    rows = []
    for name, observer in known.items():
        for fitted_to, pad in PADS.items():
            n = trials_for_m_ratio(observer, half_width, pad=pad, n_simulations=n_simulations, seed=seed)
            near = simulate_sizes(observer, (n,), n_simulations=n_simulations, seed=seed, pad=pad)
            bias = float(spread_by_size(near, observer)["m_ratio_bias"].iloc[0])
            rows.append({"observer": name, "fitted_to": fitted_to, "trials": n, "bias": bias})
    return pd.DataFrame(rows)


def grid(n_ratings: int, half_width: float, n_simulations: int, seed: int) -> pd.DataFrame:
    """Trials for the half-width by d' and M-ratio, fitted as drawn; with the share right at c = 0."""
    rows = []
    for d_prime in D_PRIMES:
        row: dict[str, float] = {"d_prime": d_prime, "accuracy": float(ndtr(d_prime / 2))}
        for m_ratio in M_RATIOS:
            observer = meta_d_observer(d_prime, m_ratio=m_ratio, n_ratings=n_ratings)
            row[f"at_{m_ratio:g}"] = trials_for_m_ratio(
                observer, half_width, n_simulations=n_simulations, seed=seed
            )
        rows.append(row)
    return pd.DataFrame(rows)


# How many trials does an M-ratio take? By simulation of observers whose values are known.


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


@analysis(returns=SampleSize, files=(POSTERIORS, REACHED))
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
    known = observers(d_prime, m_ratio, n_ratings)
    if len(known) < 2:
        raise MetacogError("the second observer is the paper's own: give another d_prime or m_ratio")
    of_run = trials_of(settings_of(inputs.study, inputs.profile))
    fewest = min(of_run.values())
    sizes = sizes_from(fewest)
    spread, single = simulated(known, sizes, n_simulations, repetitions, seed)
    needed = needed_trials(known, half_width, n_simulations, seed)
    chosen = needed[(needed["observer"] == list(known)[1]) & (needed["fitted_to"] == "as drawn")]
    return SampleSize(
        spread=spread,
        single=single,
        few=by_repetitions(single, spread),
        needed=needed,
        grid=grid(n_ratings, half_width, n_simulations, seed),
        posteriors=by_posterior(),
        reached=reached(of_run),
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
