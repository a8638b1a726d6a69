"""What does DMC compute, where does it differ from maximum likelihood, and what stays flat over abilities?

One table is worked through; the simulation is made by ``benchmarks/dmc_estimators.py`` and stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table
from metacog.sdt import fit_dmc, fit_meta_d, meta_d_observer
from metacog.sdt.dmc import accuracy_by_rating, counts_matrix, fitted_rows
from metacog.studies.study import analysis
from metacog.studies.study3_dmc import paper
from metacog.studies.study3_dmc.observers import ABILITIES, ALL, KINDS, MEASURES, NOTHING, exact, measure

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


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
    """What ability alone does to each measure, with endlessly many trials.

    ``moves`` has one row per kind of observer and measure: ``kind, kind_name, measure, name, moved`` (highest less
    lowest value over the abilities, as a share of what lies between ratings at random and ratings that use all that the
    decision used, at the ability in the middle).
    """

    moves: pd.DataFrame
    abilities: int
    lowest: float
    highest: float


@analysis(returns=Decoupling)
def decoupling(inputs: Inputs) -> Decoupling:
    """Which measures stay flat when only ability changes?"""
    middle = float(np.median(ABILITIES))
    asked = [(kind, d) for kind in KINDS for d in ABILITIES] + [(NOTHING, middle), (ALL, middle)]
    tables = [np.concatenate(x) for x in zip(*(exact(*one) for one in asked), strict=True)]
    rows = []
    for name, title in MEASURES.items():
        *values, nothing, everything = measure(name, tables[0], tables[1], pad=0.0)
        spread = np.ptp(np.reshape(values, (len(KINDS), -1)), axis=1) / abs(everything - nothing)
        of = {"measure": name, "name": title}
        rows += [
            {"kind": kind, "kind_name": KINDS[kind], **of, "moved": moved}
            for kind, moved in zip(KINDS, spread.tolist(), strict=True)
        ]
    return Decoupling(pd.DataFrame(rows), len(ABILITIES), min(ABILITIES), max(ABILITIES))


ANALYSES = (estimators, decoupling)
