"""Estimates of meta-d' against the number of trials, for an observer whose values are known.

Every table is fitted as it was drawn, or with a constant added to each cell; a table that gives no
estimate is counted, and drawn no second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from .checks import InputError
from .measures import m_ratio_measure
from .meta_d import fit_meta_d_batch
from .populations import observer_population
from .power import required_trials
from .simulate import MetaDObserver

if TYPE_CHECKING:
    import pandas as pd

QUANTITIES = ("d_prime", "meta_d", "m_ratio")
#: Estimates of M-ratio this far out are counted as no estimate, as in the bootstrap.
M_RATIO_LIMIT = 10.0


def draw_tables(
    observer: MetaDObserver, n_trials: int, n_tables: int, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Tables of one size, `(n_tables, 2K)` each; they follow from the seed, the size and their number."""
    return observer.counts(n_trials, n_tables, np.random.SeedSequence([seed, n_trials]))


def simulate_sizes(
    observer: MetaDObserver,
    sizes: Sequence[int],
    *,
    n_simulations: int = 2_000,
    seed: int = 42,
    pad: float = 0.0,
) -> pd.DataFrame:
    """Fit meta-d' by maximum likelihood to tables of several sizes.

    Parameters
    ----------
    observer : MetaDObserver
        The truth; the number of S2 trials is binomial with its base rate.
    sizes : sequence of int
        Trials of a table.
    n_simulations : int
        Tables of each size.
    seed : int
        Tables of a size follow from this and the size, so that another `pad` fits the same tables.
    pad : float
        Added to every cell before the fit.

    Returns
    -------
    DataFrame
        One row per table: n_trials, repetition, d_prime, meta_d, m_ratio, fitted, empty. `fitted` is False
        where there is no estimate: d' is infinite (a rate of 0 or 1) or zero, or meta-d' ran to its limit;
        the estimates are NaN then. `empty` says whether a cell of the table as drawn is 0.

    Raises
    ------
    InputError
        No sizes, a size under 2, fewer than two tables of each, or a negative pad.
    """
    import pandas as pd

    if not len(sizes) or min(sizes) < 2 or n_simulations < 2 or not pad >= 0:
        raise InputError("Give sizes of at least 2 trials, at least 2 simulations, and a pad of 0 or more.")
    frames = []
    for n in sizes:
        a, b = draw_tables(observer, int(n), n_simulations, seed)
        fit = fit_meta_d_batch(a + pad, b + pad, s=observer.s, undefined="flag")
        fitted = fit.converged & (np.abs(fit.m_ratio) < M_RATIO_LIMIT)
        columns = {name: np.where(fitted, getattr(fit, name), np.nan) for name in QUANTITIES}
        empty = (a == 0).any(axis=1) | (b == 0).any(axis=1)
        about = {"n_trials": int(n), "repetition": np.arange(1, n_simulations + 1)}
        frames.append(pd.DataFrame({**about, **columns, "fitted": fitted, "empty": empty}))
    return pd.concat(frames, ignore_index=True)


def spread_by_size(estimates: pd.DataFrame, observer: MetaDObserver, *, level: float = 0.95) -> pd.DataFrame:
    """Bias, spread and half-width of the estimates at each size.

    Parameters
    ----------
    estimates : DataFrame
        Of :func:`simulate_sizes`.
    observer : MetaDObserver
        The truth.
    level : float
        Of the half-width z sd.

    Returns
    -------
    DataFrame
        One row a size: n_trials, n (tables), failed and empty (shares of them), and for each quantity
        NAME_mean, NAME_bias, NAME_sd and NAME_half, over the tables that gave an estimate (NaN where fewer
        than two did).

    Raises
    ------
    InputError
        A level outside (0, 1).
    """
    import pandas as pd

    if not 0 < level < 1:
        raise InputError(f"level must lie between 0 and 1; got {level}.")
    z = float(-ndtri((1 - level) / 2))
    rows = []
    for n, part in estimates.groupby("n_trials", sort=True):
        about = {"n_trials": n, "n": len(part)}
        row = {"failed": 1 - part["fitted"].mean(), "empty": part["empty"].mean()}
        for name in QUANTITIES:
            mean, sd = part[name].mean(), part[name].std(ddof=1)
            bias = mean - getattr(observer, name)
            row |= {f"{name}_mean": mean, f"{name}_bias": bias, f"{name}_sd": sd, f"{name}_half": z * sd}
        rows.append({**about, **row})
    return pd.DataFrame(rows).astype({"n_trials": "int64", "n": "int64"})


def trials_for_m_ratio(
    observer: MetaDObserver,
    half_width: float,
    *,
    pad: float = 0.0,
    n_simulations: int = 2_000,
    seed: int = 42,
    level: float = 0.95,
) -> int:
    """Fewest trials at which an interval of M-ratio is expected to be this narrow to either side.

    Parameters
    ----------
    observer : MetaDObserver
    half_width : float
    pad : float
        Added to every cell.
    n_simulations, seed : int
    level : float

    Raises
    ------
    InputError
        A half-width that is not positive, or more trials than `required_trials` allows.

    Notes
    -----
    The half-width is z times the spread of the estimates, by :func:`metacog.sdt.power.required_trials`;
    its Monte-Carlo error of the number is sqrt(2/n_simulations) of it. An estimate's bias is not in it.
    """
    plan = required_trials(
        m_ratio_measure(pad),
        half_width=half_width,
        populations=observer_population(observer),
        n_simulations=n_simulations,
        seed=seed,
        level=level,
    )
    return plan.n_trials
