"""DMC's MC and maximum likelihood's M-ratio: one table worked through, and the stored simulation.

The simulation is made by ``benchmarks/dmc_estimators.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.sdt import fit_dmc, fit_meta_d, meta_d_observer
from metacog.sdt.dmc import accuracy_by_rating, counts_matrix, fitted_rows, tables_of_matrix

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
class Moved:
    """One wrong answer with the highest rating in place of the lowest, and what that does to an estimate.

    Attributes
    ----------
    row : str
        ``FA`` or ``FB``.
    of : int
        Wrong answers of that row.
    d_star, meta_d : (float, float)
        Before and after.
    """

    row: str
    of: int
    d_star: tuple[float, float]
    meta_d: tuple[float, float]


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
    moved : Moved
    """

    counts: pd.DataFrame
    fits: pd.DataFrame
    accuracy: pd.DataFrame
    n_wrong: int
    n_right: int
    moved: Moved


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
    return Worked(
        counts, _fits(s1, s2, m_ratio * d_prime, d_prime), accuracy, wrong, n_trials - wrong, _moved(matrix)
    )


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


def _moved(matrix: FloatArray) -> Moved:
    """Move one wrong answer of the row that has fewest."""
    row = int(np.argmin(matrix[[1, 3]].sum(axis=1))) * 2 + 1
    other = matrix.copy()
    other[row, 0] -= 1
    other[row, -1] += 1
    tables = [tables_of_matrix(m) for m in (matrix, other)]
    d_star = [float(fit_dmc(*t).d_star) for t in tables]
    meta_d = [float(fit_meta_d(t[0] + PAD, t[1] + PAD).meta_d) for t in tables]
    return Moved(ROWS[row][:2], int(matrix[row].sum()), (d_star[0], d_star[1]), (meta_d[0], meta_d[1]))


def load() -> pd.DataFrame:
    """The stored comparison, one row per design and estimator, with ``name`` and two standard errors of the bias.

    Raises
    ------
    MetacogError
        If it is not there; says how it is made.
    """
    path = project_root() / "data" / "simulations" / "dmc_estimators.csv"
    if not path.is_file():
        raise MetacogError(f"{path.name} is missing: make it with `python benchmarks/dmc_estimators.py`")
    table = pd.read_csv(path)
    ends = {
        f"bias_{end}": table["bias"] + k * 2 * table["bias_se"] for end, k in (("lower", -1), ("upper", 1))
    }
    return table.assign(name=table["estimator"].map(ESTIMATORS), **ends)
