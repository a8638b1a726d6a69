"""What a table of five scores says of a panel of models: components, correlations, cosines, families left out.

Models of one family are not independent, for they share data and recipe: a statistic that turns when one family is
left out is a statistic of that family.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.forensics.resamples import mean_cosine
from metacog.raters.reliability import cronbach_alpha
from metacog.studies.study4_probe.paper import HEADLINE, TASKS, scores

#: Panels smaller than this get no components, cosines or correlations between tasks.
FEWEST_MODELS = 6
DROPPED = "Gemma 3 27B"


def components(table: pd.DataFrame) -> tuple[np.ndarray, pd.DataFrame]:
    """Eigenvalues of the tasks' correlations, largest first, and unit loadings, tasks x ``c1, c2, ...``.

    The sign of a component is arbitrary.
    """
    refuse_small(table)
    if (table.std() == 0).any():
        raise MetacogError("a task on which all models score the same has no correlations")
    values, vectors = np.linalg.eigh(np.corrcoef(table.to_numpy().T))
    order = np.argsort(-values, kind="stable")
    names = [f"c{i + 1}" for i in range(len(order))]
    return values[order], pd.DataFrame(vectors[:, order], index=table.columns, columns=names)


def share_of_two(eigenvalues: np.ndarray) -> float:
    """Share of variance of the first two components, in percent."""
    return 100 * float(eigenvalues[:2].sum() / eigenvalues.sum())


def refuse_small(table: pd.DataFrame) -> None:
    """Refuse statistics of a panel that is too small."""
    if len(table) < FEWEST_MODELS:
        there = "is 1" if len(table) == 1 else f"are {len(table)}"
        raise MetacogError(f"statistics of a panel need at least {FEWEST_MODELS} models; there {there}")


def same_sign(found: pd.Series, printed: pd.Series) -> pd.Series:
    """A component turned to the side of the printed one."""
    return found * (1.0 if float((found * printed).sum()) >= 0 else -1.0)


def correlation(table: pd.DataFrame) -> float:
    """Pearson's r of T1-CC and T2-EV over the models."""
    refuse_small(table)
    return float(np.corrcoef(table["T1_CC"], table["T2_EV"])[0, 1])


def printed_composites() -> pd.DataFrame:
    """Means of the headline tasks and of all five, by model."""
    table = scores()
    return pd.DataFrame(
        {
            "mean_T1_T2_T4_T5": table[list(HEADLINE)].mean(axis=1),
            "mean_T1_T5": table[list(TASKS)].mean(axis=1),
        }
    )


NOBODY = "nobody"
#: What is known of a panel.
FIGURES = ("r", "alpha", "share", "c1", "cosine", "cosine_by_task", "cosine_by_model")
#: Families that are one maker's, in addition to each family by itself.
SAME_MAKER: Mapping[str, tuple[str, ...]] = {"Gemini and Gemma": ("Gemini", "Gemma")}


def lineage(model: str) -> str:
    """The family a model's name begins with: its leading letters (``Claude``, ``GLM``, ``DeepSeek``)."""
    found = re.match(r"[A-Za-z]+", model)
    if found is None:
        raise MetacogError(f"no lineage can be read from the model name {model!r}: begin it with the family")
    return found.group()


def groups_of(models: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Models by lineage, then by maker where a maker has several lineages among them."""
    found: dict[str, tuple[str, ...]] = {}
    for model in models:
        found[lineage(model)] = (*found.get(lineage(model), ()), model)
    for name, families in SAME_MAKER.items():
        if all(f in found for f in families):
            found[name] = tuple(m for f in families for m in found[f])
    return found


def leave_out(table: pd.DataFrame) -> pd.DataFrame:
    """The panel's figures without each lineage, of scores, models x the five tasks; the first row leaves nobody out.

    ``left_out``, ``n`` (left), ``leader`` (highest mean of the headline tasks), ``r`` (T1-CC with T2-EV), ``alpha``
    (Cronbach's, the tasks as parts of a test), ``share`` (variance of the first two components, in percent), ``c1``
    (size of the cosine of the first with that of the whole panel), the mean cosine of two models' profiles (``cosine``
    as they are, ``cosine_by_task`` less each task's mean, which lies about -1/(n - 1) whatever the scores, and
    ``cosine_by_model`` less each model's) and ``why`` figures are missing.
    """
    _, whole = components(table)
    rows = []
    for name, models in {NOBODY: (), **groups_of([str(m) for m in table.index])}.items():
        left = table.drop(index=list(models))
        row = {
            "left_out": name,
            "n": len(left),
            "leader": str(left[list(HEADLINE)].mean(axis=1).idxmax()) if len(left) else "",
            **dict.fromkeys(FIGURES, np.nan),
            "why": "",
        }
        try:
            row |= _figures(left, whole)
        except MetacogError as refused:
            row["why"] = str(refused)
        rows.append(row)
    return pd.DataFrame(rows)


def _figures(left: pd.DataFrame, whole: pd.DataFrame) -> dict[str, float]:
    eigenvalues, loadings = components(left)
    x = left.to_numpy()
    values = (
        correlation(left),
        cronbach_alpha(x),
        share_of_two(eigenvalues),
        abs(float((loadings["c1"] * whole["c1"]).sum())),
        mean_cosine(x),
        mean_cosine(x - x.mean(axis=0)),
        mean_cosine(x - x.mean(axis=1, keepdims=True)),
    )
    return dict(zip(FIGURES, values, strict=True))
