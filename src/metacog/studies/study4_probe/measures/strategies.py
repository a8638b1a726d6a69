"""Strategies of stating confidence: constant, near the ceiling, two-valued or graded, by a stated rule."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.core.errors import MetacogError
from metacog.studies.study4_probe.asking.marking import SCALES
from metacog.studies.study4_probe.ledger import published
from metacog.studies.study4_probe.ledger.published import FLASH, short
from metacog.studies.study4_probe.measures.scores import scored

UNSTATED, CONSTANT, CEILING, TWO, GRADED = (
    "not stated",
    "constant",
    "near the ceiling",
    "two-valued",
    "graded",
)


@dataclass(frozen=True)
class Rule:
    """Where the classes begin; the first that fits is taken.

    *Not stated*: fewer than ``fewest`` confidences were stated, or less than half. *Constant*: one value.
    *Near the ceiling*: a share ``most`` lies at ``ceiling`` times the top of the scale or above.
    *Two-valued*: the two commonest values make up a share ``most``. *Graded*: all else.

    Attributes
    ----------
    most : float
        Above 0.5, at most 1.
    ceiling : float
        Between 0 and 1.
    fewest : int
        At least 2.
    """

    most: float = 0.9
    ceiling: float = 0.9
    fewest: int = 3

    def __post_init__(self) -> None:
        if not (0.5 < self.most <= 1 and 0 < self.ceiling <= 1 and self.fewest >= 2):
            raise MetacogError(
                "a strategy's rule needs 0.5 < most <= 1, 0 < ceiling <= 1 and fewest of at least 2; got "
                f"{self.most}, {self.ceiling} and {self.fewest}"
            )


RULE = Rule()
#: Other shares at which the class is looked at again.
STRICT, LOOSE = replace(RULE, most=1.0), replace(RULE, most=0.8)


def strategy(stated: ArrayLike, top: float, rule: Rule = RULE) -> str:
    """The class of a list of stated confidences.

    Parameters
    ----------
    stated : array_like, shape (n,)
        On the task's own scale; NaN where none was stated.
    top : float
        Highest value of the scale.

    Raises
    ------
    MetacogError
        If a confidence lies above the top of the scale or below 0.
    """
    every = np.asarray(stated, dtype=np.float64)
    values = every[np.isfinite(every)]
    if values.size and not (values.min() >= 0 and values.max() <= top):
        raise MetacogError(f"a confidence lies outside its scale, 0 to {top:g}")
    if values.size < rule.fewest or 2 * values.size < every.size:
        return UNSTATED
    counts = np.sort(np.unique(values, return_counts=True)[1])[::-1]
    if counts.size == 1:
        return CONSTANT
    if np.mean(values >= rule.ceiling * top) >= rule.most:
        return CEILING
    return TWO if counts[:2].sum() >= rule.most * values.size else GRADED


def _row(model: str, task: str, stated: pd.Series) -> dict[str, object]:
    top = SCALES[task][1]
    values = stated.dropna()
    return {
        "model": model,
        "task": short(task),
        "items": len(stated),
        "stated": len(values),
        "values": int(values.nunique()),
        "commonest": float(values.value_counts(normalize=True).iloc[0]) if len(values) else np.nan,
        "at_top": float((values >= RULE.ceiling * top).mean()) if len(values) else np.nan,
        "strategy": strategy(stated, top),
        "strict": strategy(stated, top, STRICT),
        "loose": strategy(stated, top, LOOSE),
    }


def table(trials: pd.DataFrame) -> pd.DataFrame:
    """The strategy of each model on each task with a confidence.

    Returns
    -------
    DataFrame
        ``model, task, items, stated, values`` (different ones), ``commonest`` and ``at_top`` (share of stated
        confidences that have the commonest value, that lie near the top), ``strategy``, and what it would be
        with all (``strict``) or four in five (``loose``) in place of nine in ten.
    """
    first = scored(trials)
    return pd.DataFrame(
        [
            _row(str(model), task, rows.loc[rows["task"] == task, "stated"])
            for model, rows in first.groupby("model", sort=False)
            for task in SCALES
            if (rows["task"] == task).any()
        ]
    )


def of_flash() -> pd.DataFrame:
    """The same of Flash's twelve printed items."""
    _, sure = published.flash_items()
    return pd.DataFrame([_row(FLASH, "T4_CR", pd.Series(sure))])
