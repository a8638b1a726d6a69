"""How many trials? Interval width and power of any measure, before the data are collected.

The standard error at n trials is the spread of the measure over tables drawn from a population
(:mod:`metacog.sdt.simulate`), so it carries everything the measure does to small samples. Width and power
follow from it by the normal approximation: half-width z se, and for a difference delta between two
groups power = Phi(|delta|/se_d - z) + Phi(-|delta|/se_d - z), se_d^2 = se_a^2 + se_b^2 - 2 r se_a
se_b, where r is the correlation that pairing by question brings. Where a formula exists it is
shown next to it: Hanley & McNeil (1982) for AUROC2, the binomial for accuracy.

Of an observer whose values are known, every table is fitted as it was drawn, or with a constant added to each
cell; a table that gives no estimate is counted, and drawn no second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from metacog.sdt.checks import InputError, check_level
from metacog.sdt.compare import Measure, get_measure, m_ratio_measure
from metacog.sdt.intervals import spawn_seeds
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.sdt.populations import Population, observer_population, population_for
from metacog.sdt.resampling import chunks
from metacog.sdt.simulate import MetaDObserver
from metacog.sdt.type2 import hanley_mcneil_se

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
    """Fit meta-d' by maximum likelihood to tables of several sizes, ``pad`` added to every cell: one row per table.

    Tables of a size follow from the seed and the size, so that another ``pad`` fits the same tables. ``fitted``
    is False where there is no estimate (d' is infinite or zero, or meta-d' ran to its limit), and the estimates
    are NaN then. ``empty`` says whether a cell of the table as drawn is 0.
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


def spread_by_size(estimates: pd.DataFrame, observer: MetaDObserver) -> pd.DataFrame:
    """Bias, spread and half-width of the estimates of :func:`simulate_sizes` at each size.

    NAME_mean, NAME_bias, NAME_sd and NAME_half (z sd) are over the tables that gave an estimate, NaN where
    fewer than two did; failed and empty are shares of tables.
    """
    import pandas as pd

    z = float(-ndtri((1 - 0.95) / 2))
    rows = []
    for n, part in estimates.groupby("n_trials", sort=True):
        row = {"n_trials": n, "n": len(part)}
        row |= {"failed": 1 - part["fitted"].mean(), "empty": part["empty"].mean()}
        for name in QUANTITIES:
            mean, sd = part[name].mean(), part[name].std(ddof=1)
            bias = mean - getattr(observer, name)
            row |= {f"{name}_mean": mean, f"{name}_bias": bias, f"{name}_sd": sd, f"{name}_half": z * sd}
        rows.append(row)
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

    Returns
    -------
    int

    Raises
    ------
    InputError
        A half-width that is not positive, or more trials than `required_trials` allows.

    Notes
    -----
    The half-width is z times the spread of the estimates, by :func:`required_trials`;
    its Monte-Carlo error of the number is sqrt(2/n_simulations) of it. An estimate's bias is not in it.

    Examples
    --------
    >>> from metacog.sdt import meta_d_observer, trials_for_m_ratio
    >>> observer = meta_d_observer(1.5, m_ratio=0.8)
    >>> trials_for_m_ratio(observer, half_width=0.3, n_simulations=300)
    429
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


@dataclass(frozen=True)
class Precision:
    """Sampling behaviour of a measure at n trials.

    Attributes
    ----------
    n_trials : int
    value, mean, bias, se : float
        Population value, mean of the simulated values, their distance, and their spread.
    se_error : float
        Monte-Carlo standard error of ``se``, se / sqrt(2 simulations).
    share_undefined : float
        Simulated tables where the measure is undefined; left out of mean and spread.
    """

    n_trials: int
    value: float
    mean: float
    bias: float
    se: float
    se_error: float
    share_undefined: float


