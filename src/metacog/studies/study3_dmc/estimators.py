"""DMC's MC beside maximum likelihood's M-ratio: one table worked through, and the stored simulation.

The simulation is made by ``benchmarks/dmc_estimators.py``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.paths import project_root
from metacog.core.words import listed
from metacog.sdt import fit_dmc, fit_meta_d, meta_d_observer
from metacog.sdt.dmc import fitted_rows
from metacog.sdt.dmc_matrix import accuracy_by_rating, counts_matrix, tables_of_matrix

FloatArray = NDArray[np.float64]

ESTIMATORS: dict[str, str] = {
    "dmc": "DMC",
    "dmc_released": "DMC, released variant",
    "ml": "maximum likelihood",
}
ROWS = ("TA: answered A, right", "FA: answered A, wrong", "TB: answered B, right", "FB: answered B, wrong")
FACTORS: dict[str, str] = {
    "n_trials": "trials",
    "d_prime": "d'",
    "m_ratio": "true M-ratio",
    "pad": "added to each cell",
    "c": "criterion c",
    "usage": "ratings used",
}
#: Of the worked table.
PAD = 0.125
#: Fewest trials from which an error is taken to fall with the root of their number.
LARGE = 400


@dataclass(frozen=True)
class Worked:
    """One simulated table through both estimators.

    Attributes
    ----------
    counts : DataFrame
        A row of the counts matrix and a rating each: ``row, rating, count, share, fitted``.
    fits : DataFrame
        A row an estimator: ability, metacognitive ability, their ratio.
    accuracy : DataFrame
        Fitted and observed share right by answer and rating.
    n_wrong, n_right : int
    scaled_said : str
    """

    counts: pd.DataFrame
    fits: pd.DataFrame
    accuracy: pd.DataFrame
    n_wrong: int
    n_right: int
    moved_said: str


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


def _moved(matrix: FloatArray) -> str:
    """What one wrong answer with the surest rating in place of the least sure does to either estimate."""
    row = int(np.argmin(matrix[[1, 3]].sum(axis=1))) * 2 + 1
    other = matrix.copy()
    other[row, 0] -= 1
    other[row, -1] += 1
    found = []
    for m in (matrix, other):
        tables = tables_of_matrix(m)
        found.append((fit_dmc(*tables).d_star, fit_meta_d(tables[0] + PAD, tables[1] + PAD).meta_d))
    (a, b), (c, d) = found
    return (
        f"Had one of the {int(matrix[row].sum())} wrong answers of row {ROWS[row][:2]} carried the highest "
        f"rating in "
        f"place of the lowest, d* would go from {a:.3f} to {c:.3f} and meta-d' from {b:.3f} to {d:.3f}."
    )


def load() -> pd.DataFrame:
    """The stored comparison, a row a design and estimator, with ``name``.

    Raises
    ------
    MetacogError
        If it is not there; says how it is made.
    """
    path = project_root() / "data" / "simulations" / "dmc_estimators.csv"
    if not path.is_file():
        raise MetacogError(
            "data/simulations/dmc_estimators.csv is missing: make it with `python "
            "benchmarks/dmc_estimators.py`"
        )
    table = pd.read_csv(path)
    return table.assign(name=table["estimator"].map(ESTIMATORS))


def of_factor(table: pd.DataFrame, factor: str) -> pd.DataFrame:
    """Rows of the designs that vary one factor.

    Raises
    ------
    MetacogError
        If there are none.
    """
    rows = table[table["factor"] == factor].reset_index(drop=True)
    if rows.empty:
        raise MetacogError(f"dmc_estimators.csv has no rows that vary {factor}: make it again")
    return rows


def trials_said(table: pd.DataFrame) -> str:
    """Bias and spread from the fewest trials to the most."""
    rows = of_factor(table, "n_trials")
    parts = []
    for name, own in rows.groupby("name", sort=False):
        few, many = own.nsmallest(1, "n_trials").iloc[0], own.nlargest(1, "n_trials").iloc[0]
        parts.append(
            f"**{name}**: bias {few['bias']:+.3f} and standard deviation {few['sd']:.2f} at "
            f"{few['n_trials']:,} trials, "
            f"{many['bias']:+.3f} and {many['sd']:.3f} at {many['n_trials']:,}"
        )
    return "; ".join(parts) + "."


def padding_said(table: pd.DataFrame) -> str:
    """How far the mean estimate moves over the constants added to each cell."""
    rows = of_factor(table, "pad")
    parts = []
    for n, own in rows.groupby("n_trials"):
        moved = own.groupby("name", sort=False)["bias"].agg(lambda x: x.max() - x.min())
        parts.append(f"at {n:,} trials by " + listed(f"{v:.3f} ({name})" for name, v in moved.items()))
    low, high = rows["pad"].min(), rows["pad"].max()
    return (
        f"Adding {high:g} in place of {low:g} to each cell moves the mean estimate " + "; ".join(parts) + "."
    )


def usage_said(table: pd.DataFrame) -> str:
    """The use of ratings that DMC bears worst, with the bias and spread of each estimator there."""
    rows = of_factor(table, "usage")
    few = rows[rows["n_trials"] == rows["n_trials"].min()]
    worst = few[few["estimator"] == "dmc"].set_index("usage")["bias"].abs().idxmax()
    parts = []
    for n, own in rows[rows["usage"] == worst].groupby("n_trials"):
        parts.append(
            f"at {n:,} trials "
            + listed(f"{r.bias:+.3f} with standard deviation {r.sd:.2f} ({r.name})" for r in rows_of(own))
        )
    return f"DMC bears worst the use of ratings called *{worst}*. Bias there: " + "; ".join(parts) + "."


def criterion_said(table: pd.DataFrame) -> str:
    """What either estimate tends to, with endlessly many trials, where the other's assumption holds."""
    rows = of_factor(table, "c")
    far = rows[rows["c"] == rows["c"].max()]
    truth, c = float(far["m_ratio"].iloc[0]), float(far["c"].iloc[0])
    dmc, ml = (
        float(far.loc[(far["holds"] == holds) & (far["estimator"] == name), "limit"].iloc[0])
        for holds, name in (("c/d'", "dmc"), ("c0", "ml"))
    )
    return (
        f"At c = {c:g} and a true ratio of {truth:g}, with endlessly many trials, DMC gives {dmc:.3f} to "
        f"an observer whose "
        f"criterion moves with meta-d', and maximum likelihood {ml:.3f} to one whose criterion stays. "
        f"Without bias to "
        "an answer the two agree."
    )


