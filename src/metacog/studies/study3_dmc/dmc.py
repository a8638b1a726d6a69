"""What does DMC compute, where does it differ from maximum likelihood, and what stays flat over abilities?

One table is worked through; the simulation is made by ``benchmarks/dmc_estimators.py`` and stored.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table
from metacog.sdt import fit_dmc, fit_meta_d, meta_d_observer
from metacog.sdt.dmc import accuracy_by_rating, counts_matrix, fitted_rows
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.over_groups import coefficient_of_variation, variation
from metacog.studies.study import analysis
from metacog.studies.study3_dmc import paper
from metacog.studies.study3_dmc.observers import ABILITIES, KINDS, MEASURES, exact, measure, sample

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# Which measures stay flat when only ability changes? Values by ability and coefficients of variation.

#: Made by ``benchmarks/dmc_decoupling.py``.
VALUES, VARIATIONS = "dmc_decoupling_values.csv", "dmc_decoupling.csv"


@dataclass(frozen=True)
class Decoupled:
    """Values and coefficients of variation.

    Attributes
    ----------
    values : DataFrame
        One row per kind of observer, measure and ability: ``value, lower, upper`` of the sample, ``exact``
        of infinitely many trials.
    variations : DataFrame
        One row per kind and measure: the fields of :class:`metacog.sdt.over_groups.Variation`, and ``exact``.
    """

    values: pd.DataFrame
    variations: pd.DataFrame


def decoupled(n_trials: int, n_resamples: int, seed: int) -> Decoupled:
    """Simulate, measure, resample.

    Parameters
    ----------
    n_trials : int
        Of each observer.
    n_resamples, seed : int
    """
    values, variations = [], []
    for kind in KINDS:
        children = np.random.SeedSequence([seed, list(KINDS).index(kind)]).spawn(len(ABILITIES))
        samples = [
            sample(kind, d, n_trials, n_resamples, s) for d, s in zip(ABILITIES, children, strict=True)
        ]
        # one batch of all abilities: estimators that fit are much faster so
        tables = [np.concatenate(x) for x in zip(*(s.tables for s in samples), strict=True)]
        draws = [np.concatenate(x) for x in zip(*(s.draws for s in samples), strict=True)]
        endless = [np.concatenate(x) for x in zip(*(exact(kind, d) for d in ABILITIES), strict=True)]
        for name in MEASURES:
            value = measure(name, tables[0], tables[1])
            again = measure(name, draws[0], draws[1]).reshape(len(ABILITIES), n_resamples).T
            true = measure(name, endless[0], endless[1], pad=0.0)
            ends = [percentile_limits(again[:, i]) for i in range(len(ABILITIES))]
            values += [
                {
                    "kind": kind,
                    "measure": name,
                    "d_prime": d,
                    "value": v,
                    "lower": low,
                    "upper": high,
                    "exact": t,
                }
                for d, v, t, (low, high) in zip(ABILITIES, value, true, ends, strict=True)
            ]
            found = asdict(variation(value, again))
            variations.append(
                {"kind": kind, "measure": name, **found, "exact": coefficient_of_variation(true)}
            )
    return Decoupled(pd.DataFrame(values), pd.DataFrame(variations))


def load_decoupled() -> Decoupled:
    """The stored simulation, ``n_trials`` in front of every row.

    Raises
    ------
    MetacogError
        If it is not there; says how it is made.
    """
    return Decoupled(*(committed_table(f"data/simulations/{name}") for name in (VALUES, VARIATIONS)))


def with_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The same with the names that readers know, as ``kind_name`` and ``name``."""
    return frame.assign(kind_name=frame["kind"].map(KINDS), name=frame["measure"].map(MEASURES))


FloatArray = NDArray[np.float64]

ESTIMATORS: dict[str, str] = {
    "dmc": "DMC",
    "dmc_released": "DMC, released variant",
    "ml": "maximum likelihood",
}
ROWS = ("TA: answered A, right", "FA: answered A, wrong", "TB: answered B, right", "FB: answered B, wrong")
#: Of the worked table.
PAD = 0.125


@dataclass(frozen=True)
class Worked:
    """One simulated table through both estimators.

    Attributes
    ----------
    counts : DataFrame
        One row per row of the counts matrix and rating: ``row, rating, count, share, fitted``.
    fits : DataFrame
        One row per estimator: ability, metacognitive ability, their ratio.
    accuracy : DataFrame
        Fitted and observed share right by answer and rating.
    n_wrong, n_right : int
    """

    counts: pd.DataFrame
    fits: pd.DataFrame
    accuracy: pd.DataFrame
    n_wrong: int
    n_right: int