@dataclass(frozen=True)
class Plan:
    """Trials a group that reach a target.

    Attributes
    ----------
    n_trials : int
        Trials in each group.
    half_width : float
        Expected half-width of the interval of the target: of one group's value, or of the
        difference when a difference is planned.
    power : float
        To detect the difference; NaN when only a width is planned.
    se : float
    target : str
    population : str
    """

    n_trials: int
    half_width: float
    power: float
    se: float
    target: str
    population: str


def precision(
    population: Population,
    measure: str | Measure,
    n_trials: int,
    *,
    n_simulations: int = 2000,
    seed: int | np.random.SeedSequence | None = 42,
) -> Precision:
    """Spread and bias of a measure over tables drawn from a population.

    Parameters
    ----------
    population : Population
    measure : str or Measure
    n_trials : int
        Of each table.
    n_simulations : int
    seed : int, SeedSequence or None

    Returns
    -------
    Precision

    Examples
    --------
    >>> from metacog.sdt import population_for, precision
    >>> population = population_for("auroc2", 0.75, accuracy=0.6)
    >>> found = precision(population, "auroc2", 200, n_simulations=500)
    >>> print(f"{found.value:.2f}, standard error {found.se:.3f}")
    0.75, standard error 0.035
    """
    if n_trials < 2 or n_simulations < 20:
        raise InputError("need at least 2 trials and 20 simulations")
    chosen = get_measure(measure)
    statistic = chosen.on_tables(population.ratings)
    cells = population.cells()
    rng = np.random.default_rng(seed)
    draws = np.concatenate(
        [
            statistic(rng.multinomial(n_trials, cells, size=size).astype(np.float64))
            for size in chunks(n_simulations, 3 * cells.size)
        ]
    )
    good = draws[np.isfinite(draws)]
    if good.size < 20:
        raise InputError(f"{chosen.name} is undefined in nearly every table of {n_trials} trials; use more")
    value, mean, se = population.value(chosen), float(good.mean()), float(good.std(ddof=1))
    error, undefined = se / np.sqrt(2 * good.size), 1 - good.size / draws.size
    return Precision(int(n_trials), value, mean, mean - value, se, error, undefined)


def closed_form_se(measure: str, value: float, n_trials: int, *, accuracy: float = 0.5) -> float:
    """Standard error by formula where there is one, else NaN.

    ``auroc2``: Hanley & McNeil (1982) with n accuracy correct trials, for continuous confidence.
    ``accuracy``: sqrt(p (1 - p)/n).
    """
    if measure == "auroc2":
        return float(hanley_mcneil_se(value, n_trials * (1 - accuracy), n_trials * accuracy))
    if measure == "accuracy":
        return float(np.sqrt(value * (1 - value) / n_trials))
    return float("nan")


def power_of_difference(difference: float, se: float, *, level: float = 0.95) -> float:
    """Power of a two-sided z-test for a difference with this standard error."""
    z = float(-ndtri((1 - level) / 2))
    ratio = abs(difference) / se
    return float(ndtr(ratio - z) + ndtr(-ratio - z))


def _pair(
    measure: str | Measure,
    value: float | None,
    difference: float,
    populations: Any,
    model: dict[str, Any],
) -> tuple[Population, Population | None]:
    """Populations of both groups; the second is None when no difference is planned."""
    if populations is not None:
        first, second = (populations, None) if isinstance(populations, Population) else populations
        return first, first if difference and second is None else second
    if value is None:
        raise InputError("give the value expected of the measure, or a pilot population")
    if isinstance(measure, Measure):
        raise InputError(f"{measure.name} is a measure of your own: give the population it is planned for")
    first = population_for(measure, value, **model)
    return first, population_for(measure, value + difference, **model) if difference else None


def _check(level: float, correlation: float) -> float:
    check_level(level)
    if not -1 < correlation < 1:
        raise InputError(f"correlation must be between -1 and 1, got {correlation}")
    return float(-ndtri((1 - level) / 2))


def _se_difference(a: float, b: float, correlation: float) -> float:
    return float(np.sqrt(a**2 + b**2 - 2 * correlation * a * b))


