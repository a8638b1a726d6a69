"""How many trials does an M-ratio take?

Known of the paper's simulation are the observer (d' 3.2, meta-d' 3, c 0, criteria from -2 to -0.5 and from 0.5 to 2)
and 20 repetitions of each size. Taken here: four criteria a side, for the five ratings of the experiments, at equal
distances; sizes from a cell of the profile's run to a cell of the paper; stimuli drawn at random, half of them S2;
fits by maximum likelihood.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from scipy.special import ndtr

from metacog.collect.plan import settings_of
from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.report.views import Views
from metacog.sdt.power import simulate_sizes, spread_by_size, trials_for_m_ratio
from metacog.sdt.simulate import MetaDObserver, meta_d_observer
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice.asking.sentences import sentences
from metacog.studies.study2_two_choice.settings import Settings

PAPER = MetaDObserver(3.2, 3.0, 0.0, (-2.0, -1.5, -1.0, -0.5), (0.5, 1.0, 1.5, 2.0))
#: Trials of a cell of the paper on task A.
OF_PAPER = 20_000
#: Sizes between a cell of the run and one of the paper.
BETWEEN = (200, 500, 1_000, 2_000, 5_000, 10_000)
#: Half-widths and floors at the sizes of profiles, by ``benchmarks/reference_sizes.py``.
REACHED = "data/simulations/reference_sizes.csv"
#: Observers of the table that readers look their own model up in.
D_PRIMES = (0.3, 0.5, 1.0, 1.5, 2.0, 3.0)
M_RATIOS = (0.5, 0.8, 1.0)


@analysis(files=(REACHED,))
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
) -> dict[str, Any]:
    """How many trials does an M-ratio take?"""
    if not 2 <= repetitions <= n_simulations:
        raise MetacogError(f"repetitions must lie between 2 and n_simulations, {n_simulations:,}")
    known = observers(d_prime, m_ratio, n_ratings)
    if len(known) < 2:
        raise MetacogError("the second observer is the paper's own: give another d_prime or m_ratio")
    of_run = trials_of(settings_of(inputs.study, inputs.profile))
    sizes = sizes_from(min(of_run.values()))
    spread, single, needed = [], [], []
    for name, observer in known.items():
        made = simulate_sizes(observer, sizes, n_simulations=n_simulations, seed=seed, pad=0.0)
        spread.append(spread_by_size(made, observer).assign(observer=name))
        single.append(made[made["repetition"] <= repetitions].assign(observer=name))
        trials = trials_for_m_ratio(observer, half_width, pad=0.0, n_simulations=n_simulations, seed=seed)
        needed.append((name, trials))
    return {
        "spread": pd.concat(spread, ignore_index=True),
        "single": pd.concat(single, ignore_index=True),
        "needed": pd.DataFrame(needed, columns=["observer", "trials"]),
        "grid": grid(n_ratings, half_width, n_simulations, seed),
        "reached": reached(of_run),
        "half_width": half_width,
    }


def trials_of(settings: Settings) -> dict[str, int]:
    """Sentences of each set of a run, by its name; a set is read only where all of it is asked."""
    return {name: one.size or len(sentences(one)) for name, one in settings.sets().items()}


def observers(d_prime: float, m_ratio: float, n_ratings: int) -> dict[str, MetaDObserver]:
    """The paper's observer, and one that uses all its ratings equally often, by what readers call them."""
    other = meta_d_observer(d_prime, m_ratio=m_ratio, n_ratings=n_ratings)
    return {f"d' {o.d_prime:g}, M-ratio {o.m_ratio:.2f}": o for o in (PAPER, other)}


def sizes_from(of_run: int) -> tuple[int, ...]:
    return tuple(sorted({of_run, *BETWEEN, OF_PAPER}))


def reached(of_run: Mapping[str, int]) -> pd.DataFrame:
    """Half-widths that sets of a run (name and trials) can reach, from a simulation stored before a reply was read.

    ``value`` is the simulated observer's, ``floor`` the one that is distinguished from none with a power of 0.8. Sets
    that were not simulated at their size have no row.
    """
    stored = committed_table(REACHED)
    mine = stored[(stored["study"] == "study2_two_choice") & stored["part"].isin(of_run)]
    mine = mine[mine["n_trials"] == mine["part"].map(of_run)].drop(columns=["study", "profile", "difference"])
    return mine.drop_duplicates(["part", "accuracy", "measure"]).reset_index(drop=True)


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


VIEWS = (
    Views(
        "sample_size", numbers=lambda r: dict(zip(("of_paper", "of_second"), r.needed["trials"], strict=True))
    ),
)