def needed_said(table: pd.DataFrame, printed: pd.DataFrame) -> str:
    """How many independent trials would make the sampling CV of MC as small as the printed CVs.

    Parameters
    ----------
    table : DataFrame
        The simulation.
    printed : DataFrame
        Table 1: ``dmc`` holds the CVs.
    """
    own = table[(table["estimator"] == "dmc") & (table["n_trials"] >= LARGE)]
    once = (own["sd"] / (own["m_ratio"] + own["bias"])) * np.sqrt(own["n_trials"])
    best = own.loc[once.idxmin()]
    low, high = printed["dmc"].min(), printed["dmc"].max()
    size = [float(f"{(once.min() / cv) ** 2:.2g}") for cv in (high, low)]
    return (
        f"In the simulated design that is kindest to MC (d' = {best['d_prime']:g}, true ratio "
        f"{best['m_ratio']:g}), "
        f"{best['n_trials']:,} independent trials a data set give it a CV of "
        f"{once.min() / np.sqrt(best['n_trials']):.3f} by sampling alone. For sampling alone to be as "
        f"small as the printed "
        f"CVs of {low:g} to {high:g}, a data set would need about {size[0]:,.0f} to {size[1]:,.0f} "
        f"independent trials; "
        "trials that repeat a question count for less. Without the counts it cannot be said what made the "
        "printed "
        "values lie as close together as they do."
    )


def released_said(table: pd.DataFrame) -> str:
    """How often the released variant stops at a bound, and what that does to its mean, by the true ratio."""
    rows = of_factor(table, "m_ratio")
    own = rows[rows["estimator"] == "dmc_released"].sort_values("m_ratio")
    return (
        f"Of simulated tables of {int(own['n_trials'].iloc[0]):,} trials the released variant stops at a "
        "bound in "
        + listed(
            f"{r.at_bound:.0%} (bias {r.bias:+.3f}) at a true ratio of {r.m_ratio:g}" for r in rows_of(own)
        )
        + "."
    )
