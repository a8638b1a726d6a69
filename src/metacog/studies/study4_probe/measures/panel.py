"""What table 1's forty scores say of the panel: composites, components, cosines, correlations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.forensics.correlations import mean_cosine
from metacog.studies.study4_probe.ledger.published import HEADLINE, TASKS, scores

#: Panels smaller than this get no components, cosines or correlations between tasks.
FEWEST_MODELS = 6
DROPPED = "Gemma 3 27B"


@dataclass(frozen=True)
class Components:
    """Principal components of the tasks' correlation matrix.

    Attributes
    ----------
    eigenvalues : array, shape (tasks,)
        Largest first.
    loadings : DataFrame
        Unit eigenvectors, tasks x components ``c1, c2, ...``. The sign of a component is arbitrary.
    share : float
        Share of variance of the first two.
    """

    eigenvalues: np.ndarray
    loadings: pd.DataFrame
    share: float


def components(table: pd.DataFrame) -> Components:
    """Components of models x tasks scores.

    Raises
    ------
    MetacogError
        Fewer than six models, or a task on which all score the same.
    """
    refuse_small(table)
    if (table.std() == 0).any():
        raise MetacogError("a task on which all models score the same has no correlations")
    values, vectors = np.linalg.eigh(np.corrcoef(table.to_numpy().T))
    order = np.argsort(-values)
    names = [f"c{i + 1}" for i in range(len(order))]
    loadings = pd.DataFrame(vectors[:, order], index=table.columns, columns=names)
    kept = values[order]
    return Components(kept, loadings, float(kept[:2].sum() / kept.sum()))


def refuse_small(table: pd.DataFrame) -> None:
    """Refuse statistics of a panel that is too small."""
    if len(table) < FEWEST_MODELS:
        there = "is 1" if len(table) == 1 else f"are {len(table)}"
        raise MetacogError(f"statistics of a panel need at least {FEWEST_MODELS} models; there {there}")


def same_sign(found: pd.Series, printed: pd.Series) -> pd.Series:
    """A component turned to the side of the printed one."""
    return found * (1.0 if float((found * printed).sum()) >= 0 else -1.0)


def without_one(table: pd.DataFrame) -> pd.DataFrame:
    """The panel without the model that the paper leaves out for comparison."""
    return table.drop(index=DROPPED)


def correlation(table: pd.DataFrame, first: str = "T1_CC", second: str = "T2_EV") -> float:
    """Pearson's r of two tasks over the models."""
    refuse_small(table)
    return float(np.corrcoef(table[first], table[second])[0, 1])


def cosines() -> pd.DataFrame:
    """Mean cosine of the models' profiles, with and without the model left out, in three ways.

    ``panel, raw, by_task, by_model``: the scores as they are, less each task's mean, less each model's mean;
    ``forced`` is -1/(n - 1), about which the second lies whatever the scores.
    """
    rows = []
    for name, table in (("all eight", scores()), (f"without {DROPPED}", without_one(scores()))):
        x = table.to_numpy()
        rows.append(
            {
                "panel": name,
                "raw": mean_cosine(x),
                "by_task": mean_cosine(x - x.mean(axis=0)),
                "by_model": mean_cosine(x - x.mean(axis=1, keepdims=True)),
                "forced": -1 / (len(x) - 1),
            }
        )
    return pd.DataFrame(rows)


def composites() -> pd.DataFrame:
    """Means of the headline tasks and of all five, by model."""
    table = scores()
    return pd.DataFrame(
        {
            "mean_T1_T2_T4_T5": table[list(HEADLINE)].mean(axis=1),
            "mean_T1_T5": table[list(TASKS)].mean(axis=1),
        }
    )