def worked(n_trials: int, d_prime: float, m_ratio: float, seed: int) -> Worked:
    """Simulate one table of a known observer and fit it."""
    s1, s2 = (x[0] for x in meta_d_observer(d_prime, m_ratio=m_ratio).counts(n_trials, 1, seed=seed))
    matrix = counts_matrix(s1, s2)
    padded = matrix + PAD
    shares = padded / padded.sum(axis=1, keepdims=True)
    fit = fit_dmc(s1, s2)
    model = fitted_rows(fit)
    k = matrix.shape[1]
    counts = pd.DataFrame(
        {
            "row": np.repeat(ROWS, k),
            "rating": np.tile(np.arange(1, k + 1), 4),
            "count": matrix.astype(np.int64).ravel(),
            "share": shares.ravel(),
            "fitted": model.ravel(),
        }
    )
    right = accuracy_by_rating(shares)
    rises = accuracy_by_rating(model)
    accuracy = pd.DataFrame(
        {
            "answer": np.repeat(["A", "B"], k),
            "rating": np.tile(np.arange(1, k + 1), 2),
            "observed": right.ravel(),
            "fitted": rises.ravel(),
            "plain": accuracy_by_rating(padded).ravel(),
        }
    )
    wrong = int(matrix[[1, 3]].sum())
    return Worked(counts, _fits(s1, s2, m_ratio * d_prime, d_prime), accuracy, wrong, n_trials - wrong)


def _fits(s1: np.ndarray, s2: np.ndarray, meta_d: float, d_prime: float) -> pd.DataFrame:
    rows = [{"name": "the observer", "ability": d_prime, "meta": meta_d, "ratio": meta_d / d_prime}]
    for name, variant in (("dmc", "paper"), ("dmc_released", "released")):
        fit = fit_dmc(s1, s2, variant=variant)
        rows.append(
            {
                "name": ESTIMATORS[name],
                "ability": fit.d_hat,
                "meta": fit.d_star,
                "ratio": fit.mc,
                "loss": fit.loss,
                "met": fit.constraint_met,
                "converged": fit.converged,
            }
        )
    ml = fit_meta_d(s1 + PAD, s2 + PAD)
    rows.append(
        {
            "name": ESTIMATORS["ml"],
            "ability": ml.d_prime,
            "meta": ml.meta_d,
            "ratio": ml.m_ratio,
            "converged": ml.converged,
        }
    )
    return pd.DataFrame(rows)


def load_estimators() -> pd.DataFrame:
    """The stored comparison, one row per design and estimator, with ``name`` and two standard errors of the bias.

    Raises
    ------
    MetacogError
        If it is not there; says how it is made.
    """
    table = committed_table("data/simulations/dmc_estimators.csv")
    ends = {
        f"bias_{end}": table["bias"] + k * 2 * table["bias_se"] for end, k in (("lower", -1), ("upper", 1))
    }
    return table.assign(name=table["estimator"].map(ESTIMATORS), **ends)


# DMC and maximum likelihood on the same simulated counts; observers whose ability alone varies.

#: A measure with a smaller coefficient of variation than this, were there infinitely many trials, is called flat.
FLAT = 0.05


@dataclass(frozen=True)
class Estimators:
    """Two estimators of one ratio.

    ``counts``, ``accuracy`` and ``fits`` are of one worked table; ``designs`` holds the stored simulation, one row
    per design and estimator. ``lowest_cv`` and ``highest_cv`` are the ends of the published CVs of DMC.
    """

    counts: pd.DataFrame
    accuracy: pd.DataFrame
    fits: pd.DataFrame
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
    one = worked(n_trials, d_prime, m_ratio, seed)
    table = load_estimators()
    cv = paper.as_numbers("table1")["dmc"]
    return Estimators(
        counts=one.counts,
        accuracy=one.accuracy,
        fits=one.fits,
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
    kept = load_decoupled()
    return Decoupling(
        with_names(kept.values),
        with_names(kept.variations),
        len(ABILITIES),
        min(ABILITIES),
        max(ABILITIES),
        FLAT,
    )


ANALYSES = (estimators, decoupling)
