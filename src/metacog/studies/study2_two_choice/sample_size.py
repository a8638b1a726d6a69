"""How the estimates of known observers spread at several numbers of trials, and how many trials it takes.

Known of the paper's simulation are the observer (d' 3.2, meta-d' 3, c 0, criteria from -2 to -0.5 and from
0.5 to 2) and 20 repetitions of each size. Taken here: four criteria a side, for the five ratings of the
experiments, at equal distances; sizes from a cell of the profile's run to a cell of the paper; stimuli drawn
at random, half of them S2; fits by maximum likelihood.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr
from scipy.stats import binom

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.paths import project_root
from metacog.core.words import listed, plural
from metacog.sdt.sample_size import simulate_sizes, spread_by_size, trials_for_m_ratio
from metacog.sdt.simulate import MetaDObserver, meta_d_observer

PAPER = MetaDObserver(3.2, 3.0, 0.0, (-2.0, -1.5, -1.0, -0.5), (0.5, 1.0, 1.5, 2.0))
#: Trials of a cell of the paper on task A.
THEIRS = 20_000
#: Sizes between a cell of the run and one of the paper.
BETWEEN = (200, 500, 1_000, 2_000, 5_000, 10_000)
#: Posteriors of some of the tables, by ``benchmarks/sample_size_bayes.py``.
POSTERIORS = "data/simulations/sample_size_bayes.csv"
#: What is added to every cell: nothing, as in the paper, or the customary half trial.
PADS = {"as drawn": 0.0, "half a trial added": 0.5}
#: A bias of M-ratio that is small beside an interval of half-width 0.1.
SMALL_BIAS = 0.02
#: Intervals of level 95 % that would hold the truth as seldom as this by chance hold it too seldom.
TOO_FEW = 0.01
#: Observers of the table that readers look their own model up in.
D_PRIMES = (0.3, 0.5, 1.0, 1.5, 2.0, 3.0)
M_RATIOS = (0.5, 0.8, 1.0)


def observers(d_prime: float, m_ratio: float, n_ratings: int) -> dict[str, MetaDObserver]:
    """The paper's observer, and one that uses all its ratings equally often, by what readers call them."""
    other = meta_d_observer(d_prime, m_ratio=m_ratio, n_ratings=n_ratings)
    return {f"d' {o.d_prime:g}, M-ratio {o.m_ratio:.2f}": o for o in (PAPER, other)}


def sizes_from(ours: int) -> tuple[int, ...]:
    """Numbers of trials that are simulated, for a run with ``ours`` trials a cell."""
    return tuple(sorted({ours, *BETWEEN, THEIRS}))


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
    """Mean and spread of M-ratio over the few repetitions beside those over all simulations."""
    few = single.groupby(["observer", "n_trials"], sort=False)["m_ratio"].agg(["mean", "std", "count"])
    few = few.rename(columns={"mean": "few_mean", "std": "few_sd", "count": "few_fitted"}).reset_index()
    drawn = spread[spread["fitted_to"] == "as drawn"]
    return few.merge(drawn, on=["observer", "n_trials"])


def by_posterior() -> pd.DataFrame:
    """Posterior means at a few sizes beside maximum likelihood on the same tables, from a stored simulation.

    Raises
    ------
    MetacogError
        If the simulation is not there; says how it is made.
    """
    path = project_root() / POSTERIORS
    if not path.is_file():
        raise MetacogError(f"{path} is missing: make it with `python benchmarks/sample_size_bayes.py`")
    drawn = pd.read_csv(path)
    drawn["m_ratio_true"] = drawn["meta_d_true"] / drawn["d_prime_true"]
    rows = []
    for (observer, n), own in drawn.groupby(["observer", "n_trials"], sort=False):
        row: dict[str, Any] = {"observer": observer, "n_trials": n, "n": len(own)}
        for name in ("d_prime", "meta_d", "m_ratio"):
            row[f"{name}_bias"] = (own[name] - own[f"{name}_true"]).mean()
            row[f"{name}_bias_ml"] = (own[f"{name}_ml"] - own[f"{name}_true"]).mean()
        lower, upper, truth = (own[f"m_ratio_{part}"] for part in ("lower", "upper", "true"))
        row |= {
            "m_ratio_sd": own["m_ratio"].std(),
            "m_ratio_sd_ml": own["m_ratio_ml"].std(),
            "m_ratio_half": (upper - lower).mean() / 2,
            "held": int(((lower <= truth) & (truth <= upper)).sum()),
            "judged": int(own["judged"].sum()),
            "fitted_ml": int(own["m_ratio_ml"].notna().sum()),
            "r_hat": own["r_hat"].max(),
            "divergences": int(own["divergences"].sum()),
        }
        rows.append(row)
    return pd.DataFrame(rows)


def posterior_said(table: pd.DataFrame) -> str:
    """What posterior means do at the smallest and the largest size, and whether intervals hold the truth."""
    parts = []
    for name, own in table.groupby("observer", sort=False):
        few, *_, many = rows_of(own.sort_values("n_trials"))
        parts.append(
            f"At {name} the posterior mean of M-ratio is off by {few.m_ratio_bias:+.3f} on average at "
            f"{few.n_trials:,} trials (maximum likelihood on the same tables {few.m_ratio_bias_ml:+.3f}) and "
            f"by {many.m_ratio_bias:+.3f} at {many.n_trials:,} ({many.m_ratio_bias_ml:+.3f})."
        )
    held, n = int(table["held"].sum()), int(table["n"].sum())
    diverged = int(table["divergences"].sum())
    rare = [
        f"{r.held} of {r.n} at {r.observer}, {r.n_trials:,} trials"
        for r in rows_of(table)
        if binom.cdf(r.held, r.n, 0.95) < TOO_FEW
    ]
    fewer = f" Fewer than an honest 95 % would allow: {listed(rare)}." if rare else ""
    return (
        f"{' '.join(parts)} Of {n} 95 % intervals {held} hold the truth.{fewer} R-hat is at most "
        f"{table['r_hat'].max():.3f}; {plural(diverged, 'draw') if diverged else 'no draw'} diverged."
    )