def _spread(
    first: Population,
    second: Population | None,
    measure: str | Measure,
    n: int,
    n_simulations: int,
    seed: np.random.SeedSequence,
    correlation: float,
) -> tuple[Precision, Precision | None, float]:
    """Precision of both groups, and the standard error of their difference, or of the first without a second."""
    seeds = seed.spawn(2)
    a = precision(first, measure, n, n_simulations=n_simulations, seed=seeds[0])
    if second is None:
        return a, None, a.se
    b = precision(second, measure, n, n_simulations=n_simulations, seed=seeds[1])
    return a, b, _se_difference(a.se, b.se, correlation)


def power_table(
    measure: str,
    *,
    value: float | None = None,
    difference: float = 0.0,
    n_trials: ArrayLike = (100, 200, 500, 1000, 2000, 5000),
    level: float = 0.95,
    correlation: float = 0.0,
    populations: Population | tuple[Population, Population] | None = None,
    n_simulations: int = 2000,
    seed: int | None = 42,
    **model: Any,
) -> pd.DataFrame:
    """Interval width and power at several numbers of trials.

    Parameters
    ----------
    measure : str
        A name in ``measures.MEASURES``.
    value : float
        Expected value of the first group.
    difference : float
        Second group minus first; 0 plans the width only.
    n_trials : whole numbers
        Trials in *each* group.
    correlation : float
        Between the two estimates, above 0 when both groups answer the same questions.
    populations : Population or pair, optional
        Instead of a model: a pilot table (one: both groups behave alike, and ``difference`` is
        the effect wanted on top).
    model
        ``accuracy``, ``n_ratings``, ``slope``, ``d_prime``, ``auroc2`` of
        :func:`population_for`.
    level : float
    n_simulations : int
    seed : int or None

    Returns
    -------
    DataFrame, one row a number of trials
        ``n_trials, value, bias, se, half_width, difference, se_difference, half_width_difference,
        power, closed_form_half_width, share_undefined``.

    References
    ----------
    Hanley & McNeil (1982) for ``closed_form_half_width`` of AUROC2.

    Examples
    --------
    >>> from metacog.sdt import power_table
    >>> table = power_table(
    ...     "auroc2", value=0.75, difference=0.05, n_trials=[200, 800], n_simulations=300
    ... )
    >>> table[["n_trials", "half_width", "power"]].round(2)
       n_trials  half_width  power
    0       200        0.07   0.19
    1       800        0.03   0.59
    """
    import pandas as pd

    z = _check(level, correlation)
    sizes = [int(n) for n in np.atleast_1d(np.asarray(n_trials))]
    first, second = _pair(measure, value, difference, populations, model)
    rows = []
    for n, child in zip(sizes, spawn_seeds(seed, len(sizes)), strict=True):
        a, b, se = _spread(first, second, measure, n, n_simulations, child, correlation)
        se = se if b is not None else float("nan")
        share = float(first.s2.sum())
        rows.append(
            {
                "measure": measure,
                "n_trials": n,
                "value": a.value,
                "bias": a.bias,
                "se": a.se,
                "half_width": z * a.se,
                "difference": difference,
                "se_difference": se,
                "half_width_difference": z * se,
                "power": power_of_difference(difference, se, level=level) if difference else float("nan"),
                "closed_form_half_width": z * closed_form_se(measure, a.value, n, accuracy=share),
                "share_undefined": max(a.share_undefined, b.share_undefined if b is not None else 0.0),
            }
        )
    return pd.DataFrame(rows)


def required_trials(
    measure: str | Measure,
    *,
    value: float | None = None,
    half_width: float | None = None,
    difference: float = 0.0,
    power: float = 0.8,
    level: float = 0.95,
    correlation: float = 0.0,
    populations: Population | tuple[Population, Population] | None = None,
    n_simulations: int = 4000,
    seed: int | None = 42,
    max_trials: int = 10_000_000,
    **model: Any,
) -> Plan:
    """Smallest number of trials a group for an interval width, a difference, or both.

    Parameters
    ----------
    measure : str or Measure
        A measure of one's own needs ``populations``.
    half_width : float, optional
        Wanted half-width of the interval of one group's value; of the difference when
        ``difference`` is given too.
    difference : float
        Difference to detect with ``power``; 0 plans the width only.
    power : float
    max_trials : int
        More are refused.
    value, level, correlation, populations, n_simulations, seed, model
        As in :func:`power_table`.

    Returns
    -------
    Plan
        ``n_trials`` is the number for each group.

    Raises
    ------
    InputError
        Nothing to plan, or more than ``max_trials`` needed.

    Notes
    -----
    se falls as 1/sqrt(n) for large n; from a first simulation the n is solved for, simulated again
    and corrected until it moves by less than 2 %. The Monte-Carlo error of n is sqrt(2/simulations)
    of it, 2.2 % at 4,000 (less for a difference, which has two simulations).

    Examples
    --------
    >>> from metacog.sdt import required_trials
    >>> plan = required_trials(
    ...     "auroc2", value=0.75, half_width=0.05, accuracy=0.6, n_simulations=500
    ... )
    >>> plan.n_trials
    358
    """
    z = _check(level, correlation)
    if half_width is None and not difference:
        raise InputError("give half_width, difference, or both")
    if (half_width is not None and half_width <= 0) or not 0 < power < 1:
        raise InputError("half_width must be above 0 and power between 0 and 1")
    first, second = _pair(measure, value, difference, populations, model)
    wanted, target = np.inf, []
    if half_width is not None:
        wanted = half_width / z
        target.append(f"half-width {half_width:g}")
    if difference:
        wanted = min(wanted, abs(difference) / (z + float(ndtri(power))))
        target.append(f"{100 * power:.0f} % power for a difference of {difference:g}")

    n, se = 1000, float("nan")
    for child in spawn_seeds(seed, 12):
        _, _, se = _spread(first, second, measure, n, n_simulations, child, correlation)
        wish = int(np.ceil(max(n * (se / wanted) ** 2, 10.0)))
        if wish > max_trials:
            raise InputError(f"more than {max_trials:,} trials are needed; ask for less precision")
        se *= float(np.sqrt(n / wish))
        close, n = abs(wish - n) <= 0.02 * n, wish
        if close:
            break
    return Plan(
        n_trials=n,
        half_width=z * se,
        power=power_of_difference(difference, se, level=level) if difference else float("nan"),
        se=se,
        target=f"{get_measure(measure).name}: " + " and ".join(target),
        population=first.description,
    )


def smallest_difference(
    measure: str,
    n_trials: int,
    *,
    value: float | None = None,
    power: float = 0.8,
    level: float = 0.95,
    correlation: float = 0.0,
    populations: Population | None = None,
    n_simulations: int = 4000,
    seed: int | None = 42,
    **model: Any,
) -> float:
    """Smallest difference between two groups that so many trials in each detect with this power.

    Parameters
    ----------
    measure : str
    n_trials : int
        Trials in *each* group.
    value, level, correlation, populations, n_simulations, seed, model
        As in :func:`power_table`; both groups behave alike.
    power : float

    Returns
    -------
    float
        (z of ``level`` + z of ``power``) times the standard error of the difference.

    Raises
    ------
    InputError
        A level, power or correlation out of range, or nothing to plan for.

    References
    ----------
    Bloom (1995, Evaluation Review 19, 547-556): the minimum detectable effect.

    Examples
    --------
    >>> from metacog.sdt import smallest_difference
    >>> found = smallest_difference("accuracy", 164, value=0.5)
    >>> print(f"{found:.3f}")  # two models, each asked 164 questions of its own
    0.156
    """
    z = _check(level, correlation)
    if not 0 < power < 1:
        raise InputError(f"power must be between 0 and 1, got {power}")
    first, _ = _pair(measure, value, 0.0, populations, model)
    se = precision(first, measure, n_trials, n_simulations=n_simulations, seed=seed).se
    return (z + float(ndtri(power))) * _se_difference(se, se, correlation)