def needed(known: dict[str, MetaDObserver], half_width: float, n_simulations: int, seed: int) -> pd.DataFrame:
    """Trials for an M-ratio interval of a half-width: a row an observer and way of fitting."""
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


def needed_said(table: pd.DataFrame, half_width: float) -> str:
    """How many trials each observer takes."""
    parts = [
        f"{own['trials'].iloc[0]:,} trials at {name} ({own['trials'].iloc[1]:,} with half a trial added)"
        for name, own in table.groupby("observer", sort=False)
    ]
    text = f"For an M-ratio interval of half-width {half_width:g} it takes {listed(parts)}."
    off = table[table["bias"].abs() > SMALL_BIAS]
    if len(off):
        some = [f"{r.bias:+.3f} at {r.observer}, {r.fitted_to}" for r in rows_of(off)]
        text += f" The half-width is spread alone: at that size the estimate is also off by {listed(some)}."
    return text


def failed_said(spread: pd.DataFrame) -> str:
    """Where fits fail, and from where on none does."""
    drawn = spread[spread["fitted_to"] == "as drawn"]
    parts = []
    for name, own in drawn.groupby("observer", sort=False):
        failing = own[own["failed"] > 0]
        if not len(failing):
            parts.append(f"At {name} every table of every size gave an estimate.")
            continue
        shares = listed(f"{100 * r.failed:.1f} % at {r.n_trials:,} trials" for r in rows_of(failing))
        text = f"At {name} no estimate came of {shares}"
        rest = own[own["n_trials"] > failing["n_trials"].max()]
        parts.append(f"{text}; of larger tables none failed." if len(rest) else f"{text}.")
    empty = [
        f"{100 * r.empty:.1f} % of tables of {r.n_trials:,} trials at {r.observer}"
        for r in rows_of(drawn[drawn["n_trials"] == 1_000])
    ]
    return (
        " ".join(parts) + f" A cell without a trial, for which half trials are meant, is in {listed(empty)}."
    )


def bias_said(spread: pd.DataFrame) -> str:
    """What half a trial in every cell does to M-ratio, and from which size on either way is nearly right."""
    parts = []
    for name, own in spread.groupby("observer", sort=False):
        at = own[own["n_trials"] == own["n_trials"].min()].set_index("fitted_to")["m_ratio_bias"]
        ways = listed(f"{value:+.2f} {way}" for way, value in at.items())
        since = [f"{way}: {_small_from(part)}" for way, part in own.groupby("fitted_to", sort=False)]
        parts.append(
            f"At {name} the bias of M-ratio is {ways} at {own['n_trials'].min():,} trials; under "
            f"{SMALL_BIAS} ({'; '.join(since)})."
        )
    return " ".join(parts)


def _small_from(part: pd.DataFrame) -> str:
    """The smallest size from which on the bias stays small."""
    own = part.sort_values("n_trials")
    large = own[own["m_ratio_bias"].abs() > SMALL_BIAS]["n_trials"]
    rest = own if large.empty else own[own["n_trials"] > large.max()]
    return f"from {rest['n_trials'].iloc[0]:,} trials on" if len(rest) else "at no size"


def repetitions_said(beside: pd.DataFrame, repetitions: int, n_simulations: int) -> str:
    """How well a spread is known from few repetitions."""
    error = 1 / np.sqrt(2 * (repetitions - 1))
    ratio = (beside["few_sd"] / beside["m_ratio_sd"]).dropna()
    return (
        f"{plural(repetitions, 'repetition')} tell a spread to within about {100 * error:.0f} % "
        f"(one standard error). Over the sizes here it came out at {ratio.min():.2f} to {ratio.max():.2f} "
        f"times the spread over {n_simulations:,} simulations."
    )


def own_said(d_prime: float, m_ratio: float, n_ratings: int, half_width: float, trials: int) -> str:
    """The answer for the observer that the chapter's parameters describe, and how to ask it of another."""
    return (
        f"For d' {d_prime:g}, M-ratio {m_ratio:g} and {n_ratings} ratings a response: **{trials:,} trials** "
        f"for a half-width of {half_width:g}. Half the width takes about four times as many, "
        f"{4 * trials:,}."
    )


def ours_said(spread: pd.DataFrame, ours: int) -> str:
    """What a cell of the run, with ``ours`` trials, and one of the paper can tell."""
    drawn = spread[spread["fitted_to"] == "as drawn"]
    text = []
    for n, whose in (
        (ours, "this run asks of each model and task"),
        (THEIRS, "the paper had on task A"),
    ):
        own = rows_of(drawn[drawn["n_trials"] == n])
        halves = [f"{r.m_ratio_half:.2f} at {r.observer}" for r in own]
        text.append(f"With the {n:,} trials that {whose}, the half-width is {listed(halves)}.")
    return " ".join(text)
